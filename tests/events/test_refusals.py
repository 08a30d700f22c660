"""Refusals for arguments, in every state: nothing at all changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridgebuddy.events import errors
from bridgebuddy.events.models import ClubMovement, Entry, Section
from bridgebuddy.events.services.lifecycle import sessions
from bridgebuddy.events.services.play import changes, people, rounds
from bridgebuddy.events.services.play.changes import ArrivingEntry, change_options
from bridgebuddy.events.services.setup import entries, movement, own_movements, switches
from movements.engine import catalogue
from movements.engine.changes import PairArrives, PairLeaves
from movements.engine.errors import MovementError
from movements.services import BrokenMovement
from tests.events.states import HELD, LATE, a_switch, bystanders, different, section_in, world
from tests.factories import section_with

pytestmark = pytest.mark.django_db


def over(club, by):
    """The late pair has a seat, and the next round has begun."""
    section = section_in("changed", club, by)
    return rounds.start_next_round(section, after=2, by=by)


def over_undone(club, by):
    """Undo the seating of the late pair and begin the next round."""
    section = section_in("waiting", club, by)
    return rounds.start_next_round(section, after=2, by=by)


def gone(club, by):
    """The late pair waits no more: it has gone home."""
    section = section_in("waiting", club, by)
    entries.withdraw_pair(section.entries.last(), by=by)
    return section


def ended(club, by):
    """The session has ended in the round of the change."""
    return rounds.finish_session(section_in("changed", club, by), round=2, by=by)


def ended_undone(club, by):
    return rounds.finish_session(section_in("waiting", club, by), round=2, by=by)


def early(club, by):
    """The late pair waits, and the start was taken back."""
    section = section_in("waiting", club, by)
    for round in (2, 1):
        section = rounds.take_back_round(section, round=round, by=by)
    return section


def full(club, by):
    """Return the greatest number of entries in a section."""
    return section_with(120, club=club, by=by)


def substituted(club, by):
    """Zoë plays for Bob of pair 1 in round 2 alone."""
    section = section_in("running", club, by)
    bob = section.entries.first()
    people.add_substitute(bob, 2, "Zoë Neu", from_round=2, until_round=2, by=by)
    return section


def late_with(newcomer):
    """Seat a late contestant."""

    def press(section, by):
        way = change_options(section, PairArrives())[0]
        changes.take_proposal(
            section, way, PairArrives(), plan=section.plan, by=by, newcomer=newcomer
        )

    return press


def entry_elsewhere(section, by):
    elsewhere = Entry.objects.exclude(section=section).filter(contestant=None).earliest("pk")
    late_with(ArrivingEntry(entry=elsewhere.pk))(section, by)


def entry_seated(section, by):
    late_with(ArrivingEntry(entry=section.entries.first().pk))(section, by)


def first_of(section):
    return section.entries.first()


def removed(section):
    """An entry that a page still shows."""
    return Entry(pk=10_000, section=section)


def corrected(entry, *told, by):
    people.correct_names(entry, told, must_stay_seated=False, by=by)


def replaced(entry, by, place=2, name="Zoë Neu", **when):
    people.add_substitute(entry, place, name, by=by, **when)


def own(section, **which):
    return ClubMovement.objects.get(**which)


def way_of_another_plan(section, by, *, by_how_many):
    way = change_options(section, PairLeaves(1))[0]
    changes.take_proposal(section, way, PairLeaves(1), plan=section.plan + by_how_many, by=by)


REFUSED = {
    "another round is being played than the page showed": (
        "running",
        errors.RoundMovedOn,
        lambda section, by: rounds.start_next_round(section, after=1, by=by),
    ),
    "a round after the next one cannot be started": (
        "running",
        errors.RoundMovedOn,
        lambda section, by: rounds.start_next_round(section, after=3, by=by),
    ),
    "the session has not begun though the page shows a round": (
        "seated",
        errors.RoundMovedOn,
        lambda section, by: rounds.start_next_round(section, after=1, by=by),
    ),
    "nobody starts while somebody waits for a seat": (
        early,
        errors.NotSeated,
        lambda section, by: rounds.start_next_round(section, after=0, by=by),
    ),
    "another round than this one is taken back": (
        "running",
        errors.RoundMovedOn,
        lambda section, by: rounds.take_back_round(section, round=1, by=by),
    ),
    "another round than the last is taken up again": (
        "finished",
        errors.RoundMovedOn,
        lambda section, by: rounds.take_back_round(section, round=3, by=by),
    ),
    "the session ends after another round than the page showed": (
        "running",
        errors.RoundMovedOn,
        lambda section, by: rounds.finish_session(section, round=1, by=by),
    ),
    "a break after a round that is over": (
        "running",
        errors.RoundMovedOn,
        lambda section, by: rounds.set_break(section, after_round=1, minutes=10, by=by),
    ),
    "a change decided on an older plan": (
        "running",
        errors.SectionChanged,
        lambda section, by: way_of_another_plan(section, by, by_how_many=-1),
    ),
    "a change decided on a plan that never was": (
        "running",
        errors.SectionChanged,
        lambda section, by: way_of_another_plan(section, by, by_how_many=1),
    ),
    "a change after the end": (
        "finished",
        errors.NotRunning,
        lambda section, by: changes.take_proposal(
            section, None, PairLeaves(1), plan=section.plan, by=by, newcomer=LATE
        ),
    ),
    "a change without a movement": (
        "entered",
        errors.NotRunning,
        lambda section, by: changes.take_proposal(
            section, None, PairLeaves(1), plan=section.plan, by=by, newcomer=LATE
        ),
    ),
    "ways after the end": (
        "finished",
        errors.NotRunning,
        lambda section, by: change_options(section, PairLeaves(1)),
    ),
    "ways without a movement": (
        "entered",
        errors.NotRunning,
        lambda section, by: change_options(section, PairLeaves(1)),
    ),
    "nobody comes late": ("running", errors.NoSuchProposal, late_with(None)),
    "who comes late is on the list": (
        "running",
        errors.PersonTwice,
        late_with(ArrivingEntry(names=("Anna North3", "Max Late"))),
    ),
    "who comes late is on another list": ("running", errors.NoSuchProposal, entry_elsewhere),
    "who comes late has a seat": ("running", errors.NoSuchProposal, entry_seated),
    "undo of an older plan": (
        "changed",
        errors.SectionChanged,
        lambda section, by: changes.undo_change(section, plan=section.plan - 1, by=by),
    ),
    "undo once the next round has begun": (
        over,
        errors.CannotGoBack,
        lambda section, by: changes.undo_change(section, plan=section.plan, by=by),
    ),
    "undo after the end": (
        ended,
        errors.CannotGoBack,
        lambda section, by: changes.undo_change(section, plan=section.plan, by=by),
    ),
    "redo of an older plan": (
        "waiting",
        errors.SectionChanged,
        lambda section, by: changes.redo_change(section, plan=section.plan - 1, by=by),
    ),
    "redo once the next round has begun": (
        over_undone,
        errors.CannotGoBack,
        lambda section, by: changes.redo_change(section, plan=section.plan, by=by),
    ),
    "redo after the end": (
        ended_undone,
        errors.CannotGoBack,
        lambda section, by: changes.redo_change(section, plan=section.plan, by=by),
    ),
    "redo where somebody it seats has gone home": (
        gone,
        errors.CannotGoBack,
        lambda section, by: changes.redo_change(section, plan=section.plan, by=by),
    ),
    "a switch chosen for another movement": (
        "seated",
        errors.MovementChanged,
        lambda section, by: switches.switch_arrows(section, a_switch(section), of=0, by=by),
    ),
    "a switch chosen for the movement that is switched already": (
        "switched",
        errors.MovementChanged,
        lambda section, by: switches.switch_arrows(
            section, a_switch(section), of=section.movement.pk, by=by
        ),
    ),
    "an own movement for more pairs": (
        "seated",
        errors.NotSeated,
        lambda section, by: movement.choose_own_movement(
            section, own(section, name="Larger"), boards_per_round=2, by=by
        ),
    ),
    "an own movement for single players": (
        "seated",
        errors.NotSeated,
        lambda section, by: movement.choose_own_movement(
            section, own(section, name="Alone"), boards_per_round=2, by=by
        ),
    ),
    "another club's own movement": (
        "seated",
        errors.NotSeated,
        lambda section, by: movement.choose_own_movement(
            section, own(section, name="Theirs"), boards_per_round=2, by=by
        ),
    ),
    "a movement that is not for so many": (
        "seated",
        MovementError,
        lambda section, by: movement.choose_movement(
            section, "skip-mitchell", boards_per_round=2, by=by
        ),
    ),
    "seats exchanged with nobody": (
        "seated",
        errors.NotSeated,
        lambda section, by: movement.swap_seats(section, 1, 7, by=by),
    ),
    "seats by strength where none is known": (
        "seated",
        errors.NoStrengths,
        lambda section, by: movement.seat_by_method(section, "even", by=by),
    ),
    "seats drawn where the movement is not for all": (
        early,
        errors.NotSeated,
        lambda section, by: movement.seat_by_method(section, "random", by=by),
    ),
    "somebody enters who is on the list": (
        "seated",
        errors.PersonTwice,
        lambda section, by: entries.add_pairs(section, [("Eve A", "anna  NORTH1")], by=by),
    ),
    "somebody enters twice in one list": (
        "seated",
        errors.PersonTwice,
        lambda section, by: entries.add_pairs(section, [("Eve A", "Max A"), ("Eve A", "X")], by=by),
    ),
    "one pair too many": (
        full,
        errors.TooManyEntries,
        lambda section, by: entries.add_pairs(section, [("Eve A", "Max A")], by=by),
    ),
    "somebody withdraws who is not on the list": (
        "seated",
        errors.NotEntered,
        lambda section, by: entries.withdraw_pair(removed(section), by=by),
    ),
    "names of who is not on the list": (
        "seated",
        errors.NotEntered,
        lambda section, by: corrected(removed(section), "Eve A", "Max A", by=by),
    ),
    "three names for a pair": (
        "seated",
        errors.NotEntered,
        lambda section, by: corrected(first_of(section), "Eve A", "Max A", "Zoe A", by=by),
    ),
    "a name corrected to that of another pair": (
        "seated",
        errors.PersonTwice,
        lambda section, by: corrected(first_of(section), "Eve A", "Anna North2", by=by),
    ),
    "a name corrected to that of a substitute of others": (
        substituted,
        errors.PersonTwice,
        lambda section, by: corrected(section.entries.last(), "Zoë Neu", "Bob South6", by=by),
    ),
    "a substitute for who is not on the list": (
        "running",
        errors.NotEntered,
        lambda section, by: replaced(removed(section), by, from_round=2),
    ),
    "a substitute for the third of a pair": (
        "running",
        errors.NotEntered,
        lambda section, by: replaced(first_of(section), by, 3, from_round=2),
    ),
    "a substitute before the first round": (
        "running",
        errors.NoSuchRound,
        lambda section, by: replaced(first_of(section), by, from_round=0),
    ),
    "a substitute after the last round": (
        "running",
        errors.NoSuchRound,
        lambda section, by: replaced(first_of(section), by, from_round=4),
    ),
    "a substitute until after the last round": (
        "running",
        errors.NoSuchRound,
        lambda section, by: replaced(first_of(section), by, from_round=2, until_round=4),
    ),
    "a substitute who ends before beginning": (
        "running",
        errors.NoSuchRound,
        lambda section, by: replaced(first_of(section), by, from_round=3, until_round=2),
    ),
    "a substitute who plays for others": (
        "running",
        errors.PersonTwice,
        lambda section, by: replaced(first_of(section), by, name="Anna North2", from_round=3),
    ),
    "a substitute who plays with the one that stays": (
        "running",
        errors.PersonTwice,
        lambda section, by: replaced(first_of(section), by, name="Anna North1", from_round=3),
    ),
    "a substitute who plays for others in one of these rounds": (
        substituted,
        errors.PersonTwice,
        lambda section, by: replaced(section.entries.last(), by, from_round=1, until_round=2),
    ),
    "a movement of the club's own that breaks a law": (
        "seated",
        BrokenMovement,
        lambda section, by: own_movements.store_own_movement(
            section.club, broken(catalogue.build_movement("howell", 3)), name="Ours", by=by
        ),
    ),
    "a session with a list that is refused": (
        "seated",
        errors.PersonTwice,
        lambda section, by: sessions.open_session(
            section.club, **HELD, pairs=[("Eve A", "eve a")], by=by
        ),
    ),
}


def broken(movement):
    """The same with a round in which the boards of another are played again."""
    sets = {seating.table: seating.sets for seating in movement.in_round(1)}
    again = [replace(s, sets=sets[s.table]) if s.round == 2 else s for s in movement.seatings]
    return replace(movement, seatings=tuple(again))


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_changes_nothing(club, alice, carol, what):
    bystanders(club, alice)
    section_with(1, club=club, by=alice)
    for name, whose, built in (
        ("Larger", club, catalogue.build_movement("howell", 4)),
        ("Alone", club, catalogue.build_movement("individual", 2)),
        ("Theirs", carol.clubs.get(), catalogue.build_movement("howell", 3)),
    ):
        own_movements.store_own_movement(whose, built, name=name, by=alice)
    state, refusal, press = REFUSED[what]
    made = section_in(state, club, alice) if isinstance(state, str) else state(club, alice)
    section = Section.objects.get(pk=made.pk)
    before = world()

    with pytest.raises(refusal):
        press(section, alice)

    assert list(different(before, world())) == []


def test_a_substitute_may_play_for_others_in_other_rounds(club, alice):
    section = substituted(club, alice)

    replaced(section.entries.last(), alice, from_round=1, until_round=1)
    replaced(section.entries.last(), alice, from_round=3)

    names_by_round = [
        [person.name for person in section.entries.last().people_in(round)] for round in (1, 2, 3)
    ]
    assert names_by_round == [
        ["Anna North6", "Zoë Neu"],
        ["Anna North6", "Bob South6"],
        ["Anna North6", "Zoë Neu"],
    ]


def test_who_has_played_for_others_and_does_no_more_may_come_with_a_pair_of_their_own(club, alice):
    section = section_with(12, "skip-mitchell", round=2, club=club, by=alice)
    people.add_substitute(
        section.entries.first(), 2, "Zoë Neu", from_round=1, until_round=2, by=alice
    )
    zoe = ArrivingEntry(names=("Zoë Neu", "Max Late"))
    with pytest.raises(errors.PersonTwice):
        late_with(zoe)(Section.objects.get(pk=section.pk), alice)

    section = rounds.start_next_round(section, after=2, by=alice)
    late_with(zoe)(Section.objects.get(pk=section.pk), alice)

    new = section.entries.last()
    assert [link.from_round for link in new.links_in(4)] == [3, 1]
    first = section.entries.first()
    assert [person.name for person in first.people_in(2)] == ["Anna North1", "Zoë Neu"]
