"""Sentences about the moves between two rounds are read off the grid."""

import pytest

from movements.engine import catalogue
from movements.engine.descriptions.wording import (
    Announcement,
    BoardStep,
    round_announcement,
    tables_up,
)


def test_mitchell_east_west_up_one_boards_down_one():
    movement = catalogue.build_movement("mitchell", 7)

    for round in range(1, 7):
        assert round_announcement(movement, round) == Announcement(
            round,
            ns=0,
            ew=1,
            boards=-1,
            is_skip=False,
            others=(),
            other_boards=(),
        )


def test_only_the_skip_is_the_skip():
    movement = catalogue.build_movement("skip-mitchell", 10)

    facts = [round_announcement(movement, round) for round in range(1, 9)]

    assert [(fact.ew, fact.is_skip) for fact in facts] == [(1, False)] * 4 + [(2, True)] + [
        (1, False)
    ] * 3


def test_boards_go_over_the_stand():
    movement = catalogue.build_movement("share-and-relay", 8)

    facts = round_announcement(movement, 1)

    assert facts.boards == -1
    assert facts.other_boards == (
        BoardStep("E", before=(), after=(4,), from_stand=4, to_stand=0),
        BoardStep("F", before=(5,), after=(), from_stand=0, to_stand=4),
    )


def test_every_copy_of_a_set_goes_by_itself():
    facts = round_announcement(catalogue.build_movement("web", 8), 1)

    assert (facts.boards, facts.copies_keep_apart) == (-1, True)
    assert facts.other_boards == (
        BoardStep("A", before=(1,), after=(), to_stand=4, copy=1),
        BoardStep("C", before=(5,), after=(), to_stand=8, copy=2),
        BoardStep("E", before=(), after=(4,), from_stand=4, copy=1),
        BoardStep("F", before=(), after=(8,), from_stand=8, copy=2),
    )


def test_of_two_tables_that_give_each_other_their_boards_each_gives_them_one_down():
    assert round_announcement(catalogue.build_movement("two-stanza", 4), 1).boards == -1


def test_where_all_tables_get_other_boards_they_are_new():
    barometer = catalogue.build_movement("barometer", 5)
    stanzas = catalogue.build_movement("two-stanza", 6)

    assert [round_announcement(barometer, round).boards_are_new for round in range(1, 5)] == [
        True
    ] * 4
    assert [round_announcement(stanzas, round).boards_are_new for round in range(1, 6)] == [
        False, False, True, False, False,
    ]  # fmt: skip


def test_a_missing_pair_changes_nothing_in_what_is_said():
    with_gap = round_announcement(catalogue.build_movement("mitchell", 7, None, "EW 7"), 2)

    assert (with_gap.ew, with_gap.boards, with_gap.others) == (1, -1, ())


def test_nothing_follows_the_last_round():
    with pytest.raises(LookupError):
        round_announcement(catalogue.build_movement("mitchell", 7), 7)


def test_up_is_counted_round_the_room():
    assert [tables_up(before, after, 8) for before, after in ((8, 1), (1, 8), (3, 5), (1, 5))] == [
        1, -1, 2, 4,
    ]  # fmt: skip
