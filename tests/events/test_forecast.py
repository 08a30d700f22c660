"""Forecast of the end of tonight from its pace so far."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.forecast import expected_end
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.services.play.changes import change_options, take_proposal
from movements.engine.changes import LengthChanges
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def now(monkeypatch):
    """Let it be a time, and later ones."""

    class Clock:
        at = timezone.now()

        def __call__(self) -> datetime:
            return self.at

    clock = Clock()
    monkeypatch.setattr("django.utils.timezone.now", clock)
    return clock


def after_rounds(club, alice, minutes, *, break_after=None):
    """Return an evening of 7 rounds of 3 boards in which rounds so far took so many minutes."""
    section = section_with(
        14, "mitchell", round=len(minutes) + 1, boards_per_round=3, club=club, by=alice
    )
    at = section.session.planned_start
    section.clocks_before = {}
    section.break_after, section.break_minutes = break_after, 20 if break_after else 0
    for round, took in enumerate(minutes, start=1):
        section.clocks_before[str(round)] = [at.isoformat(), 0, False]
        at += timedelta(minutes=took)
    section.round_started_at, section.clock_left = at, None
    section.clock_ends_at = at + timedelta(minutes=21)
    section.save()
    return section


def forecast_of(section):
    section = Section.objects.get(pk=section.pk)
    return expected_end(section, SessionEvening(section).games, SectionPlan.of(section).versions)


def minutes_after(section, found):
    return round((found.ends_at - section.session.planned_start).total_seconds() / 60)


def test_an_evening_that_goes_as_planned_ends_as_planned(club, alice, now):
    section = after_rounds(club, alice, [21, 21, 21])
    now.at = section.round_started_at

    forecast = forecast_of(section)

    assert minutes_after(section, forecast) == 7 * 21
    assert forecast.late == 0


def test_slow_rounds_are_told_before_it_is_late(club, alice, now):
    section = after_rounds(club, alice, [26, 26])
    now.at = section.round_started_at

    forecast = forecast_of(section)

    assert minutes_after(section, forecast) == 7 * 26
    assert forecast.late == 35


def test_one_long_round_is_no_pace(club, alice, now):
    section = after_rounds(club, alice, [21, 60, 21])
    now.at = section.round_started_at

    assert forecast_of(section).late == 39


def test_a_break_does_not_count_as_pace_and_is_added_where_it_is_to_come(club, alice, now):
    past = after_rounds(club, alice, [21, 41, 21], break_after=2)
    now.at = past.round_started_at
    assert (minutes_after(past, forecast_of(past)), forecast_of(past).late) == (7 * 21 + 20, 0)

    past.break_after = 5
    past.clocks_before["3"][0] = (past.round_started_at - timedelta(minutes=21)).isoformat()
    past.clocks_before["2"][0] = (past.round_started_at - timedelta(minutes=42)).isoformat()
    past.clocks_before["1"][0] = (past.round_started_at - timedelta(minutes=63)).isoformat()
    past.save()
    forecast = forecast_of(past)
    assert forecast.ends_at - past.round_started_at == timedelta(minutes=4 * 21 + 20)


def test_after_one_round_nothing_is_told(club, alice, now):
    assert forecast_of(after_rounds(club, alice, [26])) is None


def test_with_a_stopped_clock_or_before_the_start_nothing_is_told(club, alice, now):
    section = after_rounds(club, alice, [26, 26])
    section.clock_left = timedelta(minutes=3)
    section.save()

    assert forecast_of(section) is None
    assert forecast_of(section_with(8, "howell", club=club, by=alice)) is None


def test_a_round_that_lasts_moves_the_end(club, alice, now):
    section = after_rounds(club, alice, [21, 21])
    now.at = section.round_started_at + timedelta(minutes=40)

    assert forecast_of(section).late == 19


def test_with_fewer_rounds_it_is_late_no_more(club, alice, now):
    """The forecast compares with the plan at the start of the evening."""
    section = after_rounds(club, alice, [26, 26])
    now.at = section.round_started_at
    change = LengthChanges(5)
    way = change_options(section, change)[0]

    take_proposal(section, way, change, plan=section.plan, by=alice, reason="late")

    assert forecast_of(section).late == 0


def test_it_asks_the_database_nothing(club, alice, now, django_assert_num_queries):
    section = Section.objects.get(pk=after_rounds(club, alice, [26, 26]).pk)
    plan = SectionPlan.of(section)
    games, versions = plan.evening.games, plan.versions
    _ = section.round_length, section.session.event.club

    with django_assert_num_queries(0):
        expected_end(section, games, versions)
