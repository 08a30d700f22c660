"""Where the boards lie and go next, read off an evening and what its movement has prepared."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from movements.engine.model import Movement, Stand

from .evening import Evening, Game

Moment = tuple[int, int]  # a round and a part of it


@dataclass(frozen=True)
class BoardMove:
    """Where a table's boards go: to tables, to a stand, aside until later, or nowhere any more."""

    kind: str  # "stay", "tables", "stand", "aside" or "done"
    sets: tuple[str, ...]
    tables: tuple[int, ...] = ()  # for "stand": the table after which it is


class BoardMoves:
    """The sets of an evening and their ways through the room."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening

    @property
    def movement(self) -> Movement:
        """The engine's value: what stands and how many copies there are, no row says."""
        assert self.evening.played is not None, "without a movement there are no boards"
        return self.evening.played.movement

    def stands(self, round: int) -> tuple[Stand, ...]:
        """Return what waits in a round, and after which tables."""
        return self.movement.waiting(round)

    @cached_property
    def _places(self) -> dict[str, dict[Moment, tuple[int, ...]]]:
        """At which tables a set lies at which moments, in order of time."""
        found: defaultdict[str, defaultdict[Moment, list[int]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for round in sorted(self.evening.games):
            for game in sorted(self.evening.games[round], key=lambda game: (game.part, game.table)):
                for name in game.sets:
                    found[name][round, game.part].append(game.table)
        return {
            name: {moment: tuple(tables) for moment, tables in moments.items()}
            for name, moments in found.items()
        }

    def first_place(self, name: str) -> tuple[int, tuple[int, ...]] | None:
        """Return the round in which a set is played first, and the tables; None: it never is."""
        moments = self._places.get(name)
        if not moments:
            return None
        (round, _part), tables = next(iter(moments.items()))
        return round, tables

    def after(self, game: Game) -> tuple[BoardMove, ...]:
        """Return where the boards of a table go: one move, or several where its sets part."""
        moves: dict[tuple[str, tuple[int, ...]], list[str]] = {}
        for name in game.sets:
            kind, tables = self._set_after(name, game)
            moves.setdefault((kind, tables), []).append(name)
        return tuple(BoardMove(kind, tuple(sets), tables) for (kind, tables), sets in moves.items())

    def _set_after(self, name: str, game: Game) -> tuple[str, tuple[int, ...]]:
        now = (game.round, game.part)
        moments = self._places[name]
        then = next((moment for moment in moments if moment > now), None)
        if then and then[0] <= game.round + 1:
            tables = self._own_copy(game.table, moments[now], moments[then])
            return ("stay", ()) if tables == (game.table,) else ("tables", tables)
        for stand in self.movement.waiting(game.round + 1):
            if name in stand.sets:
                return "stand", (stand.after_table,)
        return ("aside" if then else "done"), ()

    def _own_copy(
        self, table: int, before: tuple[int, ...], after: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Which tables get this table's copy of a set: all of them where it is the only one."""
        if self.movement.copies == 1 or len(before) != len(after):
            return after
        if table in after:
            return (table,)
        leave = sorted(set(before) - set(after))
        return (sorted(set(after) - set(before))[leave.index(table)],)

    def stand_before(self, game: Game) -> int:
        """Return the table after which a table's boards waited until now; 0: they did not wait."""
        if game.round == 1 or game.part > 1:
            return 0
        for stand in self.movement.waiting(game.round - 1):
            if set(stand.sets) & set(game.sets):
                return stand.after_table
        return 0

    def shared_with(self, game: Game) -> tuple[int, ...]:
        """Return the tables with which a table passes its boards to and fro."""
        return game.shared_with if len(game.shared_with) >= self.movement.copies else ()
