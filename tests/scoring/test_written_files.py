"""Files are written, and lists of other programs read, as two pages say, to the last letter."""

import pytest

from . import read_files, written_files


def pages(page):
    """What stands on a page, by its titles."""
    whole = page.read_text(encoding="utf-8").removeprefix("== ").split("\n== ")
    return {title: text.rstrip("\n") for title, _, text in (one.partition("\n") for one in whole)}


@pytest.mark.parametrize("session", written_files.SESSIONS)
def test_files_are_what_the_page_says(session):
    known = pages(written_files.PAGE)

    for title, text in written_files.written(session):
        assert text.rstrip("\n") == known[title], (
            "run python -m tests.scoring.written_files and read it"
        )


def test_what_is_read_of_files_is_what_the_page_says():
    known = pages(read_files.PAGE)

    assert {
        title: read_files.read(text).rstrip("\n") for title, text in read_files.files()
    } == known
