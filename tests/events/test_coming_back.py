"""A pair that went home is here again: its number, its past plays, and its missed rounds."""

import pytest

from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.play import changes
from bridgebuddy.events.services.play.changes import change_options
from movements.engine import laws
from movements.engine.changes import PairArrives, PairLeaves, PairReturns, Rebuild
from tests.events.test_live_changes import LATE, played, take_first
from tests.factories import begun, section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    return section_with(16, "skip-mitchell", round=1, club=club, by=alice)


def test_a_pair_that_comes_back_has_its_number_and_what_it_played(section, alice):
    pair = section.entries.get(contestant=3)
    before = played(section, 1)
    section = take_first(section, PairLeaves(3), alice)
    section = begun(section, 3)

    section = take_first(section, PairReturns(3), alice)

    pair.refresh_from_db()
    assert (pair.contestant, pair.left_after, pair.back_in, pair.has_left) == (3, 1, 4, False)
    evening = SessionEvening(section)
    assert [evening.round_turn(3, r).has_left for r in range(1, 8)] == [False, True, True] + 4 * [
        False
    ]
    assert [evening.absent_contestants(r) for r in range(1, 8)] == [(), (3,), (3,), (), (), (), ()]
    assert [len(evening.sit_outs(r)) for r in range(1, 8)] == [0, 1, 1, 0, 0, 0, 0]
    assert played(section, 1) == before
    assert laws.find_errors(section.movement.movement) == ()
    facts = section.movements.latest("version").facts
    assert (facts["names"], facts["back"], facts["contestant"]) == (pair.names, True, "NS 3")


def test_undo_sends_a_pair_away_again_that_came_back(section, alice):
    for change in (PairLeaves(3), PairReturns(3)):
        section = take_first(section, change, alice)

    section = changes.undo_change(section, plan=section.plan, by=alice)

    pair = section.entries.get(contestant=3)
    assert (pair.left_after, pair.back_in) == (1, None)
    section = changes.redo_change(section, plan=section.plan, by=alice)
    assert section.entries.get(contestant=3).back_in == 2


def test_a_pair_may_leave_and_come_back_and_leave(section, alice):
    for change in (PairLeaves(3), PairReturns(3), PairLeaves(3)):
        section = take_first(section, change, alice)

    assert section.entries.get(contestant=3).has_left
    assert change_options(section, PairReturns(5)) == []  # that one never left


def test_a_search_may_bring_a_pair_back(club, alice):
    section = section_with(8, "howell", round=3, club=club, by=alice)
    section = take_first(section, PairLeaves(3), alice)
    section = take_first(section, PairArrives(), alice, newcomer=LATE)

    section = take_first(section, Rebuild(1, returns=3), alice)

    assert section.entries.get(contestant=3).back_in == 4
    assert section.entries.count() == 9
    assert [len(SessionEvening(section).sit_outs(round)) for round in (4, 5, 6, 7)] == [1, 1, 1, 1]
    assert laws.find_errors(section.movement.movement) == ()
