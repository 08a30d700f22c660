"""The selection of contestants and tables for a sheet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bridgebuddy.events.queries.plan.differences import OutdatedSheets
from bridgebuddy.events.queries.plan.games import Contestant, TableGame

if TYPE_CHECKING:
    from .context import PrintJob


@dataclass(frozen=True)
class SheetSelection:
    """The selection of what to print: a table, a contestant (by number), changed cards, or everything.

    Sheets of tables follow the table first, sheets of contestants the contestant. If only the other
    is given, sheets are printed for the contestants or tables that meet it.
    """

    table: int | None = None
    number: int | None = None
    outdated: OutdatedSheets | None = None
    per_sheet: int = 0  # guide cards on a sheet; 0: as many as are readable
    is_double: bool = False  # a poster on paper of twice the size
    is_for_all: bool = False  # all contestants of all sections, one after the other

    @property
    def is_of_the_whole_plan(self) -> bool:
        """Return whether nothing was selected, so that the section is printed as a whole."""
        return replace(self, is_for_all=False) == SheetSelection()

    def tables(self, job: PrintJob) -> list[int]:
        """Return the selected tables, in order."""
        if self.table is not None:
            return [self.table]
        if self.number is not None:
            return sorted({game.table for game in self._selected_games(job)})
        everywhere = range(1, job.tables + 1)
        if self.outdated is not None:
            return [table for table in everywhere if table in self.outdated.tables]
        return list(everywhere)

    def has_slip(self, round: int, table: int) -> bool:
        """Return whether the pick-up slip of a table and round is selected; of changes only if it differs."""
        return self.outdated is None or (round, table) in self.outdated.slips

    def contestants(self, job: PrintJob) -> list[Contestant]:
        """Return the selected contestants, in order; if a table is selected, those that start at it.

        Contestants that left are included only by number; those due after the end never.
        """
        everybody = {
            number: contestant
            for number, contestant in job.evening.contestants.items()
            if contestant.first_round <= job.evening.rounds
        }
        if self.number is not None:
            return [contestant for number, contestant in everybody.items() if number == self.number]
        there = {
            number: contestant
            for number, contestant in everybody.items()
            if not contestant.has_left
        }
        if self.table is not None:
            begin = {
                sitting.contestant.number
                for game in job.evening.games.get(1, ())
                if game.table == self.table
                for sitting in game.ns + game.ew
            }
            return [contestant for number, contestant in there.items() if number in begin]
        if self.outdated is not None:
            return [
                contestant
                for number, contestant in there.items()
                if number in self.outdated.contestants
            ]
        return list(there.values())

    def boards(self, job: PrintJob) -> list[int]:
        """Return the selected boards: all, or those played at the selected table or by the contestant."""
        if self.table is None and self.number is None:
            everything = sorted({b for numbers in job.boards_by_set.values() for b in numbers})
            if self.outdated is None:
                return everything
            return [board for board in everything if board in self.outdated.boards]
        return sorted({board for game in self._selected_games(job) for board in game.boards})

    def selected_boards(self, boards: Iterable[int], job: PrintJob) -> list[int]:
        """Return those of `boards` that are selected; without a selection all, even unplayed ones."""
        if self.table is None and self.number is None:
            return list(boards)
        wanted = set(self.boards(job))
        return [board for board in boards if board in wanted]

    def without_change_limit(self) -> SheetSelection:
        """Return the selection without the limit to changes, for a sheet on the wall."""
        return replace(self, outdated=None)

    def _selected_games(self, job: PrintJob) -> list[TableGame]:
        """Return the games at the selected table, of the selected contestant, or of both."""
        return [
            game
            for games in job.evening.games.values()
            for game in games
            if self.table in (None, game.table)
            and (
                self.number is None
                or any(s.contestant.number == self.number for s in game.ns + game.ew)
            )
        ]


EVERYBODY = SheetSelection()
