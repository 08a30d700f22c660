"""Reading pairs as people write them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgebuddy.events.names import Problem, decode, read_pairs


@pytest.mark.parametrize(
    "line",
    [
        "Hanna Brandt, Karl Fischer",
        "Hanna Brandt; Karl Fischer",
        "Hanna Brandt\tKarl Fischer",
        "Hanna Brandt & Karl Fischer",
        "Hanna Brandt / Karl Fischer",
        "Hanna Brandt/Karl Fischer",
        "Hanna Brandt - Karl Fischer",
        "Hanna Brandt – Karl Fischer",
        "Hanna Brandt and Karl Fischer",
        "Hanna Brandt und Karl Fischer",
        "12. Hanna Brandt & Karl Fischer",
        "3) Hanna Brandt + Karl Fischer",
        '"Hanna Brandt","Karl Fischer"',
        "Hanna;Brandt;Karl;Fischer",
        "  Hanna   Brandt ,Karl Fischer ;",
    ][:14],
)
def test_two_names_are_found_however_they_are_separated(line):
    assert read_pairs(line).pairs == (("Hanna Brandt", "Karl Fischer"),)


def test_hyphens_and_apostrophes_belong_to_names():
    assert read_pairs("Anna-Maria O'Neill & Jean-Luc D’Arc").pairs == (
        ("Anna-Maria O'Neill", "Jean-Luc D’Arc"),
    )


def test_a_header_is_no_pair_but_a_first_line_of_names_is():
    assert read_pairs("Name 1,Name 2\nA B,C D").pairs == (("A B", "C D"),)
    assert read_pairs("A B,C D").pairs == (("A B", "C D"),)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Only One", Problem.ONE_NAME),
        ("A B, C D, E F", Problem.TOO_MANY_NAMES),
        ("A B,", Problem.EMPTY_NAME),
        ("A B, a b", Problem.SAME_NAME),
        (f"{'x' * 61}, A B", Problem.TOO_LONG),
    ],
)
def test_what_is_no_pair_is_named_with_its_line(line, problem):
    reading = read_pairs(f"A B, C D\n\n{line}")

    assert [(bad.number, bad.problem) for bad in reading.bad] == [(3, problem)]


@settings(derandomize=True, max_examples=200)
@given(st.text(max_size=400))
def test_any_text_is_read_without_a_fault(text):
    reading = read_pairs(text)

    for first, second in reading.pairs:
        assert first
        assert second
        assert first.casefold() != second.casefold()
    assert len(reading.pairs) + len(reading.bad) <= len(text.splitlines())


@settings(derandomize=True, max_examples=100)
@given(st.binary(max_size=200))
def test_any_bytes_are_decoded(data):
    assert isinstance(decode(data), str)


def test_files_of_the_usual_programs_are_decoded():
    for encoding in ("utf-8", "utf-8-sig", "cp1252", "utf-16"):
        assert decode("Jürgen Groß".encode(encoding)) == "Jürgen Groß"
