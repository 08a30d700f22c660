"""Reminders by e-mail on the day before: once, and only to people who asked for them."""

from datetime import UTC, datetime, timedelta
from email import message_from_string
from email.policy import default
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Membership
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services.lifecycle.deletions import delete_session
from bridgebuddy.jobs.kinds import RetryLater
from bridgebuddy.jobs.models import Job
from bridgebuddy.jobs.services import request_nightly_jobs
from bridgebuddy.planning.models import Series, SessionPlan
from bridgebuddy.players.mails.reminder_mail import mail_reminders
from bridgebuddy.publication.mails.mailing import MailServerUnavailable
from bridgebuddy.publication.models import ClubPage, ResultsSubscription
from bridgebuddy.publication.own.links import give_address, page_code
from bridgebuddy.registration.models import Registration
from bridgebuddy.registration.registering import (
    record_absence,
    register_pair,
    seek_partner,
    switch_registration,
)
from bridgebuddy.registration.reminders import reminder_time
from bridgebuddy.web.template_tags import long_date
from tests.factories import PersonFactory, UserFactory, section_to_enter
from tests.publication_mail import smtp

pytestmark = pytest.mark.django_db
TODAY = datetime(2026, 10, 20, 9, 0, tzinfo=UTC)


class Clock:
    """A clock set by the tests."""

    def __init__(self, monkeypatch) -> None:
        self.now = TODAY
        monkeypatch.setattr(timezone, "now", lambda: self.now)

    def is_at(self, session, before=timedelta(days=1), hour=10, minute=0):
        """Let it be so late by the club's clock, some days before a session."""
        day = Session.objects.get(pk=session.pk).date - before
        zone = session.event.club.zone
        self.now = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


@pytest.fixture
def session(clock, club, alice, settings):
    """A session in a week, of a club in Vienna."""
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.test"
    club.time_zone = "Europe/Vienna"
    club.save()
    section = section_to_enter(club, alice, day=TODAY.date() + timedelta(days=7))
    return Session.objects.get(pk=section.session_id)


@pytest.fixture
def people(club, session):
    names = ("Ann Ash", "Ben Birch", "Cat Cedar", "Dan Dale")
    found = [PersonFactory(club=club, name=name) for name in names]
    for person in found:
        ResultsSubscription.objects.create(
            person=person,
            email=f"{person.name[:3].lower()}@example.org",
            confirmed_at=timezone.now(),
            reminds=True,
        )
    return found


@pytest.fixture
def box(settings):
    with smtp(settings) as found:
        yield found


def run():
    """Run the jobs that are due, as the worker does; return how many asked for a retry."""
    later = 0
    for job in Job.objects.filter(kind="remind", due_at__lte=timezone.now()):
        try:
            mail_reminders(job.key)
        except RetryLater as wait:
            later += 1
            Job.objects.filter(pk=job.pk).update(due_at=timezone.now() + wait.wait)
        else:
            Job.objects.filter(pk=job.pk).delete()
    return later


def test_both_of_a_pair_are_reminded_the_day_before_and_once(session, people, clock, box):
    register_pair(session, people[0], people[1])
    register_pair(session, people[1], people[0])
    seek_partner(session, people[2])
    clock.is_at(session, hour=9, minute=59)
    run()
    assert box.letters == []

    clock.is_at(session)
    run()
    for _ in range(2):
        mail_reminders(str(session.pk))

    letters = dict(box.letters)
    assert sorted(to for to, _ in box.letters) == [
        "ann@example.org",
        "ben@example.org",
        "cat@example.org",
    ]
    ann = letters["ann@example.org"].replace("\r\n", "\n")
    assert "Subject: Tomorrow: Tuesday Pairs, Tue 27 Oct 2026" in ann
    assert "You are coming with Ben Birch." in ann
    assert "You have no partner yet." in letters["cat@example.org"]
    stop = ResultsSubscription.objects.get(person=people[0]).token
    assert f"List-Unsubscribe: <https://bridge.test/mail/{stop}/>" in " ".join(ann.split())
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in ann
    assert f"To stop these mails, open https://bridge.test/mail/{stop}/" in ann.replace("=\n", "")


def test_a_reminder_says_place_series_host_and_price(session, people, clock, box, club):
    ClubPage.objects.create(club=club, address="ours", words="Guildhall, 7 pm")
    series = Series.objects.create(
        event=session.event, days="2", starts_at=session.starts_at, until=session.date
    )
    host = PersonFactory(club=club, name="Hanna Brandt", public_name="initials")
    SessionPlan.objects.create(session=session, series=series, host=host, price="5 EUR")
    seek_partner(session, people[0])
    clock.is_at(session)

    run()

    [(_to, letter)] = box.letters
    for line in (
        f"{club.name}: Guildhall, 7 pm",
        "Series: every Tuesday.",
        "Host for single players: H. B.",
        "Price: 5 EUR.",
    ):
        assert line in letter


def test_a_reminder_has_a_page_beside_its_text_in_the_readers_language(
    session, people, clock, box, club
):
    reader = UserFactory(language="de")
    Membership.objects.create(user=reader, club=club, person=people[0])
    seek_partner(session, people[0])
    seek_partner(session, people[1])
    clock.is_at(session)

    run()

    letters = dict(box.letters)
    mail = message_from_string(letters["ann@example.org"], policy=default)
    text, html = (mail.get_body((kind,)).get_content() for kind in ("plain", "html"))
    stop = ResultsSubscription.objects.get(person=people[0]).token
    assert "Sie haben noch keinen Partner." in text
    assert "Sie haben noch keinen Partner." in html
    assert '<html lang="de">' in html
    assert f'href="https://bridge.test/mail/{stop}/"' in html
    assert "You have no partner yet." in letters["ben@example.org"]
    assert 'src="' not in html


def test_who_wants_none_says_no_has_not_confirmed_or_has_just_said_so_is_not(
    session, people, clock, box, alice
):
    ann, ben, cat, dan = people
    ResultsSubscription.objects.filter(person=ann).update(reminds=False)
    ResultsSubscription.objects.filter(person=ben).update(confirmed_at=None)
    register_pair(session, ann, ben, by=alice)
    seek_partner(session, cat)
    record_absence(session, [cat])
    clock.is_at(session, hour=11)
    seek_partner(session, dan)

    run()
    mail_reminders(str(session.pk))

    assert box.letters == []


@pytest.mark.parametrize("way", ["deleted", "begun", "no server", "today"])
def test_nobody_is_reminded_of_what_is_not_tomorrow(
    way, session, people, clock, box, alice, settings
):
    seek_partner(session, people[0])
    clock.is_at(session)
    if way == "deleted":
        delete_session(session.sections.get(), by=alice)
    elif way == "begun":
        Section.objects.update(round=1)
    elif way == "no server":
        settings.HAS_MAIL = False
    else:
        clock.is_at(session, before=timedelta(0))

    run()

    assert box.letters == []
    assert not Job.objects.filter(kind="remind").exists()


def test_of_a_session_that_is_moved_they_are_reminded_on_the_new_day(session, people, clock, box):
    seek_partner(session, people[0])
    Session.objects.update(date=session.date + timedelta(days=7))
    clock.now = reminder_time(session)
    assert run() == 1
    assert box.letters == []
    clock.is_at(session)
    run()
    assert len(box.letters) == 1

    Session.objects.update(date=session.date + timedelta(days=14))
    clock.is_at(session, before=timedelta(days=3), hour=3)
    request_nightly_jobs()
    run()
    assert len(box.letters) == 1
    clock.is_at(session)
    run()

    assert len(box.letters) == 2
    assert "Tue 10 Nov 2026" in box.letters[1][1]


def test_moved_to_tomorrow_they_are_reminded_today(session, people, clock, box, alice, client):
    seek_partner(session, people[0])
    clock.is_at(session, before=timedelta(days=5), hour=15)
    client.force_login(alice)
    tomorrow = timezone.localdate() + timedelta(days=1)

    answer = client.post(
        reverse("edit-session", args=[session.sections.get().code]),
        {
            "name": "Tuesday Pairs",
            "date": tomorrow,
            "starts_at": "19:00",
            "fewest_boards": 20,
            "most_boards": 28,
            "minutes_per_board": 8,
        },
    )
    run()

    assert answer.status_code == 302
    assert len(box.letters) == 1
    assert long_date(tomorrow) in box.letters[0][1]


@pytest.mark.parametrize(
    ("day", "utc"),
    [
        (datetime(2026, 10, 26), datetime(2026, 10, 25, 9, tzinfo=UTC)),
        (datetime(2026, 10, 25), datetime(2026, 10, 24, 8, tzinfo=UTC)),
        (datetime(2027, 3, 29), datetime(2027, 3, 28, 8, tzinfo=UTC)),
    ],
)
def test_it_is_ten_by_the_clubs_clock_whether_summer_time_ends_or_begins(
    day, utc, session, people, clock, box
):
    Session.objects.update(date=day.date())
    session = Session.objects.get()
    seek_partner(session, people[0])

    assert reminder_time(session) == utc
    assert Job.objects.get(kind="remind").due_at == utc
    clock.now = utc - timedelta(minutes=1)
    run()
    assert box.letters == []
    clock.now = utc
    run()
    assert len(box.letters) == 1


def test_a_club_on_the_other_side_of_the_world_has_its_own_day(session, people, clock, box, club):
    club.time_zone = "Pacific/Auckland"
    club.save()
    session = Session.objects.get()
    seek_partner(session, people[0])

    clock.now = datetime(2026, 10, 26, 10, tzinfo=ZoneInfo("Pacific/Auckland"))
    run()

    assert len(box.letters) == 1


def test_a_server_that_is_away_is_asked_again_and_one_that_says_never_is_not(
    session, people, clock, box, alice
):
    register_pair(session, people[0], people[1], by=alice)
    clock.is_at(session)
    box.answers["ann@example.org"] = "550 never"
    box.answers["ben@example.org"] = "450 later"
    with pytest.raises(MailServerUnavailable):
        mail_reminders(str(session.pk))
    assert box.letters == []
    assert Registration.objects.get(person=people[0]).reminded_of == session.date
    assert Registration.objects.get(person=people[1]).reminded_of is None

    box.answers.clear()
    run()
    run()

    assert [to for to, _ in box.letters] == ["ben@example.org"]


def test_a_server_that_is_away_until_the_day_has_come_sends_nothing_then(
    session, people, clock, box
):
    seek_partner(session, people[0])
    clock.is_at(session)
    box.answer = "451 later"
    with pytest.raises(MailServerUnavailable):
        mail_reminders(str(session.pk))
    box.answer = "250 OK"
    clock.is_at(session, before=timedelta(0), hour=0, minute=1)

    run()

    assert box.letters == []


def test_who_waits_reads_the_place_and_who_is_hidden_no_name(
    session, people, clock, box, alice, club
):
    ann, ben, cat, dan = people
    dan.public_name = "none"
    dan.save()
    switch_registration(session.sections.get(), is_on=True, maximum=1, by=alice)
    register_pair(session, ann, ben, by=alice)
    register_pair(session, cat, dan)
    clock.is_at(session)

    run()

    cat = dict(box.letters)["cat@example.org"]
    assert "You are number 1 on the waiting list." in cat
    assert "Your partner has not answered yet." in cat
    assert "Dan Dale" not in cat


def test_it_is_wanted_and_wanted_no_more_on_the_own_page(people, client, box):
    ann = people[0]
    ResultsSubscription.objects.filter(person=ann).delete()
    code = page_code(give_address(ann, by=None))
    kept = reverse("own-kept", args=[code])
    assert (
        "Also send me a reminder the day before" in client.get(kept, follow=True).content.decode()
    )

    client.post(kept, {"do": "mail", "email": "ann@example.org", "reminds": "1"})
    assert ResultsSubscription.objects.get(person=ann).reminds
    client.post(kept, {"do": "mail", "email": "other@example.org"})
    assert ResultsSubscription.objects.get(person=ann).reminds
    client.post(kept, {"do": "reminds", "on": "0"})
    assert not ResultsSubscription.objects.get(person=ann).reminds
    client.post(kept, {"do": "reminds", "on": "1"})

    assert ResultsSubscription.objects.get(person=ann).reminds
    assert "Stop the reminders" in client.get(kept, follow=True).content.decode()


def test_a_name_with_a_newline_is_no_header(session, people, clock, box, club):
    club.events.update(name="Tuesday\r\nBcc: all@example.org")
    seek_partner(Session.objects.get(), people[0])
    clock.is_at(session)

    run()

    [(_to, letter)] = box.letters
    assert "\nBcc:" not in letter.replace("\r\n", "\n").split("\n\n")[0]
