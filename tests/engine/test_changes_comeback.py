"""A contestant who had left comes back: a free seat, a round trip, and no board played twice."""

import pytest

from movements.engine import catalogue, laws
from movements.engine.changes import (
    LengthChanges,
    LineSatElsewhere,
    PairArrives,
    PairLeaves,
    PairReturns,
    Rebuild,
    proposals,
)
from movements.engine.families.team_movements.drawn import knockout, swiss
from movements.engine.model import players_of

from .changing import found, kinds, shown, waits


def after_departure(family, tables, fixed, contestant):
    """Return a movement from which a contestant has left after a round."""
    return found((family, tables), fixed, PairLeaves(contestant))[0].movement


def who_plays(movement):
    """Return opponents and sets of every table and round; the order of partners does not count."""
    return [
        (s.round, s.table, {*players_of(s.ns)}, {*players_of(s.ew)}, s.sets)
        for s in movement.seatings
    ]


def test_a_pair_that_comes_back_at_once_has_its_own_evening_again():
    whole = catalogue.build_movement("mitchell", 7)

    [back] = found(after_departure("mitchell", 7, 2, 4), 2, PairReturns(4))

    assert (back.kind, back.from_round, back.movement.exemptions) == ("free-seat", 3, ())
    assert shown(back.movement) == shown(whole)


def test_it_misses_only_the_rounds_in_which_it_was_away():
    [back] = found(after_departure("mitchell", 7, 2, 4), 4, PairReturns(4))

    assert waits(back.movement) == [[], [], ["EW 2"], ["EW 1"], [], [], []]
    assert [item.rounds for item in back.movement.exemptions] == [(3, 4)]
    assert back.movement.label(back.newcomer) == "NS 4"


def test_when_its_seat_is_taken_it_goes_round_and_displaces_nobody_twice():
    taken = found(after_departure("mitchell", 7, 2, 4), 3, PairArrives())[0].movement

    [back] = found(taken, 4, PairReturns(4))

    assert (back.kind, back.facts["ns"], back.facts["rounds"]) == ("rover", 1, 3)
    assert waits(back.movement)[4:] == [["NS 2"], ["NS 8"], ["NS 1"]]
    assert back.consequences.repeats == ()


def test_it_comes_back_although_another_pair_waits_in_every_round():
    whole = catalogue.build_movement("mitchell", 5, 5, "EW 1")
    [short] = found(whole, 0, LengthChanges(1))
    gone = found(short.movement, 0, PairLeaves(2))[0].movement

    [back] = found(gone, 0, PairReturns(2))

    assert shown(back.movement) == shown(short.movement)
    assert [(item.law, item.contestants) for item in back.movement.exemptions] == [("field", (1,))]


def test_no_change_keeps_a_declaration_for_a_pair_that_plays():
    whole = catalogue.build_movement("mitchell", 5, 2, "EW 1")
    [mistake, *_] = proposals(whole, 2, LineSatElsewhere(1, "ns", -1))
    [short] = proposals(whole, 0, LengthChanges(1))
    seats = (Rebuild(0.05), Rebuild(0.05, arrives=True), PairArrives(), PairLeaves(3))
    ways = [
        way
        for movement, fixed in ((mistake.movement, 2), (short.movement, 0))
        for change in (*seats, LineSatElsewhere(1, "ns", 1), LengthChanges(2))
        for way in proposals(movement, fixed, change)
    ]

    for way in ways:
        movement = way.movement
        declared = {c for e in movement.exemptions if e.law == "field" for c in e.contestants}
        playing = {c for s in movement.seatings if s.is_played for c in s.contestants}
        assert not declared & playing, way.kind
    assert {"half-table", "free-seat"} <= {way.kind for way in ways}


@pytest.mark.parametrize(
    ("family", "tables"), [("howell", 5), ("skip-mitchell", 8), ("web", 12), ("mitchell", 9)]
)
@pytest.mark.parametrize("fixed", [3, 4, 5])
def test_nobody_plays_again_what_they_played_before_they_left(family, tables, fixed):
    gone = after_departure(family, tables, 2, 3)

    for proposal in found(gone, fixed, PairReturns(3)):
        assert laws.find_errors(proposal.movement) == ()
        assert proposal.consequences.repeats == ()
        assert [s for s in proposal.movement.seatings if s.round <= fixed] == [
            s for s in gone.seatings if s.round <= fixed
        ]
    assert kinds(gone, fixed, PairReturns(3))[0] == "free-seat"


def test_a_team_and_a_player_take_the_free_seat_again():
    for family, size in (("individual", 3), ("new-england-relay", 8)):
        whole = catalogue.build_movement(family, size)
        gone = found(whole, 1, PairLeaves(2))[0].movement

        [back] = found(gone, 1, PairReturns(2))

        assert who_plays(back.movement) == who_plays(whole)


def test_in_a_draw_on_results_there_are_opponents_again_from_the_next_draw_on():
    whole = catalogue.build_movement("swiss", 8, 4)
    gone = found(whole, 1, PairLeaves(3))[0].movement

    [back] = found(gone, 2, PairReturns(3))

    assert back.kind == "drawn-again"
    assert [3 in back.movement.absent(round) for round in (1, 2, 3, 4)] == [0, 1, 0, 0]


def test_a_team_has_the_matches_of_a_round_robin_again_that_are_still_to_come():
    whole = catalogue.build_movement("team-round-robin", 8)
    gone = found(whole, 2, PairLeaves(3))[0].movement

    [back] = found(gone, 3, PairReturns(3))

    assert back.kind == "free-seat"
    for round in range(1, whole.rounds + 1):
        matches = {(s.table, s.contestants) for s in whole.in_round(round)}
        away = {match for match in matches if 3 in match[1]} if round == 3 else set()
        again = {(s.table, tuple(sorted(s.contestants))) for s in back.movement.in_round(round)}
        assert again == {(t, tuple(sorted(two))) for t, two in matches - away}


@pytest.mark.parametrize("contest", ["pairs", "teams"])
def test_in_a_round_that_is_drawn_they_meet_whoever_has_no_opponent_there(contest):
    whole = swiss(8, 4, contest=contest)
    [met] = {n for s in whole.seatings_of(3) for n in s.contestants} - {3}
    gone = found(whole, 0, PairLeaves(3))[0].movement

    [back] = found(gone, 0, PairReturns(3))

    assert back.kind == "free-seat"
    assert [{*s.contestants} for s in back.movement.seatings_of(3)] == [{3, met}]
    assert len(back.movement.in_round(1)) == len(whole.in_round(1))
    assert [back.movement.absent(1), back.movement.sit_outs(1)] == [frozenset(), ()]


def test_they_wait_for_the_next_draw_where_nobody_is_without_an_opponent():
    gone = found(swiss(8, 4, contest="pairs"), 0, PairLeaves(3))[0].movement
    taken = found(gone, 0, PairArrives(), "free-seat")[0].movement

    [back] = found(taken, 0, PairReturns(3))

    assert back.kind == "drawn-again"
    assert [{*s.contestants} for s in back.movement.seatings_of(3)] == []
    assert back.movement.in_round(1) == taken.in_round(1)


def test_nobody_comes_back_into_a_knock_out_in_which_they_have_not_played():
    whole = knockout(8)
    gone = found(whole, 0, PairLeaves(3))[0].movement

    assert kinds(gone, 0, PairReturns(3)) == ["free-seat"]
    assert kinds(gone, 1, PairReturns(3)) == []
    after = found(whole, 1, PairLeaves(3))[0].movement
    assert kinds(after, 1, PairReturns(3)) == ["drawn-again"]  # they may have won


def test_whoever_is_there_cannot_come_back():
    assert kinds(("mitchell", 7), 2, PairReturns(4)) == []
    assert kinds(after_departure("mitchell", 7, 2, 4), 7, PairReturns(4)) == []


def test_the_rest_may_be_made_anew_for_a_pair_that_is_back():
    taken = found(after_departure("howell", 4, 2, 3), 2, PairArrives())[0].movement

    [rebuilt] = found(taken, 3, Rebuild(0.05, returns=3))

    assert laws.find_errors(rebuilt.movement) == ()
    assert 3 not in rebuilt.movement.absent(4)
    assert [len(there) for there in waits(rebuilt.movement)[3:]] == [1, 1, 1, 1]
