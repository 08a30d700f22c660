"""Plays: those of a movement, and past rounds rebuilt from them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movements.engine import catalogue
from movements.engine.boards import MatchBoards, movement_boards
from movements.engine.changes import PairArrives, PairLeaves, proposals
from movements.engine.declarations import Triangle
from movements.engine.errors import MovementError
from movements.engine.families.mitchells.mitchell import mitchell
from movements.engine.plays import BoardPlay, movement_with_past, plays_of, visiting_team


def built():
    """Every family in some of its sizes, with the boards of its sets."""
    for family in catalogue.FAMILIES:
        for tables in (2, 3, 5, 6, 8, 9, 13):
            for rounds in list(family.possible_rounds(tables))[-1:]:
                try:
                    movement = catalogue.build_movement(family.name, tables, rounds)
                    yield movement, movement_boards(movement, total=12 * len(movement.sets))
                except MovementError:
                    continue


BUILT = list(built())


def in_order(movement, until):
    """Return opponents and sets of each table, sets unordered, without the contestants who waited."""
    return sorted(
        (s.round, s.table, s.ns, s.ew, sorted(s.sets))
        for s in movement.seatings
        if s.round <= until and s.is_played
    )


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.sampled_from(BUILT), st.data())
def test_the_past_put_together_from_plays_is_the_movements(built, data):
    movement, numbers = built
    until = data.draw(st.integers(0, movement.rounds))
    past = [p for r in range(1, until + 1) for p in plays_of(movement, r, numbers, 4)]

    again = movement_with_past(movement, past, until, numbers)

    assert in_order(again, movement.rounds) == in_order(movement, movement.rounds)
    assert [again.sit_outs(r) for r in range(1, movement.rounds + 1)] == [
        movement.sit_outs(r) for r in range(1, movement.rounds + 1)
    ]


@pytest.mark.parametrize("built", BUILT, ids=lambda built: f"{built[0].family}-{built[0].tables}")
def test_no_two_plays_have_a_place_in_common_and_nobody_plays_twice_at_once(built):
    movement, numbers = built
    for round in range(1, movement.rounds + 1):
        plays = plays_of(movement, round, numbers, 4)
        assert len({play.place for play in plays}) == len(plays)
        if movement.contest == "pairs":
            at = {}
            for play in plays:
                for side in (play.ns, play.ew):
                    if play.is_played and play.parts == 1:
                        assert at.setdefault(side, play.table) == play.table


def test_what_really_happened_is_what_the_past_becomes():
    movement, numbers = mitchell(3), {"A": range(1, 3), "B": range(3, 5), "C": range(5, 7)}
    past = list(plays_of(movement, 1, numbers))
    past[0] = BoardPlay(1, 1, 1, 1, 5, 1, 5)
    past[1] = BoardPlay(1, 1, 1, 1, 6, 1, 5)

    again = movement_with_past(movement, past, 1, numbers)

    assert (again.at(1, 1).ew, again.at(1, 1).sets) == (5, ("C",))
    assert again.in_round(2) == movement.in_round(2)


def test_a_drawn_match_is_played_at_both_teams_tables_with_boards_of_its_own():
    movement = catalogue.build_movement("team-round-robin", 6)
    (one, *_) = movement.in_round(1)

    plays = [
        p for p in plays_of(movement, 1, {}, MatchBoards(2)) if {p.ns, p.ew} == {one.ns, one.ew}
    ]

    assert sorted((p.table, p.ns, p.ew, p.board) for p in plays) == sorted(
        (host, host, guest, board)
        for host, guest in ((one.ns, one.ew), (one.ew, one.ns))
        for board in (1, 2)
    )


def test_in_a_triangle_ew_visit_the_next_team_first_and_then_the_one_before():
    triangle = Triangle((2,), (7, 8, 9))

    assert [visiting_team(triangle, host, 1) for host in (7, 8, 9)] == [9, 7, 8]
    assert [visiting_team(triangle, host, 2) for host in (7, 8, 9)] == [8, 9, 7]


def test_each_match_of_a_triangle_has_its_boards_at_both_tables_in_its_two_halves():
    movement = catalogue.build_movement("team-round-robin", 7)
    triangle = movement.triangles[0]
    first, second = triangle.rounds

    plays = [
        (frozenset((p.ns, p.ew)), p.board, p.ns, p.round)
        for round in (first, second)
        for p in plays_of(movement, round, {}, MatchBoards(3))
        if {p.ns, p.ew} <= set(triangle.teams)
    ]

    for match in {couple for couple, *_ in plays}:
        for board in (1, 2, 3):
            hosts = [(host, r) for couple, b, host, r in plays if (couple, b) == (match, board)]
            assert {host for host, _ in hosts} == match
            assert {r for _, r in hosts} == {first, second}


def test_of_a_round_not_yet_drawn_nothing_is_played():
    movement = catalogue.build_movement("swiss", 8)

    assert plays_of(movement, 1, {}, MatchBoards(4)) != ()
    assert plays_of(movement, 2, {}, MatchBoards(4)) == ()


def test_a_table_more_before_the_start_seats_nobody_who_has_left():
    gone = proposals(mitchell(3), 0, PairLeaves(4))[0].movement

    options = proposals(gone, 0, PairArrives())

    assert options
    for proposal in options:
        assert proposal.numbers[4] in proposal.movement.absent(1) or proposal.kind == "free-seat"
