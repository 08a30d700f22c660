"""Every club has its own clock, wherever the server stands."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Club, CodeExpiry
from bridgebuddy.events.models import Section, end_of_code
from bridgebuddy.events.queries.plan.clock import SectionClock
from bridgebuddy.events.queries.sessions.club_sessions import current_sessions, earlier_sessions
from tests.factories import section_with

pytestmark = pytest.mark.django_db

SYDNEY = "Australia/Sydney"


@pytest.fixture
def noon(monkeypatch):
    """It is Tuesday noon in London, and 23:00 in Sydney."""
    now = datetime(2026, 11, 24, 12, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: now)
    return now


@pytest.fixture
def sydney(club, alice):
    club.time_zone = SYDNEY
    club.save()
    return section_with(10, "mitchell", round=1, club=club, by=alice)


@pytest.mark.usefixtures("noon")
def test_a_phone_keeps_its_list_by_the_clock_of_the_club(client, sydney):
    page = client.get(f"/p/{sydney.code}/").content.decode()

    assert 'This list is from <span id="since">23:00</span>.' in page


def desk_of(user):
    browser = Client()
    browser.force_login(user)
    return browser


def test_every_page_of_a_club_shows_its_own_clock(noon, sydney, alice):
    ends = (sydney.clock_ends_at or noon).astimezone(ZoneInfo(SYDNEY)).strftime("%H:%M")
    here = (sydney.clock_ends_at or noon).astimezone(ZoneInfo(settings.TIME_ZONE)).strftime("%H:%M")
    stranger = Client()

    for browser, address in (
        (desk_of(alice), reverse("desk", args=[sydney.code])),
        (stranger, reverse("player", args=[sydney.code, "NS1"])),
        (stranger, reverse("room-display", args=[sydney.code])),
    ):
        text = browser.get(address).content.decode()
        assert ends in text, address
        assert here not in text, address


def test_a_page_of_no_club_is_the_servers_again_after_one_of_a_club(noon, sydney, alice):
    desk_of(alice).get(reverse("desk", args=[sydney.code]))

    assert timezone.get_current_timezone_name() == settings.TIME_ZONE


def test_a_session_begins_by_the_clubs_clock(sydney):
    sydney.session.date, sydney.session.starts_at = date(2026, 11, 24), time(19, 30)

    assert SectionClock(sydney).planned_beginning(1) == datetime(2026, 11, 24, 8, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("America/Santiago", date(2026, 4, 4), 25),  # summer time ends at midnight
        ("Europe/Berlin", date(2026, 10, 24), 25),  # in the night
        ("Europe/Berlin", date(2027, 3, 27), 23),  # begins
        ("Australia/Sydney", date(2026, 11, 24), 24),
    ],
)
def test_a_round_takes_as_long_as_it_takes_when_summer_time_ends(sydney, zone, day, hours):
    club = sydney.session.event.club
    club.time_zone = zone
    sydney.session.date, sydney.session.starts_at = day, time(20)
    clock = SectionClock(sydney)

    assert clock.planned_beginning(4) - clock.planned_beginning(1) == 3 * sydney.round_length
    begins = clock.planned_beginning(1)
    next_day = begins.astimezone(ZoneInfo(zone)) + timedelta(days=1)  # by the clock on the wall
    assert next_day.astimezone(UTC) - begins == timedelta(hours=hours)


def test_the_day_is_the_clubs_own(monkeypatch, sydney):
    """At 14:00 in London it is tomorrow in Sydney: last night's session is over there."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 24, 14, tzinfo=UTC))
    club = Club.objects.get(pk=sydney.club.pk)
    Section.objects.filter(pk=sydney.pk).update(round=0, round_started_at=None)

    assert club.today == date(2026, 11, 25)
    assert list(earlier_sessions(club)) == [sydney.session]
    assert not current_sessions(club).tonight
    club.time_zone = "America/New_York"
    assert not earlier_sessions(club).exists()


def test_a_code_ends_in_the_morning_of_the_club():
    over = datetime(2026, 11, 24, 11, 30, tzinfo=UTC)  # 22:30 in Sydney

    end = end_of_code(over, CodeExpiry.MORNING, ZoneInfo(SYDNEY))

    assert end == datetime(2026, 11, 25, 8, tzinfo=ZoneInfo(SYDNEY))


@pytest.mark.parametrize("name", ["", "Europe/Atlantis", "../etc/passwd", "x" * 40])
def test_a_zone_that_is_none_is_the_servers(name):
    assert str(Club(time_zone=name).zone) == settings.TIME_ZONE


@pytest.mark.parametrize(
    ("said", "kept"), [(SYDNEY, SYDNEY), ("Mars/Olympus", ""), ("", ""), ("x" * 41, None)]
)
def test_a_club_begins_with_the_zone_of_the_browser(alice, said, kept):
    sent = {"name": "Harbour Bridge Club", "paper": "a4", "language": "", "time_zone": said}

    desk_of(alice).post(reverse("new-club"), sent)

    found = Club.objects.filter(name="Harbour Bridge Club").values_list("time_zone", flat=True)
    assert list(found) == ([] if kept is None else [kept])


def test_a_zone_is_chosen_in_the_settings(alice, club):
    browser, address = desk_of(alice), reverse("club-paper", args=[club.pk])
    said = {"name": club.name, "paper": "a4", "stand_word": "stand", "time_zone": SYDNEY}

    assert browser.post(address, said).status_code == 302
    club.refresh_from_db()
    assert club.time_zone == SYDNEY
    assert browser.post(address, said | {"time_zone": "Mars/Olympus"}).status_code == 422


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
@pytest.mark.parametrize("day", [date.min, date(9999, 12, 31)])
def test_the_calendars_ends_are_days_too(sydney, zone, day):
    sydney.session.event.club.time_zone = zone
    sydney.session.date = day

    assert SectionClock(sydney).planned_beginning(1).tzinfo is UTC
    sydney.finished_at = None
    assert sydney.end_of_code() > timezone.now()


def test_the_day_of_a_moment_is_that_of_its_time_on_the_clubs_clock():
    """In the morning of Sydney it is still yesterday where the server counts."""
    page = Template("{{ at|short_date }}, {{ at|time:'H:i' }} · {{ at|long_date }}")
    at = datetime(2026, 12, 31, 21, tzinfo=UTC)

    with timezone.override(ZoneInfo(SYDNEY)):
        assert page.render(Context({"at": at})) == "Fri 1 Jan, 08:00 · Fri 1 Jan 2027"
