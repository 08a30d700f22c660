"""State of the room for a reader of calls: people, boards, stands and sharing tables when a round ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from movements.engine.board_copies.copies import copy_places
from movements.engine.board_copies.spots import CopySpot
from movements.engine.model import Movement, SeatingPart, players_of

Mover = tuple[int, str]  # a contestant, and of a team the half by its line
Chair = tuple[int, str]  # a table, and a line or one of the four chairs
Copy = tuple[str, int]  # a set and its copy
Where = tuple[str, frozenset[int]]  # "table", "stand" or "aside", and the tables
Rule = Callable[[int], int]  # from a table to the next; 0 where it does not speak of the table

LINES = {"North-South": "ns", "East-West": "ew"}
CHAIRS = {"North players": "n", "South players": "s", "East players": "e", "West players": "w"}
COLOURS = {"Red": 1, "Blue": 2, "Green": 3, "Orange": 4}
#: sets as the reader has them named: by their letters alone
SETS = r"[A-Z]{1,2}[12]?(?:, [A-Z]{1,2}[12]?)*"
FAR = r"(?P<far>one table|two tables|TWO tables|\d+ tables|one)"
ODD, EVEN = (
    rf"(?P<{group}_way>up|down) (?P<{group}_far>one table|two tables|\d+ tables|one)"
    for group in ("odd", "even")
)
MOVE = rf"(?:stay|move (?P<way>up|down) {FAR})"
RANGE = r"(\d+) to (\d+)"


class NotUnderstood(Exception):
    """A sentence that the reader cannot carry out."""


@dataclass
class UnderstoodSentences:
    """A reader's understanding of the sentences of one moment."""

    line_rules: list[tuple[str, Rule, str]] = field(
        default_factory=list
    )  # line, table → table, line
    chair_rules: dict[str, Rule] = field(default_factory=dict)
    follows: tuple[int, int, int] | None = None  # step, first, last
    people_by_cards: bool = False
    board_rules: list[Rule] = field(default_factory=list)
    stations: int = 0
    halves: tuple[int, int] | None = None  # shift, which half (0: both)
    boards_by_cards: bool = False
    named: dict[Mover, Chair | None] = field(default_factory=dict)
    stay: set[int] = field(default_factory=set)
    boards: dict[Copy, Where] = field(default_factory=dict)
    shares: list[frozenset[int]] = field(default_factory=list)


class Room:
    """The room when a round ends."""

    def __init__(self, movement: Movement, round: int) -> None:
        self.movement, self.round, self.tables = movement, round, movement.tables
        carried = copy_places(movement).carried_between_rounds(round)
        self.boards: dict[Copy, Where | None] = {
            (round.copy.name, round.copy.number): where_of(round.before) for round in carried
        }
        self.cards: dict[Copy, Where] = {
            (round.copy.name, round.copy.number): where
            for round in carried
            if (where := where_of(round.after))
        }
        self.done = {(round.copy.name, round.copy.number) for round in carried if round.is_done}
        self.people = seated(movement, round, last=True)

    def contestant(self, label: str) -> int:
        found = self.movement.contestant(label)
        if found is None:
            numbers = [n for n in self.movement.contestants if self.movement.number(n) == label]
            if len(numbers) != 1:
                raise NotUnderstood(label)
            found = numbers[0]
        return found

    def line(self, label: str, line: str | None) -> str:
        return LINES[line] if line else self.movement.field_of(self.contestant(label)).name

    def movers(self, label: str, line: str | None = None) -> list[Mover]:
        contestant = self.contestant(label)
        if not self.movement.contest.has_halves:
            return [(contestant, "")]
        return [(contestant, half) for half in ([line] if line else ["ns", "ew"])]

    def at(self, table: int, *, names: str = "") -> list[Copy]:
        """The boards that lie at a table, or of these the sets that are named."""
        sets = re.findall(r"\b[A-Z]{1,2}[12]?\b", names)
        return [
            copy
            for copy, where in self.boards.items()
            if where and where[0] == "table" and table in where[1] and (not sets or copy[0] in sets)
        ]

    def on_stand(self, stand: int, names: str = "") -> list[Copy]:
        sets = re.findall(r"\b[A-Z]{1,2}[12]?\b", names)
        found = [c for c, w in self.boards.items() if w == ("stand", frozenset({stand}))]
        return [copy for copy in found if not sets or copy[0] in sets]

    def stand(self, words: str) -> int:
        stands = copy_places(self.movement).stands
        number = re.search(r"\d+", words)
        if not number and len(stands) != 1:
            raise NotUnderstood(words)
        return stands[int(number[0]) - 1] if number else stands[0]

    def shift(self, found: re.Match[str]) -> int:
        return shift_of(found["way"], found["far"]) if found["way"] else 0

    def room(self, shift: int) -> Rule:
        return lambda table: (table - 1 + shift) % self.tables + 1

    def rows(self, shift: int, rows: list[tuple[int, int]]) -> Rule:
        def goes(table: int) -> int:
            for first, last in rows:
                if first <= table <= last:
                    return first + (table - first + shift) % (last - first + 1)
            return 0

        return goes

    def some(self, rule: Rule, is_one: Callable[[int], bool]) -> Rule:
        return lambda table: rule(table) if is_one(table) else 0

    def odd_and_even(self, found: re.Match[str]) -> list[Rule]:
        return [
            self.some(
                self.room(shift_of(found[f"{group}_way"], found[f"{group}_far"])), parity(group)
            )
            for group in ("odd", "even")
        ]

    def closed(self, found: re.Match[str], shift: int) -> Rule:
        rows = rows_in(found["row"])
        ends = {int(found["first"]), int(found["last"])}
        if ends != {*rows[0]}:
            raise NotUnderstood(found[0])
        return self.rows(shift, rows)

    def swapped(self, shift: int) -> Rule:
        half = self.tables // 2

        def goes(table: int) -> int:
            place = (table - 1 + shift) % half + 1
            return place if table > half else place + half

        return goes

    def always_share(self) -> list[frozenset[int]]:
        """The tables that have the same sets whenever they play: people know them, the cards say so."""
        found = []
        for tables in {s.tables for s in self.movement.shared}:
            together = [self.sets_at(tables, r) for r in range(1, self.movement.rounds + 1)]
            if all(len(sets) == 1 for sets in together if sets) and any(together):
                is_declared = any(s.tables == tables and not s.round for s in self.movement.shared)
                if is_declared or all(together):
                    found.append(frozenset(tables))
        declared = [{*share.tables} for share in self.movement.shared]
        rounds = [
            {frozenset(tables) for tables in self.movement.shares(round).values()}
            for round in range(1, self.movement.rounds + 1)
        ]
        every = set.intersection(*rounds)
        return [*found, *(group for group in every if any(group <= tables for tables in declared))]

    def sets_at(self, tables: tuple[int, ...], round: int) -> set[frozenset[str]]:
        """The sets of some tables in a round, table by table; nothing unless all of them play."""
        seatings = [self.movement.seatings_at_table(round, table) for table in tables]
        if not all(here and all(s.is_played for s in here) for here in seatings):
            return set()
        return {frozenset(name for s in here for name in s.sets) for here in seatings}


def is_on(part: SeatingPart, index: int, parts: int) -> bool:
    return part.parts == 1 or part.index == index * part.parts // parts + 1


def seated(
    movement: Movement, round: int, *, last: bool = False, part: int = 0
) -> dict[Mover, Chair]:
    """Return all seats in a part of a round (from 0), or in its last."""
    found: dict[Mover, Chair] = {}
    most = max((p.parts for p in movement.parts(round)), default=1)
    for item in movement.parts(round):
        if item.index == item.parts if last else is_on(item, part, most):
            for line, side in (("ns", item.seating.ns), ("ew", item.seating.ew)):
                for place, contestant in enumerate(players_of(side)):
                    half = line if movement.contest.has_halves else ""
                    chair = line[place] if movement.contest.plays_alone else line
                    found[contestant, half] = (item.seating.table, chair)
    return found


def where_of(spots: tuple[CopySpot, ...]) -> Where | None:
    for spot in spots:
        return spot.kind, frozenset(spot.tables)
    return None


def tables_of(where: Where | None) -> frozenset[int]:
    return where[1] if where else frozenset()


def shift_of(way: str, words: str) -> int:
    first = words.split()[0].lower()
    far = {"one": 1, "two": 2}.get(first) or int(first)
    return far if way == "up" else -far


def named_sets(what: str) -> str:
    return what if what[0].isupper() else ""


def numbers_in(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def rows_in(text: str) -> list[tuple[int, int]]:
    return [(int(first), int(last)) for first, last in re.findall(RANGE, text)]


def parity(group: str) -> Callable[[int], bool]:
    return (lambda table: table % 2 == 1) if group == "odd" else (lambda table: table % 2 == 0)
