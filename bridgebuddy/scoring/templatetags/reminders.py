"""The director's reminder to a slow table, on the phones of its players."""

from __future__ import annotations

from typing import Any

from django import template

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan_cache import cached_for_section

from ..models import TableReminder

register = template.Library()


@register.inclusion_tag("results/reminder.html")
def reminder(section: Section, table: int | str | None) -> dict[str, Any]:
    """Return the director's reminder to a table in the current round, for its phones."""
    if not section.is_running or not table:
        return {"reminder": None}
    return {
        "reminder": cached_for_section(section, "reminders", lambda: _reminders(section)).get(
            int(table)
        )
    }


def _reminders(section: Section) -> dict[int, TableReminder]:
    """Return the director's reminders in the current round, by table."""
    reminders_of_round = TableReminder.objects.filter(section=section, round=section.round)
    return {call.table: call for call in reminders_of_round}
