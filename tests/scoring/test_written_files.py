"""Every format is what the page says, to the last letter."""

import pytest

from .written_files import PAGE, SESSIONS, written

WRITTEN = dict(
    part.split("\n", 1)
    for part in PAGE.read_text(encoding="utf-8").removeprefix("== ").split("\n== ")
)


@pytest.mark.parametrize("session", SESSIONS)
def test_files_are_what_the_page_says(session):
    for title, text in written(session):
        assert text.rstrip("\n") == WRITTEN[title].rstrip("\n"), (
            "run python -m tests.scoring.written_files and read it"
        )
