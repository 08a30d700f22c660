"""Series: sessions that repeat, with registration, hosts, price and director set once."""

import re
from datetime import date, time, timedelta

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Session
from bridgebuddy.events.services.lifecycle.copies_of_sessions import make_rehearsal
from bridgebuddy.events.services.lifecycle.deletions import delete_session
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.events.services.setup.entries import add_pairs
from bridgebuddy.planning.calendar import coming_sessions
from bridgebuddy.planning.models import Series, SeriesHost, SessionPlan
from bridgebuddy.planning.series import (
    SeriesInput,
    change_series,
    coming_sessions_of_series,
    create_series,
    series_dates,
    series_of_club,
    settings_of_series,
    unchanged_sessions,
    usual_end,
)
from bridgebuddy.registration.errors import RegistrationRefused
from bridgebuddy.registration.registering import seek_partner, switch_registration
from bridgebuddy.registration.registrations import is_registration_open, open_sessions
from bridgebuddy.scoring.models import ScoringSettings
from tests.factories import PersonFactory, SectionFactory, director_of, repeat_weekly, section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(club, alice):
    section = section_with(8, club=club, by=alice)
    section.session.date = club.today
    section.session.save()
    return section.session


@pytest.fixture
def hosts(club):
    return [PersonFactory(club=club, name=name) for name in ("Ada Marsh", "Bo Vogel", "Cy Peters")]


def settings_for(session, **other):
    usual = {
        "days": frozenset({session.date.isoweekday()}),
        "starts_at": session.starts_at,
        "until": session.date + timedelta(weeks=4),
    }
    return SeriesInput(**(usual | other))


def make_series(session, by, weeks=4, **other):
    repeat_weekly(session, weeks, by=by, **other)
    return Series.objects.get()


def plans(series):
    return [
        (row.planned.host and row.planned.host.name, row.planned.price)
        for row in coming_sessions_of_series(series)
    ]


def test_days_are_those_of_the_week_with_both_ends_and_without_the_pause():
    first = date(2026, 12, 1)  # a Tuesday

    two = series_dates({2, 4}, first, date(2026, 12, 17), {date(2026, 12, 8)})

    assert [str(day) for day in two] == [
        "2026-12-01",
        "2026-12-03",
        "2026-12-10",
        "2026-12-15",
        "2026-12-17",
    ]
    assert series_dates({2}, first, first) == [first]
    assert series_dates({2}, first, first - timedelta(days=1)) == []
    assert series_dates(set(), first, date(2027, 12, 1)) == []
    assert len(series_dates({2}, first, date(2030, 1, 1))) == 60


def test_a_season_ends_in_june_unless_that_is_less_than_twelve_weeks_away():
    in_twelve_weeks = date(2027, 4, 7)

    assert usual_end(in_twelve_weeks) == date(2027, 6, 30)
    assert usual_end(in_twelve_weeks + timedelta(days=1)) == date(2028, 6, 30)


def test_the_sessions_of_a_series_have_what_was_set_once(session, alice, hosts):
    series = make_series(
        session,
        alice,
        hosts=tuple(hosts),
        price="5 €",
        directs=alice,
        opens_before=7,
        most=12,
        masterpoints="british-club",
    )

    assert plans(series) == [
        ("Ada Marsh", "5 €"),
        ("Bo Vogel", "5 €"),
        ("Cy Peters", "5 €"),
        ("Ada Marsh", "5 €"),
    ]
    for row in coming_sessions_of_series(series):
        assert row.planned.directs == alice
        assert (row.beforehand.is_on, row.beforehand.most) == (True, 12)
        assert row.beforehand.opens_on == row.date - timedelta(days=7)
        assert row.scoring.masterpoints == "british-club"
    assert unchanged_sessions(series) == []


def test_the_second_press_makes_nothing(session, alice, hosts):
    settings = {"hosts": tuple(hosts), "price": "5 €"}

    assert repeat_weekly(session, 3, by=alice, **settings) == 3
    assert repeat_weekly(session, 3, by=alice, **settings) == 0

    assert Series.objects.count() == 1
    assert session.event.sessions.count() == 4


def test_a_second_series_of_the_event_on_other_days_is_another_one(session, alice):
    repeat_weekly(session, 3, by=alice)
    other_day = session.date + timedelta(days=1)
    settings = settings_for(session, days=frozenset({other_day.isoweekday()}))

    _series, count = create_series(session, settings, [other_day], by=alice)

    assert count == 1
    assert [row.count for row in series_of_club(session.event.club)] == [
        1 if row.days == str(other_day.isoweekday()) else 3
        for row in series_of_club(session.event.club)
    ]


def test_sessions_that_exist_join_and_keep_what_was_set_by_hand(session, alice):
    repeat_weekly(session, 2, by=alice, has_registration=False)
    Series.objects.all().delete()
    plain, own = Session.objects.exclude(pk=session.pk).order_by("date")
    SessionPlan.objects.update_or_create(session=own, defaults={"price": "9 €"})

    series = make_series(session, alice, weeks=2, price="5 €")

    assert [price for _host, price in plans(series)] == ["5 €", "9 €"]
    assert [is_registration_open(row) for row in coming_sessions_of_series(series)] == [True, False]
    assert plain.sections.count() == 1
    assert session.event.sessions.count() == 3


def test_a_rehearsal_takes_no_day(session, alice):
    rehearsal = make_rehearsal(session.sections.get(), by=alice).session
    Session.objects.filter(pk=rehearsal.pk).update(date=session.date + timedelta(weeks=1))

    assert repeat_weekly(session, 1, by=alice) == 1


def test_registration_opens_on_its_day(session, alice, club, hosts):
    series = make_series(session, alice, opens_before=7, weeks=2)
    soon, later = coming_sessions_of_series(series)

    assert [row.pk for row in open_sessions(club)] == [soon.pk]
    assert (is_registration_open(soon), is_registration_open(later)) == (True, False)
    with pytest.raises(RegistrationRefused):
        seek_partner(later, hosts[0])
    seek_partner(later, hosts[0], by=alice)  # by telephone


def test_a_change_reaches_sessions_that_are_as_the_series_made_them(session, alice, hosts):
    series = make_series(session, alice, price="5 €", weeks=6)
    entered, registered, dearer, later, moved, plain = coming_sessions_of_series(series)
    add_pairs(entered.sections.get(), [("Ann Ash", "Ben Birch")], by=alice)
    seek_partner(registered, hosts[0], by=alice)
    SessionPlan.objects.filter(session=dearer).update(price="7 €")
    Session.objects.filter(pk=later.pk).update(starts_at=time(14, 0))
    switch_registration(moved.sections.get(), is_on=False, maximum=None, by=alice)

    count, kept = change_series(
        series, settings_for(session, until=series.until, price="6 €"), by=alice
    )

    assert count == 1
    assert [price for _host, price in plans(series)] == ["5 €", "5 €", "7 €", "5 €", "5 €", "6 €"]
    assert [(row.session.pk, row.reasons) for row in kept] == [
        (entered.pk, ("entries",)),
        (registered.pk, ("entries",)),
        (dearer.pk, ("price",)),
        (later.pk, ("start",)),
        (moved.pk, ("registration",)),
    ]
    assert plain.pk not in {row.session.pk for row in kept}


def test_a_change_of_start_host_and_registration_is_stored_in_each_session(session, alice, hosts):
    series = make_series(session, alice, weeks=3)
    wanted = settings_for(
        session,
        until=series.until,
        starts_at=time(14, 30),
        hosts=(hosts[1], hosts[0]),
        has_registration=False,
        masterpoints="british-club",
    )

    assert change_series(series, wanted, by=alice) == (3, [])

    assert [row.starts_at for row in coming_sessions_of_series(series)] == [time(14, 30)] * 3
    assert [host for host, _price in plans(series)] == ["Bo Vogel", "Ada Marsh", "Bo Vogel"]
    assert not any(is_registration_open(row) for row in coming_sessions_of_series(series))
    assert ScoringSettings.objects.filter(masterpoints="british-club").count() == 3
    series.refresh_from_db()
    assert settings_of_series(series) == wanted
    assert unchanged_sessions(series) == []


def test_a_later_end_adds_sessions_and_an_earlier_one_deletes_none(session, alice):
    series = make_series(session, alice, weeks=2)
    longer = settings_for(session, until=series.until + timedelta(weeks=2))

    count, _kept = change_series(series, longer, {series.until + timedelta(weeks=1)}, by=alice)
    again, _kept = change_series(series, longer, by=alice)
    change_series(series, settings_for(session, until=session.date), by=alice)

    assert (count, again) == (3, 0)
    days = [row.date - session.date for row in coming_sessions_of_series(series)]
    assert days == [timedelta(weeks=week) for week in (1, 2, 4)]


def test_a_later_end_does_not_bring_back_a_deleted_last_session(session, alice):
    series = make_series(session, alice, weeks=2)
    last = coming_sessions_of_series(series)[-1]
    delete_session(last.sections.get(), name=last.event.name, by=alice)

    change_series(series, settings_for(session, until=series.until + timedelta(weeks=1)), by=alice)

    days = [row.date - session.date for row in coming_sessions_of_series(series)]
    assert days == [timedelta(weeks=1), timedelta(weeks=3)]


def test_hosts_who_are_merged_or_forgotten_leave_their_turns(session, alice, hosts):
    series = make_series(session, alice, hosts=tuple(hosts))
    ada, bo, cy = hosts

    merge_people(ada, bo, by=alice)
    cy.anonymous_since = "2026-11-24T12:00Z"
    cy.save()

    assert [turn.person for turn in SeriesHost.objects.filter(series=series)] == [ada]
    assert Person.objects.filter(pk=bo.pk).count() == 0


def form_of(session, **other):
    first = session.date + timedelta(weeks=1)
    usual = {
        "like": session.pk,
        "days": [first.isoweekday()],
        "starts_at": "19:00",
        "first": first,
        "until": first + timedelta(weeks=3),
        "has_registration": "True",
        "opens_before": 7,
        "hosts": "",
        "price": "5 €",
    }
    return {**usual, **other}


def test_the_page_is_filled_in_so_that_one_press_makes_a_season(client, club, alice, session):
    client.force_login(alice)
    address = reverse("new-series", args=[club.pk])
    home = client.get(reverse("home")).content.decode()
    assert address in home

    page = client.get(address)
    dates = page.context["dates"]
    assert f"Create {len(dates)} sessions" in page.content.decode()
    form = page.context["form"]
    answer = client.post(address, {**form.data, "like": session.pk})

    series = Series.objects.get()
    assert answer.url == reverse("series", args=[club.pk, series.pk])
    assert [row.date for row in coming_sessions_of_series(series)] == dates
    assert all(row.beforehand.is_on for row in coming_sessions_of_series(series))
    assert dates[0] == session.date + timedelta(weeks=1)


def test_an_old_session_is_repeated_from_today_on(client, club, alice, session):
    Session.objects.update(date=club.today - timedelta(days=24))
    client.force_login(alice)

    dates = client.get(reverse("new-series", args=[club.pk])).context["dates"]

    assert dates[0] == club.today + timedelta(days=4)


def test_what_is_typed_changes_the_number_on_the_button(client, club, alice, session, hosts):
    client.force_login(alice)
    typed = form_of(session, hosts="ada marsh, Bo Vogel")

    page = client.get(reverse("new-series", args=[club.pk]), typed)

    assert "Create 4 sessions" in page.content.decode()
    assert [evening.host for evening in page.context["first_evenings"]] == [
        "Ada Marsh",
        "Bo Vogel",
        "Ada Marsh",
        "Bo Vogel",
    ]
    assert not Series.objects.exists()


def test_a_pause_may_be_a_single_day(client, club, alice, session):
    client.force_login(alice)
    day = session.date + timedelta(weeks=2)
    typed = form_of(session, pause=day, resume=day)

    page = client.get(reverse("new-series", args=[club.pk]), typed)

    assert "Create 3 sessions" in page.content.decode()


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ({"pause": "2026-12-24", "resume": "2026-12-23"}, "Enter the first and the last day"),
        ({"hosts": "Nobody Known"}, "“Nobody Known” is not on the roster."),
        ({"pause": "2026-12-24"}, "Enter the first and the last day without a session."),
        ({"until": "2020-01-01"}, "No session lies between these days."),
        ({"days": []}, "This field is required."),
        ({"days": [9]}, "not one of the available choices"),
    ],
)
def test_what_cannot_be_planned_is_asked_about(client, club, alice, session, typed, answer):
    client.force_login(alice)

    page = client.post(reverse("new-series", args=[club.pk]), form_of(session, **typed))

    assert page.status_code == 422
    assert answer in page.content.decode()
    assert session.event.sessions.count() == 1


def test_the_page_of_a_series_changes_it_and_lists_what_stays(client, club, alice, session):
    client.force_login(alice)
    series = make_series(session, alice, price="5 €")
    first = coming_sessions_of_series(series)[0]
    SessionPlan.objects.filter(session=first).update(price="7 €")
    address = reverse("series", args=[club.pk, series.pk])

    page = client.get(address).content.decode()
    assert "Change 3 sessions" in page
    assert re.search(r"another\s+price", page)
    sent = form_of(session, price="6 €", until=series.until)
    client.post(address, sent)

    assert [price for _host, price in plans(series)] == ["7 €", "6 €", "6 €", "6 €"]


def test_another_club_neither_sees_nor_changes_a_series(client, alice, session):
    series = make_series(session, alice, price="5 €")
    carol = director_of(section_with(3).club, email="carol@example.org")
    client.force_login(carol)
    theirs = carol.memberships.get().club

    for club in (session.event.club, theirs):
        address = reverse("series", args=[club.pk, series.pk])
        assert client.get(address).status_code == 404
        assert client.post(address, form_of(session, price="1 €")).status_code == 404

    assert {price for _host, price in plans(series)} == {"5 €"}


def test_a_series_of_teams_has_no_registration(client, club, alice):
    session = section_with(4, club=club, by=alice, contest="teams").session
    Session.objects.update(date=club.today)
    client.force_login(alice)
    address = reverse("new-series", args=[club.pk])

    assert "has_registration" not in client.get(address).context["form"].fields
    session.refresh_from_db()
    client.post(address, form_of(session))

    assert not any(
        is_registration_open(row) for row in coming_sessions_of_series(Series.objects.get())
    )


def test_a_club_without_sessions_is_led_to_its_first(client, club, alice):
    client.force_login(alice)

    answer = client.get(reverse("new-series", args=[club.pk]))

    assert answer.url == reverse("new-session")


def test_a_session_that_is_over_has_left_the_coming_weeks(session, club):
    assert [row.pk for row in coming_sessions(club)] == [session.pk]
    session.sections.update(finished_at="2026-11-24T22:00Z")

    assert coming_sessions(club) == []


def test_the_repeated_session_is_marked_and_a_series_changes_by_a_quiet_button(
    client, club, alice, session
):
    client.force_login(alice)
    SectionFactory(session__event__club=club, session__event__name="Thursday Pairs")
    page = client.get(reverse("new-series", args=[club.pk]), {"like": session.pk}).content.decode()

    marked = [link for link in page.split("<a ") if 'aria-current="true"' in link.split(">")[0]]
    assert [f"?like={session.pk}" in link for link in marked] == [True]
    assert "<svg" in marked[0].partition("</a>")[0]

    series = make_series(session, alice)
    changed = client.get(reverse("series", args=[club.pk, series.pk])).content.decode()
    assert "btn primary" not in changed
