"""The contestants at a table and their boards: the rows of the pages for result entry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from bridgebuddy.clubs.people.names import joined_names, short_names
from bridgebuddy.events.queries.plan.games import LINES, Contestant, TableSide
from bridgebuddy.events.queries.plan.home_tables import home_table
from bridgebuddy.scoring.results.arriving_results import is_outcome_known
from bridgebuddy.scoring.snapshot.lines import PlayLine

#: the seats of N, E, S, W on each line
CHAIRS = {"ns": (0, 2), "ew": (1, 3)}


@dataclass(frozen=True)
class SeatedPlayer:
    """A pair, player or team in one direction at a table, with the names of the people who really sat there."""

    sitting: TableSide
    people: tuple[str, ...] = ()

    @property
    def chip(self) -> str:
        """Return the contestant's short label, which the page shows next to the names."""
        return self.sitting.chip

    @property
    def team(self) -> str:
        """Return the team's name; empty for pairs and players."""
        return self.sitting.contestant.surnames if self.sitting.contestant.halves else ""

    @property
    def names(self) -> str:
        """Return the short names of the players at the table."""
        if not self.people or self.people == self.sitting.contestant.players:
            return self.sitting.surnames
        return joined_names(self.people, short_names(self.people))

    @property
    def full_names(self) -> str:
        """Return the full names of the players at the table."""
        return " & ".join(self.people) or self.sitting.names


def side_of(line: PlayLine, name: str) -> tuple[SeatedPlayer, ...]:
    """Return the contestants of a play in the direction "ns" or "ew"."""
    side, chairs = line.side(name), CHAIRS[name]
    there = [line.people[chair] if line.people else "" for chair in chairs]
    if len(side) == len(chairs):
        return tuple(
            SeatedPlayer(TableSide(contestant, name, place), (person,) if person else ())
            for place, (contestant, person) in enumerate(zip(side, there, strict=True))
        )
    return tuple(
        SeatedPlayer(TableSide(contestant, name), tuple(filter(None, there))) for contestant in side
    )


@dataclass(frozen=True)
class TableRow:
    """The boards that two contestants play against each other at a table in a round."""

    lines: tuple[PlayLine, ...]
    is_first: bool = True  # the first row of its table

    @property
    def table(self) -> int:
        """Return the table number."""
        return self.lines[0].table

    @property
    def round(self) -> int:
        """Return the round number."""
        return self.lines[0].round

    @property
    def sides(self) -> list[tuple[str, tuple[SeatedPlayer, ...]]]:
        """Return "ns" and "ew", each with the contestants that sat in that direction."""
        return [(name, side_of(self.lines[0], name)) for name in LINES]

    @property
    def is_turned(self) -> bool:
        """Return whether the round is arrow-switched: the players of the N-S cards sit East-West."""
        return self.lines[0].turned

    @property
    def match(self) -> str:
        """Return the names of the two teams whose match is played at this table; empty in other contests."""
        line = self.lines[0]
        teams = sorted((*line.ns, *line.ew), key=lambda entry: entry.number)
        return " – ".join(team.surnames for team in teams) if teams[0].halves else ""

    @cached_property
    def missing_count(self) -> int:
        """Return how many results of these boards are missing."""
        return sum(not is_outcome_known(line.outcome) for line in self.lines)


def tables_in_order(lines: Iterable[PlayLine]) -> list[int]:
    """Return the table numbers of plays in order; the tables of a team match follow each other."""
    begins: dict[frozenset[int], int] = {}
    first_tables: dict[int, int] = {}
    for line in sorted(lines, key=lambda line: line.table):
        seated = frozenset(_entry_keys((*line.ns, *line.ew)))
        is_match = line.section.contest.has_halves
        first_tables.setdefault(
            line.table, begins.setdefault(seated, line.table) if is_match else line.table
        )
    return sorted(first_tables, key=lambda table: (first_tables[table], table))


def rows_by_table(plays: Iterable[PlayLine]) -> list[TableRow]:
    """Return plays grouped by table and opponents, in playing order."""
    lines = list(plays)
    place_of = {table: place for place, table in enumerate(tables_in_order(lines))}
    by_place: dict[tuple[object, ...], list[PlayLine]] = {}
    for line in sorted(lines, key=lambda line: (place_of[line.table], _when_played(line))):
        seated = (*_entry_keys(line.ns), 0, *_entry_keys(line.ew))
        key = (line.round, line.table, line.part, line.turned, seated, line.people)
        by_place.setdefault(key, []).append(line)
    tables: set[tuple[int, int]] = set()
    rows = []
    for group in by_place.values():
        place = (group[0].round, group[0].table)
        group.sort(key=lambda line: line.board)
        rows.append(TableRow(tuple(group), place not in tables))
        tables.add(place)
    return rows


def _when_played(line: PlayLine) -> tuple[int, ...]:
    """Return the sort key that puts plays in playing order: by round, then by position in the round.

    At a match's table with the higher number the boards come in reverse. The extra boards of a
    level match come last at both tables.
    """
    place = line.round, line.table, line.part
    if not (line.people and line.section.stored.is_draw):
        return (*place, line.board)
    section, teams = line.section, [line.ns[0].entry, line.ew[0].entry]
    is_extra = any(line.board in boards for boards in section.extra_boards_of(line.round, teams))
    from_behind = not is_extra and line.table > home_table(line.ew[0])
    return (*place, is_extra, -line.board if from_behind else line.board)


def _entry_keys(side: tuple[Contestant, ...]) -> list[int]:
    """Return the primary keys of the entries on a side."""
    return [contestant.entry for contestant in side]
