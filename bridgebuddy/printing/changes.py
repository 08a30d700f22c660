"""What differs between two versions of a section's movement: the cards to print again."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.home_tables import is_draw, tables_of
from movements.engine.boards import boards_of
from movements.models import SeatingRow, StoredMovement

#: what somebody reads off one line of a card; comparable, and nothing else
Fact = tuple[Any, ...]


class NoSuchVersion(LookupError):
    """The section's movement never had this version."""


@dataclass(frozen=True)
class Changes:
    """Whose sheets are no longer right: tables, contestants by their present numbers, boards."""

    tables: frozenset[int] = frozenset()
    contestants: frozenset[int] = frozenset()
    boards: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.tables or self.contestants or self.boards)


def changed_since(section: Section, version: int) -> Changes:
    """Return whose cards differ between a version of the section's movement and the present one.

    Contestants are compared by their labels: a pair that joins North-South gives every East-West
    pair another number inside the movement, and no other place. What was played before the first
    change is not compared; the last round before it is, on table cards, since those say where
    everybody goes next. Raises `NoSuchVersion`.
    """
    versions = {one.version: one for one in section.movements.select_related("movement")}
    if version not in versions or section.movement is None:
        raise NoSuchVersion(version)
    before, now = versions[version].movement, section.movement
    if before.pk == now.pk:
        return Changes()
    if is_draw(now):  # its triangles are in no row, and a match concerns all tables of its teams
        return Changes(
            tables=frozenset(range(1, tables_of(now) + 1)),
            contestants=frozenset(now.labels.contestants),
        )
    first = min(one.from_round for one in versions.values() if one.version > version)
    old, new = _Facts(before), _Facts(now)
    number_of = {now.labels.label(number): number for number in now.labels.contestants}
    return Changes(
        tables=frozenset(
            table
            for table in range(1, now.tables + 1)
            if old.of_table(table, first - 1) != new.of_table(table, first - 1)
        ),
        contestants=frozenset(
            number
            for label, number in number_of.items()
            if old.of_contestant(label, first) != new.of_contestant(label, first)
        ),
        boards=frozenset(board for board in new.boards if old.boards[board] != new.boards[board]),
    )


class _Facts:
    """One version of a movement, as its cards say it."""

    def __init__(self, stored: StoredMovement) -> None:
        self.stored = stored
        self.rows = list(SeatingRow.objects.filter(movement=stored))
        self.seats: defaultdict[str, list[Fact]] = defaultdict(list)
        self.sets: defaultdict[str, list[Fact]] = defaultdict(list)
        self.boards: defaultdict[int, list[Fact]] = defaultdict(list)
        for row in self.rows:
            for board in boards_of(tuple(row.sets.split()), stored.numbers):
                self.boards[board].append((row.round, row.part, *self._people(row)))
            for chair, label in self._people(row):
                self.seats[label].append((row.round, row.part, row.table, chair))
            for name in row.sets.split():
                self.sets[name].append((row.round, row.part, row.table))

    def of_contestant(self, label: str, first: int) -> list[Fact]:
        """What a contestant's card says of the rounds from `first` on."""
        return [
            self._game(row)
            for row in self.rows
            if row.round >= first and label in dict(map(reversed, self._people(row)))
        ]

    def of_table(self, table: int, first: int) -> list[Fact]:
        """What a table's card says of the rounds from `first` on, and where all go from there."""
        return [
            (
                self._game(row),
                *(_next(self.seats[label], row) for _chair, label in self._people(row)),
                *(_next(self.sets[name], row) for name in row.sets.split()),
            )
            for row in self.rows
            if row.round >= first and row.table == table
        ]

    def _people(self, row: SeatingRow) -> list[tuple[str, str]]:
        seats = (("ns", row.ns), ("ns2", row.ns2), ("ew", row.ew), ("ew2", row.ew2))
        labels = self.stored.labels
        return [(chair, labels.label(number)) for chair, number in seats if number is not None]

    def _game(self, row: SeatingRow) -> Fact:
        return (
            *(row.round, row.part, row.parts, row.table, row.shares_with),
            boards_of(tuple(row.sets.split()), self.stored.numbers),
            *self._people(row),
        )


def _next(moments: list[Fact], row: SeatingRow) -> list[Fact]:
    """Return where somebody, or a set, is next: several places where a set has copies."""
    later = [moment for moment in moments if moment[:2] > (row.round, row.part)]
    soonest = min((moment[:2] for moment in later), default=None)
    return [moment for moment in later if moment[:2] == soonest]
