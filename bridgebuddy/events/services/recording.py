"""A change is counted, saved and recorded by one call, so that none of the three is forgotten."""

from __future__ import annotations

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section


def record_plan_change(
    section: Section, action: str, *, by: User | None, reason: str = "", **facts: object
) -> None:
    """Increase the section's counters of plan and visible changes, save it, and add an audit record.

    The record includes the resulting plan, so that later changes can be found.
    """
    section.count_plan_change()
    add_record(action, section, by=by, reason=reason, plan=section.plan, **facts)


def record_visible_change(
    section: Section, action: str, *, by: User | None, **facts: object
) -> None:
    """Increase the section's counter of visible changes only, save it, and add an audit record."""
    section.touch()
    add_record(action, section, by=by, reason="", **facts)
