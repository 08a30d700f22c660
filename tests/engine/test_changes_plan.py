"""The plan itself changes: the skip, the length, the boards, the arrows."""

from dataclasses import replace
from fractions import Fraction

import pytest

from movements.engine import catalogue, laws
from movements.engine.changes import (
    ArrowsTurn,
    FewerBoards,
    LengthChanges,
    PairArrives,
    PairLeaves,
    SkipIsMoved,
    moves_as_one,
    proposals,
)
from movements.engine.changes.length import (
    _first_boards,
    _names_of_halves,
    _reduced_set_sizes,
    exemptions_until,
    length_proposals,
)
from movements.engine.changes.lines import LineSteps, RoundLines, shift_with_skip
from movements.engine.changes.table_count.rings import (
    LineShift,
    _repeating_shifts,
    promising_continuations,
    ring_continuations,
)
from movements.engine.declarations import Exemption
from movements.engine.model import Field

from .changing import found, kinds, shown, waits

SKIP = SkipIsMoved()


def places(movement, fixed):
    """After which round the skip may come instead (0: no skip), with where it was."""
    return [(item.facts["after"], item.facts["was"]) for item in found(movement, fixed, SKIP)]


# ── the skip ──


def test_the_skip_may_come_earlier_but_not_before_its_earliest_legal_round():
    assert places(("skip-mitchell", 8), 0) == [(3, 4)]
    assert places(("skip-mitchell", 8), 3) == [(3, 4)]
    assert places(("skip-mitchell", 8), 4) == []


def test_in_a_shorter_evening_the_skip_has_more_places():
    assert sorted(places(("skip-mitchell", 8, 5), 1)) == [(1, 4), (2, 4), (3, 4)]
    assert sorted(places(("skip-mitchell", 8, 5), 3)) == [(3, 4)]


def test_a_skip_is_put_in_and_taken_out_again():
    put_in = next(item for item in found(("mitchell", 9, 4), 1, SKIP) if item.facts["after"] == 2)

    taken_out = [row for row in found(put_in.movement, 1, SKIP) if row.kind == "no-skip"]

    assert (put_in.kind, put_in.from_round) == ("skip", 3)
    assert shown(put_in.movement, 2) == [
        "1-18:B  2-10:C  3-11:D  4-12:E  5-13:F  6-14:G  7-15:H  8-16:I  9-17:A",
        "1-16:C  2-17:D  3-18:E  4-10:F  5-11:G  6-12:H  7-13:I  8-14:A  9-15:B",
        "1-15:D  2-16:E  3-17:F  4-18:G  5-10:H  6-11:I  7-12:A  8-13:B  9-14:C",
    ]
    assert [row.movement for row in taken_out] == [catalogue.build_movement("mitchell", 9, 4)]
    assert [row.facts for row in taken_out] == [{"after": 0, "was": 2}]


@pytest.mark.parametrize("family", ["howell", "share-and-relay", "individual", "swiss"])
def test_movements_without_lines_have_no_skip(family):
    movement = catalogue.build_movement(
        family, 4 if family != "swiss" else 6, 3 if family == "swiss" else None
    )

    assert places(movement, 1) == []


# ── the length ──


def test_an_evening_may_end_after_any_round_still_to_come():
    [shorter] = found(("howell", 4), 2, LengthChanges(5))

    assert (shorter.kind, shorter.from_round, shorter.facts) == ("shorter", 6, {"rounds": 5})
    assert shown(shorter.movement) == shown(catalogue.build_movement("howell", 4))[:5]
    assert shorter.movement.sets == catalogue.build_movement("howell", 4).sets


def test_a_session_may_end_with_the_round_that_is_played():
    assert kinds(("howell", 4), 3, LengthChanges(3)) == ["shorter"]


@pytest.mark.parametrize("rounds", [0, 2, 7])
def test_no_evening_ends_before_now_or_when_it_does_anyway(rounds):
    assert kinds(("howell", 4), 3, LengthChanges(rounds)) == []


@pytest.mark.parametrize(
    ("family", "tables", "rounds", "longer"),
    [
        ("mitchell", 7, 4, 7),
        ("skip-mitchell", 8, 4, 7),
        ("crisscross", 8, 5, 8),
        ("two-stanza", 6, 4, 6),
    ],
)
def test_a_shortened_evening_may_be_as_long_as_its_family_is(family, tables, rounds, longer):
    [one] = found((family, tables, rounds), 2, LengthChanges(longer))

    assert (one.kind, one.from_round, one.facts["rounds"]) == ("longer", rounds + 1, longer)
    assert shown(one.movement) == shown(catalogue.build_movement(family, tables, longer))


def test_where_the_plan_was_changed_the_lines_go_on_and_skip_where_they_must():
    short = next(
        item for item in found(("skip-mitchell", 8, 5), 1, SKIP) if item.facts["after"] == 3
    ).movement

    [one] = found(short, 4, LengthChanges(6))

    assert (one.kind, one.facts) == ("longer", {"rounds": 6, "skip": 0})
    assert shown(one.movement, 6) == [
        "1-11:F  2-12:G  3-13:H  4-14:A  5-15:B  6-16:C  7-9:D  8-10:E"
    ]


@pytest.mark.parametrize(("family", "tables", "rounds"), [("mitchell", 7, 8), ("howell", 4, 8)])
def test_a_complete_evening_cannot_be_longer(family, tables, rounds):
    assert kinds((family, tables), 3, LengthChanges(rounds)) == []


@pytest.mark.parametrize("family", ["mitchell", "howell"])
def test_an_evening_as_long_as_it_is_is_no_change(family):
    movement = catalogue.build_movement(family, 5)

    assert list(length_proposals(movement, 1, LengthChanges(movement.rounds))) == []


def test_an_evening_longer_than_planned_need_not_be_the_whole_movement():
    [longer] = found(("mitchell", 7, 4), 2, LengthChanges(6))

    assert longer.movement == catalogue.build_movement("mitchell", 7, 6)


def test_where_another_winner_is_looked_for_than_the_family_has_the_lines_go_on():
    planned = catalogue.build_movement("mitchell", 7, 4)
    names = tuple(map(str, range(1, 15)))
    one_winner = replace(planned, fields=(Field("pairs", names),))

    for proposal in found(one_winner, 2, LengthChanges(6)):
        assert proposal.movement.fields == one_winner.fields


def test_of_a_shorter_evening_is_declared_what_its_rounds_still_break():
    why = "as it was agreed"
    movement = replace(
        catalogue.build_movement("mitchell", 7),
        exemptions=(
            Exemption("meetings", 2, why, (1,), (2, 5)),
            Exemption("meetings", 2, why, (2,), (2, 3)),
            Exemption("present", 1, why, (3,), (3, 4, 5)),
            Exemption("present", 1, why, (4,), (5, 6)),
            Exemption("balance", 1, why, (5,)),
        ),
    )

    kept = [(item.contestants, item.rounds) for item in exemptions_until(movement, 4)]

    assert kept == [((2,), (2, 3)), ((3,), (3, 4)), ((5,), ())]


def test_an_evening_to_which_a_table_was_added_goes_on_with_all_its_tables():
    planned = catalogue.build_movement("mitchell", 7, 4)
    bigger = next(
        row for row in found(planned, 1, PairArrives()) if row.kind == "new-table"
    ).movement
    assert bigger.tables == 8

    [longer] = found(bigger, 2, LengthChanges(5))
    skips = found(bigger, 2, SKIP)

    assert longer.facts == {"rounds": 5, "skip": 4}  # eight is even
    ew = [[game.ew for game in longer.movement.seatings if game.round == r] for r in (4, 5)]
    assert ew[1] == ew[0][-2:] + ew[0][:-2]
    assert sorted(skip.facts["after"] for skip in skips) == [2, 3]
    assert moves_as_one(bigger)


@pytest.mark.parametrize("fixed", [0, 1])
def test_before_the_table_has_come_its_skip_is_nowhere(fixed):
    planned = catalogue.build_movement("mitchell", 7, 4)
    bigger = next(
        row for row in found(planned, 1, PairArrives()) if row.kind == "new-table"
    ).movement

    assert found(bigger, fixed, SKIP) == []


# ── the boards ──


def test_fewer_boards_are_played_from_the_next_round_on():
    [shorter] = found(("mitchell", 5), 2, FewerBoards(2, 3))

    assert shown(shorter.movement) == [
        "1-6:A1+A2  2-7:B1+B2  3-8:C1+C2  4-9:D1+D2  5-10:E1+E2",
        "1-10:B1+B2  2-6:C1+C2  3-7:D1+D2  4-8:E1+E2  5-9:A1+A2",
        "1-9:C1  2-10:D1  3-6:E1  4-7:A1  5-8:B1",
        "1-8:D1  2-9:E1  3-10:A1  4-6:B1  5-7:C1",
        "1-7:E1  2-8:A1  3-9:B1  4-10:C1  5-6:D1",
    ]
    assert shorter.parts["A1"] == ("A", Fraction(0), Fraction(2, 3))
    assert shorter.parts["A2"] == ("A", Fraction(2, 3), Fraction(1))
    assert shorter.consequences.moved == ()


@pytest.mark.parametrize("boards", [0, 3, 4])
def test_fewer_boards_are_fewer_and_some(boards):
    assert kinds(("mitchell", 5), 2, FewerBoards(boards, 3)) == []


def test_boards_may_be_left_out_twice():
    once = found(("mitchell", 5), 1, FewerBoards(3, 4))[0].movement

    [twice] = found(once, 3, FewerBoards(2, 3))

    assert shown(twice.movement, 3) == [
        "1-9:C1.1+C1.2  2-10:D1.1+D1.2  3-6:E1.1+E1.2  4-7:A1.1+A1.2  5-8:B1.1+B1.2",
        "1-8:D1.1  2-9:E1.1  3-10:A1.1  4-6:B1.1  5-7:C1.1",
        "1-7:E1.1  2-8:A1.1  3-9:B1.1  4-10:C1.1  5-6:D1.1",
    ]


# ── the arrows ──


def test_a_round_of_a_one_winner_movement_is_turned():
    [turned] = found(("howell", 4), 2, ArrowsTurn((4,)))

    assert (turned.kind, turned.from_round) == ("arrow-switch", 4)
    assert shown(turned.movement, 4)[:2] == [
        "4-8:D  7-1:E  3-5:F  2-6:A",
        "8-5:E  2-1:F  6-4:G  7-3:B",
    ]
    assert waits(turned.movement) == [[]] * 7


def test_a_single_table_is_turned():
    [turned] = found(("howell", 4), 2, ArrowsTurn((3, 4), (2,)))

    assert shown(turned.movement, 3)[:2] == [
        "8-3:C  6-7:D  4-2:E  5-1:G",
        "8-4:D  7-1:E  5-3:F  6-2:A",
    ]


def test_rounds_that_are_fixed_are_not_turned():
    [turned] = found(("howell", 4), 3, ArrowsTurn((2, 3, 5)))

    assert shown(turned.movement)[:4] == shown(catalogue.build_movement("howell", 4))[:4]
    assert (turned.from_round, kinds(("howell", 4), 3, ArrowsTurn((2, 3)))) == (5, [])


def test_with_two_winners_nothing_is_turned():
    assert kinds(("mitchell", 5), 2, ArrowsTurn((4,))) == []


def kept_boards(family, tables, fewer, sizes):
    """Return the number of boards kept in the first sets of each proposal with fewer boards, by their old names."""
    movement = catalogue.build_movement(family, tables)
    by_set = {name: sizes[index % len(sizes)] for index, name in enumerate(movement.sets)}
    return [
        [proposal.sizes_after[name] for name in proposal.movement.sets[:6]]
        for proposal in proposals(movement, 1, fewer, by_set)
    ]


def test_of_a_round_in_two_halves_each_keeps_a_board():
    halves = [2, 1]  # three boards a round

    assert kept_boards("two-way-rover", 4, FewerBoards(2, 3), halves) == [[1, 1, 1, 1, 1, 1]]
    assert kept_boards("two-way-rover", 4, FewerBoards(1, 3), halves) == []


def test_a_shorter_last_set_stays_whole_when_it_has_no_more_boards_than_that():
    mitchell = catalogue.build_movement("mitchell", 5)
    sizes = {"A": 3, "B": 3, "C": 3, "D": 3, "E": 2}

    [shorter] = proposals(mitchell, 1, FewerBoards(2, 3), sizes)

    assert shorter.movement.sets == ("A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2", "E")
    assert [shorter.sizes_after[name] for name in shorter.movement.sets] == [2, 1] * 4 + [2]


def test_where_no_set_has_more_boards_than_that_nothing_changes():
    mitchell = catalogue.build_movement("mitchell", 5)

    assert list(proposals(mitchell, 1, FewerBoards(1, 2), dict.fromkeys(mitchell.sets, 1))) == []


@pytest.mark.parametrize(("family", "tables"), [("howell", 3), ("rover-party", 5)])
def test_boards_that_two_tables_share_are_called_what_they_are_now(family, tables):
    shared = catalogue.build_movement(family, tables).shared

    [shorter] = found((family, tables), 2, FewerBoards(2, 3))

    assert [item.sets for item in shorter.movement.shared] == [
        tuple(part for name in item.sets for part in (f"{name}1", f"{name}2")) for item in shared
    ]


def test_where_a_table_plays_two_sets_the_second_is_left_out():
    """From the seventh round on every pair plays both halves against the same opponents."""
    scissors = catalogue.build_movement("scissors-mitchell", 8)
    sizes = dict.fromkeys(scissors.sets, 2)

    [shorter] = proposals(scissors, 6, FewerBoards(2, 4), sizes)

    assert {seating.sets for seating in shorter.movement.seatings if seating.round > 6} == {
        (f"{letter}1",) for letter in "ABCDEFGH"
    }
    assert all(stand.sets for stand in shorter.movement.stands)
    before = [seating for seating in scissors.seatings if seating.round <= 6]
    assert list(shorter.movement.seatings[: len(before)]) == before


@pytest.mark.parametrize(
    ("sizes", "boards", "first", "some"),
    [
        ((2, 2, 3), 3, (2, 1, 0), (1, 1, 1)),
        ((2, 2, 3), 4, (2, 2, 0), (2, 1, 1)),
        ((4, 2), 5, (4, 1), (3, 2)),
        ((1, 1), 1, (1, 0), (1, 1)),
        ((2, 2), 4, (2, 2), (2, 2)),
    ],
)
def test_the_first_boards_are_kept_or_some_of_each_part(sizes, boards, first, some):
    of = dict(zip("ABC", sizes, strict=False))

    assert tuple(_first_boards(of, boards).values()) == first
    assert tuple(_reduced_set_sizes(of, boards).values()) == some


def test_parts_of_a_set_are_called_after_it():
    assert [_names_of_halves(name) for name in ("A", "B2", "3")] == [
        ("A1", "A2"),
        ("B2.1", "B2.2"),
        ("3.1", "3.2"),
    ]


@pytest.mark.parametrize(
    ("change", "kinds_before"),
    [(LengthChanges(7), ["longer"]), (SkipIsMoved(), ["skip", "skip", "no-skip"])],
)
@pytest.mark.parametrize("moves", [1, 2])
@pytest.mark.parametrize("gone", [2, 10])
def test_who_has_left_either_line_does_not_keep_the_others_from_going_on(
    gone, moves, change, kinds_before
):
    whole = catalogue.build_movement("skip-mitchell", 8, 5)
    left = found(whole, moves, PairLeaves(gone))[0].movement

    offered = {row.kind for row in found(left, 2, change)}

    assert offered
    assert offered <= set(kinds_before)
    for proposal in found(left, 2, change):
        assert laws.find_errors(proposal.movement) == ()
        assert all(
            gone in proposal.movement.absent(r) for r in range(3, proposal.movement.rounds + 1)
        )


def test_only_a_line_that_moves_as_one_can_skip_a_table():
    joined = found(("skip-mitchell", 8, 5, "EW 3"), 2, PairArrives(), "free-seat")[0].movement
    whole = catalogue.build_movement("mitchell", 7)
    seatings = (s.turned() if (s.round, s.table) == (7, 2) else s for s in whole.seatings)
    turned = replace(whole, seatings=tuple(seatings))

    assert moves_as_one(whole)
    assert moves_as_one(joined)
    assert not moves_as_one(
        turned
    )  # a pair that stays sits E-W at the end, and has come from nowhere
    assert not moves_as_one(catalogue.build_movement("howell", 7))


def test_a_skip_is_one_table_more_whichever_way_the_line_goes():
    assert [shift_with_skip(up) for up in (1, -1, 2, -2)] == [2, -2, 3, -3]


# ── which rings are worth laying out ──


@pytest.mark.parametrize(
    ("done", "half_full", "closed"),
    [
        ({("a", "x")}, 0, 0b001),
        ({("a", "y")}, 0, 0b100),
        ({("a", "x"), ("a", "y")}, 0, 0b101),
        ({("c", "x"), ("c", "away"), ("gone", "x")}, 0, 0b100),
        ({("b", "x")}, 0, 0b001),  # b shares the first place with a
        ({("a", "x")}, 1, 0),
        ({("a", "x"), ("c", "z"), ("a", "y")}, 1, 0b001),
    ],
)
def test_what_was_together_closes_a_shift(done, half_full, closed):
    line, other = (("a", "b"), None, "c"), ("x", "y", "z")

    assert _repeating_shifts(done, line, other, half_full=half_full) == closed
    assert _repeating_shifts(set(), line, other) == 0


def test_of_ways_on_those_that_come_round_again_are_left_out():
    """Five tables: up one and boards down one; with a skip after round 2 alone no opponents meet again."""
    continuations = ring_continuations(5, 2, 5, LineSteps(up=1, boards=-1))

    assert continuations == {
        0: LineShift(0b01110, 0b11100, 0b10110),
        2: LineShift(0b11100, 0b11100, 0b01101),
    }
    assert list(continuations) == [0, 2]
    assert ring_continuations(5, 1, 7, LineSteps(up=1, boards=-1)) == {}


def tried(met=(), played=(), ns=1, ew=1):
    """Return the ways to go on from round 1 of five tables, and of two rings, that are worth laying out.

    In the second East-West sit three tables further up; `ns` and `ew` are the sides of the last table that are there.
    """
    ways = ring_continuations(5, 1, 3, LineSteps(up=1, boards=-1))
    assert list(ways) == [0, 2, 1]
    north, east = ((*NORTH[:4], NORTH[4] if ns else None), (*EAST[:4], EAST[4] if ew else None))
    sets = tuple((name,) for name in "ABCDE")
    rings = [RoundLines(north, line, sets) for line in (east, (*east[2:], *east[:2]))]
    alone = [
        (skip, 0) for skip, _ in promising_continuations(rings[:1], ways, (set(met), set(played)))
    ]
    continuations = promising_continuations(rings, ways, (set(met), set(played)))
    both = [(skip, rings.index(ring)) for skip, ring in continuations]
    assert alone == [item for item in both if item[1] == 0]
    return both


NORTH, EAST = ("n1", "n2", "n3", "n4", "n5"), ("e1", "e2", "e3", "e4", "e5")


def test_a_ring_is_worth_trying_where_nothing_comes_together_again():
    every = [(skip, ring) for skip in (0, 2, 1) for ring in (0, 1)]

    assert tried() == every
    assert tried(met={("n2", "e1")}) == [(0, 1), (1, 0)]
    assert tried(played={("n2", "A")}) == every
    assert tried(played={("n2", "C")}) == []
    assert tried(played={("e1", "C")}) == [(2, 1), (1, 0), (1, 1)]


def test_at_a_table_that_is_half_full_a_set_may_lie_again():
    every = [(skip, ring) for skip in (0, 2, 1) for ring in (0, 1)]

    assert tried(played={("n2", "C")}, ew=0) == every
    assert tried(played={("n2", "C"), ("n3", "D")}, ew=0) == []
    assert tried(played={("e1", "C")}, ns=0) == every
    assert tried(played={("e1", "C")}, ew=0) == [(2, 1), (1, 0), (1, 1)]
