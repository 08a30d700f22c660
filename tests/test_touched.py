"""Choosing tests for a change, and measuring their time."""

from types import SimpleNamespace

import pytest

from tests import minutes, touched

TEXTS = {
    "tests/scoring/test_rulings.py": "from bridgebuddy.scoring.services import publishing, rulings\n",
    "tests/director/test_rulings.py": "browser.get('/results/')\n",
    "tests/engine/test_laws.py": "from movements.engine import (\n    catalogue,\n    laws,\n)\n",
    "tests/browser/test_phone.py": "the queue of phone.js, and rulings\n",
    "tests/test_german.py": "import bridgebuddy.scoring.services.rulings\n",
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (
            "bridgebuddy/scoring/services/rulings.py",
            [
                "tests/scoring/test_rulings.py",
                "tests/test_german.py",
                "tests/director/test_rulings.py",
            ],
        ),
        ("movements/engine/laws/boards.py", ["tests/engine/test_laws.py"]),
        ("static/js/phone.js", ["tests/browser/test_phone.py"]),
        ("tests/engine/test_laws.py", ["tests/engine/test_laws.py"]),
        ("docs/dev/structure.md", []),
        ("movements/engine/aws.py", []),
    ],
)
def test_what_is_about_a_change_is_run(path, found):
    assert touched.touched([path], TEXTS, {}) == [found, []]


def test_of_what_is_about_it_the_quickest_are_run_until_the_time_is_full():
    paths = ["bridgebuddy/scoring/services/rulings.py", "tests/director/test_rulings.py"]
    taken = {"tests/scoring/test_rulings.py": touched.BUDGET, "tests/test_german.py": 20}

    run, left = touched.touched(paths, TEXTS, taken)

    assert run == ["tests/director/test_rulings.py", "tests/test_german.py"]
    assert left == ["tests/scoring/test_rulings.py"]
    assert touched.touched(
        paths[:1], {"tests/a/test_rulings.py": ""}, {"tests/a/test_rulings.py": 999}
    ) == [
        ["tests/a/test_rulings.py"],
        [],
    ]


def test_the_page_says_how_long_each_file_took_and_is_read_again(tmp_path, monkeypatch):
    report = tmp_path / "report.xml"
    report.write_text(
        "<testsuites><testsuite>"
        '<testcase name="one" file="tests/table_phones/test_desk.py" time="12.4"/>'
        '<testcase name="two" file="tests/table_phones/test_desk.py" time="8.1"/>'
        '<testcase name="three" file="tests/table_phones/test_letters.py" time="3.2"/>'
        '<testcase name="four" file="tests/test_run.py" time="0.2"/>'
        "</testsuite></testsuites>"
    )
    monkeypatch.setattr(minutes, "PAGE", tmp_path / "minutes.md")
    found = {
        "SQLite": minutes.seconds(report),
        "PostgreSQL": {"tests/table_phones/test_desk.py": 30.0},
    }

    minutes.PAGE.write_text(minutes.page(found))

    text = minutes.PAGE.read_text()
    assert "| **everything** | 24 | 30 |" in text
    assert "| tests/table_phones | 24 | 30 |" in text
    assert (
        "| tests/table_phones/test_desk.py | 20 | 30 |\n| tests/table_phones/test_letters.py | 3 |  |"
        in text
    )
    assert text.endswith("| 1 others | 0 |  |\n")
    assert minutes.known() == {
        "tests/table_phones/test_desk.py": 20,
        "tests/table_phones/test_letters.py": 3,
    }

    files = [
        "tests/test_run.py",
        "tests/table_phones/test_letters.py",
        "tests/table_phones/test_desk.py",
    ]
    items = [SimpleNamespace(location=(file, line, "")) for file in files for line in (3, 9)]
    minutes.pytest_collection_modifyitems(items)
    assert [item.location[:2] for item in items] == [
        (file, line) for file in reversed(files) for line in (3, 9)
    ]
