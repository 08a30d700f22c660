"""The director's word to a slow table, on the phones of those who sit there."""

from __future__ import annotations

from typing import Any

from django import template

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.kept import kept

from ..models import Reminder

register = template.Library()


@register.inclusion_tag("results/reminder.html")
def reminder(section: Section, table: int | str | None) -> dict[str, Any]:
    """Show that the director asks a table to go on, in the round in which that was."""
    if not section.is_running or not table:
        return {"reminder": None}
    return {"reminder": kept(section, "reminders", lambda: _reminders(section)).get(int(table))}


def _reminders(section: Section) -> dict[int, Reminder]:
    """Those of the round that is played, by table."""
    found = Reminder.objects.filter(section=section, round=section.round)
    return {call.table: call for call in found}
