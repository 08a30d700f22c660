"""One change: counted, saved and recorded together, so that none of the three is forgotten."""

from __future__ import annotations

from bridgebuddy.audit.services import record
from bridgebuddy.clubs.models import User

from ..models import Section


def note_decision(
    section: Section, action: str, *, by: User | None, reason: str = "", **facts: object
) -> None:
    """Save a section in which something has changed that decisions depend on, and record it.

    The record says which plan came of it, so that it can be told what has happened since another.
    """
    section.replan()
    record(action, section, by=by, reason=reason, plan=section.plan, **facts)


def note_shown(section: Section, action: str, *, by: User | None, **facts: object) -> None:
    """Save a section in which something has changed that is only shown, and record it."""
    section.touch()
    record(action, section, by=by, reason="", **facts)
