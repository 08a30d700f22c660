"""Every call of every family, read aloud once: a director can act on each of them."""

import re

import pytest

from movements.engine import catalogue
from movements.engine.errors import MovementError
from movements.engine.straight import movement_as_seated
from movements.words.calls import announcement_after

LARGEST = 16
#: in some rounds of these everybody goes another way: that no rule holds is all that can be said
BY_CARDS = {
    *(
        "partial-howell",
        "rematch-howell",
        "hybrid",
        "ns-rover",
        "two-way-rover",
        "two-way-rover-party",
        "hesitation",
        "double-hesitation",
        "extended-hesitation",
    ),
    *("shomate", "individual", "mitchell-teams", "team-round-robin", "team-rings"),
}
#: and in these sizes: too few tables for most to go the same way, or powers of a prime
ALSO = {*(("rainbow", tables) for tables in (4, 8, 9, 16))}
#: what a sentence a director says ends with, and what never stands in one
ENDS, NEVER = (".",), re.compile(r"None|%\(|\bNS 0\b|[{}<>]|  |\.\.|: *\.")
PLAIN = "Everybody moves as the guide card or the phone says."


def movements(family):
    """Every size, with as many rounds as it has and a few fewer, whole and with a pair missing."""
    for tables in range(2, LARGEST + 1):
        for rounds in [*family.possible_rounds(tables)][-2:]:
            for missing in (None, "last"):
                try:
                    movement = catalogue.build_movement(family.name, tables, rounds)
                    if missing:
                        who = movement.label(movement.contestants[-1])
                        movement = catalogue.build_movement(family.name, tables, rounds, who)
                except MovementError:
                    continue
                yield movement


@pytest.mark.parametrize("family", catalogue.FAMILIES, ids=lambda letter: letter.name)
def test_every_call_is_something_a_director_could_act_on(family):
    for movement in movements(family):
        found = movement_as_seated(movement)
        plain = found[0] if found else movement
        for round in range(1, movement.rounds):
            if {round, round + 1} & set(movement.open_rounds):
                continue
            call = announcement_after(plain, round)
            said = [re.sub(r"</?em>", "", str(call.sentence)), *call.details]
            for sentence in filter(None, said):
                assert sentence.endswith(ENDS), (movement.family, movement.tables, round, said)
                assert not NEVER.search(sentence), (movement.family, movement.tables, round, said)
            if family.name not in BY_CARDS and (family.name, movement.tables) not in ALSO:
                assert PLAIN not in said[0], (movement.family, movement.tables, round)


def call_text(family, tables, round, rounds=None):
    return announcement_after(catalogue.build_movement(family, tables, rounds), round).text


def test_in_a_howell_everybody_follows_the_next_lower_number():
    assert call_text("howell", 4, 1) == (
        "Everybody takes the place of the next lower number, 1 that of 7. 8 stays."
        " Boards move down one; the stands after tables 3 and 4 count as tables."
    )


def test_in_a_crisscross_boards_go_against_the_pairs():
    assert call_text("crisscross", 8, 1) == (
        "East-West of odd tables move down one, of even tables up one."
        " Boards of odd tables move up one, of even tables down one."
    )
    assert call_text("crisscross", 8, 4).endswith("Boards move up 4 tables.")


def test_in_an_appendix_two_rows_close_on_themselves():
    assert call_text("appendix-mitchell", 10, 1) == (
        "East-West of tables 1 to 7 move up one table, boards down one; after 7 comes 1."
        " North-South of tables 4 to 10 move up two tables; after 10 comes 4."
    )


def test_in_a_twin_rows_keep_to_themselves_and_change_once():
    assert call_text("twin-mitchell", 14, 6) == (
        "East-West move up one table, each row by itself: tables 1 to 7 and 8 to 14."
        " Boards move down one."
    )
    assert call_text("twin-mitchell", 14, 7) == (
        "East-West change rows, tables 1 to 7 with 8 to 14, and move up one table."
        " New boards at every table."
    )


def test_a_new_england_relay_moves_by_stations():
    assert call_text("new-england-relay", 8, 1) == (
        "East-West move up one table."
        " Boards move up one; the stands after tables 1, 2, 3 and 4 count as tables."
    )


def test_scissors_name_the_half_sets_and_the_middle_of_the_round():
    assert call_text("scissors-mitchell", 6, 1) == (
        "East-West move up one table."
        " The first half of each set moves down one, the second half stays, laid aside."
        " In the middle of round 2: Boards move down one."
    )
    assert call_text("scissors-mitchell", 6, 2).endswith(
        "Boards move down one, also those laid aside."
    )


def test_where_boards_follow_no_rule_the_cards_say_where_they_go():
    assert call_text("scissors-howell", 3, 1).endswith("Boards go as the table cards say.")


def test_the_rover_sits_on_the_side_where_the_next_round_begins():
    assert call_text("two-way-rover", 5, 1) == (
        "East-West move up one table. Boards move down one. 11 goes to table 4 North-South."
        " 2 is back at table 2, North-South. 4 sits out."
        " In the middle of round 2: 4 takes the place of 11, 11 that of 8. 8 sits out."
    )


def test_with_a_rover_and_a_party_table_pairs_and_boards_go_round_the_other_tables():
    assert call_text("rover-party", 6, 2) == (
        "East-West of tables 1 to 5 move up one table, boards down one; after 5 comes 1."
        " EW 1 goes to table 3, EW 2 to 6, EW 6 to 4. Tables 4 and 6 share."
    )


def test_in_a_rainbow_each_chair_has_its_way():
    assert call_text("rainbow", 7, 1) == (
        "North players stay. South players move up one table. East players move up two tables."
        " West players move down two tables. Boards move down one."
    )


def test_what_is_too_long_to_be_listened_to_is_left_to_the_cards():
    assert call_text("hesitation", 5, 5) == (
        "Everybody moves as the guide card or the phone says. Boards move down one."
        " Table 3 puts its boards on the stand, table 2 takes from there."
    )
