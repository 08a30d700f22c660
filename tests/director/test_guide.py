"""The first evening's guide: steps that tick themselves, and that is gone by itself."""

import pytest
from django.urls import reverse

from bridgebuddy.table_phones.models import TableLastSeen
from tests.factories import section_with
from tests.scoring.test_tonight import enter_by_chance
from tests.table_phones.tapping import with_phones

pytestmark = pytest.mark.django_db


def steps(browser, section):
    """Return the steps of the guide, each with its state."""
    guide = browser.get(reverse("desk", args=[section.code])).context["guide"]
    return [(step.title, state) for step, state in guide]


def test_before_round_1_it_goes_from_paper_to_the_first_round(browser, club, alice):
    section = section_with(8, "howell", club=club, by=alice)
    with_phones(section)

    names = ["Print", "Phones", "Room", "Round 1"]
    assert steps(browser, section) == list(zip(names, ["now", "", "", ""], strict=True))
    browser.cookies[f"paper-{section.code}"] = "1"
    TableLastSeen.objects.create(section=section, table=2, at=section.session.planned_start)
    assert steps(browser, section) == list(zip(names, ["done", "done", "now", ""], strict=True))
    browser.get(reverse("room-display", args=[section.code]))
    assert [state for _, state in steps(browser, section)] == ["done", "done", "done", "now"]


def test_where_results_come_on_slips_no_phones_are_asked_for(browser, club, alice):
    section = section_with(8, "howell", club=club, by=alice)

    assert [name for name, _ in steps(browser, section)] == ["Print", "Room", "Round 1"]


def test_in_round_1_it_counts_results_and_leads_on(browser, club, alice):
    section = section_with(8, "howell", round=1, club=club, by=alice)

    assert steps(browser, section)[0] == ("Results", "now")
    enter_by_chance(section)
    assert steps(browser, section)[2] == ("Round 2", "now")


def test_it_is_gone_in_round_2_on_the_second_evening_and_when_somebody_knows_it(
    browser, club, alice
):
    first = section_with(8, "howell", round=2, club=club, by=alice)
    second = section_with(8, "howell", club=club, by=alice)
    assert steps(browser, first) == steps(browser, second) == []

    second.session.event.sessions.exclude(pk=second.session_id).delete()
    assert steps(browser, second)
    browser.post(reverse("guide-known", args=[second.code]))
    assert steps(browser, second) == []
