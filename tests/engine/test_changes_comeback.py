"""Somebody who had left comes back: a free seat, a round trip, and nothing played twice."""

import pytest

from movements.engine import catalogue, laws
from movements.engine.changes import PairArrives, PairLeaves, PairReturns, Rebuild
from movements.engine.model import players_of

from .changing import found, kinds, shown, waits


def left(family, tables, fixed, contestant):
    """A movement which somebody has left after a round."""
    return found((family, tables), fixed, PairLeaves(contestant))[0].movement


def who_plays(movement):
    """Who plays with and against whom, with what; who of two partners is named first is no matter."""
    return [
        (s.round, s.table, {*players_of(s.ns)}, {*players_of(s.ew)}, s.sets)
        for s in movement.seatings
    ]


def test_a_pair_that_comes_back_at_once_has_its_own_evening_again():
    whole = catalogue.build("mitchell", 7)

    [back] = found(left("mitchell", 7, 2, 4), 2, PairReturns(4))

    assert (back.kind, back.from_round, back.movement.exemptions) == ("free-seat", 3, ())
    assert shown(back.movement) == shown(whole)


def test_it_misses_only_the_rounds_in_which_it_was_away():
    [back] = found(left("mitchell", 7, 2, 4), 4, PairReturns(4))

    assert waits(back.movement) == [[], [], ["EW 2"], ["EW 1"], [], [], []]
    assert [item.rounds for item in back.movement.exemptions] == [(3, 4)]
    assert back.movement.label(back.newcomer) == "NS 4"


def test_when_its_seat_is_taken_it_goes_round_and_displaces_nobody_twice():
    taken = found(left("mitchell", 7, 2, 4), 3, PairArrives())[0].movement

    [back] = found(taken, 4, PairReturns(4))

    assert (back.kind, back.facts["ns"], back.facts["rounds"]) == ("rover", 1, 3)
    assert waits(back.movement)[4:] == [["NS 2"], ["NS 8"], ["NS 1"]]
    assert back.consequences.repeats == ()


@pytest.mark.parametrize(
    ("family", "tables"), [("howell", 5), ("skip-mitchell", 8), ("web", 12), ("mitchell", 9)]
)
@pytest.mark.parametrize("fixed", [3, 4, 5])
def test_nobody_plays_again_what_they_played_before_they_left(family, tables, fixed):
    gone = left(family, tables, 2, 3)

    for proposal in found(gone, fixed, PairReturns(3)):
        assert laws.errors(proposal.movement) == ()
        assert proposal.consequences.repeats == ()
        assert [s for s in proposal.movement.seatings if s.round <= fixed] == [
            s for s in gone.seatings if s.round <= fixed
        ]
    assert kinds(gone, fixed, PairReturns(3))[0] == "free-seat"


def test_a_team_and_a_player_take_the_free_seat_again():
    for family, size in (("individual", 3), ("new-england-relay", 8)):
        whole = catalogue.build(family, size)
        gone = found(whole, 1, PairLeaves(2))[0].movement

        [back] = found(gone, 1, PairReturns(2))

        assert who_plays(back.movement) == who_plays(whole)


def test_in_a_draw_on_results_there_are_opponents_again_from_the_next_draw_on():
    whole = catalogue.build("swiss", 8, 4)
    gone = found(whole, 1, PairLeaves(3))[0].movement

    [back] = found(gone, 2, PairReturns(3))

    assert back.kind == "drawn-again"
    assert [3 in back.movement.absent(round) for round in (1, 2, 3, 4)] == [0, 1, 0, 0]
    assert (
        kinds(found(("team-round-robin", 8), 1, PairLeaves(3))[0].movement, 1, PairReturns(3)) == []
    )


def test_whoever_is_there_cannot_come_back():
    assert kinds(("mitchell", 7), 2, PairReturns(4)) == []
    assert kinds(left("mitchell", 7, 2, 4), 7, PairReturns(4)) == []


def test_the_rest_may_be_made_anew_for_a_pair_that_is_back():
    taken = found(left("howell", 4, 2, 3), 2, PairArrives())[0].movement

    [rebuilt] = found(taken, 3, Rebuild(0.05, returns=3))

    assert laws.errors(rebuilt.movement) == ()
    assert 3 not in rebuilt.movement.absent(4)
    assert [len(there) for there in waits(rebuilt.movement)[3:]] == [1, 1, 1, 1]
