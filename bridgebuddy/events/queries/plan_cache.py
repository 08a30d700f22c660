"""A cache of a section's derived data: in the process's memory, and shared with other processes.

A page reads its section first, in the snapshot of everything else. Every visible change increases `shown`. So a
cached value is valid for all pages with the same rows of section, session, event and club, apart from the number of
results. Names depend on the reader's language and the club, and public data is cached separately. Decision 0021.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from threading import Lock, RLock
from typing import Any, TypeVar, cast

from django.db import connection, models
from django.utils.translation import get_language

from bridgebuddy.clubs.public_names import is_public
from bridgebuddy.events.models import Section
from bridgebuddy.operations import process_cache
from movements.words.numbers import are_in_hundreds

from .plan import SectionPlan

#: fields that grow with every result, without effect on the cached plan
NOT_SHOWN = ("results",)

Value = TypeVar("Value")
Where = tuple[object, ...]


@dataclass
class _InOneState:
    """The cached values of an object in one state."""

    state: str
    values: dict[str, Any] = field(default_factory=dict)
    #: if two threads ask for the same plan, one computes it and the other waits
    lock: Any = field(default_factory=RLock)


class PlanCache:
    """A cache in a process for a number of objects, each in its latest state.

    Values that are not `shared` stay in this process, because calculating them is faster than reading them.
    """

    def __init__(self, most: int, *, is_shared: bool = True) -> None:
        self.most, self.is_shared = most, is_shared
        self._kept: OrderedDict[Where, _InOneState] = OrderedDict()
        self._lock = Lock()

    def value(self, where: Where, state: str, what: str, work_out: Callable[[], Value]) -> Value:
        """Return the value from this process, from another process, or from `work_out`, and store it for all."""
        where = (connection.settings_dict["NAME"], *where)
        state_values = self._cached_state(where, state)
        with state_values.lock:
            if what not in state_values.values:
                key = f"{where} {what} {state}" if self.is_shared else ""
                state_values.values[what] = _load_shared_value(key, work_out) if key else work_out()
            return cast(Value, state_values.values[what])

    def _cached_state(self, where: Where, state: str) -> _InOneState:
        with self._lock:
            state_kept = self._kept.get(where)
            if state_kept is None or state_kept.state != state:
                state_kept = self._kept[where] = _InOneState(state)
            self._kept.move_to_end(where)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return state_kept

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Empty the cache, as at the start of a process."""
        with self._lock:
            self._kept.clear()


def _load_shared_value(key: str, work_out: Callable[[], Value]) -> Value:
    value = process_cache.load_value(key)
    if value is process_cache.NOTHING:
        value = work_out()
        process_cache.store_value(key, value)
    return cast(Value, value)


#: most sections and forms, some hundred kilobytes each
memory = PlanCache(64)


def cached_for_section(
    section: Section, what: str, work_out: Callable[[], Value], *, with_results: bool = False
) -> Value:
    """Return a value calculated from a section in its present state, or calculate it.

    Pages share the value, so they must not change it. It may depend on the section's data only, not on the user or
    the time. Use it only within a snapshot, and never in a service. Pass `with_results` for values that depend on
    results; they are cached separately.
    """
    where = (section.pk, get_language(), are_in_hundreds(), is_public(), with_results)
    without = () if with_results else NOT_SHOWN
    return memory.value(where, state_of(section, without=without), what, work_out)


def kept_plan(section: Section) -> SectionPlan:
    """Return a section's cached plan, with its own snapshot of the clock. The section gets the same movements."""
    plan = cached_for_section(section, "plan", lambda: _whole_plan(section))
    if (
        plan.section is not section and plan.section.movement_id
    ):  # data read for them is not read again
        section.movement = plan.section.movement
        section.unswitched = plan.section.unswitched
    return plan


def _whole_plan(section: Section) -> SectionPlan:
    """Read all of a plan at once, because later readers are in snapshots of their own."""
    plan = SectionPlan.of(section)
    for evening in (plan.drawn, plan.evening):
        _ = evening.entries, evening.contestants, evening.games
    _ = plan.versions, plan.lending
    return plan


def state_of(section: Section, *, without: Collection[str] = NOT_SHOWN) -> str:
    """Return the values read with a section as text, apart from some of its columns."""
    session = section.session
    rows = (section, session, session.event, section.club)
    return repr([*(columns_of(row, without) for row in rows), section.letter])


def columns_of(row: models.Model, without: Collection[str] = ()) -> list[object]:
    """Return the values read of a row."""
    columns = (column.attname for column in row._meta.concrete_fields)
    return [row.__dict__.get(name) for name in columns if name not in without]
