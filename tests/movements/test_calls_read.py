"""Calls are read as a person in the room would: they lead to the next round's seats and boards."""

from dataclasses import replace

import pytest

from movements.engine import catalogue
from movements.engine.board_copies.virtual_sharing import lent_sets, own_boards
from movements.engine.errors import MovementError
from movements.engine.straight import movement_as_seated
from movements.words.calls import announcement_after
from tests.engine.sweep import sample

from .reading import calls_of, faults

MOST_WORDS = 40


def as_people_sit(movement):
    turned_back = movement_as_seated(movement)
    return turned_back[0] if turned_back else movement


def sizes(family):
    """Sizes of a family, small and middling, whole and with a pair missing at either end."""
    tables = [size for size in family.sizes if size <= 13]
    for size in [*tables[:4], *tables[-1:]]:
        try:
            movement = catalogue.build_movement(family.name, size)
        except MovementError:
            continue
        yield movement
        people = movement.contestants
        for label in {movement.label(people[0]), movement.label(people[-1])}:
            if family.takes_missing_pair:
                yield catalogue.build_movement(family.name, size, None, label)


@pytest.mark.parametrize("family", catalogue.FAMILIES, ids=lambda family: family.name)
def test_whoever_follows_a_call_finds_the_next_seat_and_the_next_boards(family):
    for movement in map(as_people_sit, sizes(family)):
        for round, call in calls_of(movement):
            assert faults(movement, round, call) == [], (movement.tables, round, call.text)
            assert len(call.spoken_now.split()) <= MOST_WORDS, call.text


def test_so_do_those_of_any_wish_that_the_catalogue_grants():
    read = 0
    asked = [ask for family in catalogue.FAMILIES for ask in sample(family, seed=7, count=2)]
    for ask in asked:
        try:
            movement = as_people_sit(ask.built())
        except MovementError:
            continue
        for round, call in calls_of(movement):
            assert faults(movement, round, call) == [], (str(ask), round, call.text)
            read += 1
    assert read > 100


@pytest.mark.parametrize(
    ("family", "tables", "rounds", "missing", "options"),
    [
        ("double-web", 11, 8, "NS 11", {}),
        ("scrambled-mitchell", 7, 3, None, {"base": "web", "switched": (1, 2)}),
    ],
)
def test_where_a_call_would_be_a_word_too_long_boards_go_by_the_table_cards(
    family, tables, rounds, missing, options
):
    movement = catalogue.build_movement(family, tables, rounds, missing, options)
    lengths = [len(call.spoken_now.split()) for _round, call in calls_of(as_people_sit(movement))]

    assert max(lengths) <= MOST_WORDS


def test_the_call_in_the_middle_of_a_round_is_short():
    for family in ("two-way-rover", "two-way-rover-party"):
        for movement in sizes(catalogue.find_family(family)):
            for _round, call in calls_of(movement):
                assert len(" ".join(call.halfway).split()) <= 24, call.halfway


@pytest.mark.parametrize("tables", [4, 6, 8, 10, 12])
def test_so_do_the_own_boards_of_sections_that_use_each_others_stand(tables):
    one = catalogue.build_movement("share-and-relay", tables)
    other = catalogue.build_movement("share-and-relay", tables, options={"opposite": True})
    for lender, borrower in ((one, other), (other, one)):
        lent = {item.round: item for item in lent_sets(lender, borrower)}
        movement = own_boards(borrower, lent.values())
        for round, call in calls_of(movement):
            then = lent[round + 1]
            # what the borrowing table takes from the other section is a sentence of the section's call
            borrowed = f"table {then.table} has [], should have ['/{then.name}']"
            assert faults(movement, round, call) == [borrowed], (tables, round, call.text)
            assert "share" not in call.text


# ── the reader notices what is wrong ──


def heard(family, tables, round, old, new):
    """Return a reader's errors after one piece of a call is replaced."""
    movement = catalogue.build_movement(family, tables)
    call = announcement_after(movement, round, boards=", ".join)
    assert old in call.text
    lines = tuple(replace(line, say=str(line.say).replace(old, new)) for line in call.lines)
    exceptions = tuple(text.replace(old, new) for text in call.exceptions)
    halfway = tuple(text.replace(old, new) for text in call.halfway)
    said = replace(call, lines=lines, exceptions=exceptions, halfway=halfway)
    return faults(movement, round, said)


@pytest.mark.parametrize(
    ("family", "tables", "round", "old", "new"),
    [
        ("mitchell", 7, 1, "move up one table", "move down one table"),
        ("mitchell", 7, 1, "Boards move down one", "Boards move up one"),
        ("mitchell", 7, 1, "Boards move down one.", "Boards stay."),
        ("crisscross", 8, 1, "up one, of even tables down one", "down one, of even tables up one"),
        ("share-and-relay", 8, 1, "Table 5 puts", "Table 6 puts"),
        ("share-and-relay", 8, 1, "table 4 takes", "table 3 takes"),
        ("two-way-rover", 5, 1, "table 4 North-South", "table 4 East-West"),
        ("two-way-rover", 5, 1, "4 sits out", "3 sits out"),
        ("two-way-rover", 5, 1, "11 that of 8", "11 that of 6"),
        ("two-way-rover", 5, 1, "4 takes the place", "2 takes the place"),
        ("appendix-mitchell", 10, 1, "; after 10 comes 4", "; after 9 comes 4"),
        ("appendix-mitchell", 10, 1, "boards down one", "boards up one"),
        ("howell", 5, 1, "next lower number, 1 that of 9", "next higher number, 9 that of 1"),
        ("new-england-relay", 8, 1, "Boards move up one;", "Boards move down one;"),
        ("scissors-mitchell", 6, 1, "first half of each set", "second half of each set"),
        ("scissors-mitchell", 6, 1, "round 2: Boards move down", "round 2: Boards move up"),
        ("rover-party", 6, 2, "Tables 4 and 6 share", "Tables 3 and 6 share"),
        ("twin-mitchell", 14, 7, "and move up", "and move down"),
    ],
)
def test_a_reader_is_lost_with_a_wrong_call(family, tables, round, old, new):
    assert heard(family, tables, round, old, new)


def test_a_reader_misses_boards_of_which_nothing_is_said():
    movement = catalogue.build_movement("crisscross", 8)
    call = announcement_after(movement, 1)
    silent = replace(call, lines=tuple(line for line in call.lines if line.who != "boards"))

    assert faults(movement, 1, silent)[0].startswith("table 1 has ['A'], should have ['B']")


def test_a_reader_minds_a_sentence_that_is_said_twice():
    movement = catalogue.build_movement("mitchell", 7)
    call = announcement_after(movement, 1)

    assert faults(movement, 1, replace(call, exceptions=("Boards move down one.",)))
