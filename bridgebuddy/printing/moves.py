"""Where people and boards go next, read off the evening, round by round and part by part."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from bridgebuddy.events.queries.evening import Evening, Game
from movements.engine.model import Movement
from movements.engine.wording import announcement, tables_up

Moment = tuple[int, int]  # a round and a part of it


@dataclass(frozen=True)
class Seat:
    """Where somebody is at a moment; not played where nobody sits opposite."""

    round: int
    part: int
    table: int
    line: str
    is_played: bool
    chair: str  # the line, or in an individual one of its two chairs

    @property
    def place(self) -> tuple[int, str]:
        return self.table, self.chair


def _in_time(seat: Seat) -> tuple[int, int, bool]:
    """Order seats by time; of a team's two at a time the one of its N-S comes first."""
    return seat.round, seat.part, seat.line == "ew"


@dataclass(frozen=True)
class BoardMove:
    """Where a table's boards go: to tables, to a stand, aside until later, or nowhere any more."""

    kind: str  # "stay", "tables", "stand", "aside" or "done"
    sets: tuple[str, ...]
    tables: tuple[int, ...] = ()  # for "stand": the table after which it is


class Moves:
    """The evening's moves, worked out once for all cards."""

    def __init__(self, evening: Evening, movement: Movement) -> None:
        self.evening = evening
        self.movement = movement

    # ── people ──

    @cached_property
    def seats(self) -> dict[int, list[Seat]]:
        """Everybody's seats in order of time, by number."""
        found: defaultdict[int, list[Seat]] = defaultdict(list)
        for games in self.evening.games.values():
            for game in games:
                for sitting in game.ns + game.ew:
                    number = sitting.contestant.number
                    found[number].append(
                        Seat(
                            game.round,
                            game.part,
                            game.table,
                            sitting.line,
                            game.is_played,
                            game.chair_of(number),
                        )
                    )
        return {n: sorted(seats, key=_in_time) for n, seats in found.items()}

    @property
    def is_teams(self) -> bool:
        """Whether a contestant is two pairs, one in each line."""
        return self.movement.contest == "teams"

    def next_seat(self, number: int, game: Game) -> Seat | None:
        """Return where somebody at a table goes after it; None: they sit out first.

        A round of which their table plays another part without them is a sit-out too.
        """
        now = (game.round, game.part)
        seat = next((s for s in self._way_of(number, game) if (s.round, s.part) > now), None)
        soonest = game.round if game.part < game.parts else game.round + 1
        return seat if seat and seat.round <= soonest else None

    def _way_of(self, number: int, game: Game) -> list[Seat]:
        """Everybody's seats; of a team those of the half that sits at a table."""
        seats = self.seats[number]
        return self.half_of(number, game.side_of(number)) if self.is_teams else seats

    def half_of(self, number: int, line: str) -> list[Seat]:
        """The seats of the half of a team that sits in a line."""
        return [seat for seat in self.seats.get(number, []) if seat.line == line]

    def stays_put(self, number: int, line: str = "") -> bool:
        """Whether somebody, or a team's half in a line, has one and the same seat in every round."""
        is_half = self.is_teams and line
        seats = self.half_of(number, line) if is_half else self.seats.get(number, [])
        rounds = {seat.round for seat in seats}
        return len({seat.place for seat in seats}) == 1 and len(rounds) == self.evening.rounds

    @cached_property
    def skips(self) -> dict[int, int | None]:
        """The rounds after which East-West skip a table, and how many tables up that is."""
        facts = (announcement(self.movement, after) for after in range(1, self.movement.rounds))
        return {fact.after_round: fact.ew for fact in facts if fact.is_skip}

    def is_skip(self, game: Game, seat: Seat) -> bool:
        """Whether going from a game to a seat is the East-West skip of that round."""
        up = tables_up(game.table, seat.table, self.movement.tables)
        return seat.line == "ew" and self.skips.get(game.round) == up

    # ── boards ──

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

    def boards_after(self, game: Game) -> tuple[BoardMove, ...]:
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
