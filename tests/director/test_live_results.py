"""The running session of the demo club on the first page: its results, and nobody's name."""

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.sign_in.accounts import DEMO_EMAIL
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from tests.factories import ClubFactory, director_of, section_with
from tests.markup import words

pytestmark = pytest.mark.django_db


def enter_round(section, by):
    """Enter three no-trump made by South on every board of the current round."""
    outcome = {"contract": "3N", "declarer": "S", "tricks": 9}
    plays = section.plays.filter(round=section.round).order_by("board")
    enter_results(section, [EnteredResult(play.pk, outcome) for play in plays], by=by)
    return Section.objects.get(pk=section.pk)


def running_session(email):
    club = ClubFactory()
    director = director_of(club, email=email)
    section = section_with(6, "mitchell", round=1, club=club, by=director)
    return enter_round(section, director), director


def test_visitors_see_the_latest_results_of_the_demo_clubs_session_and_no_name(
    client, django_assert_num_queries
):
    section, _ = running_session(DEMO_EMAIL)

    with django_assert_num_queries(4):
        page = client.get(reverse("home"))

    text = words(page)
    assert "Now in the demo club" in text
    assert f"{section.session.event.name}, round 1 of 3" in text
    assert "9 results are in." in text
    assert text.count(", board ") == 5
    assert "+600" in text
    names = {person.name for person in section.club.people.all()}
    assert not [name for name in names if name in text]


def test_no_other_clubs_session_is_shown_to_visitors(client):
    running_session("anna@example.org")

    page = client.get(reverse("home"))

    assert page.context["live"] is None
    assert "<img" in page.content.decode()


def test_a_club_that_uses_the_demo_clubs_account_shows_nothing_once_another_user_exists(client):
    running_session(DEMO_EMAIL)
    director_of(ClubFactory(), email="anna@example.org")

    assert client.get(reverse("home")).context["live"] is None


def test_of_several_sections_the_one_with_the_newest_result_is_shown(client):
    idle, director = running_session(DEMO_EMAIL)
    idle.plays.update(taken_back_at=timezone.now())  # has begun, without a result
    playing = section_with(6, "mitchell", round=1, club=idle.club, by=director)
    enter_round(playing, director)

    live = client.get(reverse("home")).context["live"]

    assert (live.section, live.count) == (playing, 9)


def test_a_session_that_is_over_is_not_shown(client):
    section, director = running_session(DEMO_EMAIL)
    rounds.finish_session(section, round=1, by=director)

    assert client.get(reverse("home")).context["live"] is None
