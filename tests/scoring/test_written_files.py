"""Files are written, documents and lists of other programs read, contests drawn, as pages say, to the last letter."""

import pytest

from bridgebuddy.scoring.rules.past import opening
from bridgebuddy.scoring.rules.past.model import NotRead, number_in_cell

from . import drawn_documents, read_documents, read_files, written_files


def pages(page):
    """Return the content of a page, by its titles."""
    whole = page.read_text(encoding="utf-8").removeprefix("== ").split("\n== ")
    return {title: text.rstrip("\n") for title, _, text in (part.partition("\n") for part in whole)}


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


def test_what_is_read_of_documents_is_what_the_page_says():
    assert dict(read_documents.read()) == pages(read_documents.PAGE)


def test_what_is_drawn_of_documents_is_what_the_page_says():
    assert dict(drawn_documents.drawn()) == pages(drawn_documents.PAGE)


def test_an_archive_is_the_same_in_a_zip():
    [found] = opening.open_files([("all.zip", read_files.packed())])

    assert read_files.page_of(found.sessions).rstrip("\n") == pages(read_files.PAGE)["archive"]


def test_an_archive_is_known_by_its_tables():
    without = opening.open_files([("all.zip", read_files.packed("standings"))])
    [of_pairs_alone] = opening.open_files([("all.zip", read_files.packed("past_lines"))])

    assert len(without) == len(read_files.tables()) - 1
    assert [session.date.year for session in of_pairs_alone.sessions] == [2024, 2024]


def test_of_an_archive_no_table_is_too_large_and_no_more_is_read_than_is_needed(monkeypatch):
    monkeypatch.setattr(opening, "MOST_BYTES", 40)
    [found] = opening.open_files([("all.zip", read_files.packed())])

    assert (found.name, found.why) == ("all.zip", "large")


def test_what_is_too_much_in_all_is_not_read(monkeypatch):
    monkeypatch.setattr(opening, "MOST_IN_ALL", 10)

    with pytest.raises(NotRead) as refused:
        opening.open_files([("a", b"x" * 6), ("b", b"x" * 6)])

    assert refused.value.why == "large"
    assert len(opening.open_files([("a", b"x" * 6), ("b", b"x" * 4)])) == 2


def test_an_archive_in_other_letters_is_broken():
    with pytest.raises(NotRead) as refused:
        opening.open_files([("all.zip", read_files.packed(broken="people"))])

    assert refused.value.why == "broken"


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("1.234,5", "1234.5"),
        ("1,234.5", "1234.5"),
        ("1234.5", "1234.5"),
        ("-3,5", "-3.5"),
        ("7", "7"),
    ],
)
def test_a_number_is_read_with_points_and_commas(written, number):
    assert number_in_cell(written) == number
