"""Cached values of a section.

A page reads its section first, in the snapshot of everything else. Every visible change increases `shown`. So a
cached value is valid for all pages with the same rows of section, session, event and club, apart from the number of
results. Names depend on the reader's language and the club, and public data is cached separately. Decision 0021.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from django.utils.translation import get_language

from bridgebuddy.clubs.people.public_names import reads_for_public
from bridgebuddy.events.models import Section
from bridgebuddy.operations.caching import cached
from movements.words.numbers import uses_hundreds

from .plan.evening_plan import SectionPlan
from .states import section_state

Value = TypeVar("Value")


def cached_for_section(
    section: Section,
    kind: str,
    build: Callable[[], Value],
    *more: Hashable,
    with_results: bool = False,
) -> Value:
    """Return a value from the cache that depends on the section's present state, or build it and cache it.

    `more` completes the key. The value may depend on the section's data only, not on the user or the time. Use it only
    within a snapshot, and never in a service. Pass `with_results` for values that depend on results.
    """
    key = (kind, section.pk, get_language(), uses_hundreds(), reads_for_public(), *more)
    return cached(key, section_state(section, with_results=with_results), build)


def kept_plan(section: Section) -> SectionPlan:
    """Return a section's plan from the cache, and give the section the plan's movements to save queries."""
    plan = cached_for_section(section, "plan", lambda: _whole_plan(section))
    if (
        plan.section is not section and plan.section.movement_id
    ):  # data read for them is not read again
        section.movement = plan.section.movement
        section.unswitched = plan.section.unswitched
    return plan


def _whole_plan(section: Section) -> SectionPlan:
    """Return a section's plan with all its data read, because later readers are in other transactions."""
    plan = SectionPlan.of(section)
    for evening in (plan.drawn, plan.evening):
        _ = evening.entries, evening.contestants, evening.games
    _ = plan.versions, plan.lending
    return plan
