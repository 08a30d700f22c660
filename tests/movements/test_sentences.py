"""Sentences for the director to read out."""

import pytest

from movements.engine import catalogue
from movements.engine.changes import PairArrives, proposals
from movements.engine.offers import movement_for
from movements.words.calls import announcement_after
from movements.words.copies import copy_name
from movements.words.descriptions import movement_description
from movements.words.sentences import family_title


def call_of(family, tables, round, **options):
    return announcement_after(catalogue.build_movement(family, tables, None, None, options), round)


def test_a_mitchell_is_one_sentence_a_line():
    call = call_of("mitchell", 7, 1)

    assert call.sentence == "East-West move up one table. Boards move down one."
    assert [line.short for line in call.lines] == ["East-West up one table", "Boards down one"]
    assert call.exceptions == ()


def test_the_skip_is_marked_and_loud():
    call = call_of("skip-mitchell", 8, 4)

    assert call.sentence == (
        "East-West move up <em>TWO tables</em>: this is the skip. Boards move down one."
    )
    assert [line.is_unusual for line in call.lines] == [True, False]


def test_boards_that_go_past_a_table_where_nobody_plays_are_told_where():
    without_ns8 = announcement_after(movement_for("share-and-relay", 15, missing_line="ns"), 1)
    without_ew1 = announcement_after(movement_for("share-and-relay", 15, missing_line="ew"), 1)

    assert str(without_ns8.lines[-1].say) == (
        "Boards of tables 1 to 7 move down one table; after 1 comes 7."
    )
    assert str(without_ew1.lines[-1].say) == "Boards go as the table cards say."
    for line in ("ns", "ew"):  # here they lie at the half table, where somebody waits beside them
        assert (
            announcement_after(movement_for("mitchell", 13, missing_line=line), 1).exceptions == ()
        )


def test_boards_on_the_way_over_a_stand_are_named_in_the_clubs_word():
    movement = catalogue.build_movement("share-and-relay", 8)

    assert announcement_after(movement, 1, "relay").exceptions == (
        "Table 5 puts its boards on the relay, table 4 takes from there.",
    )
    assert announcement_after(movement, 1, "bye-stand").exceptions == (
        "Table 5 puts its boards on the bye-stand, table 4 takes from there.",
    )


def test_boards_are_named_where_more_than_one_set_waits_on_the_stand():
    call = announcement_after(catalogue.build_movement("partial-howell", 6), 1, boards=numbers)

    assert call.exceptions == ("Table 5 puts 13–14 on the stand, table 4 takes 9–10 from there.",)


def numbers(sets):
    """The boards of sets of two, as a page writes them."""
    return ", ".join(f"{2 * ord(name) - 129}–{2 * ord(name) - 128}" for name in sets)


def test_with_several_copies_each_has_a_line():
    call = announcement_after(catalogue.build_movement("web", 16), 3, boards=numbers)

    assert call.sentence == "East-West move up one table. Boards move down one."
    assert call.exceptions == ()
    assert [str(line) for line in call.copies] == [
        "Red copy: table 1 to stand 1; table 8 takes 21–22 there.",
        "Blue copy: table 9 to stand 2; table 16 takes 19–20 there.",
    ]
    assert [(line.copy.key, line.copy.letter) for line in call.copies] == [
        ("red", "R"),
        ("blue", "B"),
    ]


def test_copies_of_blocks_go_back_to_their_highest_table():
    assert [str(line) for line in call_of("web", 17, 1).copies] == [
        "Red copy: table 1 to table 13.",
        "Blue copy: table 14 to stand 1; table 15 takes set C there.",
        "Green copy: table 16 to stand 2; table 17 takes set L there.",
    ]


def test_tables_that_pass_a_copy_are_named_together():
    lines = [str(call_of("bowman", 9, round).copies[1]) for round in (3, 4)]

    assert lines == [
        "Blue copy: table 9 to stand 1; tables 8, 9 take set D there; table 8 to stand 2.",
        "Blue copy: table 8 takes set E from stand 1; tables 8, 9 to stand 2;"
        " table 9 takes set C there.",
    ]


def test_a_copy_that_comes_out_is_put_aside_and_one_that_goes_in_is_fetched():
    call = call_of("share-and-relay", 8, 1, two_copies=True)

    assert [str(line) for line in call.copies] == [
        "Red copy: table 5 to stand 1; table 4 takes set E there; table 1 puts set A aside.",
        "Blue copy: table 8 fetches set B.",
    ]


def test_new_boards_for_everybody_are_one_sentence():
    call = call_of("barometer", 5, 1)

    assert call.sentence == "East-West move up one table. New boards at every table: set B."
    assert call.copies == ()


def test_with_more_copies_than_colours_they_have_numbers():
    assert [str(copy_name(number, 4)) for number in (1, 2, 3, 4)] == [
        "red copy",
        "blue copy",
        "green copy",
        "orange copy",
    ]
    fifth = copy_name(5, 5)
    assert (fifth.key, str(fifth), fifth.letter) == ("", "copy 5", "5")


def test_several_stands_count_as_tables_and_one_is_the_stand():
    several = call_of("howell", 8, 1)

    assert str(several.lines[-1].say) == (
        "Boards move down one; the stands after tables 3 and 6 count as tables."
    )
    assert several.exceptions == ()
    assert call_of("howell", 5, 1).exceptions == (
        "Table 4 puts set H on the stand, table 3 takes set D from there.",
    )


def test_a_late_pair_begins_and_those_who_sat_out_are_back():
    rover = next(
        proposal
        for proposal in proposals(catalogue.build_movement("mitchell", 7), 1, PairArrives())
        if proposal.kind == "rover" and proposal.facts["ns"]
    )

    assert announcement_after(rover.movement, 1).exceptions == (
        "NS 8 begins at table 2.",
        "NS 2 sits out.",
    )
    assert "NS 2 is back at table 2." in announcement_after(rover.movement, 2).exceptions


def test_families_have_titles_and_strangers_keep_their_names():
    assert family_title("skip-mitchell") == "Skip Mitchell"
    assert family_title("foxtrot") == "foxtrot"


@pytest.mark.parametrize("family", ["mitchell", "skip-mitchell", "share-and-relay"])
def test_every_round_of_every_size_can_be_announced(family):
    for tables in range(3, 13):
        for rounds in catalogue.find_family(family).possible_rounds(tables):
            movement = catalogue.build_movement(family, tables, rounds)
            for round in range(1, rounds):
                assert announcement_after(movement, round).sentence


def test_a_whist_rover_says_its_skip_and_whom_it_meets_twice():
    assert movement_description(catalogue.build_movement("whist-rover", 8)) == (
        "East-West move down two tables. Boards move down one.",
        "North-South stay.",
        "Once, after round 4: East-West move down 3 tables.",
        "NS 9 is the rover: it takes another pair's place each round, the first at table 2.",
        "NS 9 meets EW 2 and EW 7 twice.",
    )
    assert not [
        s for s in movement_description(catalogue.build_movement("whist-rover", 7)) if "twice" in s
    ]
