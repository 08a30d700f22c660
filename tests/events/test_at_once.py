"""Two directors of a club at the same moment, each with a session of their own."""

import datetime
import threading
import time
from contextlib import suppress
from functools import partial

import pytest
from django.db import transaction

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import EntryPerson, Event, Section, Session
from bridgebuddy.events.services import display_refresh
from bridgebuddy.events.services.lifecycle.sessions import change_session, open_session
from bridgebuddy.events.services.locking import lock_with_cached_session
from bridgebuddy.events.services.play.changes import change_options, take_proposal
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.events.services.setup import entries
from bridgebuddy.events.services.setup.entries import add_pairs
from bridgebuddy.events.services.setup.movement import choose_movement
from bridgebuddy.events.services.setup.sections import divide_entries
from movements.engine.changes import LengthChanges
from tests.factories import ClubFactory, director_of, section_with
from tests.together import errors, together

pytestmark = pytest.mark.django_db(transaction=True)

FACTS = {
    "date": datetime.date(2026, 11, 24),
    "starts_at": datetime.time(19, 0),
    "fewest_boards": 24,
    "most_boards": 28,
    "minutes_per_board": 7,
}


def test_sections_that_enter_the_same_guests_at_once_share_them():
    club = ClubFactory()
    by = director_of(club)
    guests = [(f"Anna Guest{n}", f"Bob Guest{n}") for n in range(12)]
    sections = [section_with(0, club=club, by=by) for _ in range(6)]
    lists = [guests[turn:] + guests[:turn] for turn in range(len(sections))]

    outcomes = together(
        *(
            partial(add_pairs, section, pairs, by=by)
            for section, pairs in zip(sections, lists, strict=True)
        )
    )

    assert errors(outcomes) == []
    assert Person.objects.filter(club=club).count() == 24
    assert EntryPerson.objects.count() == 6 * 24
    for section, pairs in zip(sections, lists, strict=True):
        names = [tuple(player.name for player in entry.players) for entry in section.entries.all()]
        assert names == pairs


def test_a_guest_known_already_keeps_the_spelling_of_the_roster():
    section = section_with(0)
    Person.objects.create(club=section.club, name="Jürgen Kühn")

    add_pairs(section, [("JURGEN  KUHN", "Eve  New")], by=director_of(section.club))

    assert section.entries.get().names == "Jürgen Kühn & Eve New"
    assert Person.objects.get(name="Eve New").search == "eve new"


def test_sessions_of_a_new_event_opened_at_once_are_sessions_of_one_event():
    club = ClubFactory()
    by = director_of(club)
    open_one = partial(open_session, club, name="Spring Cup", by=by, **FACTS)

    outcomes = together(*[open_one] * 8)

    assert errors(outcomes) == []
    assert Event.objects.get().sessions.count() == 8


def test_a_form_sent_several_times_at_once_opens_one_session():
    club = ClubFactory()
    pairs = [("Anna North", "Bob South")]
    press = partial(
        open_session, club, name="Cup", pairs=pairs, once="x", by=director_of(club), **FACTS
    )

    outcomes = together(*[press] * 8)

    assert set(outcomes) == {Session.objects.get().sections.get()}
    assert EntryPerson.objects.count() == 2


def test_sessions_that_are_renamed_at_once_are_sessions_of_one_event():
    club = ClubFactory()
    by = director_of(club)
    sections = [section_with(0, club=club, by=by) for _ in range(6)]

    outcomes = together(
        *(
            partial(change_session, section, name="Spring Cup", by=by, **FACTS)
            for section in sections
        )
    )

    assert errors(outcomes) == []
    assert {session.event.name for session in Session.objects.all()} == {"Spring Cup"}
    assert Event.objects.filter(name="Spring Cup").count() == 1


def test_pages_of_several_sections_refresh_in_the_order_in_which_sections_are_locked():
    """The first section's row was written last, so the database finds it after the other one."""
    section = section_with(24)
    by = director_of(section.club)
    keys = [*section.entries.order_by("position").values_list("pk", flat=True)]
    first, last = divide_entries(section, [keys[:12], keys[12:]], same_deals=True, by=by)
    Section.objects.filter(pk=first.pk).update(shown=1)
    has_first, both = threading.Event(), Section.objects.filter(session=section.session_id)

    def lock_one_after_the_other():
        with transaction.atomic():
            lock_with_cached_session(first)
            has_first.set()
            time.sleep(0.3)
            lock_with_cached_session(last)

    def refresh_both():
        has_first.wait(5)
        display_refresh.refresh_sections(both)

    outcomes = together(lock_one_after_the_other, refresh_both)

    assert errors(outcomes) == []
    assert Section.objects.get(pk=first.pk).shown == 2


def test_live_changes_of_two_sections_that_lend_each_other_boards_do_not_wait_for_each_other(
    monkeypatch,
):
    club = ClubFactory()
    by = director_of(club)
    section = section_with(24, club=club, by=by)
    keys = [*section.entries.order_by("position").values_list("pk", flat=True)]
    halves = divide_entries(section, [keys[:12], keys[12:]], same_deals=True, by=by)
    for half, options in zip(halves, ({}, {"opposite": True}), strict=True):
        choose_movement(half, "share-and-relay", boards_per_round=4, options=options, by=by)
    sections = [start_next_round(half, after=0, by=by) for half in halves]
    refresh, both = display_refresh.refresh_sections, threading.Barrier(2)

    def slow_refresh(shown):
        """Count the other section as late as possible: when both changes are about to."""
        with suppress(threading.BrokenBarrierError):
            both.wait(timeout=1)
        refresh(shown)

    monkeypatch.setattr(display_refresh, "refresh_sections", slow_refresh)
    ways = [change_options(section, LengthChanges(rounds=4))[0] for section in sections]

    outcomes = together(
        *(
            partial(take_proposal, item, way, LengthChanges(rounds=4), plan=item.plan, by=by)
            for item, way in zip(sections, ways, strict=True)
        )
    )

    assert errors(outcomes) == []
    assert [section.stored.rounds for section in Section.objects.order_by("pk")] == [4, 4]


def test_sections_that_refresh_each_other_at_once_do_not_wait_for_each_other(monkeypatch):
    """Two directors note strengths of people who play in both sessions."""
    club = ClubFactory()
    by = director_of(club)
    pairs = [("Anna North", "Bob South"), ("Carl West", "Dora East")]
    sections = [section_with(0, club=club, by=by) for _ in range(2)]
    for section in sections:
        add_pairs(section, pairs, by=by)
    people = Person.objects.filter(club=club).order_by("pk").values_list("pk", flat=True)
    before = {section.pk: section.shown for section in Section.objects.all()}
    refresh, both = display_refresh.refresh_sections, threading.Barrier(2)

    def refresh_when_both_have_locked(shown):
        with suppress(threading.BrokenBarrierError):  # SQLite lets one in after the other
            both.wait(timeout=1)
        refresh(shown)

    monkeypatch.setattr(entries, "refresh_sections", refresh_when_both_have_locked)

    outcomes = together(
        *(
            partial(entries.set_strengths, section, {person: 5}, by=by)
            for section, person in zip(sections, people, strict=False)
        )
    )

    assert errors(outcomes) == []
    for section in Section.objects.all():
        assert section.shown == before[section.pk] + 2  # its own change, and the other's


def test_a_section_that_another_change_holds_refreshes_after_it():
    section = section_with(4)
    before = Section.objects.get(pk=section.pk).shown
    has_locked = threading.Event()

    def hold():
        with transaction.atomic():
            lock_with_cached_session(section)
            has_locked.set()
            time.sleep(0.3)

    def rename():
        has_locked.wait(5)
        with transaction.atomic():
            person = section.entries.first().players[0]
            person.name = "Zoe Renamed"
            person.save()

    outcomes = together(hold, rename)

    assert errors(outcomes) == []
    assert Section.objects.get(pk=section.pk).shown == before + 1
