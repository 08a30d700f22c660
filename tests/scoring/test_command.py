"""`manage.py score`: a document in, results out, or one line with the error."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

SESSION = Path(__file__).parents[1] / "data/scoring/sessions/mp-mitchell-8-web.session.json"
TWO_TABLES = {
    "name": "Two tables",
    "profile": {"preset": "EBU"},
    "contestants": [{"label": label} for label in "1234"],
    "plays": [
        {
            "round": 1,
            "table": 1,
            "board": 1,
            "ns": "1",
            "ew": "3",
            "outcome": {"contract": "3NT", "declarer": "N", "tricks": 9},
        },
        {"round": 2, "table": 2, "board": 1, "ns": "2", "ew": "4", "outcome": {"score": 430}},
        {
            "round": 1,
            "table": 2,
            "board": 2,
            "ns": "2",
            "ew": "3",
            "outcome": {"artificial": {"ns": "AVE+", "ew": "AVE-"}},
        },
    ],
}


def run(tmp_path, document, *options):
    """Return exit code, output and error output."""
    file = tmp_path / "session.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    out, err = StringIO(), StringIO()
    try:
        call_command("score", str(file), *options, stdout=out, stderr=err)
    except SystemExit as ended:
        return ended.code, out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def test_a_session_is_scored(tmp_path):
    code, out, err = run(tmp_path, TWO_TABLES)

    data = json.loads(out)
    assert (code, err) == (0, "")
    assert list(data) == [
        *("name", "state", "results", "plays", "boards", "rankings", "matches", "standings"),
        *("pairs", "warnings"),
    ]
    first, _, last = data["plays"]
    assert first == {
        "play": 0,
        "score": 400,
        "ns": {
            "value": 0,
            "exact": "0",
            "unit": "mp",
            "top": 2,
            "percent": 0,
            "rule": "compared",
            "A": 2,
            "E": 2,
            "beaten": 0,
            "tied": 0,
            "parts": [],
        },
        "ew": first["ns"] | {"value": 2, "exact": "2", "percent": 100, "beaten": 1},
    }
    assert (last["ns"]["value"], last["ew"]["value"]) == (2, 0.8)


def test_the_same_document_gives_the_same_bytes(tmp_path):
    assert run(tmp_path, SESSION.read_text()) == run(tmp_path, SESSION.read_text())


def test_text_is_for_people(tmp_path):
    code, out, _ = run(tmp_path, SESSION.read_text(), "--format", "text")

    assert code == 0
    assert "complete: 168 of 168 results" in out
    assert "   1  NS 11   59.52 %" in out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sections": [{"winners": 3}]}, "sections[0].winners: 3 is not 1, 2 or 4\n"),
        ({"x": 1}, "x: is not known\n"),
        ({"contest": "pears"}, "contest: 'pears' is not pairs, individual or teams\n"),
        ({"profile": {"method": "bam"}}, "profile.method: 'bam' is for teams\n"),
        (
            {"contestants": [{"label": "1"}, {"label": "1"}]},
            "contestants[1].label: 1 stands there twice\n",
        ),
        (
            {"plays": [{"board": 1, "ns": "1", "ew": "9"}]},
            "plays[0].ew: there is no contestant 9 in section A\n",
        ),
        (
            {"plays": [{"board": 1.5, "ns": "1", "ew": "2"}]},
            "plays[0].board: 1.5 is not a whole number\n",
        ),
    ],
)
def test_what_is_wrong_is_one_line_with_its_path(tmp_path, change, said):
    assert run(tmp_path, TWO_TABLES | change) == (2, "", said)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": NaN}', '{"name": 1e999999}', "[" * 5000])
def test_what_is_no_document_is_refused(tmp_path, text):
    code, out, err = run(tmp_path, text)

    assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_draw_needs_to_be_told_how(tmp_path):
    assert run(tmp_path, TWO_TABLES, "--draw") == (
        2,
        "",
        "stage: is missing: it says how rounds are drawn\n",
    )
    code, out, _ = run(tmp_path, TWO_TABLES | {"stage": {}}, "--draw")
    assert (code, json.loads(out)["matches"][0]["home"]) == (0, "1")
