"""Undo restores every column, and redo makes the same change."""

from __future__ import annotations

import pytest

from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.events.services.play.changes import (
    ArrivingEntry,
    change_options,
    is_repeated,
    take_proposal,
)
from bridgebuddy.events.services.setup import movement, switches
from movements.engine.changes import (
    ArrowsTurn,
    FewerBoards,
    LengthChanges,
    PairArrives,
    PairLeaves,
    PairReturns,
    PairStays,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    SatInEachOthersPlace,
    SkipIsMoved,
)
from tests.events.states import LATE, a_switch, of
from tests.factories import begun, section_with

pytestmark = pytest.mark.django_db

CHANGES = [
    PairArrives(),
    PairLeaves(2),
    PairStays(7),
    SkipIsMoved(),
    LengthChanges(4),
    FewerBoards(2, 3),
    ArrowsTurn((4,)),
    SatInEachOthersPlace(1, 7, 8),
    PlayedOtherBoards(1, 3, 4),
    PlayedTheOtherWay(2, 5),
]
PLAIN, SWITCHED = "as it was chosen", "with arrow-switches"
#: two lines cannot be turned, and in one field nobody skips otherwise
NOT_OFFERED = [(PLAIN, ArrowsTurn((4,))), (SWITCHED, SkipIsMoved())]
CASES = [(how, change) for how in (PLAIN, SWITCHED) for change in CHANGES]


@pytest.fixture
def evening(club, alice):
    """Return six tables, a skip Mitchell of 5 rounds of 3 boards, round 2 being played."""

    def seated(how):
        section = section_with(12, "skip-mitchell", club=club, by=alice)
        if how == SWITCHED:
            section = switches.switch_arrows(section, a_switch(section), **of(section), by=alice)
        return begun(Section.objects.get(pk=section.pk), 2)

    return seated


@pytest.fixture
def section(evening):
    return evening(PLAIN)


def state(section):
    """Return all data that a change can alter: seats, plays, movement, boards."""
    row = Section.objects.values().get(pk=section.pk)
    here = {name: value for name, value in row.items() if name not in ("plan", "shown")}
    plays = section.plays.filter(taken_back_at=None)
    seats = section.entries.exclude(entry_people__person__name__in=LATE.names)
    return here, list(seats.order_by("pk").values()), list(plays.order_by("pk").values())


def take_first_option(section, change, by, **more):
    way = change_options(section, change)[0]
    newcomer = LATE if way.proposal.newcomer else None
    return take_proposal(section, way, change, plan=section.plan, by=by, newcomer=newcomer, **more)


@pytest.mark.parametrize(
    ("how", "change"), [case for case in CASES if case not in NOT_OFFERED], ids=str
)
def test_undo_brings_back_what_was_and_redo_what_was_made(evening, alice, how, change):
    section = evening(how)
    was = state(section)
    section = take_first_option(section, change, alice)
    became = state(section)
    assert became != was

    for _time in range(2):
        section = changes.undo_change(section, plan=section.plan, by=alice)
        assert state(section) == was
        section = changes.redo_change(section, plan=section.plan, by=alice)
        assert state(section) == became


@pytest.mark.parametrize("how", [PLAIN, SWITCHED])
def test_three_changes_are_turned_back_one_by_one_and_made_again(evening, alice, how):
    section = evening(how)
    steps = [state(section)]
    for change in (FewerBoards(2, 3), PlayedTheOtherWay(2, 5), PairLeaves(2)):
        section = take_first_option(section, change, alice)
        steps.append(state(section))

    for was in reversed(steps[:-1]):
        section = changes.undo_change(section, plan=section.plan, by=alice)
        assert state(section) == was
    for became in steps[1:]:
        section = changes.redo_change(section, plan=section.plan, by=alice)
        assert state(section) == became


def test_who_left_and_is_back_leaves_again_and_is_back_again(club, alice):
    section = section_with(12, "skip-mitchell", round=1, club=club, by=alice)
    section = take_first_option(section, PairLeaves(2), alice)
    gone = section.entries.get(left_after=1)
    section = rounds.start_next_round(section, after=1, by=alice)
    section = take_first_option(section, PairReturns(gone.contestant), alice)
    gone.refresh_from_db()
    assert (gone.left_after, gone.back_in) == (1, 3)

    section = rounds.start_next_round(section, after=2, by=alice)
    section = take_first_option(section, PairLeaves(gone.contestant), alice)

    gone.refresh_from_db()
    assert (gone.left_after, gone.back_in) == (3, None)


def test_seats_given_in_another_movement_are_no_longer_to_be_taken_back(club, alice):
    section = section_with(12, "skip-mitchell", club=club, by=alice)
    section = take_first_option(section, LengthChanges(4), alice)

    section = movement.choose_movement(section, "howell", boards_per_round=2, by=alice)

    assert changes.undoable_version(section) is None
    assert [item.version for item in section.movements.all()] == [1]


def test_only_who_decided_so_has_decided_so(section, alice, bob):
    decided_on = section.plan
    way = change_options(section, PairLeaves(2))[0]
    section = take_proposal(section, way, PairLeaves(2), plan=decided_on, by=alice)

    def is_one(key, plan, by):
        return is_repeated(section, key, plan=plan, by=by)

    assert is_one(way.key, decided_on, alice)
    assert not is_one(way.key, decided_on, bob)
    assert not is_one(way.key, section.plan, alice)
    assert not is_one("undo", decided_on, alice)

    undone_on = section.plan
    section = changes.undo_change(section, plan=undone_on, by=alice, reason="a mistake")
    assert is_one("undo", undone_on, alice)
    assert not is_one("redo", undone_on, alice)


def test_a_version_says_who_made_it_when_why_and_on_which_plan(section, alice):
    decided = []
    decided.append((section.plan, "the train"))
    section = take_first_option(section, PairArrives(), alice, reason="the train")
    for turn, reason in ((changes.undo_change, "too late"), (changes.redo_change, "not at all")):
        decided.append((section.plan, reason))
        section = turn(section, plan=section.plan, by=alice, reason=reason)

    versions = section.movements.exclude(version=1)

    assert [(version.decided_on, version.reason) for version in versions] == decided
    assert {(version.by, version.in_round) for version in versions} == {(alice, 2)}


def test_a_late_pair_that_must_stay_seated_says_so(section, alice):
    late = ArrivingEntry(names=("Eve Engel", "Max O’Reid"), must_stay_seated=True)
    way = change_options(section, PairArrives())[0]

    take_proposal(section, way, PairArrives(), plan=section.plan, by=alice, newcomer=late)

    assert Entry.objects.get(section=section, people__name="Eve Engel").must_stay_seated
