"""Reading pairs as people write them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgebuddy.events.listing import parse_pairs
from bridgebuddy.events.listing.list_syntax import TITLE
from bridgebuddy.events.names import LineProblem, decode_file, is_plain_text


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
        '"Hanna Brandt"; "Karl Fischer"',
        '7,"Hanna Brandt","Karl Fischer"',
        "7;Hanna Brandt;Karl Fischer",
        "7\tHanna\tBrandt\tKarl\tFischer",
        "Hanna Brandt&Karl Fischer",
        "  Hanna   Brandt ,Karl Fischer ,,",
    ],
)
def test_two_names_are_found_however_they_are_separated(line):
    assert parse_pairs(line).pairs == (("Hanna Brandt", "Karl Fischer"),)


def test_hyphens_and_apostrophes_belong_to_names():
    assert parse_pairs("Anna-Maria O'Neill & Jean-Luc D’Arc").pairs == (
        ("Anna-Maria O'Neill", "Jean-Luc D’Arc"),
    )


def test_a_quoted_nickname_belongs_to_the_name():
    assert parse_pairs('Hans "Hansi" Meier & Karl Fischer').pairs == (
        ('Hans "Hansi" Meier', "Karl Fischer"),
    )


@pytest.mark.parametrize(
    "header",
    [
        "Name 1,Name 2",
        "Player1;Player2",
        "Spieler/in 1;Spieler/in 2",
        "No.,Player,Partner",
        "First name,Surname,First name,Surname",
        "Vorname;Nachname;Vorname;Nachname",
        '"First_Name","Last_Name","First_Name","Last_Name"',
        "Names",
        "\ufeffPaar\tSpieler 1\tSpieler 2",
        "\n  \nName,Name",
    ],
)
def test_a_line_that_names_the_columns_is_no_pair(header):
    reading = parse_pairs(f"{header}\nHanna,Brandt,Karl,Fischer")

    assert (reading.pairs, reading.bad) == ((("Hanna Brandt", "Karl Fischer"),), ())


@pytest.mark.parametrize("line", ["Hans Paar, Jean First", "A B,C D", "Anna Name; Otto Second"])
def test_a_first_line_of_people_is_a_pair_whatever_they_are_called(line):
    assert len(parse_pairs(line).pairs) == 1


def test_a_header_stands_first_or_is_a_line_like_others():
    assert [bad.number for bad in parse_pairs("A B, C D\nName, Name").bad] == [2]


def test_rows_that_a_spreadsheet_left_empty_are_passed_over():
    reading = parse_pairs("A B,C D,,\n,,,\n;;\n\t\t\n")

    assert (reading.pairs, reading.bad) == ((("A B", "C D"),), ())


def test_every_pair_knows_its_line():
    reading = parse_pairs("Name, Name\n\nA B, C D\nOnly One\nE F, G H")

    assert (reading.lines, [bad.number for bad in reading.bad]) == ((3, 5), [4])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Only One", LineProblem.TOO_FEW_NAMES),
        ("A B, C D, E F", LineProblem.TOO_MANY_NAMES),
        ("A B,", LineProblem.EMPTY_NAME),
        ("A B, a b", LineProblem.SAME_NAME),
        ("Jürgen Wolf, Jurgen WOLF", LineProblem.SAME_NAME),
        ("A B, ¨", LineProblem.EMPTY_NAME),
        ("A\x00B, C D", LineProblem.NO_TEXT),
        ("\x1b[31mA B, C D", LineProblem.NO_TEXT),
        (f"{'x' * 61}, A B", LineProblem.TOO_LONG),
    ],
)
def test_what_is_no_pair_is_named_with_its_line(line, problem):
    reading = parse_pairs(f"A B, C D\n\n{line}")

    assert [(bad.number, bad.problem) for bad in reading.bad] == [(3, problem)]


@settings(derandomize=True, max_examples=200)
@given(st.text(max_size=400))
def test_any_text_is_read_without_a_fault(text):
    reading = parse_pairs(text)

    for first, second in reading.pairs:
        assert first
        assert second
        assert first.casefold() != second.casefold()
        assert is_plain_text(first + second)
    numbers = [*reading.lines, *(bad.number for bad in reading.bad)]
    assert len(reading.lines) == len(reading.pairs)
    assert len(set(numbers)) == len(numbers) <= len(text.splitlines())


NAMES = st.from_regex(
    r"[A-Z][a-zäöüß]{1,9}( [A-Z]')? ?[A-Z][a-zé]{1,9}(-[A-Z][a-z]{1,5})?", fullmatch=True
).filter(lambda name: not TITLE.match(name))  # "Mr Ho" comes back without what he is called by
SEPARATED = st.sampled_from([", ", ",", ";", "; ", "\t", " & ", " / ", "/", " - ", " – ", " + "])


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.lists(st.tuples(NAMES, SEPARATED, NAMES), min_size=1, max_size=20))
def test_whatever_stands_between_the_names_they_come_back(lines):
    lines = [("Zoe First", ",", "Ida Last"), *((a, by, b) for a, by, b in lines if a != b)]

    reading = parse_pairs("\n".join(f"{first}{by}{second}" for first, by, second in lines))

    assert reading.bad == ()
    found = [[sorted(name.split()) for name in pair] for pair in reading.pairs]
    assert found == [[sorted(first.split()), sorted(second.split())] for first, _, second in lines]


@settings(derandomize=True, max_examples=100)
@given(st.binary(max_size=200))
def test_any_bytes_are_decoded(data):
    assert isinstance(decode_file(data), str)


def test_files_of_the_usual_programs_are_decoded():
    for encoding in ("utf-8", "utf-8-sig", "cp1252", "utf-16"):
        assert decode_file("Jürgen Groß".encode(encoding)) == "Jürgen Groß"
