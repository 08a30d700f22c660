"""What a section shows, worked out once for all its phones: each process keeps it for the state it was read in.

A page reads its section first, in the moment of which everything else it shows is. Whatever is shown otherwise counts
`shown`, so what has been worked out holds for every page that has read the same section: all that stands in its row
and in those of its session, event and club, but for how many results there are. Names are as the reader's language and
club write them, and what everybody may read is kept apart. Decision 0021.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar, cast

from django.db import connection, models
from django.utils.translation import get_language

from bridgebuddy.clubs.public_names import is_public
from movements.words.numbers import are_in_hundreds

from ..models import Section
from .plan import Plan

#: sections and ways to write them that a process keeps, some hundred kilobytes each
MOST = 64
#: what grows with every result, and changes nothing that is kept
NOT_SHOWN = "results"

Value = TypeVar("Value")


@dataclass
class _Kept:
    """What has been worked out of a section in one state."""

    state: str
    values: dict[str, Any] = field(default_factory=dict)


_kept: OrderedDict[tuple[object, ...], _Kept] = OrderedDict()
_lock = Lock()


def kept(section: Section, what: str, work_out: Callable[[], Value]) -> Value:
    """Return what somebody has worked out of a section since it was last changed, or work it out.

    It is shared by pages, which must not change it, and must depend on nothing but the section as it was read:
    not on who asks, and not on the time. Ask only where a page is of one moment, and never in a service.
    """
    mine = _of(section)
    if what not in mine.values:
        mine.values[what] = work_out()
    return cast(Value, mine.values[what])


def kept_plan(section: Section) -> Plan:
    """Return a section's plan; its clock is that of another moment. The section has the same movements then."""
    plan = kept(section, "plan", lambda: _whole_plan(section))
    if (
        plan.section is not section and plan.section.movement_id
    ):  # what was read of them is not read again
        section.movement = plan.section.movement
        section.unswitched = plan.section.unswitched
    return plan


def _whole_plan(section: Section) -> Plan:
    """Read all of a plan now: who asks it later is in a moment of their own."""
    plan = Plan.of(section)
    for evening in (plan.drawn, plan.evening):
        _ = evening.entries, evening.contestants, evening.games
    _ = plan.versions
    return plan


def _of(section: Section) -> _Kept:
    """Return what is kept of a section as it was read; nothing yet where it was kept in another state."""
    where = (
        connection.settings_dict["NAME"],
        section.pk,
        get_language(),
        are_in_hundreds(),
        is_public(),
    )
    state = _state(section)
    with _lock:
        found = _kept.get(where)
        if found is None or found.state != state:
            found = _kept[where] = _Kept(state)
        _kept.move_to_end(where)
        while len(_kept) > MOST:
            _kept.popitem(last=False)
    return found


def _state(section: Section) -> str:
    """Write down all that was read with a section."""
    session = section.session
    rows: tuple[models.Model, ...] = (section, session, session.event, section.club)
    return repr(
        [
            [
                row.__dict__.get(column.attname)
                for column in row._meta.concrete_fields
                if column.attname != NOT_SHOWN
            ]
            for row in rows
        ]
        + [section.letter]
    )
