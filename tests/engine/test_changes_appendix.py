"""A late pair by an appendix table: a pair waits there, or half a table shares boards."""

import pytest

from movements.engine import catalogue
from movements.engine.changes import PairArrives, PairLeaves
from movements.engine.declarations import Share
from movements.engine.errors import MovementError
from movements.engine.files.document import MovementDocument, movement_dict
from tests.proofs.referee import referee

from .changing import found, kinds, shown, waits

LATE = PairArrives()
SHORT = [("mitchell", 8, 4), ("mitchell", 14, 7), ("skip-mitchell", 16, 7), ("mitchell", 13, 7)]


def test_east_west_go_one_place_further_round_and_wait_there():
    [waiting] = found(("mitchell", 8, 4), 1, LATE, "waiting-place")

    assert shown(waiting.movement) == [
        "1-9:A  2-10:B  3-11:C  4-12:D  5-13:E  6-14:F  7-15:G  8-16:H",
        "1-17:B  2-9:C  3-10:D  4-11:E  5-12:F  6-13:G  7-14:H  8-15:A",
        "1-16:C  2-17:D  3-9:E  4-10:F  5-11:G  6-12:H  7-13:A  8-14:B",
        "1-15:D  2-16:E  3-17:F  4-9:G  5-10:H  6-11:A  7-12:B  8-13:C",
    ]
    assert waits(waiting.movement) == [[], ["EW 8"], ["EW 7"], ["EW 6"]]
    assert waiting.facts == {"after": 8, "skip": 0}


def test_a_pair_that_stays_at_an_appendix_shares_the_boards_of_a_table():
    [appendix] = found(("mitchell", 8, 4), 1, LATE, "appendix-table")

    assert shown(appendix.movement) == [
        "1-10:A  2-11:B  3-12:C  4-13:D  5-14:E  6-15:F  7-16:G  8-17:H",
        "1-:B  2-10:C  3-11:D  4-12:E  5-13:F  6-14:G  7-15:H  8-16:A  9-17:B",
        "1-17:C  2-:D  3-10:E  4-11:F  5-12:G  6-13:H  7-14:A  8-15:B  9-16:C",
        "1-16:D  2-17:E  3-:F  4-10:G  5-11:H  6-12:A  7-13:B  8-14:C  9-15:D",
    ]
    assert waits(appendix.movement) == [[], ["NS 1"], ["NS 2"], ["NS 3"]]
    assert appendix.movement.shared == (Share(3, (1, 9), ("C",)), Share(4, (1, 9), ("D",)))
    assert appendix.facts == {"table": 9, "after": 8, "skip": 0, "shares": 1}


@pytest.mark.parametrize("evening", SHORT)
@pytest.mark.parametrize("kind", ["waiting-place", "appendix-table"])
@pytest.mark.parametrize("fixed", [1, 2, 3])
def test_where_rounds_are_few_for_the_tables_nobody_waits_twice_and_no_boards_are_new(
    evening, kind, fixed
):
    [one] = found(evening, fixed, LATE, kind)

    told = one.consequences
    rounds = one.movement.rounds - fixed
    assert len(told.sit_outs) == len({contestant for contestant, _, _ in told.sit_outs}) == rounds
    assert (told.new_sets, told.repeats, one.movement.rounds) == ((), (), evening[2])


def test_a_place_to_wait_may_be_better_than_a_rover_and_then_comes_first():
    assert kinds(("mitchell", 14, 7), 1, LATE)[:2] == ["waiting-place", "rover"]


def test_where_boards_go_two_tables_a_skip_may_go_with_the_place():
    [waiting] = found(("awl", 7, 2), 1, LATE, "waiting-place")

    assert waiting.facts == {"after": 7, "skip": 1}
    assert waits(waiting.movement) == [[], ["EW 3"]]


@pytest.mark.parametrize("evening", [("mitchell", 7), ("skip-mitchell", 8), ("crisscross", 8)])
def test_early_in_a_complete_movement_there_is_no_appendix(evening):
    offered = set(kinds(evening, 1, LATE))

    assert offered.isdisjoint({"waiting-place", "appendix-table"})


def test_for_the_last_round_of_a_complete_movement_there_is_one_again():
    assert kinds(("mitchell", 7), 5, LATE).count("waiting-place") == 0
    assert kinds(("mitchell", 7), 6, LATE).count("waiting-place") == 1


def test_where_tables_share_already_there_is_no_appendix_under_way():
    assert kinds(("share-and-relay", 12, 5), 1, LATE) == ["rover", "rover"]


def test_where_there_is_half_a_table_the_pair_takes_the_seat_and_no_place_is_added():
    movement = found(("mitchell", 14, 7), 1, PairLeaves(3))[0].movement

    assert set(kinds(movement, 2, LATE)).isdisjoint({"waiting-place", "appendix-table"})


def test_before_the_start_a_mitchell_becomes_an_appendix_mitchell_without_new_boards():
    [appendix] = found(("mitchell", 7), 0, LATE, "appendix-table")

    assert appendix.movement == catalogue.build_movement("appendix-mitchell", 8, 7, "EW 8")
    assert appendix.movement.label(appendix.newcomer) == "NS 8"
    assert (appendix.consequences.new_sets, appendix.consequences.shares) == ((), ())


def test_before_the_start_a_share_and_relay_becomes_a_one_and_a_half_appendix():
    [appendix] = found(("share-and-relay", 8, 7), 0, LATE, "appendix-table")

    assert appendix.movement == catalogue.build_movement("one-and-a-half-appendix", 9, 7)
    assert appendix.movement.label(appendix.newcomer) == "EW 9"
    assert kinds(("share-and-relay", 8, 7), 0, LATE)[0] == "appendix-table"


@pytest.mark.parametrize("evening", [("mitchell", 9), ("skip-mitchell", 8)])
def test_before_the_start_no_appendix_is_offered_where_more_tables_would_share(evening):
    assert found(evening, 0, LATE, "appendix-table") == []


@pytest.mark.parametrize(
    ("family", "offered"),
    [("mitchell", 90), ("skip-mitchell", 52), ("awl", 10), ("share-and-relay", 10)],
)
def test_the_referee_finds_nothing_wrong_with_any_appendix_of_any_evening(family, offered):
    seen = 0
    for movement in evenings(family, range(4, 15)):
        for fixed in range(movement.rounds):
            for proposal in found(movement, fixed, LATE):
                if proposal.kind in ("waiting-place", "appendix-table"):
                    rows = [
                        movement_dict(MovementDocument(m))["rows"]
                        for m in (movement, proposal.movement)
                    ]
                    referee(family, fixed, LATE, proposal, *rows)
                    seen += 1

    assert seen == offered


def evenings(family, sizes):
    """A family's movements, complete and about half as long."""
    for tables in sizes:
        possible = catalogue.find_family(family).possible_rounds(tables)
        for rounds in lengths(possible, tables / 2):
            try:
                yield catalogue.build_movement(family, tables, rounds)
            except MovementError:
                continue


def lengths(possible, half):
    return sorted({max(possible), min(possible, key=lambda r: abs(r - half))}) if possible else []
