"""Every mistake that can have happened has a way on; a small sample of `tests.proofs.mistakes`."""

from dataclasses import replace
from fractions import Fraction

import pytest

from movements.engine import catalogue, laws
from movements.engine.changes import (
    BoardSpan,
    LengthChanges,
    LineSatElsewhere,
    PairArrives,
    PairLeaves,
    PlayedTheOtherWay,
    Rebuild,
    SatInEachOthersPlace,
    TookOtherBoards,
    proposals,
)
from movements.engine.changes.table_count.under_way import (
    larger_continuations,
    smaller_continuations,
)
from tests.proofs.mistakes import KINDS, tried


@pytest.mark.parametrize("kind", KINDS)
def test_every_mistake_is_recorded(kind):
    ways = [first for _movement, _fixed, _change, first in tried(kind, 12, 3)]

    assert "" not in ways
    assert len(ways) == 12


@pytest.mark.parametrize(
    ("movement", "fixed", "change"),
    [
        # the boards of the empty table 10 went to table 9 in a movement of nine and a half tables
        (catalogue.build_movement("skip-mitchell", 10, None, "EW 10"), 2, ("A", 9)),
        (catalogue.build_movement("howell", 6), 1, ("B", 1)),
    ],
    ids=["skip-mitchell", "howell"],
)
def test_boards_that_a_table_had_are_never_refused(movement, fixed, change):
    name, table = change

    ways = proposals(movement, fixed, TookOtherBoards(fixed, table, (BoardSpan(name),)))

    assert ways
    here = ways[0].movement.seatings_at_table(fixed, table)
    assert [seating.sets for seating in here] == [(name,)]


def test_a_skip_that_was_not_called_is_written_down_once():
    """In a skip Mitchell of 8 tables East-West skip after round 4; here they do not, and it is seen in round 6."""
    movement = catalogue.build_movement("skip-mitchell", 8)
    forgotten = LineSatElsewhere(5, "ew", -1, since=True)

    [way, *_] = proposals(movement, 6, forgotten)

    for round in (5, 6):
        assert [s.ew for s in way.movement.in_round(round)] == [
            movement.at(round, table % 8 + 1).ew for table in range(1, 9)
        ]
    assert [s.ns for s in way.movement.seatings] == [s.ns for s in movement.seatings]


def test_a_line_that_went_down_instead_of_up_goes_back_to_its_plan():
    movement = catalogue.build_movement("mitchell", 9)

    ways = proposals(movement, 2, LineSatElsewhere(2, "ew", -2))

    waiting = [len(way.consequences.sit_outs) for way in ways]
    assert waiting == sorted(waiting)
    assert all(way.movement.in_round(1) == movement.in_round(1) for way in ways)


def test_one_board_that_was_turned_is_a_part_of_its_own():
    movement = catalogue.build_movement("howell", 4)
    third = BoardSpan(movement.at(2, 3).sets[0], Fraction(1, 3), Fraction(2, 3))

    [way] = proposals(movement, 3, PlayedTheOtherWay(2, 3, (third,)))

    [before] = movement.seatings_at_table(2, 3)
    first, turned, last = way.movement.seatings_at_table(2, 3)
    assert (turned.ns, turned.ew) == (before.ew, before.ns)
    assert (first.ns, first.ew) == (last.ns, last.ew) == (before.ns, before.ew)
    assert {way.parts[name][1:] for name in turned.sets} == {(Fraction(1, 3), Fraction(2, 3))}


@pytest.mark.parametrize("boards", [(), (BoardSpan("D", Fraction(0), Fraction(1, 2)),)])
def test_a_pair_that_sits_out_alone_has_turned_nothing(boards):
    movement = catalogue.build_movement("skip-mitchell", 4, None, "NS 3")
    [waits] = movement.seatings_at_table(2, 3)

    assert (waits.ns, waits.sets) == (None, ("D",))
    assert proposals(movement, 2, PlayedTheOtherWay(2, 3, boards)) == []
    assert proposals(movement, 2, PlayedTheOtherWay(2, 4)) != []


def test_two_in_each_others_place_may_exchange_their_evenings():
    """A late pair came to 15, and two sat wrong in round 2: one way leaves two tables empty, and is first."""
    movement = catalogue.build_movement("skip-mitchell", 8, None, "EW 8")
    late = proposals(movement, 1, PairArrives(joins_running=True))[0].movement

    ways = proposals(
        late, 2, SatInEachOthersPlace(2, *(late.contestant(f"EW {n}") for n in (3, 4)))
    )

    waiting = [len(way.consequences.sit_outs) for way in ways]
    assert waiting == sorted(waiting)
    searched = proposals(
        late,
        2,
        Rebuild(
            0.05,
            happened=SatInEachOthersPlace(2, *(late.contestant(f"EW {n}") for n in (3, 4))),
        ),
    )
    assert len(searched[0].consequences.sit_outs) <= waiting[0]


@pytest.mark.parametrize("tables", [5, 9, 13])
def test_a_mitchell_goes_on_as_a_crisscross_when_the_first_to_sit_out_leaves(tables):
    movement = catalogue.build_movement("mitchell", tables, None, f"EW {tables}")
    [(waiting, _share)] = movement.sit_outs(1)

    [way, *_] = proposals(movement, 1, PairLeaves(waiting))

    assert (way.kind, way.facts["table"]) == ("fewer-tables", tables - 1)
    assert way.facts["rounds"] == way.movement.rounds == tables - 1
    assert way.movement.in_round(1) == movement.in_round(1)
    assert [s.table for s in way.movement.in_round(2)] == [*range(1, tables)]
    assert all(way.movement.sit_outs(round) == () for round in range(2, way.movement.rounds + 1))


def test_another_pair_leaves_and_the_one_that_sat_out_takes_its_place():
    movement = catalogue.build_movement("mitchell", 9, None, "EW 9")

    [way, *_] = proposals(movement, 1, PairLeaves(2))

    assert way.kind == "fewer-tables"
    assert way.consequences.sit_outs == ()


def test_after_round_2_the_two_are_no_longer_alike():
    movement = catalogue.build_movement("mitchell", 9, None, "EW 9")
    [(waiting, _share)] = movement.sit_outs(1)

    assert {way.kind for way in proposals(movement, 2, PairLeaves(waiting))} == {"half-table"}


@pytest.mark.parametrize("tables", [4, 8, 12])
def test_a_crisscross_goes_on_as_a_mitchell_with_a_late_pair(tables):
    movement = catalogue.build_movement("crisscross", tables)

    ways = proposals(movement, 1, PairArrives(joins_running=True))

    added = [way for way in ways if way.kind == "new-table"]
    assert added
    assert {way.movement.field_of(way.newcomer).name for way in added} == {"ns", "ew"}
    for way in added:
        assert way.movement.tables == tables + 1
        assert way.facts["rounds"] == way.movement.rounds
        assert len(way.consequences.sit_outs) == way.movement.rounds - 1


def test_with_several_copies_of_the_boards_a_mitchell_and_a_crisscross_are_not_alike():
    half = catalogue.build_movement("mitchell", 9, None, "EW 9")
    [(waiting, _share)] = half.sit_outs(1)
    whole = catalogue.build_movement("crisscross", 8)

    assert {way.facts["table"] for way in smaller_continuations(half, 1, waiting)} == {8}
    assert list(smaller_continuations(replace(half, copies=2), 1, waiting)) == []
    assert {way.facts["table"] for way in larger_continuations(whole, 1)} == {9}
    assert list(larger_continuations(replace(whole, copies=2), 1)) == []


def test_a_search_claims_that_no_more_tables_can_play_only_where_that_is_proven():
    movement = catalogue.build_movement("howell", 4)

    [way] = proposals(movement, 2, Rebuild(0.05, leaves=(3, 4)))

    played = sum(s.is_played for r in range(3, 8) for s in way.movement.in_round(r))
    assert (way.facts["played"], way.facts["most"]) == (played, 15)
    assert way.facts["proven"] in (0, 1)
    assert way.facts["proven"] or played < 15


def half_of_two_rounds():
    """Three and a half tables that play two rounds of four."""
    return catalogue.build_movement("mitchell", 4, 2, "NS 1")


def test_what_happened_is_recorded_also_when_a_pair_sat_out_every_round():
    movement = half_of_two_rounds()

    [way] = proposals(movement, 2, LineSatElsewhere(1, "ns", -1))

    assert (way.kind, way.consequences.contestants_never_playing) == ("as-played", (7,))
    assert way.movement.label(7) == "EW 4"
    assert [waiting for round in (1, 2) for waiting, _ in way.movement.sit_outs(round)] == [7, 7]
    assert way.movement.exemptions[-1].law == "field"
    assert way.movement.exemptions[-1].contestants == (7,)


def test_while_rounds_are_to_come_every_pair_plays_in_the_first_way():
    movement = half_of_two_rounds()

    ways = proposals(movement, 1, LineSatElsewhere(1, "ns", -1))

    assert ways[0].consequences.contestants_never_playing == ()
    assert [e.law for e in ways[0].movement.exemptions].count("field") == 0


def test_a_search_after_such_a_mistake_lets_every_pair_play():
    movement = half_of_two_rounds()

    [way, *_] = proposals(movement, 1, Rebuild(0.05, happened=LineSatElsewhere(1, "ns", -1)))

    assert way.consequences.contestants_never_playing == ()
    assert laws.contestants_never_playing(way.movement) == set()


def test_a_pair_that_was_to_sit_out_every_round_plays_when_another_one_comes():
    movement = catalogue.build_movement("mitchell", 5, 5, "EW 1")
    [short] = proposals(movement, 0, LengthChanges(1))
    assert short.consequences.contestants_never_playing == (1,)
    assert [(e.law, e.contestants) for e in short.movement.exemptions] == [("field", (1,))]

    [seat, *_] = proposals(short.movement, 0, PairArrives())

    assert seat.kind == "free-seat"
    assert laws.contestants_never_playing(seat.movement) == set()
    assert seat.movement.exemptions == ()
