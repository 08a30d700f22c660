"""Home: tonight, coming up, played."""

import datetime
import html
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup.movement import choose_movement
from bridgebuddy.scoring.services.publishing import publish_results
from bridgebuddy.scoring.services.recording import scoring_settings_of
from tests.factories import UserFactory, begun, director_of, section_with
from tests.markup import words
from tests.scoring.test_several_sessions import second
from tests.scoring.test_tonight import enter_by_chance, scored_section

pytestmark = pytest.mark.django_db


def on(section, days):
    """Move a section's session so many days from today."""
    section.session.date = timezone.localdate() + datetime.timedelta(days=days)
    section.session.save()
    return section


def test_strangers_read_what_this_is(client):
    shown = words(client.get(reverse("home")))

    assert "Are you playing today?" in shown
    assert "The movement that fits" in shown


def test_whoever_has_no_club_founds_one_and_directs_it(signed_in):
    user = UserFactory()
    browser = signed_in(user)
    assert browser.get(reverse("home")).headers["Location"] == reverse("new-club")

    browser.post(reverse("new-club"), {"name": "O'Neill's", "paper": "a4", "stand_word": "relay"})

    club = Club.objects.get(name="O'Neill's")
    assert club.memberships.get().is_director
    assert "Your first session" in words(browser.get(reverse("home")))


def test_tonight_coming_and_played_stand_apart(club, alice, signed_in):
    tonight = on(section_with(15, "skip-mitchell", club=club, by=alice), 0)
    on(section_with(6, club=club, by=alice), 3)
    on(section_with(8, "skip-mitchell", club=club, by=alice), -3)

    page = words(signed_in(alice).get(reverse("home")))

    assert re.search("15 pairs. With one more, nobody sits out.*Coming up.*Played", page)
    assert tonight.session.event.name in page


def test_the_main_button_of_tonight_is_the_next_step(club, alice, signed_in):
    def next_step(*made, days=0, **more):
        section = on(section_with(*made, club=club, by=alice, **more), days)
        page = signed_in(alice).get(reverse("home")).content.decode()
        section.session.delete()
        return re.findall(r'class="btn primary huge"\s+href="[^"]*/([^/"]+)/"', page)

    assert next_step(0) == ["entries"]
    assert next_step(10) == ["movement"]
    assert next_step(10, "mitchell", days=1) == ["print"]
    assert next_step(10, "mitchell", days=-1, round=1) == ["desk"]


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
    with django_assert_max_num_queries(16) as counted:
        browser.get(reverse("home"))
    for days in range(2, 7):
        on(section_with(6, "mitchell", club=club, by=alice), days)
        on(section_with(6, "mitchell", club=club, by=alice), -days)
    with django_assert_num_queries(len(counted)):
        browser.get(reverse("home"))


def played(club, by, days):
    section = on(section_with(6, "mitchell", round=3, club=club, by=by), days)
    enter_by_chance(section)
    return rounds.finish_session(Section.objects.get(pk=section.pk), round=3, by=by)


def test_what_was_played_names_its_winners_and_leads_to_its_results(club, alice, signed_in):
    section = played(club, alice, -3)

    page = signed_in(alice).get(reverse("home"))

    [card] = page.context["found"]
    assert [winner.field for winner in card.winners] == ["NS", "EW"]
    for winner in card.winners:
        assert winner.surnames in html.unescape(words(page))
    assert reverse("ranking", args=[section.code]) in page.content.decode()
    assert "Copy" not in words(page)


def test_tonights_session_leads_to_its_results_and_then_to_paper(club, alice, signed_in):
    browser, section = signed_in(alice), played(club, alice, 0)

    [over] = browser.get(reverse("home")).context["main"]
    publish_results(section, by=alice)
    [published] = browser.get(reverse("home")).context["main"]

    assert (over.next_action, published.next_action) == ("results", "paper")


def test_a_result_that_is_corrected_makes_other_winners(club, alice, signed_in):
    section = played(club, alice, -3)
    browser = signed_in(alice)
    [before] = browser.get(reverse("home")).context["found"]

    scoring = scoring_settings_of(section)
    scoring.profile = {"method": "butler"}
    scoring.save()
    section.touch()

    [after] = browser.get(reverse("home")).context["found"]
    assert before.winners[0].percent is not None
    assert after.winners[0].percent is None


def test_a_director_of_two_clubs_chooses(club, alice, signed_in):
    other = director_of(Club.objects.create(name="Second"), email="x@example.org").clubs.get()
    other.memberships.create(user=alice, is_director=True)

    answer = signed_in(alice).get(reverse("home"), {"club": other.pk})
    page, html = words(answer), answer.content.decode()

    assert re.search("Sessions.*Second.*Your first session", page)
    assert f'href="{reverse("new-session")}?club={other.pk}"' in html


def test_the_library_leads_back_to_the_club_of_whoever_directs_one(club, alice, bob, signed_in):
    def leads_to_the_club(answer):
        address = reverse("club-settings", args=[club.pk])
        return f'href="{address}"' in answer.content.decode()

    library = reverse("library")

    assert leads_to_the_club(signed_in(alice).get(library))
    assert not leads_to_the_club(signed_in(bob).get(library))


def test_winners_of_two_finals_are_named_by_section_without_the_percentage_of_the_session_alone(
    club, alice, client, signed_in
):
    first = scored_section(8, "howell", rounds=7, club=club, by=alice)
    on(rounds.finish_session(first, round=7, by=alice), -7)
    _, finals = second(client, first, sit="finals", sessions="sum")
    for seed, final in enumerate(finals):
        choose_movement(final, "howell", boards_per_round=3, by=alice)
        enter_by_chance(begun(Section.objects.get(pk=final.pk), 3), seed)
        rounds.finish_session(Section.objects.get(pk=final.pk), round=3, by=alice)
    on(finals[0], 0)
    publish_results(finals[0], by=alice)
    on(section_with(6, club=club, by=alice), 0)

    page = signed_in(alice).get(reverse("home"))

    [coming, over] = page.context["main"]
    assert (coming.next_action, over.next_action) == ("choose", "paper")
    assert [winner.section for winner in over.winners] == ["A", "B"]
    assert [winner.percent for winner in over.winners] == [None, None]
    assert page.content.decode().count("btn primary huge") == 1
