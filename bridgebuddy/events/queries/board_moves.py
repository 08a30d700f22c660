"""Where the boards lie and go next, and which copy of them: the one answer for desk, room and paper.

All of it is read off `copies.places`; with one copy of a set nothing is said of copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from movements.engine.copies import Carried, Copy, Places, Way, places
from movements.engine.declared import Stand
from movements.engine.model import Movement
from movements.engine.spots import Spot
from movements.words.copies import CopyName, copy_name, stand_name
from movements.words.sentences import STANDS

from .evening import Evening
from .games import Game

Moment = tuple[int, int]  # a round and a part of it


@dataclass(frozen=True)
class BoardMove:
    """Where a table's boards go: to tables, to a stand, aside until later, or nowhere any more."""

    kind: str  # "stay", "tables", "stand", "aside" or "done"
    sets: tuple[str, ...]
    tables: tuple[int, ...] = ()  # for "stand": the table after which it is


@dataclass(frozen=True)
class Fetched:
    """What a table does not get from another table: it takes it from a stand, or from where it lies."""

    kind: Literal["stand", "aside"]
    sets: tuple[str, ...]
    stand: int = 0  # the table after which it is


@dataclass(frozen=True)
class Held:
    """Sets of one copy that are at the same place; without a copy where there is only one of them."""

    copy: CopyName | None
    sets: tuple[str, ...]


@dataclass(frozen=True)
class Carriage:
    """What a table brings to a stand, or takes from it, after a round."""

    table: int
    held: Held


class BoardMoves:
    """The sets of an evening and their ways through the room."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening

    @cached_property
    def movement(self) -> Movement:
        """The engine's value: what stands and how many copies there are, no row says."""
        assert self.evening.played is not None, "without a movement there are no boards"
        return self.evening.played.movement

    @cached_property
    def where(self) -> Places:
        """Where every copy of every set is at every moment."""
        return places(self.movement)

    # ── copies ──

    @cached_property
    def copies(self) -> tuple[CopyName, ...]:
        """The copies in use, by name; none where there is one of everything, or where none goes on.

        Which copy a table has is of no use to anybody where all get other boards after every round.
        """
        count = self.where.copies
        if count < 2 or len(self._handed) == self.movement.rounds - 1:
            return ()
        return tuple(copy_name(n, count) for n in range(1, count + 1))

    def held(self, game: Game) -> tuple[Held, ...]:
        """Return which copy of its boards a table plays, in the order of its sets."""
        if not self.lie_at(game):
            return ()
        if not self.copies:
            return (Held(None, game.sets),) if game.sets else ()
        return self._held((name, self._copy_at(game, name)) for name in game.sets)

    def copies_of(self, name: str) -> tuple[Copy, ...]:
        """Return the copies of a set that leave their box."""
        everything = (Copy(name, n) for n in range(1, self.movement.copies + 1))
        return tuple(copy for copy in everything if self.first_spot(copy))

    def copies_at(self, table: int) -> tuple[CopyName, ...]:
        """Return the copies of which a table plays something this evening."""
        return tuple(
            copy
            for number, copy in enumerate(self.copies, start=1)
            if table in self.where.tables_of(number)
        )

    def tables_of(self, copy: CopyName) -> tuple[int, ...]:
        """Return the tables at which a copy is played this evening."""
        return self.where.tables_of(self.copies.index(copy) + 1)

    def _copy_at(self, game: Game, name: str) -> int:
        return self.where.copy_at(game.round, game.table, name, self._part(game)) or 0

    def _held(self, found: Iterable[tuple[str, int]]) -> tuple[Held, ...]:
        together: dict[int, list[str]] = {}
        for name, number in found:
            is_one_of_many = number and self.where.copies_used[name] > 1
            together.setdefault(number if is_one_of_many else 0, []).append(name)
        return tuple(
            Held(self.copies[number - 1] if number else None, tuple(sets))
            for number, sets in together.items()
        )

    def _part(self, game: Game) -> int:
        """The part of the table's round, as the movement has it."""
        return min(game.part, len(self.movement.at_table(game.round, game.table)) or 1)

    # ── where each set is first ──

    def first_spot(self, copy: Copy) -> tuple[int, Spot] | None:
        """Return the round in which a copy leaves its box, and where it is then; None: it never does."""
        for lying in self._lying.get(copy, ()):
            if lying[1].kind != "aside":
                return lying
        return None

    @cached_property
    def _lying(self) -> dict[Copy, list[tuple[int, Spot]]]:
        found: dict[Copy, list[tuple[int, Spot]]] = {}
        for lying in self.where.lying():
            found.setdefault(Copy(lying.name, lying.copy), []).append((lying.round, lying.spot))
        return found

    # ── at tables ──

    def after(self, game: Game) -> tuple[BoardMove, ...]:
        """Return where the boards of a table go: one move, or several where its sets part.

        What never lay at a table where nobody plays goes nowhere from there.
        """
        moves: dict[Way, list[str]] = {}
        for name in game.sets if self.lie_at(game) else ():
            way = self.where.goes_to(game.round, game.table, name, self._part(game))
            moves.setdefault(way, []).append(name)
        return tuple(BoardMove(way.kind, tuple(sets), way.tables) for way, sets in moves.items())

    def lie_at(self, game: Game) -> bool:
        """Whether the boards of a game are at its table: where nobody plays they may go past it."""
        return game.is_played or any(self._copy_at(game, name) for name in game.sets)

    def fetched(self, game: Game) -> tuple[Fetched, ...]:
        """Return what a table takes from stands for a game, and fetches from where it was put aside.

        What everybody takes from its box is handed out, and nothing is said of it.
        """
        found: dict[tuple[Literal["stand", "aside"], int], list[str]] = {}
        for name in game.sets if game.round > 1 and game.part == 1 else ():
            spot = self.where.came_from(game.round, game.table, name, self._part(game))
            if spot and spot.kind == "stand":
                found.setdefault(("stand", spot.tables[0]), []).append(name)
            elif self._is_fetched(game, name, spot):
                found.setdefault(("aside", 0), []).append(name)
        return tuple(Fetched(kind, tuple(sets), stand) for (kind, stand), sets in found.items())

    def _is_fetched(self, game: Game, name: str, spot: Spot | None) -> bool:
        if spot is None:
            is_there = bool(self._copy_at(game, name))
            return is_there and self.where.copies_used[name] > 1 and game.round not in self._handed
        return spot.kind == "aside" and game.table not in spot.tables

    @cached_property
    def _handed(self) -> frozenset[int]:
        """The rounds for which no boards go on from table to table: everybody gets other ones."""

        def goes_on(carried: Carried) -> bool:
            is_played = any(spot.kind == "table" for spot in carried.after)
            return is_played and any(spot.kind != "aside" for spot in carried.before)

        rounds = range(2, self.movement.rounds + 1)
        return frozenset(r for r in rounds if not any(map(goes_on, self.where.carried(r - 1))))

    def shared_with(self, game: Game) -> tuple[int, ...]:
        """Return the tables with which a table passes its boards to and fro: those with the same copy."""
        return tuple(
            table
            for table in game.shared_with
            if any(
                self.where.copy_at(game.round, table, name) in (None, self._copy_at(game, name))
                for name in game.sets
            )
        )

    # ── on stands ──

    @cached_property
    def stands(self) -> tuple[int, ...]:
        """The tables after which there is a stand at some time: stand 1, stand 2 …"""
        return self.where.stands

    def stand(self, after_table: int) -> str:
        """Return what a stand is called: "stand", or "stand 2" where there are several."""
        word = str(STANDS[self.evening.section.club.stand_word])
        if len(self.stands) < 2:
            return word
        return stand_name(word, self.stands.index(after_table) + 1)

    def waiting(self, round: int) -> tuple[Stand, ...]:
        """Return what waits in a round, and after which tables."""
        return self.movement.waiting(round)

    def on_stand(self, round: int, after_table: int) -> tuple[Held, ...]:
        """Return what waits on a stand in a round."""
        copies = self.where.on_stand(round, after_table)
        order = {name: place for place, name in enumerate(self.movement.sets)}
        found = sorted(copies, key=lambda copy: order[copy.name])
        return self._held((copy.name, copy.number) for copy in found)

    def taken(self, after_round: int, after_table: int) -> tuple[Carriage, ...]:
        """Return what tables take from a stand after a round."""
        stand = Spot("stand", (after_table,))
        carried = (
            carried_copy
            for carried_copy in self._carried(after_round)
            if stand in carried_copy.before
        )
        return tuple(
            self._carriages((carried_copy.copy, carried_copy.after[:1]) for carried_copy in carried)
        )

    def brought(self, after_round: int, after_table: int) -> tuple[Carriage, ...]:
        """Return what tables bring to a stand after a round."""
        stand = Spot("stand", (after_table,))
        carried = (
            carried_copy
            for carried_copy in self._carried(after_round)
            if stand in carried_copy.after
        )
        return tuple(
            self._carriages(
                (carried_copy.copy, carried_copy.before[-1:]) for carried_copy in carried
            )
        )

    def _carried(self, after_round: int) -> tuple[Carried, ...]:
        is_last = after_round >= self.movement.rounds
        return () if is_last else self.where.carried(after_round)

    def _carriages(self, found: Iterable[tuple[Copy, tuple[Spot, ...]]]) -> Iterator[Carriage]:
        """Yield what is carried between a stand and tables; to or from a stand is another's concern."""
        for copy, spots in found:
            for spot in spots:
                if spot.kind == "table":
                    yield Carriage(spot.tables[0], *self._held([(copy.name, copy.number)]))
