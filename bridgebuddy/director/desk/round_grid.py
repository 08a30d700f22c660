"""The table of all rounds: tables and stands in the order of the room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.utils.text import capfirst

from bridgebuddy.events.queries.plan.games import Contestant

from .page import DeskPage, StandTile, TableTile

#: a page shows more columns than these as a list for each round
MOST_COLUMNS = 11


@dataclass(frozen=True)
class GridColumn:
    """A table of the room, or the stand after it."""

    table: int
    stand: str = ""  # the name of the stand


@dataclass(frozen=True)
class GridCell:
    """A table in a round, or a stand with its boards; neither where there is none in that round."""

    column: GridColumn
    tile: TableTile | None = None
    stand: StandTile | None = None


@dataclass(frozen=True)
class GridRow:
    """A round in the overview of the whole movement."""

    round: int
    cells: list[GridCell]
    sit_outs: tuple[Contestant, ...]


class RoundGrid:
    """The overview of a section's whole movement: a row for each round, a column for each table and stand."""

    def __init__(self, desk: DeskPage) -> None:
        self.desk = desk

    @cached_property
    def columns(self) -> list[GridColumn]:
        """Return the tables and the stands in the order of the room."""
        boards = self.desk.plan.plan_of_moves.boards
        columns = []
        for table in range(1, self.desk.plan.tables + 1):
            columns.append(GridColumn(table))
            if table in boards.stands:
                columns.append(GridColumn(table, capfirst(boards.stand(table))))
        return columns

    @cached_property
    def rows(self) -> list[GridRow]:
        """Return a row for each round, with the contestants that sit out."""
        evening = self.desk.evening
        return [
            GridRow(round, list(self._cells(round)), evening.sit_outs(round))
            for round in range(1, evening.rounds + 1)
        ]

    def _cells(self, round: int) -> Iterator[GridCell]:
        """Yield a cell for each column in a round."""
        tables: dict[int, TableTile] = {}
        stands: dict[int, StandTile] = {}
        for tile in self.desk.tiles_of(round):
            if isinstance(tile, StandTile):
                stands[tile.after_table] = tile
            else:
                tables[tile.table] = tile
        for column in self.columns:
            if column.stand:
                yield GridCell(column, stand=stands.get(column.table))
            else:
                yield GridCell(column, tile=tables.get(column.table))

    @property
    def has_sit_outs(self) -> bool:
        """Return whether a contestant sits out in any round."""
        return any(row.sit_outs for row in self.rows)

    @property
    def has_shares(self) -> bool:
        """Return whether tables share boards in any round."""
        return any(cell.tile and cell.tile.shares for row in self.rows for cell in row.cells)

    @property
    def is_wide(self) -> bool:
        """Return whether there are too many columns for a table on most screens."""
        return len(self.columns) + 1 + self.has_sit_outs > MOST_COLUMNS
