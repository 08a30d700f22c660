"""An evening with all that is around it, and a row of the table of services: see guarded.py."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bridgebuddy.clubs.models import Club, Person, User
from bridgebuddy.events.models import Play, Section
from bridgebuddy.seasons.models import Championship

FOUR, FIVE = ({"contract": f"{n}S", "declarer": "N", "tricks": 10} for n in (4, 5))
LATE = datetime.date.today() + datetime.timedelta(weeks=14)

# ── which counters of a section move ──

RESULTS, SHOWN, PLAN = {"results"}, {"shown"}, {"plan", "shown"}


@dataclass
class Scene:
    """A club in the middle of an evening of two sections, with one behind it and one to come, and another club."""

    club: Club
    by: User
    section: Section
    beside: Section
    before: Section
    ahead: Section
    elsewhere: Section
    league: Championship
    said: Play
    unsaid: Play
    ann: Person
    ben: Person

    @property
    def sections(self) -> dict[int, str]:
        """Return the names of its sections, by their keys."""
        names = ("section", "beside", "before", "ahead", "elsewhere")
        return {getattr(self, name).pk: name for name in names}

    @property
    def entry(self) -> int:
        return int(self.said.ns_id)

    @property
    def player(self) -> Person:
        """Return a player of this section who plays nowhere else."""
        return self.section.entries.get(pk=self.entry).players[0]


@dataclass(frozen=True)
class Row:
    """A service with its arguments, its counters by section, its records, and the owners of its rows."""

    service: Callable
    asked: Callable[[Scene], dict[str, Any]]
    counts: dict[str, set[str]] = field(default_factory=dict)
    records: tuple[str, ...] = ()
    touches: frozenset[str] = frozenset()
    #: what it refuses to do to a final list
    refused_when_final: type[Exception] | None = None
    #: what it counts besides, where the list is final
    when_final: dict[str, set[str]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.service.__module__.rpartition('.')[2]}.{self.service.__name__}"


def row(
    service, asked, touches="", *, records="", refused_when_final=None, when_final=None, **counts
):
    return Row(
        service,
        asked,
        counts,
        tuple(records.split()),
        frozenset(touches.split()),
        refused_when_final,
        when_final or {},
    )
