"""Deleting a session: gone at once, brought back for a day, and then forgotten."""

import datetime
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Person
from bridgebuddy.events import errors
from bridgebuddy.events.models import Entry, Event, Play, Section, Session
from bridgebuddy.events.queries.sessions.sections import section_by_code
from bridgebuddy.events.services.lifecycle import deletions, sessions
from bridgebuddy.events.services.lifecycle.copies_of_sessions import copy_session
from bridgebuddy.events.services.lifecycle.deletions import (
    delete_session,
    has_expired_data,
    purge_expired_sessions,
    restore_session,
)
from movements.models import StoredMovement
from tests.events.states import HELD, bystanders, changed, different, section_in, world
from tests.factories import section_with

pytestmark = pytest.mark.django_db


def a_day_later(section):
    """Let a day go by since a session was deleted."""
    at = timezone.now() - Session.KEPT_FOR
    Session.objects.filter(pk=section.session_id).update(deleted_at=at)


def test_a_deleted_session_is_found_by_no_code_until_it_is_brought_back(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)
    before = world()

    delete_session(section, by=alice)
    assert section_by_code(section.code) is None
    restore_session(section, by=alice)

    assert section_by_code(section.code) == section
    found = [(model, was and was["id"]) for model, was, _now in different(before, world())]
    assert found == [
        ("AuditRecord", None),
        ("AuditRecord", None),
        ("Section", section.pk),
    ]  # counts what it shows


def test_phones_of_all_its_sections_ask_anew(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)
    beside = Section.objects.create(session=section.session, name="B")
    elsewhere = section_with(4, club=club, by=alice)

    delete_session(section, by=alice)
    once = [Section.objects.get(pk=record.pk).shown for record in (section, beside, elsewhere)]
    restore_session(section, by=alice)
    twice = [Section.objects.get(pk=record.pk).shown for record in (section, beside, elsewhere)]

    assert once == [section.shown + 1, beside.shown + 1, elsewhere.shown]
    assert twice == [section.shown + 2, beside.shown + 2, elsewhere.shown]


@pytest.mark.parametrize("name", ["", "Tuesday", "Thursday Pairs"])
def test_what_was_played_is_deleted_only_by_its_name(club, alice, name):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)

    with pytest.raises(errors.NameRequired):
        delete_session(section, name=name, by=alice)

    assert section_by_code(section.code)
    delete_session(section, name="  tuesday  PAIRS ", by=alice)
    assert section_by_code(section.code) is None


def test_the_name_is_asked_whichever_section_was_played(club, alice):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)
    beside = Section.objects.create(session=section.session, name="B")

    with pytest.raises(errors.NameRequired):
        delete_session(beside, by=alice)


def test_deleting_twice_is_deleting_once(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)
    delete_session(section, by=alice)
    before = world()

    delete_session(section, by=alice)

    assert list(different(before, world())) == []


def test_after_a_day_nothing_is_brought_back(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)
    delete_session(section, by=alice)
    a_day_later(section)

    with pytest.raises(errors.AlreadyPurged):
        restore_session(section, by=alice)

    assert section_by_code(section.code) is None


def test_nothing_is_forgotten_before_a_day_is_over(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)
    delete_session(section, by=alice)

    assert not has_expired_data()
    assert purge_expired_sessions() == 0

    restore_session(section, by=alice)
    assert Section.objects.filter(pk=section.pk).exists()


def test_what_is_forgotten_is_gone_with_everything_but_the_people_and_the_record_of_it(club, alice):
    bystanders(club, alice)
    before = world()
    section = section_with(6, "mitchell", round=2, club=club, by=alice)
    Session.objects.filter(pk=section.session_id).update(
        event=Event.objects.create(club=club, name="Trial")
    )
    section = changed(Section.objects.get(pk=section.pk), alice)
    delete_session(section, name="Trial", by=alice)
    a_day_later(section)
    assert has_expired_data()

    assert purge_expired_sessions() == 1

    left = [(model, now) for model, was, now in different(before, world()) if now]
    assert {model for model, _now in left} == {"Person", "AuditRecord", "User", "Membership"} - {
        "User",
        "Membership",
    }
    told = AuditRecord.objects.filter(
        pk__in=[now["id"] for model, now in left if model == "AuditRecord"]
    )
    assert sorted(told.values_list("action", "subject")) == [
        ("section.delete", "section"),
        ("session.forget", "session"),
    ]
    assert "Anna" not in str([record.facts for record in told])
    assert Person.objects.filter(club=club, name="Eve Engel").exists()


def test_forgetting_leaves_what_others_share(club, alice):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)
    copy = copy_session(
        section,
        name="Tuesday Pairs",
        date=datetime.date(2026, 12, 1),
        starts_at=datetime.time(19),
        is_second=True,
        by=alice,
    )
    delete_session(section, name="Tuesday Pairs", by=alice)
    a_day_later(section)

    purge_expired_sessions()

    copy = Section.objects.get(pk=copy.pk)
    assert copy.movement is not None
    assert copy.entries.count() == 10
    assert (copy.session.follows, copy.session.number) == (None, 2)
    assert Event.objects.get().name == "Tuesday Pairs"
    assert StoredMovement.objects.count() == 1
    assert not Play.objects.exists()
    assert Entry.objects.count() == 10


def test_a_few_are_forgotten_at_a_time_and_the_first_ones_first(club, alice):
    sections = [section_with(0, club=club, by=alice) for _ in range(3)]
    planned = Event.objects.create(club=club, name="SessionPlan")
    for section in sections:
        delete_session(section, by=alice)
        a_day_later(section)

    assert purge_expired_sessions(maximum=2) == 2

    assert list(Section.objects.all()) == sections[2:]
    assert purge_expired_sessions() == 1
    assert list(Event.objects.all()) == [planned]  # of what was forgotten alone the name goes too


def test_the_movement_people_sat_down_by_is_forgotten_with_the_switched_one(club, alice):
    section = section_in("switched", club, alice)
    assert StoredMovement.objects.count() == 2
    delete_session(section, by=alice)
    a_day_later(section)

    purge_expired_sessions()

    assert not StoredMovement.objects.exists()


def test_records_say_which_session_was_brought_back_and_which_forgotten(club, alice):
    section = section_with(0, club=club, by=alice)
    delete_session(section, by=alice)
    restore_session(section, by=alice)
    delete_session(section, by=alice)
    a_day_later(section)
    purge_expired_sessions()

    told = AuditRecord.objects.filter(action__in=("section.bring_back", "session.forget"))

    facts = {"name": "Tuesday Pairs", "date": "2026-11-24"}
    assert [
        (record.subject, record.subject_id, record.by, record.facts)
        for record in told.order_by("pk")
    ] == [
        ("section", section.pk, alice, facts),
        ("session", section.session_id, None, facts),
    ]


def test_tidying_forgets_too(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)
    delete_session(section, by=alice)
    a_day_later(section)
    out = StringIO()

    call_command("tidy", stdout=out)

    assert "Sessions forgotten: 1" in out.getvalue()
    assert not Session.objects.exists()
    assert not StoredMovement.objects.exists()


def test_what_is_brought_back_in_the_last_moment_is_not_forgotten(club, alice, monkeypatch):
    section = section_with(10, "mitchell", club=club, by=alice)
    delete_session(section, by=alice)
    a_day_later(section)
    keys = list(deletions._expired_sessions().values_list("pk", flat=True))
    Session.objects.update(deleted_at=None)

    assert [deletions._purge_session(key) for key in keys] == [False]

    assert Section.objects.filter(pk=section.pk).exists()


def test_a_deleted_sessions_answers_are_not_filled_in_again(club, alice, signed_in):
    section = sessions.open_session(club, **HELD, by=alice)
    with transaction.atomic():
        delete_session(section, by=alice)

    page = signed_in(alice).get("/sessions/new/").content.decode()

    assert "Spring Cup" not in page
