"""What the director is given to say."""

import pytest

from movements.engine import catalogue
from movements.engine.changes import PairArrives, proposals
from movements.words.sentences import call_after, family_title


def said(family, tables, round, **options):
    return call_after(catalogue.build(family, tables, None, None, options), round)


def test_a_mitchell_is_one_sentence_a_line():
    call = said("mitchell", 7, 1)

    assert call.sentence == "East-West move up one table. Boards move down one."
    assert [line.short for line in call.lines] == ["East-West up one table", "Boards down one"]
    assert call.exceptions == ()


def test_the_skip_is_marked_and_loud():
    call = said("skip-mitchell", 8, 4)

    assert call.sentence == (
        "East-West move up <em>TWO tables</em>: this is the skip. Boards move down one."
    )
    assert [line.is_unusual for line in call.lines] == [True, False]


def test_boards_on_the_way_over_a_stand_are_named_in_the_clubs_word():
    call = call_after(catalogue.build("share-and-relay", 8), 1, "relay")

    assert call.exceptions == (
        "Table 4 takes its boards from the relay.",
        "The boards of table 5 go to the relay after table 4.",
    )


def test_a_late_pair_begins_and_those_who_sat_out_are_back():
    rover = next(
        one
        for one in proposals(catalogue.build("mitchell", 7), 1, PairArrives())
        if one.kind == "rover" and one.facts["ns"]
    )

    assert call_after(rover.movement, 1).exceptions == (
        "NS 2 sits out.",
        "NS 8 begins at table 2, North-South.",
    )
    assert "NS 2 is back at table 2, North-South." in call_after(rover.movement, 2).exceptions


def test_families_have_titles_and_strangers_keep_their_names():
    assert family_title("skip-mitchell") == "Skip Mitchell"
    assert family_title("foxtrot") == "foxtrot"


@pytest.mark.parametrize("family", ["mitchell", "skip-mitchell", "share-and-relay"])
def test_every_round_of_every_size_can_be_announced(family):
    for tables in range(3, 13):
        for rounds in catalogue.family(family).possible_rounds(tables):
            movement = catalogue.build(family, tables, rounds)
            for round in range(1, rounds):
                assert call_after(movement, round).sentence
