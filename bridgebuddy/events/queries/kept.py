"""What a section shows, worked out once for all its phones: kept in the memory of a process, and left for the others.

A page reads its section first, in the moment of which everything else it shows is. Whatever is shown otherwise counts
`shown`, so what has been worked out holds for every page that has read the same section: all that stands in its row
and in those of its session, event and club, but for how many results there are. Names are as the reader's language and
club write them, and what everybody may read is kept apart. Decision 0021.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from threading import Lock, RLock
from typing import Any, TypeVar, cast

from django.db import connection, models
from django.utils.translation import get_language

from bridgebuddy import shared
from bridgebuddy.clubs.public_names import is_public
from movements.words.numbers import are_in_hundreds

from ..models import Section
from .plan import Plan

#: what grows with every result, and changes nothing that is kept of a section
NOT_SHOWN = ("results",)

Value = TypeVar("Value")
Where = tuple[object, ...]


@dataclass
class _InOneState:
    """What has been worked out of something in one state."""

    state: str
    values: dict[str, Any] = field(default_factory=dict)
    #: of two threads that ask for the same one works it out, and the other waits
    lock: Any = field(default_factory=RLock)


class Memory:
    """What a process keeps of so many things, of each in the state it was asked for last.

    What is not `shared` stays in this process: it is worked out sooner than it would be read.
    """

    def __init__(self, most: int, *, is_shared: bool = True) -> None:
        self.most, self.is_shared = most, is_shared
        self._kept: OrderedDict[Where, _InOneState] = OrderedDict()
        self._lock = Lock()

    def value(self, where: Where, state: str, what: str, work_out: Callable[[], Value]) -> Value:
        """Return what this process has kept, or another one has left, or what is worked out for all of them."""
        where = (connection.settings_dict["NAME"], *where)
        mine = self._of(where, state)
        with mine.lock:
            if what not in mine.values:
                key = f"{where} {what} {state}" if self.is_shared else ""
                mine.values[what] = _from_others(key, work_out) if key else work_out()
            return cast(Value, mine.values[what])

    def _of(self, where: Where, state: str) -> _InOneState:
        with self._lock:
            found = self._kept.get(where)
            if found is None or found.state != state:
                found = self._kept[where] = _InOneState(state)
            self._kept.move_to_end(where)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return found

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Know nothing, as a process that begins."""
        with self._lock:
            self._kept.clear()


def _from_others(key: str, work_out: Callable[[], Value]) -> Value:
    found = shared.fetched(key)
    if found is shared.NOTHING:
        found = work_out()
        shared.left(key, found)
    return cast(Value, found)


#: sections and ways to write them, some hundred kilobytes each
memory = Memory(64)


def kept(
    section: Section, what: str, work_out: Callable[[], Value], *, with_results: bool = False
) -> Value:
    """Return what somebody has worked out of a section since it was last changed, or work it out.

    It is shared by pages, which must not change it, and must depend on nothing but the section as it was read:
    not on who asks, and not on the time. Ask only where a page is of one moment, and never in a service. What depends
    on results too is kept `with_results`, apart.
    """
    where = (section.pk, get_language(), are_in_hundreds(), is_public(), with_results)
    without = () if with_results else NOT_SHOWN
    return memory.value(where, state_of(section, without=without), what, work_out)


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


def state_of(section: Section, *, without: Collection[str] = NOT_SHOWN) -> str:
    """Write down all that was read with a section, but for some of its columns."""
    session = section.session
    rows = (section, session, session.event, section.club)
    return repr([*(columns_of(row, without) for row in rows), section.letter])


def columns_of(row: models.Model, without: Collection[str] = ()) -> list[object]:
    """Return what was read of a row."""
    columns = (column.attname for column in row._meta.concrete_fields)
    return [row.__dict__.get(name) for name in columns if name not in without]
