"""The guide for the first session, above the desk: four steps that are ticked by events.

It appears at a club's first session, before and during round 1, until the director dismisses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sessions.club_sessions import sessions_scored_here
from bridgebuddy.table_phones.models import TableLastSeen
from bridgebuddy.table_phones.queries.phones import phone_settings_of

#: a cookie that marks this device as used by an experienced director
KNOWN = "knows-the-desk"
LASTS = 400 * 24 * 3600


@dataclass(frozen=True)
class GuideStep:
    """A step of the guide that leads a club through its first sessions: subject, progress and button."""

    title: str
    fact: str
    is_done: bool = False
    press: str = ""
    address: str = ""
    is_beside: bool = False  # opens in its own tab
    is_help: bool = False  # opens beside the desk


def guide_steps(
    request: HttpRequest, section: Section, results: Mapping[int, Any]
) -> list[tuple[GuideStep, str]]:
    """Return the four steps of the guide with their states "done", "now" or ""; empty if none is needed."""
    if KNOWN in request.COOKIES or section.round > 1 or section.is_finished or section.letter:
        return []
    others = sessions_scored_here(section.club).exclude(pk=section.session_id)
    if others.filter(sections__round__gt=0).exists():
        return []
    steps = (
        _first_round_steps(section, results)
        if section.is_started
        else _steps_before_start(request, section)
    )
    now = next((number for number, step in enumerate(steps) if not step.is_done), len(steps))
    return [
        (step, "done" if step.is_done else "now" if number == now else "")
        for number, step in enumerate(steps)
    ]


def _steps_before_start(request: HttpRequest, section: Section) -> list[GuideStep]:
    """Return the steps of the guide before the start: print, phones, room display, round 1."""
    code, tables = section.code, section.stored.tables
    has_printed = f"paper-{code}" in request.COOKIES
    scanned = TableLastSeen.objects.filter(section=section).count()
    has_room = f"room-{code}" in request.COOKIES
    facts = {"scanned": scanned, "tables": tables}
    steps = [
        GuideStep(
            _("Print"),
            _("printed") if has_printed else _("cards for the tables"),
            *(has_printed, _("Print"), reverse("print", args=[code])),
        )
    ]
    if phone_settings_of(section).may_enter:
        heard = _("%(scanned)s of %(tables)s tables have scanned") % facts
        help_ = reverse("help-topic", args=["phones"])
        is_done = scanned >= 1
        steps.append(
            GuideStep(_("Phones"), heard, is_done, _("Show phone help"), help_, is_help=True)
        )
    room = reverse("room-display", args=[code])
    steps += [
        GuideStep(
            _("Room"), _("display on a screen"), has_room, _("Open it"), room, is_beside=True
        ),
        GuideStep(_("Round 1"), _("when all sit")),
    ]
    return steps


def _first_round_steps(section: Section, results: Mapping[int, Any]) -> list[GuideStep]:
    """Return the steps of the guide in round 1: results, a late pair, round 2, the end."""
    boards = [is_in for table in results.values() for is_in in table.boards]
    facts = {"known": sum(boards), "due": len(boards)}
    progress = _("%(known)s of %(due)s are in") % facts if boards else _("as they come in")
    has_all = bool(boards) and all(boards)
    slips = reverse("slips", args=[section.code])
    return [
        GuideStep(_("Results"), progress, has_all, _("Enter a slip"), slips),
        GuideStep(_("Late pair?"), _("button at the side"), has_all),
        GuideStep(_("Round 2"), _("one press")),
        GuideStep(_("End"), _("ranking, print")),
    ]
