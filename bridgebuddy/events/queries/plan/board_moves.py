"""The positions and ways of boards and their copies, the single source for desk, room display and print.

Everything follows from `copies.places`. If a set has one copy only, copies are not mentioned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from movements.engine.board_copies.copies import (
    CarriedCopy,
    CopyPlaces,
    CopyRoute,
    SetCopy,
    copy_places,
)
from movements.engine.board_copies.spots import CopySpot
from movements.engine.board_copies.virtual_sharing import LentSet, own_boards
from movements.engine.declarations import Stand
from movements.engine.model import Movement
from movements.words.copies import CopyName, copy_name, stand_name
from movements.words.sentences import STANDS

from ..sessions.lent_boards import Lending
from .evening import SessionEvening
from .games import TableGame

Moment = tuple[int, int]  # a round and a part of it


@dataclass(frozen=True)
class BoardMove:
    """The destination of board sets after a game: tables, a board stand, aside, out of play or a lender."""

    kind: str  # "stay", "tables", "stand", "aside", "done" or "lent"
    sets: tuple[str, ...]
    tables: tuple[int, ...] = ()  # for "stand": the table after which it is


@dataclass(frozen=True)
class FetchedSet:
    """Board sets that a table fetches for a game, from a board stand or from where they were put aside."""

    kind: Literal["stand", "aside"]
    sets: tuple[str, ...]
    stand: int = 0  # the table before the stand, or of the boards put aside; 0 for none


@dataclass(frozen=True)
class HeldSets:
    """Board sets of the same copy at one place; `copy` is None if there is only one copy."""

    copy: CopyName | None
    sets: tuple[str, ...]


@dataclass(frozen=True)
class SetTransfer:
    """Board sets that a table takes to a board stand, or fetches from it, after a round."""

    table: int
    held: HeldSets


class BoardMoves:
    """The board sets of a section and their places, round by round."""

    def __init__(self, evening: SessionEvening, lending: Lending | None = None) -> None:
        self.evening = evening
        self.lending = lending

    @cached_property
    def movement(self) -> Movement:
        """Return the movement from the engine, since stored seatings lack stands and numbers of copies.

        If another section lends boards, it says how the own ones go.
        """
        assert self.evening.played is not None, "without a movement there are no boards"
        movement = self.evening.played.movement
        return own_boards(movement, self.lending.sets) if self.lending else movement

    @cached_property
    def copy_places(self) -> CopyPlaces:
        """Return the place of every copy of every board set in each part of each round."""
        return copy_places(self.movement)

    # ── copies ──

    @cached_property
    def copies(self) -> tuple[CopyName, ...]:
        """Return the names of the copies of board sets; empty if each set has one, or boards are always new.

        A copy's name is of no use if all tables get other boards after every round.
        """
        count = self.copy_places.copies
        if count < 2 or len(self._rounds_with_new_boards) == self.movement.rounds - 1:
            return ()
        return tuple(copy_name(n, count) for n in range(1, count + 1))

    def sets_in_play(self, game: TableGame) -> tuple[HeldSets, ...]:
        """Return the board sets in play at a game's table, in order, with the copy of each."""
        if not self.are_boards_at_table(game):
            return ()
        if not self.copies:
            return (HeldSets(None, game.sets),) if game.sets else ()
        return self._group_by_copy((name, self._copy_at(game, name)) for name in game.sets)

    def used_copies_of_set(self, name: str) -> tuple[SetCopy, ...]:
        """Return the copies of a board set that are used in the session."""
        everything = (SetCopy(name, n) for n in range(1, self.movement.copies + 1))
        return tuple(copy for copy in everything if self.first_spot(copy))

    def copies_at(self, table: int) -> tuple[CopyName, ...]:
        """Return the names of the copies of board sets that a table uses during the session."""
        return tuple(
            copy
            for number, copy in enumerate(self.copies, start=1)
            if table in self.copy_places.tables_of(number)
        )

    def tables_of(self, copy: CopyName) -> tuple[int, ...]:
        """Return the tables that use this copy of the board sets during the session."""
        return self.copy_places.tables_of(self.copies.index(copy) + 1)

    def _copy_at(self, game: TableGame, name: str) -> int:
        """Return which copy of a board set is at a game's table, as a number; 0 if there is only one copy."""
        return (
            self.copy_places.copy_at(game.round, game.table, name, self._part_of_round(game)) or 0
        )

    def _group_by_copy(self, sets_and_copies: Iterable[tuple[str, int]]) -> tuple[HeldSets, ...]:
        """Return the board sets grouped by the copy that is used of each."""
        together: dict[int, list[str]] = {}
        for name, number in sets_and_copies:
            is_one_of_many = number and self.copy_places.copies_used[name] > 1
            together.setdefault(number if is_one_of_many else 0, []).append(name)
        return tuple(
            HeldSets(self.copies[number - 1] if number else None, tuple(sets))
            for number, sets in together.items()
        )

    def _part_of_round(self, game: TableGame) -> int:
        """Return the number of the part of the round in which a game is played, by the movement's division."""
        return min(game.part, len(self.movement.seatings_at_table(game.round, game.table)) or 1)

    # ── first place of each set ──

    def first_spot(self, copy: SetCopy) -> tuple[int, CopySpot] | None:
        """Return the first round in which a copy of a board set is used, and its place then, or None."""
        for lying in self._positions_by_copy.get(copy, ()):
            if lying[1].kind != "aside":
                return lying
        return None

    @cached_property
    def _positions_by_copy(self) -> dict[SetCopy, list[tuple[int, CopySpot]]]:
        """Return the place of each copy of a board set in each round."""
        lying_by_copy: dict[SetCopy, list[tuple[int, CopySpot]]] = {}
        for lying in self.copy_places.copy_stays():
            lying_by_copy.setdefault(SetCopy(lying.name, lying.copy), []).append(
                (lying.round, lying.spot)
            )
        return lying_by_copy

    # ── at tables ──

    def moves_after(self, game: TableGame) -> tuple[BoardMove, ...]:
        """Return where a table's board sets go after a game; several moves if they go to different places.

        Boards that only pass an empty table go nowhere from there. In a round of parts, boards stay until its end,
        unless another table plays them in a later part.
        """
        if self.borrowed_set(game):
            return (BoardMove("lent", game.sets),)
        moves: dict[CopyRoute, list[str]] = {}
        for part in (*self._parts_before(game), game):
            for name in part.sets if self.are_boards_at_table(part) else ():
                stays = part.part < part.parts and not self._leaves_early(part, name)
                if part is game or stays:
                    way = self.copy_places.next_route(
                        part.round, part.table, name, self._part_of_round(part)
                    )
                    is_here = stays and game.part < game.parts
                    moves.setdefault(CopyRoute("stay") if is_here else way, []).append(name)
        return tuple(BoardMove(way.kind, tuple(sets), way.tables) for way, sets in moves.items())

    def _parts_before(self, game: TableGame) -> Iterator[TableGame]:
        """Yield the earlier games of a table in a round of several parts, if `game` is the last part."""
        if game.part == game.parts > 1:
            yield from (
                other
                for other in self.evening.games.get(game.round, ())
                if other.table == game.table and other.part < game.part
            )

    def _leaves_early(self, game: TableGame, name: str) -> bool:
        """Return whether another table plays this board set in a later part of the same round."""
        return any(
            name in other.sets and other.part > game.part and other.table != game.table
            for other in self.evening.games.get(game.round, ())
        )

    def are_boards_at_table(self, game: TableGame) -> bool:
        """Return whether the boards of a game lie at its own table; where nobody plays there may be none."""
        return game.is_played or any(self._copy_at(game, name) for name in game.sets)

    def fetched_sets(self, game: TableGame) -> tuple[FetchedSet, ...]:
        """Return the board sets that a table fetches before a game, from board stands or from where they lie aside.

        Boards that all tables take from their boxes are handed out, and not mentioned.
        """
        names_by_place: dict[tuple[Literal["stand", "aside"], int], list[str]] = {}
        for name in game.sets if game.round > 1 and game.part == 1 else ():
            spot = self.copy_places.previous_spot(
                game.round, game.table, name, self._part_of_round(game)
            )
            if spot and spot.kind == "stand":
                names_by_place.setdefault(("stand", spot.tables[0]), []).append(name)
            elif self._is_fetched(game, name, spot):
                names_by_place.setdefault(
                    ("aside", spot.tables[0] if spot and spot.tables else 0), []
                ).append(name)
        return tuple(
            FetchedSet(kind, tuple(sets), stand) for (kind, stand), sets in names_by_place.items()
        )

    def _is_fetched(self, game: TableGame, name: str, spot: CopySpot | None) -> bool:
        """Return whether a table must fetch this board set, from the place `spot`, for a game."""
        if spot is None:
            is_there = bool(self._copy_at(game, name))
            return (
                is_there
                and self.copy_places.copies_used[name] > 1
                and game.round not in self._rounds_with_new_boards
            )
        return spot.kind == "aside" and game.table not in spot.tables

    @cached_property
    def _rounds_with_new_boards(self) -> frozenset[int]:
        """Return the rounds for which all tables get new boards, so that none move between tables."""

        def is_carried_on(carried: CarriedCopy) -> bool:
            """Return whether a copy is carried to a table from where it was in use."""
            is_played = any(spot.kind == "table" for spot in carried.after)
            return is_played and any(spot.kind != "aside" for spot in carried.before)

        rounds = range(2, self.movement.rounds + 1)
        return frozenset(
            r for r in rounds if not any(map(is_carried_on, self.copy_places.carried(r - 1)))
        )

    def tables_sharing_with(self, game: TableGame) -> tuple[int, ...]:
        """Return the tables that share their copy of the boards with a game's table in that round."""
        if self.borrowed_set(game):
            return ()
        if self.lending and not self.lending.is_in_step(game.round):
            return game.shared_with
        return tuple(
            table
            for table in game.shared_with
            if not (self.lending and self.lending.lent_set_at(game.round, table))
            and any(
                self.copy_places.copy_at(game.round, table, name)
                in (None, self._copy_at(game, name))
                for name in game.sets
            )
        )

    def borrowed_set(self, game: TableGame) -> LentSet | None:
        """Return the board set that a table borrows from another section's waiting sets for a round."""
        return self.lending.lent_set_at(game.round, game.table) if self.lending else None

    def lending_section_of(self, game: TableGame) -> str:
        """Return the letter of the section that lends the boards of a game; empty if they are its own."""
        return self.lender if self.borrowed_set(game) else ""

    @property
    def lender(self) -> str:
        """Return the letter of the section that lends boards to this section; empty if there is none."""
        return self.lending.letter if self.lending else ""

    # ── on stands ──

    @cached_property
    def stands(self) -> tuple[int, ...]:
        """Return the tables after which a board stand holds waiting sets in some round, in order."""
        return self.copy_places.stands

    def stand(self, after_table: int) -> str:
        """Return the club's word for the board stand after a table, with a number if there are several."""
        word = str(STANDS[self.evening.section.club.stand_word])
        if len(self.stands) < 2:
            return word
        return stand_name(word, self.stands.index(after_table) + 1)

    def stands_with_sets(self, round: int) -> tuple[Stand, ...]:
        """Return the board sets that wait on board stands in a round, with the table before each stand."""
        return self.movement.waiting(round)

    def boards_on_stand(self, round: int, after_table: int) -> tuple[HeldSets, ...]:
        """Return the board sets on the board stand after a table in a round."""
        copies = self.copy_places.copies_on_stand(round, after_table)
        order = {name: place for place, name in enumerate(self.movement.sets)}
        ordered = sorted(copies, key=lambda copy: order[copy.name])
        return self._group_by_copy((copy.name, copy.number) for copy in ordered)

    def sets_taken(self, after_round: int, after_table: int) -> tuple[SetTransfer, ...]:
        """Return the board sets that tables take from the board stand after a table, after a round."""
        stand = CopySpot("stand", (after_table,))
        carried = (
            carried_copy
            for carried_copy in self._carried_copies(after_round)
            if stand in carried_copy.before
        )
        return tuple(
            self._set_transfers(
                (carried_copy.copy, carried_copy.after[:1]) for carried_copy in carried
            )
        )

    def boards_brought_to(self, after_round: int, after_table: int) -> tuple[SetTransfer, ...]:
        """Return the board sets that tables bring to the board stand after a table, after a round."""
        stand = CopySpot("stand", (after_table,))
        carried = (
            carried_copy
            for carried_copy in self._carried_copies(after_round)
            if stand in carried_copy.after
        )
        return tuple(
            self._set_transfers(
                (carried_copy.copy, carried_copy.before[-1:]) for carried_copy in carried
            )
        )

    def _carried_copies(self, after_round: int) -> tuple[CarriedCopy, ...]:
        """Return the copies of board sets that are carried to another place after a round; none after the last."""
        is_last = after_round >= self.movement.rounds
        return () if is_last else self.copy_places.carried(after_round)

    def _set_transfers(
        self, copy_places: Iterable[tuple[SetCopy, tuple[CopySpot, ...]]]
    ) -> Iterator[SetTransfer]:
        """Yield the board sets carried from tables to a board stand or back, from the places of each copy."""
        for copy, spots in copy_places:
            for spot in spots:
                if spot.kind == "table":
                    yield SetTransfer(
                        spot.tables[0], *self._group_by_copy([(copy.name, copy.number)])
                    )
