"""Sessions with reminders, and the order of sessions, people and words in them."""

import datetime

import pytest
from django.utils import timezone

from bridgebuddy.events.models import Session
from bridgebuddy.jobs.models import Job
from bridgebuddy.registration import reminders as reminding
from bridgebuddy.registration.door import arrivals_at_door
from bridgebuddy.registration.models import Registration
from bridgebuddy.registration.registering import note_typed_names, record_absence, seek_partner
from bridgebuddy.registration.registrations import open_sessions
from bridgebuddy.registration.retention import exported_registrations
from tests.factories import PersonFactory, section_to_enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(club, alice):
    session = section_to_enter(club, alice).session
    session.date = club.today + datetime.timedelta(days=2)
    session.save()
    return session


@pytest.fixture
def ann(club):
    return PersonFactory(club=club, name="Ann Ash")


def reminders():
    return [*Job.objects.filter(kind=reminding.REMIND).values_list("key", flat=True)]


@pytest.mark.parametrize(
    ("why", "is_asked"),
    [("", True), ("no mail", False), ("deleted", False), ("today", False), ("not", False)],
)
def test_of_sessions_that_come_soon_those_are_reminded_who_come(
    session, ann, settings, why, is_asked
):
    settings.HAS_MAIL = why != "no mail"
    (record_absence(session, [ann]) if why == "not" else seek_partner(session, ann))
    Job.objects.all().delete()
    if why == "deleted":
        Session.objects.update(deleted_at=timezone.now())
    if why == "today":
        Session.objects.update(date=session.event.club.today)

    reminding.request_all_reminder_jobs()

    assert reminders() == ([str(session.pk)] if is_asked else [])


def test_of_a_moved_session_nobody_is_reminded_who_will_not_come(session, ann, settings):
    settings.HAS_MAIL = True
    record_absence(session, [ann])

    reminding.request_reminder_of_moved_session(session)
    assert reminders() == []

    seek_partner(session, ann)
    reminding.request_reminder_of_moved_session(session)
    assert reminders() == [str(session.pk)]


def test_who_looks_for_a_partner_and_is_here_is_not_missing_at_the_door(session, ann, club):
    ben = PersonFactory(club=club, name="Ben Birch")
    seek_partner(session, ann)
    seek_partner(session, ben)
    Registration.objects.filter(person=ben).update(here_at=timezone.now())

    assert [(arrival.people, arrival.missing) for arrival in arrivals_at_door(session)] == [
        ((ann,), (ann,)),
        ((ben,), ()),
    ]


def test_what_is_kept_of_somebody_has_the_name_that_waits_for_the_director(session, ann):
    note_typed_names(session, ann.name, "Zoë Neu", partner_of=ann)

    [kept] = exported_registrations(ann)

    since = kept.pop("since")
    assert since <= timezone.now()
    assert kept == {
        "date": session.date,
        "event": session.event.name,
        "says": "waits for the director",
        "with": "Zoë Neu",
        "here_at": None,
        "late_at": None,
        "contact": "",
    }


def test_sessions_of_a_day_stand_in_the_order_in_which_they_begin(session, club, alice):
    earlier = section_to_enter(club, alice).session
    earlier.date, earlier.starts_at = session.date, datetime.time(9)
    earlier.save()

    assert [record.pk for record in open_sessions(club)] == [earlier.pk, session.pk]
