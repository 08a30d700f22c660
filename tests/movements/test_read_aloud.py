"""Every call of every family, read aloud once: a director can act on each of them."""

import re

import pytest

from movements.engine import catalogue
from movements.engine.errors import MovementError
from movements.engine.straight import straight
from movements.words.calls import call_after

LARGEST = 16
#: in some rounds of these everybody goes another way: that no rule holds is all that can be said
BY_CARDS = {
    *(
        "partial-howell",
        "hybrid",
        "two-way-rover-party",
        "double-hesitation",
        "extended-hesitation",
    ),
    *("shomate", "individual", "mitchell-teams", "team-round-robin", "team-rings"),
}
#: and in these sizes: too few tables for most to go the same way, or powers of a prime
ALSO = {("hesitation", 3), ("hesitation", 5), *(("rainbow", tables) for tables in (4, 8, 9, 16))}
#: what a sentence a director says ends with, and what never stands in one
ENDS, NEVER = (".",), re.compile(r"None|%\(|\bNS 0\b|[{}<>]|  |\.\.|: *\.")
PLAIN = "Everybody moves as the guide card or the phone says."


def movements(family):
    """Every size, with as many rounds as it has and a few fewer, whole and with a pair missing."""
    for tables in range(2, LARGEST + 1):
        for rounds in [*family.possible_rounds(tables)][-2:]:
            for missing in (None, "last"):
                try:
                    movement = catalogue.build(family.name, tables, rounds)
                    if missing:
                        who = movement.label(movement.contestants[-1])
                        movement = catalogue.build(family.name, tables, rounds, who)
                except MovementError:
                    continue
                yield movement


@pytest.mark.parametrize("family", catalogue.FAMILIES, ids=lambda one: one.name)
def test_every_call_is_something_a_director_could_act_on(family):
    for movement in movements(family):
        found = straight(movement)
        plain = found[0] if found else movement
        for round in range(1, movement.rounds):
            if {round, round + 1} & set(movement.open_rounds):
                continue
            call = call_after(plain, round)
            said = [re.sub(r"</?em>", "", str(call.sentence)), *call.exceptions]
            said += [str(line) for line in call.copies]
            for sentence in said:
                assert sentence.endswith(ENDS), (movement.family, movement.tables, round, said)
                assert not NEVER.search(sentence), (movement.family, movement.tables, round, said)
            if family.name not in BY_CARDS and (family.name, movement.tables) not in ALSO:
                assert PLAIN not in said[0], (movement.family, movement.tables, round)


def said(family, tables, round, rounds=None):
    return str(call_after(catalogue.build(family, tables, rounds), round).sentence)


def test_in_a_howell_everybody_follows_the_next_lower_number():
    assert said("howell", 4, 1) == (
        "Everybody takes the place of the next lower number, 1 that of 7. 8 stays."
        " Boards move down one."
    )


def test_in_a_crisscross_odd_and_even_tables_go_different_ways():
    assert said("crisscross", 8, 1) == (
        "East-West of odd tables move down one table. East-West of even tables move up one table."
    )


def test_in_a_rainbow_each_chair_has_its_way():
    assert said("rainbow", 7, 1) == (
        "North players stay. South players move up one table. East players move up two tables."
        " West players move down two tables. Boards move down one."
    )


def test_before_the_last_round_of_a_hesitation_both_lines_go_over():
    call = call_after(catalogue.build("hesitation", 5), 5)

    assert call.sentence == (
        "North-South stay at their table and sit East-West."
        " East-West move up one table and sit North-South. Boards move down one."
    )
    assert call.exceptions[:3] == (
        "5 goes to table 5, East-West.",
        "6 goes to table 5, North-South.",
        "7 goes to table 1, North-South.",
    )
