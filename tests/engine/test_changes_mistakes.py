"""Mistakes during play: recorded, and the rest of the evening repaired."""

from fractions import Fraction

import pytest

from movements.engine import catalogue, laws
from movements.engine.board_copies.borrowed_sets import borrowed_set
from movements.engine.boards import movement_boards
from movements.engine.changes import (
    BoardSpan,
    FewerBoards,
    LengthChanges,
    PairArrives,
    PairLeaves,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    SatInEachOthersPlace,
    TookOtherBoards,
)
from movements.engine.changes.numbering import numbers_after_change
from movements.engine.changes.repairs.mistakes import recorded_mistake
from movements.engine.declarations import Exemption
from movements.engine.model import Seating

from .changing import found, kinds, shown, waits

MISTAKE = "it happened by mistake"


def test_a_mistake_that_upsets_nothing_is_recorded_and_the_rest_is_as_planned():
    [recorded] = found(("howell", 4), 4, SatInEachOthersPlace(2, 1, 3))

    assert (recorded.kind, recorded.from_round) == ("as-played", 2)
    assert [(d.round, d.table) for d in recorded.consequences.differences] == [(2, 3)]
    assert recorded.movement.at(2, 3) == Seating(2, 3, 1, 3, ("D",))
    assert recorded.consequences.repeats == ()


def test_two_pairs_that_exchanged_places_go_on_so_where_that_repairs_everything():
    [repaired, *_others] = found(("howell", 4), 2, SatInEachOthersPlace(2, 8, 1))

    assert repaired.kind == "repaired"
    assert shown(repaired.movement, 2) == [
        "1-2:B  6-5:C  3-8:D  4-7:F",
        "1-3:C  7-6:D  4-2:E  5-8:G",
        "1-4:D  8-7:E  5-3:F  6-2:A",
        "1-5:E  2-8:F  6-4:G  7-3:B",
        "1-6:F  3-2:G  7-5:A  8-4:C",
        "1-7:G  4-3:A  8-6:B  2-5:D",
    ]
    assert (repaired.consequences.repeats, waits(repaired.movement)) == ((), [[]] * 7)


def test_what_was_repeated_by_mistake_is_declared_and_the_rest_repaired():
    [repaired, *_others] = found(("mitchell", 5), 3, SatInEachOthersPlace(3, 6, 7))

    assert shown(repaired.movement, 3) == [
        "1-9:C  2-10:D  3-7:E  4-6:A  5-8:B",
        "1-8:D  2-9:E  3-10:A  4-:B  5-7:C",
        "1-:E  2-8:A  3-9:B  4-10:C  5-6:D",
    ]
    assert waits(repaired.movement) == [[], [], [], ["NS 4", "EW 1"], ["NS 1", "EW 2"]]
    assert repaired.movement.exemptions == (
        Exemption("meet-once", 2, MISTAKE, (3, 7), (2, 3)),
        Exemption("board-once", 2, MISTAKE, (6,), (1, 3)),
    )
    assert repaired.consequences.repeats == ((3, 7), (6,))


def test_wrong_boards_at_two_tables_leave_out_what_would_come_again():
    [repaired] = found(("mitchell", 5), 3, PlayedOtherBoards(3, 1, 4))

    assert shown(repaired.movement, 3) == [
        "1-9:A  2-10:D  3-6:E  4-7:C  5-8:B",
        "1-8:D  2-9:E  3-10:A  4-6:B  5-:C",
        "1-7:E  2-8:A  3-9:B  4-:C  5-6:D",
    ]


def test_wrong_boards_in_the_last_round_but_one_are_only_recorded():
    [recorded] = found(("mitchell", 5), 5, PlayedOtherBoards(3, 1, 4))

    assert recorded.kind == "as-played"
    assert recorded.consequences.repeats == ((1,), (4,), (7,), (9,))
    assert laws.find_errors(recorded.movement) == ()


def test_a_table_that_sat_the_other_way_is_recorded_and_nothing_else_changes():
    [recorded] = found(("mitchell", 5), 4, PlayedTheOtherWay(4, 2))

    assert shown(recorded.movement, 4) == [
        "1-8:D  9-2:E  3-10:A  4-6:B  5-7:C",
        "1-7:E  2-8:A  3-9:B  4-10:C  5-6:D",
    ]
    assert recorded.consequences.affected == (2, 9)


def test_a_rover_and_a_party_pair_that_took_each_others_places_are_exchanged_in_both_halves():
    [recorded] = found(("two-way-rover-party", 6), 3, SatInEachOthersPlace(2, 11, 12))

    assert recorded.kind == "as-played"
    assert [(d.round, d.table) for d in recorded.consequences.differences] == [(2, 4), (2, 6)]
    assert shown(recorded.movement, 2)[0] == (
        "1-10:B1+B2  2-6:C1+C2  3-7:D1+D2  12-8:E1  4-12:E2  5-9:A1+A2  11-4:E1  8-11:E2"
    )


@pytest.mark.parametrize(
    "mistake",
    [
        SatInEachOthersPlace(4, 1, 2),
        SatInEachOthersPlace(0, 1, 2),
        SatInEachOthersPlace(2, 3, 3),
        PlayedOtherBoards(2, 3, 3),
        PlayedOtherBoards(5, 1, 2),
        PlayedOtherBoards(2, 1, 9),
        PlayedTheOtherWay(4, 1),
        PlayedTheOtherWay(3, 9),
    ],
    ids=str,
)
def test_what_cannot_have_happened_is_not_recorded(mistake):
    assert kinds(("mitchell", 5), 3, mistake) == []
    assert recorded_mistake(catalogue.build_movement("mitchell", 5), 3, mistake) is None


def test_with_two_winners_a_repair_never_lets_a_field_meet_itself():
    for tables in (5, 7, 9):
        for number in range(1, tables):
            for repaired in found(
                ("mitchell", tables), 3, PlayedOtherBoards(3, number, number + 1)
            ):
                movement = repaired.movement
                assert all(
                    movement.field_of(s.ns) != movement.field_of(s.ew)
                    for s in movement.seatings
                    if s.is_played
                )


def test_boards_of_tables_that_share_may_be_played_elsewhere():
    [repaired] = found(("share-and-relay", 8), 4, PlayedOtherBoards(2, 1, 5))

    there = {s.table: s.sets for s in repaired.movement.in_round(2)}
    planned = {s.table: s.sets for s in repaired.before.in_round(2)}
    assert (there[1], there[5]) == (planned[5], planned[1])
    assert Exemption("copies", 0, MISTAKE, (), (2,)) in repaired.movement.exemptions
    assert laws.find_errors(repaired.movement) == ()


def test_a_round_in_halves_is_exchanged_half_by_half():
    [written] = found(("scissors-mitchell", 6), 6, PlayedOtherBoards(5, 6, 3))

    def halves(movement, table):
        return [s.sets for s in movement.seatings_at_table(5, table)]

    assert halves(written.movement, 3) == halves(written.before, 6)
    assert halves(written.movement, 6) == halves(written.before, 3)


@pytest.mark.parametrize(
    ("family", "tables"),
    [
        *[("mitchell", 7), ("skip-mitchell", 8), ("share-and-relay", 8), ("crisscross", 8)],
        *[("web", 8), ("two-stanza", 8), ("appendix-mitchell", 8), ("scissors-mitchell", 8)],
        *[("howell", 5), ("partial-howell", 8), ("scrambled-mitchell", 7), ("hybrid", 8)],
        *[("ns-rover", 8), ("rover-party", 8), ("two-way-rover", 8), ("two-way-rover-party", 8)],
    ],
)
def test_whatever_two_tables_played_can_be_written_down(family, tables):
    movement = catalogue.build_movement(family, tables)
    for round in (1, movement.rounds // 2):
        for other in range(2, tables + 1):
            mistake = PlayedOtherBoards(round, 1, other)
            if recorded_mistake(movement, round, mistake) is not None:
                assert kinds(movement, round, mistake)


def test_who_has_left_since_is_not_called_back_to_repair_a_mistake():
    left = found(("howell", 6), 3, PairLeaves(3))[0].movement

    for other in (1, 2, *range(4, 13)):
        [written] = found(left, 3, SatInEachOthersPlace(2, 3, other))
        assert [s.round for s in written.movement.seatings_of(3)] == [1, 2, 3]


@pytest.mark.parametrize("fixed", [5, 6])
def test_a_table_that_took_boards_meant_for_the_stand_is_written_down(fixed):
    movement = catalogue.build_movement("share-and-relay", 8)
    [waiting] = (name for item in movement.waiting(5) for name in item.sets)
    planned = movement.at(5, 4).sets

    [way] = found(("share-and-relay", 8), fixed, TookOtherBoards(5, 4, (BoardSpan(waiting),)))

    assert way.movement.at(5, 4).sets == (waiting,) != planned
    assert way.movement.waiting(5) == ()
    assert laws.find_errors(way.movement) == ()
    changed = {(s.round, s.table) for s in set(movement.seatings) ^ set(way.movement.seatings)}
    assert {place for place in changed if place[0] <= fixed} == {(5, 4)}


def test_of_the_boards_of_a_table_that_plays_on_with_them_both_are_written_down():
    movement = catalogue.build_movement("mitchell", 7)
    theirs = movement.at(2, 5).sets

    [way] = found(("mitchell", 7), 7, TookOtherBoards(2, 3, tuple(map(BoardSpan, theirs))))

    assert way.movement.at(2, 3).sets == way.movement.at(2, 5).sets == theirs
    assert laws.find_errors(way.movement) == ()


@pytest.mark.parametrize("sets", [(), ("A", "B"), ("Z",)])
def test_no_table_has_had_boards_that_there_are_not(sets):
    assert (
        recorded_mistake(
            catalogue.build_movement("mitchell", 7),
            3,
            TookOtherBoards(2, 3, tuple(map(BoardSpan, sets))),
        )
        is None
    )


def test_after_other_boards_nobody_plays_a_board_twice_that_can_be_helped():
    for family, tables in (
        ("share-and-relay", 8),
        ("mitchell", 7),
        ("howell", 5),
        ("skip-mitchell", 6),
    ):
        movement = catalogue.build_movement(family, tables)
        for table in range(1, tables + 1):
            for name in movement.sets:
                mistake = TookOtherBoards(1, table, (BoardSpan(name),))
                for way in found((family, tables), 1, mistake):
                    assert laws.find_errors(way.movement) == ()
                    assert way.consequences.repeats == ()


HALF = Fraction(1, 2)


def test_single_boards_are_written_down_and_never_played_twice_nor_a_table_left_out():
    """Of set C, two boards, table 1 had the second one instead of the first one of its own set."""
    mistake = TookOtherBoards(
        2, 1, (BoardSpan("C", HALF, Fraction(1)),), (BoardSpan("B", Fraction(0), HALF),)
    )
    movement = catalogue.build_movement("mitchell", 7)
    assert movement.at(2, 1).sets == ("B",)

    [way] = found(movement, 2, mistake)

    assert way.movement.at(2, 1).sets == ("C2", "B2")
    assert way.parts["C2"] == ("C", HALF, Fraction(1))
    assert [way.movement.seatings_at_table(r, 1)[0].sets for r in (3, 4)] == [("C1",), ("D",)]
    assert laws.find_errors(way.movement) == ()
    assert waits(way.movement) == [[]] * 7
    played = [(d.round, d.table) for d in way.consequences.differences]
    assert (2, 1) in played
    assert {round for round, _ in played} <= {2, 3, 4, 5, 6, 7}


def test_a_piece_that_nobody_could_have_taken_there_is_not_written_down():
    build = catalogue.build_movement("mitchell", 7)
    for boards, instead in (
        ((BoardSpan("C", HALF, HALF),), (BoardSpan("B"),)),
        ((BoardSpan("C", Fraction(0), Fraction(2)),), (BoardSpan("B"),)),
        ((BoardSpan("C"),), (BoardSpan("D"),)),
        ((BoardSpan("B", Fraction(0), HALF),), (BoardSpan("B", HALF, Fraction(1)),)),
    ):
        assert recorded_mistake(build, 3, TookOtherBoards(2, 1, boards, instead)) is None


def test_single_players_go_on_as_planned_without_boards_they_have_had():
    """Two tables play the same set in each round; table 1 had half of the fifth in round 3."""
    movement = catalogue.build_movement("individual", 2)
    here, later = movement.at(3, 1).sets, movement.at(5, 1).sets
    mistake = TookOtherBoards(
        3, 1, (BoardSpan(later[0], HALF, Fraction(1)),), (BoardSpan(here[0], Fraction(0), HALF),)
    )

    [way] = found(movement, 3, mistake)

    after = way.movement
    assert (way.kind, way.consequences.repeats, waits(after)) == ("repaired", (), [[]] * 7)
    assert [s.sets for s in after.in_round(5)] == [(f"{later[0]}1",)] * 2
    assert [(s.round, s.ns, s.ew) for s in after.seatings] == [
        (s.round, s.ns, s.ew) for s in movement.seatings
    ]


@pytest.mark.parametrize(("one", "other"), [(1, 2), (1, 3), (1, 5), (2, 8)])
def test_single_players_who_sat_wrong_go_on_as_planned_and_meet_once_more(one, other):
    movement = catalogue.build_movement("individual", 2)

    [way] = found(movement, 3, SatInEachOthersPlace(3, one, other))

    assert way.kind == "as-played"
    assert {d.round for d in way.consequences.differences} == {3}
    met = {couple for couple in way.consequences.repeats if {one, other} & {*couple}}
    assert {*way.consequences.repeats} == met
    assert laws.find_errors(way.movement) == ()


def test_teams_play_the_same_boards_at_two_tables_of_which_none_is_written_down():
    movement = catalogue.build_movement("team-awl", 8)

    assert recorded_mistake(movement, 1, TookOtherBoards(1, 1, (BoardSpan("A"),))) is None


@pytest.mark.parametrize(("family", "tables"), [("mitchell", 7), ("howell", 5), ("individual", 4)])
def test_boards_that_are_somebody_elses_are_written_down_and_nobody_meets_them_again(
    family, tables
):
    movement = catalogue.build_movement(family, tables)
    numbers = movement_boards(movement, per_round=3)
    mistake = TookOtherBoards(2, 1, (BoardSpan("B/90-92"),))

    [way] = found(movement, 3, mistake)

    assert laws.find_errors(way.movement) == ()
    assert way.movement.at(2, 1).sets == ("B/90-92",)
    assert [s for s in way.movement.seatings if (s.round, s.table) != (2, 1)] == [
        s for s in movement.seatings if (s.round, s.table) != (2, 1)
    ]
    assert way.consequences.new_sets == ()
    assert numbers_after_change(numbers, way, 3) == {**numbers, "B/90-92": range(90, 93)}


def test_of_boards_that_are_somebody_elses_a_table_may_have_had_some():
    """Boards 90 and 91 of section B instead of the first of two boards, and 92 instead of the other table's."""
    movement = catalogue.build_movement("mitchell", 7)
    numbers = movement_boards(movement, per_round=2)
    one = TookOtherBoards(2, 1, (BoardSpan("B/90-90"),), (BoardSpan("B", Fraction(0), HALF),))

    [way] = found(movement, 2, one)
    again = TookOtherBoards(2, 2, (BoardSpan("B/91-91"),), (BoardSpan("C", HALF, Fraction(1)),))
    [twice] = found(way.movement, 2, again)

    boards = numbers_after_change(numbers_after_change(numbers, way, 2), twice, 2)
    assert [boards[name] for name in twice.movement.at(2, 1).sets] == [range(90, 91), range(4, 5)]
    assert [boards[name] for name in twice.movement.at(2, 2).sets] == [range(5, 6), range(91, 92)]
    assert laws.find_errors(twice.movement) == ()


@pytest.mark.parametrize(("family", "tables"), [("mitchell", 7), ("howell", 5)])
def test_no_later_change_gives_boards_that_are_somebody_elses_to_anybody(family, tables):
    movement = catalogue.build_movement(family, tables)
    numbers = movement_boards(movement, per_round=2)
    half = (BoardSpan(movement.at(2, 1).sets[0], Fraction(0), HALF),)
    [way] = found(movement, 3, TookOtherBoards(2, 1, (BoardSpan("B/90-90"),), half))
    before = numbers_after_change(numbers, way, 2)
    had = boards_at(way.movement, before)
    for change in (
        *(PairArrives(), PairLeaves(2), FewerBoards(1, 2), LengthChanges(movement.rounds - 1)),
        *(PlayedOtherBoards(3, 1, 2), SatInEachOthersPlace(3, 1, 2)),
    ):
        proposed = found(way.movement, 3, change)
        assert proposed
        for proposal in proposed:
            assert laws.find_errors(proposal.movement) == ()
            assert boards_at(proposal.movement, numbers_after_change(before, proposal, 2)) == had
            later = [s for s in proposal.movement.seatings if s.round > 3]
            assert not any(borrowed_set(name) for s in later for name in s.sets)


def boards_at(movement, numbers):
    """The boards of table 1 in round 2."""
    return {
        board
        for s in movement.seatings_at_table(2, 1)
        for name in s.sets
        for board in numbers[name]
    }
