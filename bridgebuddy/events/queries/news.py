"""What live changes have made different since a director last looked."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from movements.engine.boards import boards_of
from movements.models import SeatingRow, StoredMovement

from ..models import Section
from .evening import rows_of

#: what stands on a table's tile in a round; comparable, and nothing else
Fact = tuple[Any, ...]


@dataclass(frozen=True)
class News:
    """The tables whose rounds to come are not those of a version any more."""

    since: int  # the version of the movement that was seen last
    now: int  # the present one
    from_round: int  # the first round that is different
    tables: tuple[int, ...]  # none where only the number of rounds is another one
    last_round: int = 0  # where the session has another number of rounds now


def news_since(section: Section, seen: int) -> News | None:
    """Return what is different in the rounds that are being played and to come; None if nothing.

    `seen` is a version of the section's movement. One query as long as there has been no other.
    """
    versions = dict(section.movements.values_list("version", "movement_id"))
    now = max(versions, default=0)
    if section.movement is None or versions.get(seen, section.movement_id) == section.movement_id:
        return None
    before = StoredMovement.objects.defer("document").get(pk=versions[seen])
    old, new = _facts(before), _facts(section.movement)
    first = max(section.round, 1)
    different = [
        (round, table)
        for round, table in sorted(old.keys() | new.keys())
        if first <= round <= section.movement.rounds
        and old.get((round, table)) != new.get((round, table))
    ]
    last_round = 0 if before.rounds == section.movement.rounds else section.movement.rounds
    if not different and not last_round:
        return None
    from_round = different[0][0] if different else last_round + 1
    tables = tuple(sorted({table for _round, table in different}))
    return News(seen, now, from_round, tables, last_round)


def _facts(stored: StoredMovement) -> dict[tuple[int, int], list[Fact]]:
    """Everything about a table in a round, by both."""
    found: defaultdict[tuple[int, int], list[Fact]] = defaultdict(list)
    for row in rows_of(stored.pk):
        found[row.round, row.table].append(
            (_labels(stored, row), boards_of(tuple(row.sets.split()), stored.numbers))
        )
    return found


def _labels(stored: StoredMovement, row: SeatingRow) -> Fact:
    """Who sits there, by labels: their numbers change when a contestant joins."""
    people = (row.ns, row.ns2, row.ew, row.ew2)
    return tuple(number and stored.labels.label(number) for number in people)
