"""Searches use a processor for seconds, so they are limited: one for each section, and few in all.

A request for a running search gets its result, if it is ready soon.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.core.cache import cache

from bridgebuddy.events.errors import StillSearching
from bridgebuddy.events.models import Section
from movements.engine.changes import Proposal, Rebuild
from movements.engine.model import Movement
from movements.search_process import LONGEST, searched_proposals

REMEMBERED = 15 * 60  # seconds
MOST_AT_ONCE = 3
PATIENCE, PAUSE = 4.0, 0.2  # seconds
#: seconds after which a search is over, even if the requesting process died
OVER = LONGEST + 10


def found_by_search(
    section: Section, movement: Movement, change: Rebuild, sizes: Mapping[str, int]
) -> list[Proposal]:
    """Return the proposals of the exhaustive search for a section's change, cached until its plan changes.

    Raises `StillSearching` while the section, or too many others, are being searched.
    """
    digest = hashlib.sha256(repr(change).encode()).hexdigest()[:16]
    key = f"search-{section.pk}-{section.plan}-{digest}"
    proposals_found: list[Proposal] | None = cache.get(key)
    until = time.monotonic() + PATIENCE
    while proposals_found is None:
        with _reserve_search(section) as is_ours:
            if is_ours:
                proposals_found = searched_proposals(movement, section.round, change, sizes)
                cache.set(key, proposals_found, REMEMBERED)
                break
        if time.monotonic() >= until:
            raise StillSearching()
        time.sleep(PAUSE)
        proposals_found = cache.get(key)
    return proposals_found


@contextmanager
def _reserve_search(section: Section) -> Iterator[bool]:
    """Reserve the section's only search, and one of the server's; yield whether both were free."""
    held = [key for key in [f"searching-{section.pk}"] if cache.add(key, True, OVER)]
    places = (f"search-place-{number}" for number in range(MOST_AT_ONCE))
    if held and (place := next((key for key in places if cache.add(key, True, OVER)), "")):
        held.append(place)
    try:
        yield len(held) == 2
    finally:
        cache.delete_many(held)
