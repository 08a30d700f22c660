"""The state of a list while results are missing: too few, provisional, and final nevertheless."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.services.play.rounds import finish_session, start_rounds
from bridgebuddy.events.services.setup.movement import choose_movement
from bridgebuddy.events.services.setup.sections import divide_entries
from bridgebuddy.printing.context import PrintJob
from bridgebuddy.scoring.files.exports import file_name
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.publishing import make_list_final, publish_results
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.winners import list_state_sentence
from tests.factories import director_of, section_with
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db

NOT_FINAL = ("Provisional", "In front")


@pytest.fixture
def section():
    """Return a finished section with two missing results."""
    section = scored_section(8, "howell", rounds=7)
    for play in section.plays.exclude(ns=None).exclude(ew=None)[:2]:
        enter_result(section, play.pk, None, by=None)
    finish_session(section, round=7, by=None)
    return Section.objects.get(pk=section.pk)


def divided_sections():
    """Return two sections of six pairs in round 1, and a director."""
    section = section_with(12)
    by = director_of(section.club)
    keys = list(section.entries.values_list("pk", flat=True))
    halves = divide_entries(section, [keys[:6], keys[6:]], same_deals=True, by=by)
    for half in halves:
        choose_movement(half, "mitchell", boards_per_round=3, by=by)
    start_rounds(halves[0], {half.name: 0 for half in halves}, by=by)
    return *(Section.objects.get(pk=half.pk) for half in halves), by


def text_of(client, name, *args):
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def scored_now(section):
    return ScoredSession(SessionSnapshot(Section.objects.get(pk=section.pk)))


def test_with_missing_results_the_page_asks_before_it_publishes(director, section):
    page = director.get(reverse("ranking", args=[section.code])).content.decode()

    asked = re.search(r"<details class=\"moremenu asksfirst\">.*?</details>", page, re.DOTALL)[0]
    assert "2 results are missing. Publish anyway?" in " ".join(asked.split())
    assert f'href="{reverse("look-at", args=[section.code])}"' in asked
    assert page.count('value="final-publish"') == asked.count('value="final-publish"') == 1


def test_without_missing_or_doubtful_results_the_page_publishes_at_once(director):
    section = scored_section(8, "howell", rounds=7)
    director.force_login(section.club.memberships.get(is_director=True).user)

    page = director.get(reverse("ranking", args=[section.code])).content.decode()

    assert "asksfirst" not in page
    assert 'value="final-publish"' in page


def test_with_results_to_check_the_page_asks_before_it_publishes(director):
    section = scored_section(8, "howell", rounds=7)
    director.force_login(section.club.memberships.get(is_director=True).user)
    play = section.plays.filter(board=1, table=1).get()
    enter_result(section, play.pk, {"contract": "7NTx", "declarer": "N", "tricks": 1}, by=None)

    page = director.get(reverse("ranking", args=[section.code])).content.decode()

    asked = re.search(r"<details class=\"moremenu asksfirst\">.*?</details>", page, re.DOTALL)[0]
    assert "1 result is not checked. Publish anyway?" in " ".join(asked.split())
    assert f'href="{reverse("look-at", args=[section.code])}"' in asked
    assert page.count('value="final-publish"') == asked.count('value="final-publish"') == 1
    assert page.count("btn primary") == 1


def test_a_final_list_names_winners_and_says_what_is_missing(director, client, section):
    make_list_final(section, by=None)
    publish_results(section, by=None)
    token = ScoringSettings.objects.get(session=section.session).token

    pages = (
        text_of(director, "ranking", section.code),
        text_of(client, "public-results", token),
    )

    for text in pages:
        assert "Winners: " in text
        assert "2 results are missing" in text
        assert not [words for words in NOT_FINAL if words in text]


def test_boards_of_rounds_to_come_are_not_missing(client):
    section = scored_section(8, "howell", rounds=2)
    publish_results(section, by=None)
    token = ScoringSettings.objects.get(session=section.session).token

    text = text_of(client, "public-results", token)

    assert "Provisional: 24 of 84 results are in." in text
    assert "are missing" not in text


def test_a_session_that_ended_with_few_results_is_ranked(director):
    section = section_with(8, "howell", round=1)
    director.force_login(section.club.memberships.get(is_director=True).user)
    enter_result(section, section.plays.first().pk, {"passed": True}, by=None)
    finish_session(section, round=1, by=None)

    assert "Too few results" not in text_of(director, "ranking", section.code)


def test_the_way_to_missing_results_leads_to_the_section_where_they_are(director):
    first, second, by = divided_sections()
    director.force_login(by)
    for play in first.plays.exclude(ns=None).exclude(ew=None):
        enter_result(first, play.pk, {"passed": True}, by=None)

    page = director.get(reverse("ranking", args=[first.code])).content.decode()

    assert f'href="{reverse("results", args=[second.code])}?round=1"' in page


def test_paper_and_files_of_a_final_list_are_not_provisional(section):
    assert list_state_sentence(scored_now(section)) == "Provisional: 82 of 84 results are in."
    assert "provisional" in file_name(scored_now(section), "ranking")

    make_list_final(section, by=None)

    job = PrintJob(SectionPlan.of(Section.objects.get(pk=section.pk)), "a4", "")
    assert job.state.startswith("Final, ")
    assert " · 2 results are missing · Corrections until " in job.state
    assert "provisional" not in file_name(scored_now(section), "ranking")


def test_before_half_of_the_first_round_no_contestant_is_in_front(director):
    section = section_with(8, "howell", round=1)
    director.force_login(section.club.memberships.get(is_director=True).user)
    plays = list(section.plays.all())
    few = "Too few results for a ranking yet"

    for play in plays[: len(plays) // 2 - 1]:
        enter_result(section, play.pk, {"contract": "4H", "declarer": "S", "tricks": 10}, by=None)
    before = director.get(reverse("ranking", args=[section.code])).content.decode()
    enter_result(section, plays[-1].pk, {"passed": True}, by=None)
    after = director.get(reverse("ranking", args=[section.code])).content.decode()

    assert few in before
    assert few not in after
    assert "In front: " in after
