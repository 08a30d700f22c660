"""The coming weeks: director, host and price of each session to come."""

import re
from datetime import datetime, timedelta
from html import unescape
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Session
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.planning.calendar import coming_sessions, session_plan_input
from bridgebuddy.planning.models import SessionPlan
from bridgebuddy.publication.models import ClubPage
from tests.factories import director_of, repeat_weekly, section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(club, alice):
    section = section_with(8, club=club, by=alice)
    section.session.date = club.today
    section.session.save()
    return section.session


@pytest.fixture
def address(club):
    return reverse("coming-weeks", args=[club.pk])


def typed(session, **said):
    usual = {"directs": "", "host": "", "price": ""} | said
    return {f"{name}-{session.pk}": value for name, value in usual.items()}


def test_who_directs_hosts_and_what_it_costs_is_kept(client, club, alice, session, address):
    host = Person.objects.filter(club=club).first()
    client.force_login(alice)
    assert "1 session has no director yet." in client.get(address).content.decode()

    client.post(address, typed(session, directs=alice.pk, host=host.name, price="5 €"))

    said = session_plan_input(coming_sessions(club)[0])
    assert (said.directs, said.host, said.price) == (alice, host, "5 €")
    page = client.get(address).content.decode()
    assert "Every session has a director." in page
    client.post(address, typed(session))
    assert not SessionPlan.objects.exists()


def test_a_session_of_a_series_whose_plan_is_emptied_stays_in_the_series(
    client, alice, session, address
):
    repeat_weekly(session, 1, by=alice, directs=alice, price="5 €")
    plan = SessionPlan.objects.get(session__date__gt=session.date)
    assert (plan.directs, plan.price) == (alice, "5 €")
    client.force_login(alice)

    client.post(address, typed(plan.session))

    plan.refresh_from_db()
    assert plan.series is not None
    assert (plan.directs, plan.host, plan.price) == (None, None, "")


def test_what_nobody_touched_stays_as_another_director_has_it_by_now(
    client, club, alice, session, address
):
    repeat_weekly(session, 1, by=alice, has_registration=False)
    tonight, next_week = coming_sessions(club)
    client.force_login(alice)
    was = '["", "", ""]'
    shown = typed(tonight, was=was) | typed(next_week, was=was)

    client.post(address, shown | typed(tonight, was=was, price="5 €"))
    client.post(address, shown | typed(next_week, was=was, directs=alice.pk))
    client.post(address, shown | typed(tonight, was=was, directs=alice.pk))

    page = unescape(client.get(address).content.decode())
    assert f'value="["{alice.pk}", "", "5 €"]"' in page
    assert [session_plan_input(item).price for item in coming_sessions(club)] == ["5 €", ""]
    assert [session_plan_input(item).directs for item in coming_sessions(club)] == [alice, alice]


@pytest.mark.parametrize("was", ["", "[]", "{", "[1, 2, 3]", '["", "", "", ""]'])
def test_a_page_that_does_not_say_what_it_showed_is_stored_as_it_is(
    client, club, alice, session, address, was
):
    SessionPlan.objects.create(session=session, directs=alice, price="5 €")
    client.force_login(alice)

    client.post(address, typed(session, was=was, price="7 €"))

    assert (
        session_plan_input(coming_sessions(club)[0]).price,
        session_plan_input(coming_sessions(club)[0]).directs,
    ) == (
        "7 €",
        None,
    )


def test_who_is_no_director_any_more_directs_nothing(client, club, alice, session, address):
    gone = director_of(club, email="gone@example.org")
    SessionPlan.objects.create(session=session, directs=gone, price="5 €")
    gone.memberships.all().delete()
    client.force_login(alice)

    assert "1 session has no director yet." in client.get(address).content.decode()


def test_a_host_is_found_however_the_name_is_typed(client, club, alice, session, address):
    host = Person.objects.create(club=club, name="Åsa O’Brien <b>")
    client.force_login(alice)

    client.post(address, typed(session, host="asa o’brien <B>"))

    assert session_plan_input(coming_sessions(club)[0]).host == host
    assert 'value="Åsa O’Brien &lt;b&gt;"' in client.get(address).content.decode()


def test_an_unknown_host_is_asked_about_and_what_was_typed_stays(client, alice, session, address):
    client.force_login(alice)

    answer = client.post(address, typed(session, host="Nobody O’Known", price="5 €"))

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Nobody on the roster has this name." in page
    assert 'value="Nobody O’Known"' in page
    assert 'value="5 €"' in page
    assert not SessionPlan.objects.exists()


def test_nobody_directs_who_is_no_director_of_the_club(client, alice, bob, session, address):
    client.force_login(alice)

    client.post(address, typed(session, directs=bob.pk, price="5 €"))

    assert session_plan_input(Session.objects.get(pk=session.pk)).directs is None


def test_the_clubs_page_tells_host_and_price_by_the_names_rule(client, club, alice, session):
    host = Person.objects.filter(club=club).first()
    host.name, host.public_name = "Hanna Brandt", "initials"
    host.save()
    SessionPlan.objects.create(session=session, host=host, price="5 €")
    page = ClubPage.objects.create(club=club, address="ours", is_on=True)

    shown = client.get(reverse("club-page", args=[page.address])).content.decode()

    assert "H. B." in shown
    assert "Brandt" not in shown
    assert "5 €" in shown


def test_a_host_who_is_merged_is_whom_they_are_now_and_a_forgotten_one_nobody(alice, club, session):
    stays = Person.objects.filter(club=club)[0]
    goes = Person.objects.create(club=club, name="Hanna Alone")
    SessionPlan.objects.create(session=session, host=goes, price="5 €")

    merge_people(stays, goes, by=alice)
    assert session_plan_input(Session.objects.get(pk=session.pk)).host == stays
    stays.anonymous_since = timezone.now()
    stays.save()

    assert session_plan_input(Session.objects.get(pk=session.pk)).host is None


def test_the_coming_weeks_cost_the_same_for_two_sessions_and_for_many(
    client, alice, session, address, django_assert_max_num_queries
):
    repeat_weekly(session, 30, by=alice)
    client.force_login(alice)
    client.get(address)

    with django_assert_max_num_queries(12):
        client.get(address)


def test_half_a_year_stands_in_the_calendar_at_the_clubs_hour(client, club, alice, session):
    club.time_zone = "Europe/Vienna"
    club.save()
    repeat_weekly(session, 26, by=alice)
    page = ClubPage.objects.create(club=club, address="ours", is_on=True)

    text = client.get(reverse("club-calendar", args=[page.address])).content.decode()

    begins = re.findall(r"DTSTART:(\d{8})T(\d{2})\d{4}Z", text)
    days = [session.date + timedelta(weeks=n) for n in range(27)]
    hours = {True: session.starts_at.hour - 2, False: session.starts_at.hour - 1}
    assert begins == [(f"{day:%Y%m%d}", f"{hours[is_summer(day)]:02}") for day in days]


def is_summer(day):
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo("Europe/Vienna"))
    return noon.utcoffset() == timedelta(hours=2)
