"""Searches take a processor for seconds: one at a time for a section, and few at once in all.

Who asks for one that is under way gets what it finds, if that is soon.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.core.cache import cache

from movements.engine.changes import Proposal, Rebuild
from movements.engine.model import Movement
from movements.searching import LONGEST, searched

from ..errors import StillSearching
from ..models import Section

REMEMBERED = 15 * 60  # seconds
MOST_AT_ONCE = 3
PATIENCE, PAUSE = 4.0, 0.2  # seconds
#: after so many seconds a search is over, even if the process that asked for it died
OVER = LONGEST + 10


def found_by_search(
    section: Section, movement: Movement, change: Rebuild, sizes: Mapping[str, int]
) -> list[Proposal]:
    """Return what the search finds for a section's evening, remembered as long as its plan is one.

    Raises `StillSearching` while the section, or too many others, are being searched.
    """
    asked = hashlib.sha256(repr(change).encode()).hexdigest()[:16]
    key = f"search-{section.pk}-{section.plan}-{asked}"
    found: list[Proposal] | None = cache.get(key)
    until = time.monotonic() + PATIENCE
    while found is None:
        with _turn(section) as is_ours:
            if is_ours:
                found = searched(movement, section.round, change, sizes)
                cache.set(key, found, REMEMBERED)
                break
        if time.monotonic() >= until:
            raise StillSearching()
        time.sleep(PAUSE)
        found = cache.get(key)
    return found


@contextmanager
def _turn(section: Section) -> Iterator[bool]:
    """Hold the section's turn to search, and one of the places there are for searches."""
    held = [key for key in [f"searching-{section.pk}"] if cache.add(key, True, OVER)]
    places = (f"search-place-{number}" for number in range(MOST_AT_ONCE))
    if held and (place := next((key for key in places if cache.add(key, True, OVER)), "")):
        held.append(place)
    try:
        yield len(held) == 2
    finally:
        cache.delete_many(held)
