"""A pair that cannot move stays at one table."""

import pytest

from movements.engine import catalogue, laws
from movements.engine.changes import PairLeaves, PairStays
from movements.engine.declarations import Share

from .changing import found, kinds, shown


def places(movement, contestant, fixed=0):
    return {
        (s.table, "ns" if contestant == s.ns else "ew")
        for s in movement.seatings_of(contestant)
        if s.round > fixed
    }


def test_before_the_start_a_pair_exchanges_places_with_the_one_that_stays():
    best = found(("howell", 4), 0, PairStays(2))[0]

    assert (best.kind, best.facts) == ("places-exchanged", {"other": 8, "table": 1})
    assert shown(best.movement)[:3] == [
        "2-1:A  5-4:B  8-7:C  3-6:E",
        "2-8:B  6-5:C  3-1:D  4-7:F",
        "2-3:C  7-6:D  4-8:E  5-1:G",
    ]
    assert best.consequences.moved == (2, 8)
    assert best.consequences.score == best.consequences.score_before


def test_later_its_table_is_kept_and_the_boards_and_opponents_come_to_it():
    kept = found(("howell", 4), 2, PairStays(2))

    assert [(row.kind, row.facts) for row in kept] == [
        ("table-kept", {"table": 1, "turned": 0}),
        ("table-kept", {"table": 1, "turned": 1}),
    ]
    assert shown(kept[0].movement, 3) == [
        "4-2:E  7-6:D  8-3:C  5-1:G",
        "6-2:A  1-7:E  5-3:F  8-4:D",
        "2-1:F  8-5:E  6-4:G  7-3:B",
        "3-2:G  8-6:F  7-5:A  1-4:C",
        "2-5:D  4-3:A  1-6:B  8-7:G",
    ]
    assert places(kept[1].movement, 2, 1) == {(1, "ew")}


def test_with_two_winners_the_pairs_that_sit_north_south_come_to_it():
    [kept] = found(("mitchell", 5), 2, PairStays(7))

    assert shown(kept.movement) == [
        "1-6:A  2-7:B  3-8:C  4-9:D  5-10:E",
        "1-10:B  2-6:C  3-7:D  4-8:E  5-9:A",
        "1-9:C  2-10:D  4-7:A  3-6:E  5-8:B",
        "1-8:D  2-9:E  5-7:C  4-6:B  3-10:A",
        "3-9:B  2-8:A  1-7:E  4-10:C  5-6:D",
    ]
    assert places(kept.movement, 7, 1) == {(3, "ew")}


def test_tables_that_share_go_on_sharing_wherever_they_are():
    [kept] = found(("share-and-relay", 6), 0, PairStays(8))

    assert kept.movement.shared == (
        Share(1, (1, 6)),
        Share(2, (1, 6)),
        Share(3, (1, 6)),
        Share(4, (1, 6)),
        Share(5, (1, 2)),
        Share(6, (2, 6)),
    )
    assert laws.find_errors(kept.movement) == ()


def test_who_meets_whom_with_which_boards_is_as_planned():
    planned = catalogue.build_movement("web", 10)

    for kept in found(planned, 3, PairStays(15)):
        assert sorted((s.round, s.ns, s.ew, s.sets) for s in kept.movement.seatings) == sorted(
            (s.round, s.ns, s.ew, s.sets) for s in planned.seatings
        )


@pytest.mark.parametrize(
    ("movement", "fixed", "contestant"),
    [
        (("mitchell", 5), 2, 3),
        (("howell", 4), 2, 8),
        (("howell", 4), 7, 2),
        (("individual", 2), 2, 1),
        (("team-round-robin", 6), 2, 1),
    ],
)
def test_who_stays_already_or_has_no_table_needs_no_change(movement, fixed, contestant):
    assert kinds(movement, fixed, PairStays(contestant)) == []


def test_who_has_left_does_not_stay():
    movement = found(("howell", 4), 2, PairLeaves(2))[0].movement

    assert kinds(movement, 3, PairStays(2)) == []
