"""Home: tonight, coming up, played."""

import datetime
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Club
from tests.factories import UserFactory, director_of, section_with

pytestmark = pytest.mark.django_db


def words(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def on(section, days):
    """Move a section's session so many days from today."""
    section.session.date = timezone.localdate() + datetime.timedelta(days=days)
    section.session.save()
    return section


def test_strangers_read_what_this_is(client):
    assert "I play: enter the code" in words(client.get(reverse("home")))


def test_whoever_has_no_club_founds_one_and_directs_it(signed_in):
    user = UserFactory()
    browser = signed_in(user)
    assert browser.get(reverse("home")).headers["Location"] == reverse("new-club")

    browser.post(reverse("new-club"), {"name": "O'Neill's", "paper": "a4", "stand_word": "relay"})

    club = Club.objects.get(name="O'Neill's")
    assert club.memberships.get().is_director
    assert "No session yet" in words(browser.get(reverse("home")))


def test_tonight_coming_and_played_stand_apart(club, alice, signed_in):
    tonight = on(section_with(15, "skip-mitchell", club=club, by=alice), 0)
    on(section_with(6, club=club, by=alice), 3)
    on(section_with(8, "skip-mitchell", club=club, by=alice), -3)

    page = words(signed_in(alice).get(reverse("home")))

    assert re.search("half a table is open.*Open the desk.*Coming up.*Played", page)
    assert tonight.session.event.name in page


def test_the_main_button_of_tonight_is_the_next_step(club, alice, signed_in):
    def next_step(*made, **more):
        section = on(section_with(*made, club=club, by=alice, **more), 0)
        page = signed_in(alice).get(reverse("home")).content.decode()
        section.session.delete()
        return re.findall(r'class="btn primary"\s+href="[^"]*/([^/"]+)/"', page)

    assert next_step(0) == ["entries"]
    assert next_step(10) == ["movement"]
    assert next_step(10, "mitchell") == ["desk"]
    assert next_step(10, "mitchell", round=1) == ["desk"]


def test_the_running_session_says_its_round(club, alice, signed_in):
    on(section_with(16, "skip-mitchell", round=4, club=club, by=alice), 0)

    assert "Round 4 of 7" in words(signed_in(alice).get(reverse("home")))


def test_many_sessions_cost_as_few_queries_as_one(
    club, alice, signed_in, django_assert_max_num_queries, django_assert_num_queries
):
    browser = signed_in(alice)
    on(section_with(6, "mitchell", round=1, club=club, by=alice), 0)
    for days in (1, -1):
        on(section_with(6, "mitchell", club=club, by=alice), days)
    with django_assert_max_num_queries(14) as counted:
        browser.get(reverse("home"))
    for days in range(2, 7):
        on(section_with(6, "mitchell", club=club, by=alice), days)
        on(section_with(6, "mitchell", club=club, by=alice), -days)
    with django_assert_num_queries(len(counted)):
        browser.get(reverse("home"))


def test_a_director_of_two_clubs_chooses(club, alice, signed_in):
    other = director_of(Club.objects.create(name="Second"), email="x@example.org").clubs.get()
    other.memberships.create(user=alice, role="director")

    answer = signed_in(alice).get(reverse("home"), {"club": other.pk})
    page, html = words(answer), answer.content.decode()

    assert re.search("Sessions.*Second.*No session yet", page)
    assert f'href="{reverse("new-session")}?club={other.pk}"' in html


def test_the_library_leads_back_to_the_club_of_whoever_directs_one(club, alice, bob, signed_in):
    def leads_to_the_club(answer):
        return reverse("club-settings", args=[club.pk]) in answer.content.decode()

    library = reverse("library")

    assert leads_to_the_club(signed_in(alice).get(library))
    assert not leads_to_the_club(signed_in(bob).get(library))
