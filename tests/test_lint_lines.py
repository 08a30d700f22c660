"""The check of lengths finds the right places."""

import pytest

from tests.lint_lines import (
    LONGEST_FILE,
    LONGEST_FUNCTION,
    MOST,
    files,
    list_length_error,
    main,
    modules,
    too_large,
)


@pytest.mark.parametrize(
    "name", ["templates/director/desk.html", "static/css/app.css", "static/js/clock.js"]
)
def test_a_line_that_is_too_long_is_named(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(f"short\n{'x' * MOST}\n{'é' * (MOST + 1)}\n", encoding="utf-8")

    found = list(list_length_error(files(tmp_path), tmp_path))

    assert found == [f"{name}:3: {MOST + 1} characters, {MOST} are allowed"]


def test_other_peoples_files_and_the_paths_of_drawings_are_let_be(tmp_path):
    for name in ("static/vendor/htmx.js", "static/fonts/font.css", "static/icons/plus.html"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text("x" * 200, encoding="utf-8")
    drawing = tmp_path / "templates" / "brand.html"
    drawing.parent.mkdir()
    drawing.write_text(f'<path d="M{" 1 2" * 50}"/>', encoding="utf-8")

    assert list(list_length_error(files(tmp_path), tmp_path)) == []


def test_files_and_functions_that_are_too_long_are_named_but_migrations(tmp_path):
    for name in ("movements/a.py", "bridgebuddy/clubs/migrations/0001.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text("#\n" * (LONGEST_FILE + 1), encoding="utf-8")
    body = "    pass\n" * (LONGEST_FUNCTION - 1)
    (tmp_path / "movements/b.py").write_text(
        f"def right():\n{body}def long():\n{body}    pass\n", encoding="utf-8"
    )

    found = list(too_large(modules(tmp_path), tmp_path))

    assert found == [
        f"movements/a.py: {LONGEST_FILE + 1} lines, {LONGEST_FILE} are allowed: divide it by topic",
        f"movements/b.py:{LONGEST_FUNCTION + 1}: long has {LONGEST_FUNCTION + 1} lines,"
        f" {LONGEST_FUNCTION} are allowed",
    ]


def test_no_line_of_ours_is_too_long(capsys):
    assert (main(), capsys.readouterr().err) == (0, "")
