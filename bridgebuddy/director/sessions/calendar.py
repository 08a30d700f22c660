"""A month of a club's sessions in a calendar: weeks of days."""

from __future__ import annotations

from calendar import Calendar
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import timezone
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.queries.sessions.club_sessions import session_days

#: the limits of the calendar
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2199, 12, 31)


@dataclass(frozen=True)
class CalendarDay:
    """A day of the month in the calendar of sessions, and whether its session was played."""

    date: date
    has_session: bool
    is_played: bool
    is_today: bool

    @property
    def css(self) -> str:
        """Return the CSS classes of the day."""
        names = [("was", self.is_played), ("today", self.is_today)]
        return " ".join(name for name, holds in names if holds)


class CalendarMonth:
    """A month in the calendar of sessions; days of other months are `None`."""

    def __init__(self, club: Club, first_day: date) -> None:
        self.first = first_day
        self.before = (first_day - timedelta(days=1)).replace(day=1)
        self.after = (first_day + timedelta(days=31)).replace(day=1)
        self.weekdays = [(WEEKDAYS_ABBR[day], WEEKDAYS[day]) for day in range(7)]
        today, days = timezone.localdate(), session_days(club, first_day)
        self.weeks = [
            [
                CalendarDay(day, day in days, days.get(day, False), day == today)
                if day.month == first_day.month
                else None
                for day in week
            ]
            for week in Calendar().monthdatescalendar(first_day.year, first_day.month)
        ]


def requested_month(text: str, otherwise: date) -> date:
    """Return the first day of the month in a query parameter ("2026-11"), else of `otherwise`."""
    try:
        day = date.fromisoformat(f"{text}-01")
    except ValueError:
        day = otherwise
    return max(FIRST_DAY, min(day, LAST_DAY)).replace(day=1)


def requested_day(text: str) -> date | None:
    """Return the date in a query parameter ("2026-11-22"), or None."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
