"""Seats and moves of contestants, derived from a session's games, round by round and part by part."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from movements.engine.descriptions.wording import Announcement, announcements, tables_up
from movements.engine.model import Movement

from .evening import SessionEvening
from .games import Contestant, TableGame

#: a unit that moves: a contestant by number; for a team either half, by its line
Mover = tuple[int, str]


@dataclass(frozen=True)
class SeatAt:
    """A contestant's table and seat in a round or part of one; not played if there is no opponent."""

    round: int
    part: int
    parts: int
    table: int
    line: str
    is_played: bool
    chair: str  # the line, or in an individual one of its two chairs

    @property
    def place(self) -> tuple[int, str]:
        """Return the table and the seat."""
        return self.table, self.chair


@dataclass(frozen=True)
class RoundMove:
    """A contestant's move after a round, from one seat to the next; a team's two pairs move separately."""

    contestant: Contestant
    before: SeatAt | None  # at the end of the round; None: at no table
    after: SeatAt | None  # at the beginning of the next
    comes_back: bool  # from a sit-out
    sits_out: bool  # in the next round, at a table or at none

    @property
    def stays_in_seat(self) -> bool:
        """Return whether the contestant plays in both rounds at the same table and seat."""
        if self.sits_out or self.comes_back or not (self.before and self.after):
            return False
        return self.before.place == self.after.place


class SectionMoves:
    """The seats of all contestants of a section in all rounds, and the moves between them."""

    def __init__(self, evening: SessionEvening) -> None:
        self.evening = evening
        self._rounds: dict[int, dict[Mover, list[SeatAt]]] = {}

    @property
    def has_halves(self) -> bool:
        """Return whether contestants are teams, with a pair in each direction."""
        return self.evening.section.contest.has_halves

    def in_round(self, round: int) -> dict[Mover, list[SeatAt]]:
        """Return the seats of all contestants in a round, in the order of its parts."""
        if round not in self._rounds:
            seats_by_mover: defaultdict[Mover, list[SeatAt]] = defaultdict(list)
            for game in self.evening.games.get(round, ()):
                for line, side in (("ns", game.ns), ("ew", game.ew)):
                    for sitting, chair in zip(side, line, strict=False):
                        contestant = sitting.contestant
                        seats_by_mover[contestant.number, line if self.has_halves else ""].append(
                            SeatAt(
                                round,
                                game.part,
                                game.parts,
                                game.table,
                                line,
                                game.is_played,
                                chair if contestant.is_single else line,
                            )
                        )
            for seats in seats_by_mover.values():
                seats.sort(key=lambda seat: seat.part)
            self._rounds[round] = dict(seats_by_mover)
        return self._rounds[round]

    def moves_after_round(self, round: int) -> tuple[RoundMove, ...]:
        """Return the moves of all contestants after a round, by number, including those that stay seated."""
        before, after = self.in_round(round), self.in_round(round + 1)
        out = {out.number for out in self.evening.sit_outs(round)}
        out_next = {out.number for out in self.evening.sit_outs(round + 1)}
        movers = before.keys() | after.keys()
        movers |= {(number, "") for number in out_next - {number for number, _half in movers}}
        return tuple(
            RoundMove(
                self.evening.contestant_in(mover[0], round + 1),
                before[mover][-1] if mover in before else None,
                after[mover][0] if mover in after else None,
                comes_back=mover in after and mover[0] in out - out_next,
                sits_out=mover[0] in out_next,
            )
            for mover in sorted(movers)
        )

    def next_seat(self, number: int, game: TableGame) -> SeatAt | None:
        """Return where a contestant sits next after a game at a table; None if a sit-out comes first.

        It also counts as a sit-out if the table plays another part of the round without the contestant.
        """
        mover = (number, game.side_of(number) if self.has_halves else "")
        here = self.in_round(game.round).get(mover, ())
        later = [seat for seat in here if seat.part > game.part]
        if not later and game.part == game.parts:
            later = self.in_round(game.round + 1).get(mover, [])
        return next(iter(later), None)

    @cached_property
    def seats(self) -> dict[int, list[SeatAt]]:
        """Return each contestant's seats in the order of rounds; of a team's two pairs N-S comes first."""
        seats_of_number: defaultdict[int, list[SeatAt]] = defaultdict(list)
        for round in sorted(self.evening.games):
            for (number, _half), seats in self.in_round(round).items():
                seats_of_number[number] += seats
        for seats in seats_of_number.values():
            seats.sort(key=lambda seat: (seat.round, seat.part, seat.line == "ew"))
        return dict(seats_of_number)

    def seats_of_half(self, number: int, direction: str) -> list[SeatAt]:
        """Return the seats of the team's pair that plays in a direction ("ns" or "ew")."""
        return [seat for seat in self.seats.get(number, []) if seat.line == direction]

    def stays_put(self, number: int, direction: str = "") -> bool:
        """Return whether a contestant, or a team's pair in a direction, has the same seat in every round."""
        is_half = self.has_halves and direction
        seats = self.seats_of_half(number, direction) if is_half else self.seats.get(number, [])
        rounds = {seat.round for seat in seats}
        return len({seat.place for seat in seats}) == 1 and len(rounds) == self.evening.rounds

    @cached_property
    def rules(self) -> dict[int, Announcement]:
        """Return the usual moves of N-S, E-W and boards after every round but the last, by round."""
        return {rule.after_round: rule for rule in announcements(self._movement)}

    def is_skip(self, game: TableGame, seat: SeatAt) -> bool:
        """Return whether the move from a game to the next seat is the skip that East-West make in that round."""
        rule = self.rules.get(game.round)
        if rule is None or not rule.is_skip or seat.line != "ew":
            return False
        return rule.ew == tables_up(game.table, seat.table, self._movement.tables)

    @property
    def _movement(self) -> Movement:
        """Return the engine's movement of the section."""
        assert self.evening.played is not None, "without a movement nobody moves"
        return self.evening.played.movement
