"""The list of pairs while rounds are played: who came late, has left, waits; names still change."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.play import changes
from tests.director.reading import LATE, alerts_on, decide
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice, browser):
    """Round 1: a pair came late and plays as rover, EW 1 has left, another came and waits."""
    section = section_with(16, "skip-mitchell", round=1, club=club, by=alice)
    decide(browser, section, "late", **LATE)
    leaving = SessionEvening(now(section)).contestants[10]
    decide(browser, now(section), "leaves", contestant=leaving.number)
    decide(browser, now(section), "late", first="Ida Paul", second="Tom Paul")
    return changes.undo_change(now(section), plan=now(section).plan, by=alice)


def now(section):
    return Section.objects.get(pk=section.pk)


def listed(browser, section):
    """The lines below the seats of round 1."""
    page = browser.get(reverse("entries", args=[section.code])).content.decode()
    lines = re.findall(r'<span class="item numbered wide">(.*?)</li>', page, re.S)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", line)).strip() for line in lines]


def test_who_came_late_has_left_or_waits_is_listed_with_the_round(browser, section):
    assert listed(browser, section) == [
        "EW 1 Anna North2 &amp; Bob South2 left after round 1 Change Anna North2 &amp; Bob South2",
        "NS 9 Eve Engel &amp; Max O’Reid from round 2 Change Eve Engel &amp; Max O’Reid",
        "– Ida &amp; Tom Paul waits for a seat Change Ida &amp; Tom Paul",
    ]


def test_as_long_as_nobody_came_or_left_there_is_no_such_list(browser, skip_section):
    assert listed(browser, skip_section) == []


@pytest.mark.parametrize("names", ["Eve Engel & Max O’Reid", "Anna North2 & Bob South2"])
def test_names_of_late_and_left_pairs_are_corrected_and_nothing_else(browser, section, names):
    entry = next(entry for entry in section.entries.all() if entry.names == names)
    seat = (entry.contestant, entry.first_round, entry.left_after)

    answer = browser.post(
        reverse("edit-pair", args=[section.code, entry.pk]),
        {"first": "Eva Engel-O'Hara", "second": "<b>Max</b> Reid", "must_stay_seated": "on"},
    )

    assert answer.status_code == 302
    entry = section.entries.get(pk=entry.pk)
    assert entry.names == "Eva Engel-O'Hara & <b>Max</b> Reid"
    assert (entry.contestant, entry.first_round, entry.left_after) == seat
    assert now(section).movement_id == section.movement_id


def test_a_substitute_who_is_playing_already_is_refused(browser, section):
    entry = section.entries.get(contestant=None)
    answers = {"first": "Eve Engel", "second": "Tom Paul"}

    answer = browser.post(reverse("edit-pair", args=[section.code, entry.pk]), answers)

    assert answer.status_code == 422
    assert alerts_on(answer) == ["Eve Engel is on the list already."]


def test_a_new_name_outlives_undo(browser, section, alice):
    entry = section.entries.get(first_round=2)
    names = {"first": "Eva Engel", "second": "Max O’Reid"}
    browser.post(reverse("edit-pair", args=[section.code, entry.pk]), names)

    changes.undo_change(now(section), plan=now(section).plan, by=alice)

    assert section.entries.get(pk=entry.pk).names == "Eva Engel & Max O’Reid"
    assert section.entries.filter(left_after__isnull=False).count() == 0
