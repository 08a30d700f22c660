"""Home, and opening a session."""

import datetime
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import Section
from tests.factories import UserFactory, director_of, section_with

pytestmark = pytest.mark.django_db

ANSWERS = {
    "name": "Tuesday Pairs",
    "date": "2026-11-24",
    "starts_at": "19:00",
    "fewest_boards": "24",
    "most_boards": "28",
    "minutes_per_board": "7",
}


def words(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def on(section, days):
    """Move a section's session so many days from today."""
    section.session.date = timezone.localdate() + datetime.timedelta(days=days)
    section.session.save()
    return section


def test_strangers_read_what_this_is(client):
    assert "Enter the code" in words(client.get(reverse("home")))


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


def test_the_running_session_says_its_round(club, alice, signed_in):
    on(section_with(16, "skip-mitchell", round=4, club=club, by=alice), 0)

    assert "Round 4 of 7" in words(signed_in(alice).get(reverse("home")))


def test_many_sessions_cost_as_few_queries_as_one(
    club, alice, signed_in, django_assert_max_num_queries, django_assert_num_queries
):
    browser = signed_in(alice)
    on(section_with(6, "mitchell", club=club, by=alice), 1)
    with django_assert_max_num_queries(6) as counted:
        browser.get(reverse("home"))
    for days in range(2, 7):
        on(section_with(6, "mitchell", club=club, by=alice), days)
    with django_assert_num_queries(len(counted)):
        browser.get(reverse("home"))


def test_a_new_session_leads_to_its_entries(club, alice, signed_in):
    answer = signed_in(alice).post(reverse("new-session"), ANSWERS)

    section = Section.objects.get()
    assert answer.headers["Location"] == reverse("entries", args=[section.code])
    assert (section.club, section.session.minutes_per_board) == (club, 7)


def test_last_sessions_answers_are_filled_in(club, alice, signed_in):
    browser = signed_in(alice)
    browser.post(reverse("new-session"), ANSWERS | {"starts_at": "14:30", "minutes_per_board": "8"})

    page = browser.get(reverse("new-session")).content.decode()

    assert 'value="14:30"' in page
    assert 'value="8"' in page
    assert 'value="Tuesday Pairs"' in page


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"date": "tomorrow"}, "Enter a valid date."),
        ({"starts_at": "25:00"}, "Enter a valid time."),
        ({"fewest_boards": "0"}, "Play 6 to 60 boards."),
        ({"most_boards": "200"}, "Play 6 to 60 boards."),
        ({"fewest_boards": "28", "most_boards": "24"}, "should not be less"),
        ({"minutes_per_board": "0"}, "Give a board 3 to 20 minutes."),
        ({"minutes_per_board": "seven"}, "Enter a whole number."),
    ],
)
def test_wrong_answers_get_a_sentence_and_keep_the_others(alice, signed_in, wrong, sentence):
    answer = signed_in(alice).post(reverse("new-session"), ANSWERS | {"name": "Kept"} | wrong)

    assert answer.status_code == 422
    assert sentence in words(answer)
    assert not Section.objects.exists()
    if "name" not in wrong:
        assert 'value="Kept"' in answer.content.decode()


def test_a_session_can_be_changed(skip_section, alice, signed_in):
    browser = signed_in(alice)
    address = reverse("edit-session", args=[skip_section.code])
    assert browser.get(address).status_code == 200

    browser.post(address, ANSWERS | {"name": "Christmas Pairs", "minutes_per_board": "9"})

    section = Section.objects.get(pk=skip_section.pk)
    assert section.session.event.name == "Christmas Pairs"
    assert section.session.minutes_per_board == 9


def test_a_director_of_two_clubs_chooses(club, alice, signed_in):
    other = director_of(Club.objects.create(name="Second"), email="x@example.org").clubs.get()
    other.memberships.create(user=alice, role="director")

    page = words(signed_in(alice).get(reverse("home"), {"club": other.pk}))

    assert "Second" in page
    answer = signed_in(alice).post(reverse("new-session"), ANSWERS | {"club": other.pk})
    assert answer.status_code == 302
    assert Section.objects.get().club == other
