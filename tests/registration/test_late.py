"""Late ones: they say when they come, the director sees it, and nothing moves by itself."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.planning import prepared_starts, starting
from bridgebuddy.publication.own.links import give_address, page_code
from bridgebuddy.registration.errors import RegistrationRefused
from bridgebuddy.registration.late_arrivals import MINUTES, late_pairs
from bridgebuddy.registration.models import Registration
from bridgebuddy.registration.registering import (
    enter_registered_pairs,
    record_absence,
    record_arrivals,
    record_delay,
    register_pair,
    seek_partner,
    switch_registration,
)
from bridgebuddy.registration.registrations import Registrations
from tests.factories import PersonFactory, section_to_enter

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 25, 17, 58, tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch):
    """Let it be 18:58 at the club, until it is moved on."""

    class Clock:
        now = NOW

        def go_on(self, **more):
            self.now += timedelta(**more)

    clock = Clock()
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock


@pytest.fixture
def section(club, alice, clock):
    club.time_zone = "Europe/Berlin"
    club.save()
    return section_to_enter(club, alice)


@pytest.fixture
def people(club):
    names = ("Ann Ash", "Ben Birch", "Cat Cedar", "Dan Dale", "Eve Elm")
    return [PersonFactory(club=club, name=name) for name in names]


@pytest.fixture
def ann_and_ben(section, people, alice):
    register_pair(section.session, *people[:2], by=alice)
    return people[:2]


@pytest.fixture
def phone(client):
    class Phone:
        def __init__(self, person):
            self.code = page_code(give_address(person, by=None))

        def read(self, session):
            answer = client.get(reverse("own-come", args=[self.code, session.pk]), follow=True)
            return " ".join(answer.content.decode().split())

        def say(self, session, **sent):
            return client.post(reverse("own-come", args=[self.code, session.pk]), sent)

    return Phone


def announced_pairs(section):
    return [(pair.late_names, f"{pair.at:%H:%M}", pair.minutes) for pair in late_pairs(section)]


def begin(section, alice):
    names = [(f"North{n} A", f"South{n} B") for n in range(9 - section.entries.count())]
    entries.add_pairs(section, names, by=alice)
    fresh = movement.choose_movement(
        Section.objects.get(), "mitchell", boards_per_round=3, by=alice
    )
    return rounds.start_next_round(fresh, after=0, by=alice)


def state(section):
    """Return the movement and all seats."""
    found = Section.objects.get(pk=section.pk)
    return (
        found.movement_id,
        found.plan,
        found.movements.count(),
        sorted(found.entries.values_list("pk", "contestant")),
        sorted(found.plays.values_list("pk", "ns", "ew", "table")),
    )


def test_who_says_ten_minutes_is_awaited_then_with_the_partner(section, ann_and_ben, clock):
    record_delay(section.session, ann_and_ben[:1], 10)

    assert announced_pairs(section) == [("Ann Ash & Ben Birch", "18:08", 10)]
    clock.go_on(minutes=7)
    assert announced_pairs(section) == [("Ann Ash & Ben Birch", "18:08", 3)]
    clock.go_on(minutes=7)
    assert announced_pairs(section) == [("Ann Ash & Ben Birch", "18:08", 0)]


def test_the_same_press_twice_is_no_later_time_and_one_record(section, ann_and_ben, clock):
    record_delay(section.session, ann_and_ben, 10)
    shown = Section.objects.get().shown

    clock.go_on(seconds=3)
    record_delay(section.session, ann_and_ben, 10)
    record_delay(section.session, ann_and_ben[1:], 10)

    assert announced_pairs(section) == [("Ann Ash & Ben Birch", "18:08", 10)]
    assert Section.objects.get().shown == shown
    assert AuditRecord.objects.filter(action="section.late").count() == 1
    clock.go_on(minutes=5)
    record_delay(section.session, ann_and_ben, 10)
    assert announced_pairs(section) == [("Ann Ash & Ben Birch", "18:13", 10)]


def test_the_desks_of_all_sections_show_a_delay(section, ann_and_ben):
    others = [Section.objects.create(session=section.session, name=name) for name in "BC"]

    record_delay(section.session, ann_and_ben, 10)

    shown = Section.objects.in_bulk([other.pk for other in others])
    assert [shown[other.pk].shown - other.shown for other in others] == [1, 1]


def test_who_is_here_is_not_late_and_the_partner_still_may_be(section, ann_and_ben):
    record_delay(section.session, ann_and_ben, 15)

    record_arrivals(section.session, ann_and_ben[1:])
    assert announced_pairs(section) == [("Ann Ash", "18:13", 15)]
    record_arrivals(section.session, ann_and_ben)

    assert announced_pairs(section) == []
    assert not Registration.objects.exclude(late_at=None).exists()
    assert Registrations(section.session).pairs[0].is_here


def test_it_can_be_taken_back_and_goes_with_who_does_not_come(section, ann_and_ben):
    record_delay(section.session, ann_and_ben, 5)
    record_delay(section.session, ann_and_ben[:1], 0)
    assert announced_pairs(section) == []

    record_delay(section.session, ann_and_ben, 5)
    record_absence(section.session, ann_and_ben)

    assert announced_pairs(section) == []
    assert not Registration.objects.exclude(late_at=None).exists()


def test_who_is_asked_says_yes_by_it_and_who_looks_may_be_late_too(section, people):
    register_pair(section.session, people[0], people[1])
    seek_partner(section.session, people[2])

    record_delay(section.session, [people[1]], 10)
    record_delay(section.session, [people[2]], 5)

    assert not Registrations(section.session).pairs[0].asked
    assert [item for item, *_ in announced_pairs(section)] == ["Cat Cedar", "Ann Ash & Ben Birch"]


@pytest.mark.parametrize("when", ["nobody said so", "not", "tomorrow", "off", "over", "finished"])
def test_where_nobody_is_awaited_nothing_is_taken(section, people, alice, when):
    session = section.session
    if when != "nobody said so":
        register_pair(session, *people[:2], by=alice)
    if when == "not":
        record_absence(session, people[:2])
    elif when in ("tomorrow", "over"):
        step = timedelta(days=1 if when == "tomorrow" else -1)
        Session.objects.update(date=session.date + step)
    elif when == "off":
        switch_registration(section, is_on=False, maximum=None, by=alice)
    elif when == "finished":
        Section.objects.update(round=1, finished_at=timezone.now())

    with pytest.raises(RegistrationRefused):
        record_delay(Session.objects.get(), people[:2], 10)

    assert not Registration.objects.exclude(late_at=None).exists()


def test_a_mark_ends_with_the_evening(section, ann_and_ben, clock):
    record_delay(section.session, ann_and_ben, 10)
    clock.go_on(hours=8)

    assert announced_pairs(Section.objects.get()) == []


def test_a_mark_moves_nobody_before_the_start_nor_after_it(section, ann_and_ben, alice):
    enter_registered_pairs(section, by=alice)
    section = begin(Section.objects.get(), alice)
    before = state(section)

    record_delay(section.session, ann_and_ben, 10)
    record_arrivals(section.session, ann_and_ben)
    record_arrivals(section.session, ann_and_ben, is_here=False)
    record_delay(section.session, ann_and_ben, 0)

    assert state(section) == before


def test_who_comes_after_the_start_waits_for_a_seat_till_the_director_gives_one(
    section, ann_and_ben, alice, client
):
    client.force_login(alice)
    record_delay(section.session, ann_and_ben, 10)
    section = begin(section, alice)
    desk = reverse("desk", args=[section.code])
    page = client.get(desk).content.decode()
    assert "<b>Ann Ash &amp; Ben Birch</b>" in page
    assert "in <b>10</b> min, 18:08" not in page  # the club's clock, not the server's
    assert "in <b>10</b> min, 19:08" in page
    assert "The half table is reserved for them." in page
    late = reverse("change", args=[section.code, "late"])
    assert page.count(f"{late}?first=Ann+Ash&amp;second=Ben+Birch") == 1
    assert page.count("Ann Ash &amp; Ben Birch</b>: ") == 1
    before = state(section)

    record_arrivals(section.session, ann_and_ben)
    assert "Ann Ash &amp; Ben Birch are waiting for a seat." in client.get(desk).content.decode()
    assert state(section) == before

    sheet = client.get(late, {"first": "Ann Ash", "second": "Ben Birch"}).content.decode()
    assert 'value="Ann Ash"' in sheet
    assert "place is reserved" not in sheet
    way = re.search(r'name="way"[^>]*value="([^"]+)"|value="([^"]+)"[^>]*name="way"', sheet)
    way = next(filter(None, way.groups()))
    sent = {"way": way, "plan": section.plan, "first": "Ann Ash", "second": "Ben Birch"}
    client.post(late, sent)

    assert Section.objects.get().entries.count() == 10
    assert announced_pairs(section) == []
    assert "Ann Ash &amp; Ben Birch are waiting" not in client.get(desk).content.decode()


def test_who_seats_another_pair_is_told_for_whom_a_place_is_kept(
    section, ann_and_ben, alice, client
):
    client.force_login(alice)
    record_delay(section.session, ann_and_ben, 10)
    section = begin(section, alice)

    sheet = client.get(reverse("change", args=[section.code, "late"])).content.decode()

    assert "Ann Ash &amp; Ben Birch will arrive at 19:08" in " ".join(sheet.split())


def test_who_goes_home_waits_no_more(section, ann_and_ben, alice, client):
    client.force_login(alice)
    record_delay(section.session, ann_and_ben, 10)
    section = begin(section, alice)
    record_arrivals(section.session, ann_and_ben)

    address = reverse("who-comes", args=[section.code])
    keys = [record.pk for record in ann_and_ben]
    answer = client.post(address, {"do": "late", "minutes": 0, "person": keys})

    assert answer.url == reverse("desk", args=[section.code])
    assert late_pairs(section) == []


def test_who_is_not_late_is_not_let_in_after_the_start(section, ann_and_ben, alice):
    section = begin(section, alice)

    with pytest.raises(RegistrationRefused):
        record_arrivals(section.session, ann_and_ben)


def test_a_phone_says_it_and_what_it_has_said(section, ann_and_ben, alice, phone, clock):
    ann, ben = (phone(item) for item in ann_and_ben)
    session = section.session
    assert ann.read(session).count('name="minutes"') == len(MINUTES)

    ann.say(session, do="late", minutes="10")

    assert "you are here in 10 min, 19:08." in ann.read(session)
    assert "<b>Ann Ash</b> is expected at 19:08." in ben.read(session)
    section = begin(section, alice)
    page = ann.read(session)
    assert "Round 1 has begun." in page
    assert "We are coming" not in page
    assert ann.say(session, do="come", **{"with": "look"}).status_code == 200  # and says no
    ann.say(session, do="late", minutes="0")
    assert (
        announced_pairs(section) == [("Ann Ash & Ben Birch", "18:08", 10)]
        or announced_pairs(section) == []
    )


@pytest.mark.parametrize("minutes", ["", "7", "-5", "600", "ten", "10.0", "１０"])
def test_no_other_times_are_taken(section, ann_and_ben, alice, phone, client, minutes):
    ann = phone(ann_and_ben[0])

    assert (
        b"Choose in how many minutes"
        in ann.say(section.session, do="late", minutes=minutes).content
    )
    client.force_login(alice)
    keys = [record.pk for record in ann_and_ben]
    client.post(
        reverse("who-comes", args=[section.code]),
        {"do": "late", "minutes": minutes, "person": keys},
    )

    assert announced_pairs(section) == []


def test_who_presses_again_and_again_is_not_heard(section, ann_and_ben, phone):
    ann = phone(ann_and_ben[0])
    for number in range(24):
        ann.say(section.session, do="late", minutes=str(MINUTES[number % 2]))

    assert AuditRecord.objects.filter(action="section.late").count() == 20


def started_without(section, alice):
    """Return a section of thirteen pairs; late pairs wait on the list, as a prepared evening leaves them."""
    entries.add_pairs(section, [(f"North{n} A", f"South{n} B") for n in range(13)], by=alice)
    section = Section.objects.get()
    prepared_starts.prepare(str(section.pk))
    kept = prepared_starts.last_prepared(section)
    return starting.start_prepared_session(section, kept.key(kept.evenings[0]), by=alice)


def seat(client, section, line):
    """Press the button in a row of the desk, and take the first proposal."""
    late = reverse("change", args=[section.code, "late"])
    sheet = client.get(f"{late}?waits={line.entry}").content.decode()
    way = re.search(r'name="way"[^>]*value="([^"]+)"|value="([^"]+)"[^>]*name="way"', sheet)
    way = next(filter(None, way.groups()))
    plan = Section.objects.get().plan
    return client.post(late, {"way": way, "plan": plan, "waits": line.entry})


def test_after_the_start_each_late_pair_is_one_line_with_one_button(
    section, people, ann_and_ben, alice, client, clock
):
    client.force_login(alice)
    register_pair(section.session, *people[2:4], by=alice)
    record_delay(section.session, ann_and_ben, 10)
    section = started_without(section, alice)
    desk = reverse("desk", args=[section.code])

    page = " ".join(client.get(desk).content.decode().split())
    assert page.count("late10") == 2
    assert page.count(">Ann Ash &amp; Ben Birch</b>: ") == 1
    assert page.count("Cat Cedar &amp; Dan Dale are not here yet.") == 1
    assert page.count("?waits=") == 2
    assert page.count("The half table is reserved for them.") == 1
    assert 'value="here"' not in page
    assert "Begin without them" not in page
    unseated = [entry for entry in section.entries.all() if entry.contestant is None]
    first, second = late_pairs(section, unseated)
    assert (first.at is None, second.at) == (False, None)

    seat(client, section, second)

    section = Section.objects.get()
    page = " ".join(client.get(desk).content.decode().split())
    assert [entry.names for entry in section.entries.filter(contestant=None)] == [
        "Ann Ash & Ben Birch"
    ]
    assert "Cat Cedar &amp; Dan Dale are" not in page
    assert page.count("late10") == 1

    seat(client, section, first)

    assert not Section.objects.get().entries.filter(contestant=None).exists()
    assert "late10" not in client.get(desk).content.decode()


def test_who_waits_and_does_not_come_is_gone_with_one_press(section, ann_and_ben, alice, client):
    client.force_login(alice)
    record_delay(section.session, ann_and_ben, 10)
    section = started_without(section, alice)
    entry = section.entries.get(contestant=None)

    answer = client.post(reverse("withdraw", args=[section.code, entry.pk]))

    desk = reverse("desk", args=[section.code])
    assert answer.url == desk
    assert "late10" not in client.get(desk).content.decode()
    assert section.entries.count() == 13


def test_somebody_else_can_be_seated_while_one_waits(section, ann_and_ben, alice, client):
    client.force_login(alice)
    section = started_without(section, alice)
    late = reverse("change", args=[section.code, "late"])
    assert 'name="first"' not in client.get(late).content.decode()

    page = " ".join(client.get(late, {"waits": "0"}).content.decode().split())

    assert 'name="first"' in page
    assert "Ann Ash &amp; Ben Birch are not here yet." in page
    entry = section.entries.get(contestant=None)
    assert f"{late}?waits={entry.pk}" in page


def test_where_an_evening_is_prepared_it_is_started_there_alone(
    section, ann_and_ben, alice, client
):
    client.force_login(alice)
    enter_registered_pairs(section, by=alice)
    record_delay(section.session, ann_and_ben, 20)

    page = client.get(reverse("entries", args=[section.code])).content.decode()

    assert page.count("late10") == 1
    assert "Begin without them" not in page
    assert "What can start" in page


def test_a_director_begins_without_them_and_takes_it_back(section, ann_and_ben, alice, client):
    client.force_login(alice)
    enter_registered_pairs(section, by=alice)
    client.post(
        reverse("who-comes", args=[section.code]),
        {"do": "late", "minutes": "20", "person": [record.pk for record in ann_and_ben]},
    )
    switch_registration(section, is_on=False, maximum=None, by=alice)  # no evening is prepared
    page = client.get(reverse("entries", args=[section.code])).content.decode()
    assert "Begin without them" in page
    entry = section.entries.get()

    client.post(reverse("withdraw", args=[section.code, entry.pk]))

    assert not Section.objects.get().entries.exists()
    assert announced_pairs(section) == [("Ann Ash & Ben Birch", "18:18", 20)]
    enter_registered_pairs(Section.objects.get(), by=alice)
    assert [entry.names for entry in section.entries.all()] == ["Ann Ash & Ben Birch"]


def test_the_hour_that_comes_twice_is_counted_through(section, ann_and_ben, clock, monkeypatch):
    clock.now = datetime(
        2026, 10, 25, 0, 55, tzinfo=UTC
    )  # 02:55 in summer; five minutes on it is 02:00
    Session.objects.update(date=section.club.today)

    record_delay(Session.objects.get(), ann_and_ben, 10)

    [one] = late_pairs(Section.objects.get())
    assert one.minutes == 10
    with timezone.override("Europe/Berlin"):
        assert f"{timezone.localtime(one.at):%H:%M}" == "02:05"


def test_a_desk_asks_one_query_more_where_nobody_is_late(
    section, ann_and_ben, django_assert_num_queries
):
    with django_assert_num_queries(1):
        assert late_pairs(section) == []
