"""Directions on every board during a search for arrow-switches, and their weights."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import mul

from ..model import Movement
from ..options import with_single_board_sets
from .balance import balance, percentage_factors

Turned = frozenset[tuple[int, int]]
"""Turned boards: the seating's place in the movement, the board's place in its round (from 0)."""


@dataclass(frozen=True, slots=True)
class SwitchPlay:
    """A board at a table that may be arrow-switched, for the search of the fairest switches."""

    seating: int
    position: int  # of the board in its round, from 0
    round: int
    is_part: bool  # True if the table plays the round in parts; their timing must stay
    board: str
    ns: int
    ew: int
    factor: int
    cost: int


@dataclass(frozen=True)
class SwitchChoices:
    """The possible arrow-switches of a search: blocks of plays that are switched together."""

    blocks: tuple[tuple[int, ...], ...]
    groups: tuple[int, ...]
    are_rivals: bool = False


class SwitchState:
    """The state of the search for switches: which plays are switched, and how uneven the weights are.

    The movement must be lawful, so that no board is played twice by a contestant.
    """

    def __init__(self, movement: Movement, boards_per_set: int, from_round: int) -> None:
        self.movement = movement
        divided = with_single_board_sets(movement, boards_per_set)
        self.tables = Counter(
            name for seating in divided.seatings if seating.is_played for name in seating.sets
        )
        unit, factors = percentage_factors(self.tables.values())
        self.columns = {name: [0] * len(movement.contestants) for name in self.tables}
        self.plays: list[SwitchPlay] = []
        for index, seating in enumerate(divided.seatings):
            if not isinstance(seating.ns, int) or not isinstance(seating.ew, int):
                continue
            ns, ew, round = seating.ns - 1, seating.ew - 1, seating.round
            is_part = len(movement.seatings_at_table(round, seating.table)) > 1
            for position, name in enumerate(seating.sets):
                self.columns[name][ns], self.columns[name][ew] = 1, -1
                factor = factors[self.tables[name]]
                cost = 16 * factor * factor * (self.tables[name] - 1)
                self.plays.append(
                    SwitchPlay(index, position, round, is_part, name, ns, ew, factor, cost)
                )
        self.weights = [
            [int(weight * unit) for weight in row]
            for row in balance(movement, boards_per_set).weights
        ]
        self.total = sum(map(sum, self.weights)) // 2
        self.couples = len(self.weights) * (len(self.weights) - 1) // 2
        self.squares = sum(weight * weight for row in self.weights for weight in row) // 2
        self.turned = [False] * len(self.plays)
        self.turned_on = dict.fromkeys(self.tables, 0)
        self.by_table: set[str] = set()
        self.free = [i for i, play in enumerate(self.plays) if play.round >= from_round]

    # ── turnable boards ──

    @cached_property
    def whole_rounds(self) -> SwitchChoices:
        """Return the choices that switch whole rounds at all tables."""
        return self._grouped_choices(lambda play: (play.round, 0))

    @cached_property
    def room_boards(self) -> SwitchChoices:
        """Return the choices that switch single boards at all tables, at most one in a round."""
        in_parts = {play.round for play in self.plays if play.is_part}
        return self._grouped_choices(
            lambda play: None if play.round in in_parts else (play.round, play.position),
            are_rivals=True,
        )

    @cached_property
    def table_boards(self) -> SwitchChoices:
        """Return the choices that switch single boards at single tables."""
        return self._grouped_choices(
            lambda play: (play.seating, 0 if play.is_part else play.position)
        )

    def _grouped_choices(
        self, key: Callable[[SwitchPlay], tuple[int, int] | None], are_rivals: bool = False
    ) -> SwitchChoices:
        """Return the choices that switch plays with an equal key together."""
        blocks: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for index in self.free:
            where = key(self.plays[index])
            if where:
                blocks[where].append(index)
        keys = sorted(blocks)
        return SwitchChoices(
            tuple(tuple(blocks[key]) for key in keys), tuple(key[0] for key in keys), are_rivals
        )

    def begin_search(self, choices: SwitchChoices) -> None:
        """Undo all switches, and begin a search among these choices.

        If all plays of a board are separate choices, the other tables may be turned instead.
        """
        self.turn_all([index for index, is_turned in enumerate(self.turned) if is_turned])
        singles = Counter(self.plays[b[0]].board for b in choices.blocks if len(b) == 1)
        self.by_table = {name for name, count in singles.items() if count == self.tables[name]}

    # turning

    def gain_of_turn(self, index: int) -> int:
        """Return by how much the unevenness would grow if a play were switched."""
        play = self.plays[index]
        column = self.columns[play.board]
        one, other = self.weights[play.ns], self.weights[play.ew]
        pull: int = sum(map(mul, one, column)) - sum(map(mul, other, column))
        pull = pull if column[play.ns] > 0 else -pull
        return play.cost - 4 * play.factor * (pull + 2 * one[play.ew])

    def turn_play(self, index: int, gain: int) -> None:
        """Switch a play; `gain` is the value that `gain_of_turn` returned for it."""
        play = self.plays[index]
        p, q, weights, column = play.ns, play.ew, self.weights, self.columns[play.board]
        twice, between = 2 * play.factor * column[p], weights[p][q]
        one = [weight - twice * side for weight, side in zip(weights[p], column, strict=True)]
        other = [weight + twice * side for weight, side in zip(weights[q], column, strict=True)]
        one[p] = other[q] = 0
        one[q] = other[p] = between  # they play each other whichever way they sit
        weights[p], weights[q] = one, other
        for row, with_one, with_other in zip(weights, one, other, strict=True):
            row[p], row[q] = with_one, with_other
        column[p], column[q] = column[q], column[p]
        self.squares += gain
        self.turned[index] = not self.turned[index]
        self.turned_on[play.board] += 1 if self.turned[index] else -1

    def turn_all(self, block: Sequence[int]) -> int:
        """Switch a block of plays; return by how much the unevenness grew."""
        before = self.squares
        for index in block:
            self.turn_play(index, self.gain_of_turn(index))
        return self.squares - before

    # ── results ──

    @property
    def is_perfect(self) -> bool:
        """Return whether all contestants are compared equally, so that nothing can be improved."""
        return self.couples * self.squares == self.total * self.total

    def _is_complemented(self, board: str) -> bool:
        """Return whether a board is switched at more than half of its tables, so that the others count instead."""
        more_than_half = 2 * self.turned_on[board] > self.tables[board]
        return more_than_half and board in self.by_table

    @property
    def switch_count(self) -> int:
        """Return how many plays are switched; of a board switched at most tables, the others are counted."""
        return sum(
            self.tables[board] - turned if self._is_complemented(board) else turned
            for board, turned in self.turned_on.items()
        )

    @property
    def state(self) -> Turned:
        """Return the switched plays; of a board switched at most of its tables, the other plays instead."""
        return frozenset(
            (play.seating, play.position)
            for play, is_turned in zip(self.plays, self.turned, strict=True)
            if is_turned != self._is_complemented(play.board)
        )
