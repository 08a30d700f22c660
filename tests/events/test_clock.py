"""Begin and end of rounds: as planned, with the break, and by the clock."""

from datetime import timedelta

import pytest
from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.clock import SectionClock
from bridgebuddy.events.services.play import rounds
from tests.factories import section_with

pytestmark = pytest.mark.django_db

ROUND, BREAK = timedelta(minutes=21), timedelta(minutes=20)


def clock_time(moment) -> str:
    return timezone.localtime(moment).strftime("%H:%M")


def with_break(section: Section, after: int) -> Section:
    section.break_after, section.break_minutes = after, 20
    section.save()
    return section


def test_rounds_are_planned_one_after_the_other_with_the_break_between(club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)
    assert [clock_time(SectionClock(section).planned_beginning(round)) for round in (1, 4, 8)] == [
        "19:00",
        "20:03",
        "21:27",
    ]

    with_break(section, after=3)

    planned = [clock_time(SectionClock(section).planned_beginning(round)) for round in (1, 3, 4, 8)]
    assert planned == ["19:00", "19:42", "20:23", "21:47"]


def test_after_the_last_round_there_is_no_break(club, alice):
    section = with_break(section_with(16, "skip-mitchell", club=club, by=alice), after=7)

    assert clock_time(SectionClock(section).planned_beginning(8)) == "21:27"


def test_before_the_start_rounds_begin_as_planned(club, alice):
    section = with_break(section_with(16, "skip-mitchell", club=club, by=alice), after=3)

    clock = SectionClock(section)

    assert [clock.expected_beginning(round) for round in range(1, 9)] == [
        clock.planned_beginning(round) for round in range(1, 9)
    ]
    assert clock.next_round_at is None


def test_once_rounds_are_played_they_follow_the_clock(skip_section):
    section = with_break(skip_section, after=5)
    ends = section.clock_ends_at

    clock = SectionClock(section)

    assert [clock.expected_beginning(round) for round in (5, 6, 7, 8)] == [
        ends,
        ends + ROUND + BREAK,
        ends + 2 * ROUND + BREAK,
        ends + 3 * ROUND + BREAK,
    ]
    assert clock.next_round_at == ends


def test_a_break_that_is_over_delays_nothing_more(skip_section):
    section = with_break(skip_section, after=3)

    assert SectionClock(section).expected_beginning(5) == section.clock_ends_at


def test_of_a_stopped_clock_nobody_knows_when_a_round_begins(skip_section, alice):
    section = rounds.pause_clock(skip_section, by=alice)

    assert (SectionClock(section).expected_beginning(5), SectionClock(section).next_round_at) == (
        None,
        None,
    )
