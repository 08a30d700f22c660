"""Differences between two plans of a session, in visible terms: labels, tables, boards and parts.

Numbers inside a movement shift when a contestant joins, but labels stay. So contestants are compared by label.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from movements.engine.boards import boards_of_sets

from .board_moves import HeldSets
from .evening_plan import SectionPlan
from .games import TableGame

TableInRound = tuple[int, int]  # the round, the table


@dataclass(frozen=True)
class GameFacts:
    """The data by which a game is compared between two versions of the plan: seats, boards and sharing."""

    part: int
    parts: int
    people: tuple[tuple[str, str], ...]  # each person's chair and label
    boards: tuple[int, ...]
    shared_with: tuple[int, ...]
    is_played: bool


@dataclass(frozen=True)
class TableDifference:
    """A table and round that differ between two plans; `before` or `after` is empty if the table is unused."""

    round: int
    table: int
    before: tuple[GameFacts, ...]
    after: tuple[GameFacts, ...]

    @property
    def labels(self) -> set[str]:
        """Return the labels of the contestants that the difference concerns."""
        alike = {*self.before} & {*self.after}
        facts = [exchange for exchange in self.before + self.after if exchange not in alike]
        return {label for fact in facts for _chair, label in fact.people}


@dataclass(frozen=True)
class OwnGame:
    """A game from one contestant's point of view: its table and seat, its opponents and the boards."""

    part: int  # 0: the whole round
    table: int
    chair: str
    others: tuple[str, ...]  # by label
    boards: tuple[int, ...]

    @property
    def seat(self) -> tuple[int, str]:
        """Return the contestant's table and seat."""
        return self.table, self.chair


@dataclass(frozen=True)
class RoundDifference:
    """A contestant's round that differs between two plans: its games before and after, none in a sit-out."""

    round: int
    before: frozenset[OwnGame]
    after: frozenset[OwnGame]


@dataclass(frozen=True)
class OutdatedSheets:
    """The printed sheets that a change has made wrong: of tables, contestants (by present number), boards and stands.

    A stand is identified by the table before it, a table's pick-up slip by its round and table.
    """

    tables: frozenset[int] = frozenset()
    contestants: frozenset[int] = frozenset()
    boards: frozenset[int] = frozenset()
    stands: frozenset[int] = frozenset()
    slips: frozenset[TableInRound] = frozenset()
    #: those of `contestants` and `tables` that the earlier plan did not have, so that no card of theirs exists
    new_contestants: frozenset[int] = frozenset()
    new_tables: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.tables or self.contestants or self.boards or self.stands)


class PlanDifferences:
    """The differences between a section's plan before and after a change."""

    def __init__(self, old_plan: SectionPlan, new_plan: SectionPlan) -> None:
        self.before = old_plan
        self.after = new_plan

    @property
    def rounds(self) -> int:
        """Return the new number of rounds if it has changed; otherwise 0."""
        rounds = self.after.evening.rounds
        return 0 if rounds == self.before.evening.rounds else rounds

    @cached_property
    def tables(self) -> tuple[TableDifference, ...]:
        """Return the differing tables, round by round, including rounds that the new plan lacks."""
        before, after = _facts_by_table(self.before), _facts_by_table(self.after)
        return tuple(
            TableDifference(
                round, table, *(facts.get((round, table), ()) for facts in (before, after))
            )
            for round, table in _keys_that_differ(before, after)
        )

    def round_differences(self, entry: int) -> tuple[RoundDifference, ...]:
        """Return the rounds of the entry with this key that differ between the plans."""
        was, now = self.before.contestant_of_entry(entry), self.after.contestant_of_entry(entry)
        before: dict[int, frozenset[OwnGame]] = defaultdict(frozenset)
        after: dict[int, frozenset[OwnGame]] = defaultdict(frozenset)
        for table in self.tables:
            if was:
                before[table.round] |= frozenset(
                    _own_games_at_table(was.label, table.table, table.before)
                )
            if now:
                after[table.round] |= frozenset(
                    _own_games_at_table(now.label, table.table, table.after)
                )
        return tuple(
            RoundDifference(round, before[round], after[round])
            for round in sorted(before.keys() | after.keys())
            if before[round] != after[round]
        )

    @property
    def _tables_with_other_people(self) -> list[TableDifference]:
        """Return the tables and rounds where labels are equal but other entries sit."""
        was = {
            contestant.label: contestant.entry
            for contestant in self.before.evening.contestants.values()
        }
        others = {
            contestant.label
            for contestant in self.after.evening.contestants.values()
            if was.get(contestant.label, contestant.entry) != contestant.entry
        }
        if not others:
            return []
        facts = _facts_by_table(self.after)
        return [
            TableDifference(round, table, (), games)
            for (round, table), games in facts.items()
            if any(label in others for game in games for _chair, label in game.people)
        ]

    def outdated_sheets(self, from_round: int) -> OutdatedSheets:
        """Return the printed sheets that the differences from a round on make wrong.

        The round before it counts for table cards, because they say where contestants go next.
        """
        tables = [table for table in self.tables if table.round >= from_round]
        labels = {label for table in tables for label in table.labels}
        ways = _keys_that_differ(
            _ways_by_table(self.before, from_round - 1), _ways_by_table(self.after, from_round - 1)
        )
        lines = _keys_that_differ(
            _contestants_by_board((table.round, table.before) for table in tables),
            _contestants_by_board((table.round, table.after) for table in tables),
        )
        contestants = self.after.evening.contestants
        exchanged = [
            exchange for exchange in self._tables_with_other_people if exchange.round >= from_round
        ]
        labels |= {label for exchange in exchanged for label in exchange.labels}
        seated_before = {
            contestant.entry for contestant in self.before.evening.contestants.values()
        }
        return OutdatedSheets(
            tables=frozenset(
                {table.table for table in (*tables, *exchanged)} | {table for _round, table in ways}
            )
            & frozenset(range(1, self.after.tables + 1)),
            contestants=frozenset(
                n for n, contestant in contestants.items() if contestant.label in labels
            ),
            boards=frozenset(lines) & _played_boards(self.after),
            stands=frozenset(
                table
                for _round, table in _keys_that_differ(
                    _stand_boards_by_round(self.before, from_round - 1),
                    _stand_boards_by_round(self.after, from_round - 1),
                )
            )
            & frozenset(self.after.boards.stands),
            slips=frozenset((table.round, table.table) for table in tables),
            new_contestants=frozenset(
                n for n, contestant in contestants.items() if contestant.entry not in seated_before
            ),
            new_tables=frozenset(range(self.before.tables + 1, self.after.tables + 1)),
        )


def outdated_since(plan: SectionPlan, version: int) -> OutdatedSheets:
    """Return the sheets that are wrong now if they were printed from an earlier version of the plan.

    Rounds played before the first later change are not compared. Raises `LookupError` for an unknown version.
    """
    was = {version.version: version for version in plan.versions}[version]
    if plan.equals_version(was):
        return OutdatedSheets()
    first = min(
        later_version.from_round
        for later_version in plan.versions
        if later_version.version > version
    )
    return PlanDifferences(plan.plan_in_version(was), plan).outdated_sheets(first)


def _keys_that_differ(old: Mapping[Any, object], new: Mapping[Any, object]) -> list[Any]:
    """Return the keys whose values differ between two mappings."""
    return sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))


def _facts_by_table(plan: SectionPlan) -> dict[TableInRound, tuple[GameFacts, ...]]:
    """Return, by table and round, the data by which two versions of a plan are compared, part by part.

    Waiting places without boards are left out, because plays do not record them.
    """
    facts: defaultdict[TableInRound, tuple[GameFacts, ...]] = defaultdict(tuple)
    for games in plan.evening.games.values():
        for game in games:
            if game.is_played or game.boards:
                facts[game.round, game.table] += (_game_facts(game),)
    return dict(facts)


def _game_facts(game: TableGame) -> GameFacts:
    """Return the data by which a game is compared between two versions of a section's plan."""
    people = tuple(
        (game.chair_of(sitting.contestant.number), sitting.contestant.label)
        for sitting in game.ns + game.ew
    )
    return GameFacts(game.part, game.parts, people, game.boards, game.shared_with, game.is_played)


def _own_games_at_table(label: str, table: int, games: tuple[GameFacts, ...]) -> Iterator[OwnGame]:
    """Yield each game at a table in which the contestant with this label plays, as it sees it."""
    for game in games:
        for chair, name in game.people if game.is_played else ():
            if name == label:
                others = tuple(sorted(other for _chair, other in game.people if other != label))
                part = game.part if game.parts > 1 else 0
                yield OwnGame(part, table, chair, others, game.boards)


def _ways_by_table(plan: SectionPlan, from_round: int) -> dict[TableInRound, list[Any]]:
    """Return where contestants and boards go after each table and round, from a round on."""
    ways: defaultdict[TableInRound, list[Any]] = defaultdict(list)
    for games in plan.evening.games.values():
        for game in games:
            if game.round >= from_round:
                ways[game.round, game.table].append(_next_seats(plan, game))
    return dict(ways)


def _next_seats(plan: SectionPlan, game: TableGame) -> tuple[object, ...]:
    """Return where a game's contestants and boards go after it, and the sets that it plays and fetches."""
    numbers = [sitting.contestant.number for sitting in game.ns + game.ew]
    seats = [plan.next_seat(number, game) for number in numbers]
    return (
        [seat and (seat.place, seat.is_played) for seat in seats],
        [
            (move.kind, boards_of_sets(move.sets, plan.evening.numbers), move.tables)
            for move in plan.boards_after(game)
        ],
        [
            (holding.copy, boards_of_sets(holding.sets, plan.evening.numbers))
            for holding in plan.boards.sets_in_play(game)
        ],
        [
            (fetching.kind, boards_of_sets(fetching.sets, plan.evening.numbers), fetching.stand)
            for fetching in plan.boards.fetched_sets(game)
        ],
    )


def _stand_boards_by_round(plan: SectionPlan, from_round: int) -> dict[TableInRound, list[Any]]:
    """Return the boards that each board stand holds, gives away and receives, round by round from a round on."""
    if plan.evening.played is None:
        return {}
    boards, numbers = plan.boards, plan.evening.numbers

    def held_boards(held_sets: HeldSets) -> tuple[object, ...]:
        """Return the copy and the boards that are held."""
        return held_sets.copy, boards_of_sets(held_sets.sets, numbers)

    return {
        (round, table): [
            boards.stand(table),
            [held_boards(held_set) for held_set in boards.boards_on_stand(round, table)],
            [
                (carriage.table, held_boards(carriage.held))
                for carriage in boards.sets_taken(round, table)
            ],
            [
                (carriage.table, held_boards(carriage.held))
                for carriage in boards.boards_brought_to(round, table)
            ],
        ]
        for round in range(max(from_round, 1), plan.evening.rounds + 1)
        for table in boards.stands
    }


def _contestants_by_board(
    rounds: Iterable[tuple[int, tuple[GameFacts, ...]]],
) -> dict[int, Counter[Any]]:
    """Return the contestants that play each board in these rounds, regardless of the table."""
    lines: defaultdict[int, Counter[Any]] = defaultdict(Counter)
    for round, games in rounds:
        for game in games:
            for board in game.boards if game.is_played else ():
                lines[board][round, game.part, game.parts, game.people] += 1
    return dict(lines)


def _played_boards(plan: SectionPlan) -> frozenset[int]:
    """Return all board numbers that are played under a plan."""
    games = (game for games in plan.evening.games.values() for game in games)
    return frozenset(board for game in games if game.is_played for board in game.boards)
