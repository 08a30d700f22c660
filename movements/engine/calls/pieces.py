"""Rules that fit in one sentence: a group of tables, and how far they move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ..descriptions.wording import Line

Group = Literal["all", "odd", "even", "row", "swap"]
TableDivision = tuple["TableGroup", ...]
#: most exceptions: more cannot be remembered, so the cards are needed
MOST_EXCEPTIONS = 4


@dataclass(frozen=True, slots=True)
class TableGroup:
    """A group of tables whose people or boards move the same way: all, odd, even, a row or a swap of rows.

    `shift` is in tables up, negative for down. *all*, *odd* and *even* circle the whole room. A *row* is a circle of
    its own: after table `last` comes table `first`. In a *swap* the room is two rows of equal length, and each goes
    to the other one, `shift` tables further along it. For people `line` is the old direction and `to` the new one;
    boards have neither.
    """

    group: Group
    shift: int = 0
    first: int = 0
    last: int = 0
    line: Line | None = None
    to: Line | None = None

    def includes_table(self, table: int) -> bool:
        """Return whether a table belongs to the group."""
        if self.group == "row":
            return self.first <= table <= self.last
        return self.group in ("all", "swap") or (self.group == "odd") == bool(table % 2)

    def destination(self, table: int, tables: int) -> int:
        """Return the table to which people or boards go from a table, in a room of `tables` tables."""
        if self.group == "row":
            return self.first + (table - self.first + self.shift) % (self.last - self.first + 1)
        if self.group == "swap":
            half = tables // 2
            return (table - 1 + self.shift) % half + 1 + (0 if table > half else half)
        return (table - 1 + self.shift) % tables + 1

    def shift_between(self, old_table: int, new_table: int, tables: int) -> int | None:
        """Return by how many tables the group must shift to lead from one table to another.

        Returns None if the tables lie in different rows.
        """
        length = tables
        if self.group == "row":
            if not self.includes_table(new_table):
                return None
            length = self.last - self.first + 1
        elif self.group == "swap":
            length = tables // 2
            if (old_table > length) == (new_table > length):
                return None
        up = (new_table - old_table) % length
        return up if up <= length // 2 else up - length

    def with_shift(self, shift: int, direction: Line | None = None) -> TableGroup:
        """Return the group with another shift, and for people with `direction` in which they arrive."""
        return replace(self, shift=shift, to=direction)


def usual_divisions(tables: int) -> Iterator[TableDivision]:
    """Yield the usual divisions of a room into groups of tables: none, odd and even, two halves."""
    yield (TableGroup("all"),)
    yield (TableGroup("odd"), TableGroup("even"))
    if tables % 2 == 0 and tables >= 6:
        yield (TableGroup("swap"),)


def closed_rows(targets: Mapping[int, int], tables: int) -> TableDivision:
    """Return the rows of neighbouring tables that exchange people or boards only among themselves.

    `targets` gives the destination of each table's people or boards. Two tables that exchange are no row; then the
    result is empty, as it is if the whole room is one row.

    >>> [(row.first, row.last) for row in closed_rows({1: 2, 2: 3, 3: 1, 4: 4, 5: 7, 6: 5, 7: 6}, 7)]
    [(1, 3), (5, 7)]
    """
    rows: list[TableGroup] = []
    first = 1
    for last in range(1, tables + 1):
        inside = {table: targets[table] for table in range(first, last + 1) if table in targets}
        if all(first <= to <= last for to in inside.values()):
            if any(table != to for table, to in inside.items()):
                rows.append(TableGroup("row", first=first, last=last))
            first = last + 1
    if any(row.last - row.first < 2 for row in rows):
        return ()
    return tuple(row for row in rows if row.last - row.first + 1 < tables)


def group_of_table(pieces: Iterable[TableGroup], table: int) -> TableGroup | None:
    """Return the group to which a table belongs; None if it belongs to none."""
    return next((piece for piece in pieces if piece.includes_table(table)), None)


def do_rows_move_alike(pieces: TableDivision) -> bool:
    """Return whether several rows of tables move the same way, so that one sentence is enough."""
    ways = {(piece.group, piece.shift, piece.line, piece.to) for piece in pieces}
    return len(pieces) > 1 and len(ways) == 1 and pieces[0].group == "row"
