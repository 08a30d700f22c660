"""Swiss with a contestant who comes late, leaves, or misses a match."""

import random

import pytest

from bridgebuddy.events.services.play import changes
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.changes import PairArrives, PairLeaves, PairReturns
from tests.factories import director_of

from .test_drawing import drawing_of, matches_of, play_on, publish, score, swiss

pytestmark = pytest.mark.django_db

NAMES = {"pairs": ("Eve Adams", "Max Late"), "teams": ("Eve A", "Max B", "Ida C", "Otto D")}


def change(section, what, kind, by, contest="pairs"):
    """Make the way of this kind."""
    way = next(way for way in changes.change_options(section, what) if way.proposal.kind == kind)
    newcomer = None
    if isinstance(what, PairArrives):
        newcomer = changes.ArrivingEntry(NAMES[contest])
    changes.take_proposal(section, way, what, plan=section.plan, by=by, newcomer=newcomer)
    section.refresh_from_db()


def in_round(section, round):
    seatings = section.movement.movement.in_round(round)
    return {contestant for s in seatings if s.is_played for contestant in s.contestants}


@pytest.mark.parametrize("contest", ["pairs", "teams"])
def test_who_comes_late_plays_from_the_next_draw_on_and_nothing_played_changes(contest):
    rng = random.Random(1)
    section = swiss(9, contest=contest)
    by = director_of(section.club)
    played = list(section.plays.values())
    change(section, PairArrives(), "drawn-later", by, contest)
    assert list(section.plays.values()) == played
    score(section, rng)

    play_on(section, by, rng)

    assert in_round(section, 2) == set(range(1, 11))
    rows = drawing_of(section).standings(2)
    assert {row.contestant.number for row in rows} == set(range(1, 11))
    play_on(section, by, rng)


def test_who_leaves_is_drawn_no_more_and_the_odd_one_has_a_bye():
    rng = random.Random(1)
    section = swiss(8)
    by = director_of(section.club)
    score(section, rng)
    change(section, PairLeaves(3), "half-table", by)

    play_on(section, by, rng)

    assert 3 not in in_round(section, 2)
    assert len(in_round(section, 2)) == 6
    play_on(section, by, rng)
    assert not ScoredSession(SessionSnapshot(section)).problem


def test_a_pair_that_leaves_after_the_draw_leaves_no_result_to_wait_for():
    """A match that is not played is judged as a whole; the only result of a board has its 60 per cent."""
    rng = random.Random(1)
    section = swiss(8)
    by = director_of(section.club)
    score(section, rng)
    publish(section, by)
    change(section, PairLeaves(3), "half-table", by)
    start_next_round(section, after=1, by=by)
    section.refresh_from_db()
    score(section, rng)

    document = ScoredSession(SessionSnapshot(section)).document.session
    assert len([play for play in document.plays if play.round == 2]) == 3 * len(
        matches_of(section, 2)
    )
    assert not any(play.outcome is None for play in document.plays)
    assert matches_of(section, 2)


def test_who_misses_a_match_is_back_in_the_next_draw():
    rng = random.Random(1)
    section = swiss(8)
    by = director_of(section.club)
    score(section, rng)
    change(section, PairLeaves(3), "half-table", by)
    play_on(section, by, rng)
    change(section, PairReturns(3), "drawn-again", by)

    play_on(section, by, rng)

    assert in_round(section, 3) == set(range(1, 9))
    start = section.round
    play_on(section, by, rng)
    assert section.round == start + 1


def test_who_leaves_once_the_round_is_drawn_leaves_the_opponents_a_bye():
    rng = random.Random(1)
    section = swiss(8)
    by = director_of(section.club)
    score(section, rng)
    from .test_drawing import publish

    publish(section, by)
    [seating] = [s for s in section.movement.movement.in_round(2) if 3 in s.contestants]
    [left] = {*seating.contestants} - {3}
    change(section, PairLeaves(3), "half-table", by)
    start_next_round(section, after=1, by=by)
    section.refresh_from_db()
    score(section, rng)

    byes = [m for m in ScoredSession(SessionSnapshot(section)).results.matches if m.rule == "bye"]

    assert [(bye.round, bye.home) for bye in byes] == [(2, str(left))]
    assert drawing_of(section).missing == ()
