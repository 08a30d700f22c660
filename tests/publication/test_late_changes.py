"""Readers after a late change of a final, published list: its page, their mail, the championship."""

import datetime
import re
from contextlib import suppress
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.jobs.kinds import RetryLater
from bridgebuddy.publication.mails.results_mailing import mail_results
from bridgebuddy.publication.models import ResultsSubscription
from bridgebuddy.scoring.models import Penalty, Result, ScoringSettings
from bridgebuddy.scoring.results.figures import FirstLine
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.services.rulings import give_penalty, take_back_penalty
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.templatetags.results import first_line_text, percent
from bridgebuddy.seasons.models import Championship
from tests.publication_mail import smtp
from tests.scoring.test_tonight import scored_section
from tests.seasons.evenings import evening

pytestmark = pytest.mark.django_db

#: +90 as all other ways to reach it
SAME_SCORE = {"contract": "1NT", "declarer": "S", "tricks": 7}


class Readers(NamedTuple):
    """Pages and mails of readers."""

    status: int = 200
    #: the words of the list's state
    state: str = "Final"
    #: whether the session counts in the championship
    counts: bool = True
    #: whether the championship says that the list has changed
    is_noted: bool = False
    letters: int = 0


def _first(section):
    """The standing result of the first play in which +90 was scored, and its reader's entry."""
    return Result.objects.filter(play__section=section, stands=True, outcome__score=90).first()


def correct_the_score(section, by, browser):
    result = _first(section)
    enter_result(section, result.play_id, {"score": -1400}, after=result.number, by=by)


def correct_the_declarer(section, by, browser):
    result = _first(section)
    enter_result(section, result.play_id, SAME_SCORE, after=result.number, by=by)


def correct_twice(section, by, browser):
    result = _first(section)
    enter_result(section, result.play_id, {"score": -1400}, after=result.number, by=by)
    enter_result(section, result.play_id, {"score": 90}, after=result.number + 1, by=by)


def punish(section, by, browser):
    entry = _first(section).play.ns_id
    give_penalty(section, entry, unit="percent", amount=-1, kind="time", by=by)


def punish_and_forgive(section, by, browser):
    punish(section, by, browser)
    take_back_penalty(section, Penalty.objects.get().pk, by=by)


def close(section):
    past = timezone.now() - datetime.timedelta(days=1)
    ScoringSettings.objects.filter(session=section.session_id).update(closes_at=past)


def give_points(section, by, browser):
    browser.post(reverse("classes", args=[section.code]), {"masterpoints": "acbl-club-open"})
    assert ScoringSettings.objects.get().masterpoints == "acbl-club-open"


def give_points_to_a_closed_list(section, by, browser):
    close(section)
    give_points(section, by, browser)


def give_a_handicap_in_a_closed_list(section, by, browser):
    close(section)
    entry = section.entries.order_by("pk").first().pk
    browser.post(reverse("classes", args=[section.code]), {f"handicap-{entry}": "2.5"})
    assert ScoringSettings.objects.get().classes == {str(entry): {"handicap": "2.5"}}


def open_it(section, by, browser):
    publishing.reopen_list(section, by=by)


def open_and_make_final(section, by, browser):
    publishing.reopen_list(section, by=by)
    publishing.make_list_final(section, by=by)


def open_correct_and_make_final(section, by, browser):
    publishing.reopen_list(section, by=by)
    correct_the_score(section, by, browser)
    publishing.make_list_final(section, by=by)


def take_back(section, by, browser):
    publishing.unpublish_results(section, by=by)


def take_back_and_publish(section, by, browser):
    publishing.unpublish_results(section, by=by)
    publishing.publish_results(section, by=by)


def keep_back(section, by, browser):
    later = timezone.now() + datetime.timedelta(days=1)
    ScoringSettings.objects.filter(session=section.session_id).update(embargo_until=later)


AFTER = {
    correct_the_score: Readers(state="Final, revised (1)", is_noted=True, letters=1),
    correct_the_declarer: Readers(letters=1),  # their line of the board names the contract
    correct_twice: Readers(),
    punish: Readers(state="Final, revised (1)", is_noted=True, letters=1),
    punish_and_forgive: Readers(),
    give_points: Readers(),
    give_points_to_a_closed_list: Readers(),
    give_a_handicap_in_a_closed_list: Readers(),
    open_it: Readers(state="Provisional", counts=False),
    open_and_make_final: Readers(),
    open_correct_and_make_final: Readers(state="Final, revised (1)", is_noted=True, letters=1),
    take_back: Readers(status=404, state="", counts=False),
    take_back_and_publish: Readers(),
    keep_back: Readers(status=404, state="", counts=False),
}


@pytest.mark.parametrize("change", AFTER, ids=lambda change: change.__name__)
def test_readers_after_a_late_change(club, alice, client, signed_in, settings, change):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.example.org"
    section = evening(club, alice, "2026-10-06", seed=3, is_final=False)
    reader = _first(section).play.ns.players[0]
    confirmed = timezone.now()
    ResultsSubscription.objects.create(
        person=reader, email="reader@example.org", confirmed_at=confirmed
    )
    publishing.make_list_final(section, by=alice)
    publishing.publish_results(section, by=alice)
    league = Championship.objects.create(
        club=club, name="Winter", of="player", published_at=timezone.now(), least=1
    )
    assert readers_get(client, settings, section, league) == Readers(letters=1)

    change(section, alice, signed_in(alice))

    client.logout()
    assert readers_get(client, settings, section, league) == AFTER[change]


def lines_by_entry(section):
    """Place and percentage of each contestant of the main lists, by the key of the entry."""
    scored = ScoredSession(SessionSnapshot(Section.objects.get(pk=section.pk)))
    return {
        standing.contestant.entry: (standing.place, percent(standing.row.percent))
        for ranking in scored.main_lists
        for standing in ranking.standings
    }


def test_a_revised_list_says_what_its_changed_lines_were_before(club, alice, client):
    section = scored_section(10, "mitchell", rounds=3, club=club, by=alice)
    publishing.make_list_final(section, by=alice)
    publishing.publish_results(section, by=alice)
    token = ScoringSettings.objects.get(session=section.session_id).token
    before = lines_by_entry(section)
    address = reverse("public-results", args=[token])
    assert "before: place" not in client.get(address).content.decode()

    enter_result(section, section.plays.filter(round=1).first().pk, {"score": -990}, by=alice)

    page = " ".join(client.get(address).content.decode().split())
    after = lines_by_entry(section)
    changed = [before[entry] for entry in before if before[entry] != after[entry]]
    said = re.findall(r"before: place (\S+), ([\d.]+) %", page)
    assert 0 < len(changed) < len(before)
    assert sorted(said) == sorted(changed)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (FirstLine("3", 55.95), "place 3, 55.95 %"),
        (FirstLine("", 55.95), "without a place, 55.95 %"),
        (FirstLine("", None), "without a place"),
    ],
)
def test_a_line_without_a_place_says_so(line, text):
    assert first_line_text(line, SimpleNamespace(is_in_points=False)) == text


def test_a_list_made_final_before_lines_were_stored_says_nothing_of_them(
    club, alice, client, signed_in
):
    section = evening(club, alice, "2026-10-06", seed=3, is_final=False)
    publishing.make_list_final(section, by=alice)
    publishing.publish_results(section, by=alice)
    scoring = ScoringSettings.objects.get(session=section.session_id)
    del scoring.first_figures["lines"]
    scoring.save()

    correct_the_score(section, alice, signed_in(alice))

    page = client.get(reverse("public-results", args=[scoring.token])).content.decode()
    assert "revised (1)" in page
    assert "before: place" not in page


def readers_get(client, settings, section, league):
    """Ask for everything that readers may see or be sent."""
    scoring = ScoringSettings.objects.get(session=section.session_id)
    page = client.get(reverse("public-results", args=[scoring.token]))
    states = ("Final, revised (1)", "Final, revised", "Provisional", "Final")
    text = page.content.decode() if page.status_code == 200 else ""
    table = client.get(reverse("public-championship", args=[league.token])).content.decode()
    with smtp(settings) as box, suppress(RetryLater):
        mail_results(str(section.session_id))
    return Readers(
        page.status_code,
        next((state for state in states if state in " ".join(text.split())), ""),
        "Anna North1" in table,
        "was revised" in table,
        len(box.letters),
    )
