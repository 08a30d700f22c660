"""Arrow-switches that make one field fair: how much is gained for how much announcing.

In one field half the pairs are never compared with the other half in the same direction unless
some tables are turned (N-S become E-W) for some boards. Four levels, each harder to announce:
nothing turned; whole rounds; the whole room turns one board in a few different rounds; any table,
any board. `switchings` looks for the best of each by simulated annealing and returns those that pay.

Turning never changes the mean weight (see `balance`), so evenness is the sum of squared weights:
an integer, and one turned board changes only the weights of the two pairs at the table. Turning
all tables on a board changes nothing, so at most half of them are ever turned.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from operator import mul
from random import Random
from typing import Literal

from .balance import Balance, balance, percentage_factors
from .model import Movement, Seating
from .options import as_one_field, refined, without

Level = Literal["none", "rounds", "room", "tables"]
Turned = frozenset[tuple[int, int]]
"""Turned boards: the seating's place in the movement, the board's place in its round (from 0)."""

#: Boards turned on trial: about a second for an evening of ordinary size.
ITERATIONS = 300_000

#: More trials than this are several searches, each from the beginning.
LONGEST_SEARCH = 800_000

#: Rounds and room-wide boards are tried at least so often, however large the room.
FEWEST_TRIALS = 500

#: The annealing begins and ends at these temperatures, per table playing a board.
HOT, COLD = 2.5, 0.5

#: How many solutions of equal evenness and equally many switches are compared more closely.
TIES = 4


@dataclass(frozen=True, slots=True)
class Turn:
    """What is turned in a round: at which tables and which of the round's boards.

    Empty `tables` is the whole room; empty `boards` all boards of the round, otherwise they are
    counted from 1 in the order of the set.
    """

    round: int
    tables: tuple[int, ...] = ()
    boards: tuple[int, ...] = ()


@dataclass(frozen=True)
class Switching:
    """A movement with arrow-switches, and what they are worth.

    `switches` counts boards turned, at every table where they are. Where only some boards of a
    round are turned, the movement's sets are single boards (`boards_per_set` is 1) and such a
    table has two seatings, the usual direction first.
    """

    level: Level
    movement: Movement
    boards_per_set: int
    turns: tuple[Turn, ...]
    switches: int
    balance: Balance


def rounds_to_switch(rounds: int) -> int:
    """Return how many whole rounds to switch: an eighth, at least one.

    With s of r rounds switched, couples that meet have 4s comparisons in the same direction and
    couples of one line r - 4s opposite to them: equal for s = r / 8. Source: EBU; Wikipedia.

    >>> [rounds_to_switch(rounds) for rounds in (6, 9, 12, 13)]
    [1, 1, 2, 2]
    """
    return max(1, round(rounds / 8))


def switchings(
    movement: Movement,
    boards_per_set: int = 1,
    *,
    rng: Random,
    iterations: int = ITERATIONS,
    from_round: int = 1,
) -> tuple[Switching, ...]:
    """Return the arrow-switches worth having, each only if it is fairer than all easier ones.

    The first is the movement as it is, in one field; then the last rounds (an eighth of them), the
    best rounds, one board in the whole room, any table and board. Of equally even solutions the one
    with the fewest switches is taken, then the smallest luck of the unluckiest pair, then the best
    balance with a pair absent. Rounds before `from_round` keep their directions. Equal seeds of
    `rng` and equal `iterations` give equal answers. Teams and individuals are never switched.

    >>> from movements.engine.families.mitchell import mitchell
    >>> [s.balance.score for s in switchings(mitchell(7), rng=Random(1), iterations=5000)]
    [72, 92]
    """
    if movement.contest != "pairs":
        return (_switching("none", movement, boards_per_set, frozenset()),)
    movement = as_one_field(movement)
    room = _Room(movement, boards_per_set, from_round)
    found = [_switching("none", movement, boards_per_set, frozenset())]
    for level, states in _proposals(room, rng, iterations):
        best = _best_of([_switching(level, movement, boards_per_set, one) for one in states])
        easier = found[-1].balance
        if best.balance.sd < easier.sd and best.balance.luck < easier.luck:
            found.append(best)
    return tuple(found)


# ── the finished movement ──


def _switching(level: Level, movement: Movement, boards_per_set: int, turned: Turned) -> Switching:
    """Return the movement with some boards turned; sets are divided only where that is needed."""
    boards_at: defaultdict[int, list[int]] = defaultdict(list)
    for index, board in sorted(turned):
        boards_at[index].append(board)
    in_round = [len(seating.sets) * boards_per_set for seating in movement.seatings]
    whole = {index for index, boards in boards_at.items() if len(boards) == in_round[index]}
    per_set = boards_per_set if len(whole) == len(boards_at) else 1
    divided = refined(movement, boards_per_set // per_set)
    parts = [
        part
        for index, seating in enumerate(divided.seatings)
        for part in _parts(seating, {board // per_set for board in boards_at.get(index, ())})
    ]
    finished = replace(divided, seatings=tuple(parts))
    tables: defaultdict[tuple[int, tuple[int, ...]], set[int]] = defaultdict(set)
    for index, boards in boards_at.items():
        named = () if index in whole else tuple(board + 1 for board in boards)
        tables[movement.seatings[index].round, named].add(movement.seatings[index].table)
    return Switching(
        level=level,
        movement=finished,
        boards_per_set=per_set,
        turns=tuple(
            Turn(round, _unless_all(tables[round, boards], movement.in_round(round)), boards)
            for round, boards in sorted(tables)
        ),
        switches=len(turned),
        balance=balance(finished, per_set),
    )


def _parts(seating: Seating, turned: Collection[int]) -> Iterator[Seating]:
    """Divide a seating into the sets that stay as they are and those that are turned."""
    usual = tuple(name for index, name in enumerate(seating.sets) if index not in turned)
    others = tuple(name for index, name in enumerate(seating.sets) if index in turned)
    if usual or not others:
        yield replace(seating, sets=usual)
    if others:
        yield replace(seating, sets=others).turned()


def _unless_all(tables: Collection[int], seatings: Sequence[Seating]) -> tuple[int, ...]:
    is_all = {*tables} == {seating.table for seating in seatings if seating.is_played}
    return () if is_all else tuple(sorted(tables))


def _best_of(equals: Sequence[Switching]) -> Switching:
    """Return, of equally even switchings, the one with the best-off unluckiest pair, and so on."""
    least = min(one.balance.largest_luck for one in equals)
    left = [one for one in equals if one.balance.largest_luck < least + 1e-9]
    return max(left, key=_quality_with_one_absent) if len(left) > 1 else left[0]


def _quality_with_one_absent(switching: Switching) -> float:
    """Return the mean quality figure over the movements with one pair missing."""
    movement = switching.movement
    qualities = [
        balance(without(movement, movement.label(pair)), switching.boards_per_set).quality
        for pair in movement.contestants
    ]
    return sum(qualities) / len(qualities)


# ── the room during the search ──


@dataclass(frozen=True, slots=True)
class _Play:
    """One board at one table. `cost` is what turning it adds to the squares, weights being 0."""

    seating: int
    position: int  # of the board in its round, from 0
    round: int
    is_part: bool  # whether the table plays the round in parts, whose timing must stay
    board: str
    ns: int
    ew: int
    factor: int
    cost: int


@dataclass(frozen=True)
class _Choices:
    """What may be turned: blocks of plays that turn together; of rivals in a group at most one."""

    blocks: tuple[tuple[int, ...], ...]
    groups: tuple[int, ...]
    are_rivals: bool = False


class _Room:
    """Directions of everybody on every board, the weights they make, and the sum of their squares.

    The movement is taken to be lawful: nobody plays a board twice.
    """

    def __init__(self, movement: Movement, boards_per_set: int, from_round: int) -> None:
        self.movement = movement
        divided = refined(movement, boards_per_set)
        self.tables = Counter(
            name for seating in divided.seatings if seating.is_played for name in seating.sets
        )
        unit, factors = percentage_factors(self.tables.values())
        self.columns = {name: [0] * len(movement.contestants) for name in self.tables}
        self.plays: list[_Play] = []
        for index, seating in enumerate(divided.seatings):
            if not isinstance(seating.ns, int) or not isinstance(seating.ew, int):
                continue
            ns, ew, round = seating.ns - 1, seating.ew - 1, seating.round
            is_part = len(movement.at_table(round, seating.table)) > 1
            for position, name in enumerate(seating.sets):
                self.columns[name][ns], self.columns[name][ew] = 1, -1
                factor = factors[self.tables[name]]
                cost = 16 * factor * factor * (self.tables[name] - 1)
                self.plays.append(
                    _Play(index, position, round, is_part, name, ns, ew, factor, cost)
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

    # what may be turned

    @cached_property
    def whole_rounds(self) -> _Choices:
        """Whole rounds, everybody at once."""
        return self._choices(lambda play: (play.round, 0))

    @cached_property
    def room_boards(self) -> _Choices:
        """One board at all tables, not two in one round; none where tables play in parts."""
        in_parts = {play.round for play in self.plays if play.is_part}
        return self._choices(
            lambda play: None if play.round in in_parts else (play.round, play.position),
            are_rivals=True,
        )

    @cached_property
    def table_boards(self) -> _Choices:
        """Any table, any board; a table that plays in parts as it is turns whole parts only."""
        return self._choices(lambda play: (play.seating, 0 if play.is_part else play.position))

    def _choices(
        self, key: Callable[[_Play], tuple[int, int] | None], are_rivals: bool = False
    ) -> _Choices:
        """Put the free plays with one key into one block; keys begin with the group."""
        blocks: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for index in self.free:
            where = key(self.plays[index])
            if where:
                blocks[where].append(index)
        keys = sorted(blocks)
        return _Choices(
            tuple(tuple(blocks[one]) for one in keys), tuple(one[0] for one in keys), are_rivals
        )

    def begin(self, choices: _Choices) -> None:
        """Turn everything back, to search with these choices.

        The other tables may be turned instead where all plays of a board are choices of their own.
        """
        self.turn_all([index for index, is_turned in enumerate(self.turned) if is_turned])
        singles = Counter(self.plays[b[0]].board for b in choices.blocks if len(b) == 1)
        self.by_table = {name for name, count in singles.items() if count == self.tables[name]}

    # turning

    def gain(self, index: int) -> int:
        """Return by how much the sum of squares would grow if a play were turned."""
        play = self.plays[index]
        column = self.columns[play.board]
        one, other = self.weights[play.ns], self.weights[play.ew]
        pull: int = sum(map(mul, one, column)) - sum(map(mul, other, column))
        pull = pull if column[play.ns] > 0 else -pull
        return play.cost - 4 * play.factor * (pull + 2 * one[play.ew])

    def turn(self, index: int, gain: int) -> None:
        """Turn a play; `gain` is what `gain` said of it."""
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
        """Turn a block; return by how much the sum of squares grew."""
        before = self.squares
        for index in block:
            self.turn(index, self.gain(index))
        return self.squares - before

    # what has been reached

    @property
    def is_perfect(self) -> bool:
        """Whether all weights are equal, so that nothing better exists."""
        return self.couples * self.squares == self.total * self.total

    def _is_complemented(self, board: str) -> bool:
        """Whether turning the other tables instead is the same with fewer switches."""
        more_than_half = 2 * self.turned_on[board] > self.tables[board]
        return more_than_half and board in self.by_table

    @property
    def switches(self) -> int:
        """How many boards are turned, no more tables than half of them on any."""
        return sum(
            self.tables[board] - turned if self._is_complemented(board) else turned
            for board, turned in self.turned_on.items()
        )

    @property
    def state(self) -> Turned:
        """The boards turned, no more tables than half of them on any."""
        return frozenset(
            (play.seating, play.position)
            for play, is_turned in zip(self.plays, self.turned, strict=True)
            if is_turned != self._is_complemented(play.board)
        )


# ── the search ──


def _proposals(
    room: _Room, rng: Random, iterations: int
) -> Iterator[tuple[Level, Sequence[Turned]]]:
    """Yield what each level has to offer, the easiest first: equally good boards to turn."""
    rounds = room.movement.rounds
    last = range(rounds - rounds_to_switch(rounds) + 1, rounds + 1)
    free = [room.plays[index] for index in room.free]
    yield "rounds", [frozenset((p.seating, p.position) for p in free if p.round in last)]
    levels: list[tuple[Level, _Choices]] = [
        ("rounds", room.whole_rounds),
        ("room", room.room_boards),
        ("tables", room.table_boards),
    ]
    tried: list[tuple[tuple[int, ...], ...]] = [()]
    for level, choices in levels:
        if choices.blocks not in tried:
            tried.append(choices.blocks)
            yield level, _search(room, choices, rng, iterations)
        if level == "room" and (steady := _steady_table(room)):
            yield "tables", [steady]


def _steady_table(room: _Room) -> Turned | None:
    """Return the best table to turn the second half of its boards all evening: easy to remember.

    It makes Howells of odd tables perfect where the boards of a round are even in number.
    """
    states: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
    boards = Counter(play.seating for play in room.plays)
    for index in room.free:
        play = room.plays[index]
        if play.is_part or boards[play.seating] % 2:
            return None
        if 2 * play.position >= boards[play.seating]:
            table = room.movement.seatings[play.seating].table
            states[table].add((play.seating, play.position))
    number = {(play.seating, play.position): index for index, play in enumerate(room.plays)}

    def squares(table: int) -> int:
        room.begin(room.table_boards)
        room.turn_all([number[one] for one in sorted(states[table])])
        return room.squares

    return frozenset(states[min(sorted(states), key=squares)]) if states else None


def _search(room: _Room, choices: _Choices, rng: Random, iterations: int) -> list[Turned]:
    """Return the best states found by turning blocks: equally even, equally few switches.

    A block of one play is turned on trial by arithmetic. Larger ones are really turned, so that
    fewer trials fit into the time.
    """
    size = max(map(len, choices.blocks))
    trials = iterations if size == 1 else max(FEWEST_TRIALS, iterations // (16 * size))
    room.begin(choices)
    best = _Best()
    best.note(room)
    while trials > 0 and not room.is_perfect:
        _anneal(room, choices, rng, min(trials, LONGEST_SEARCH), best)
        trials -= LONGEST_SEARCH
    return best.states


class _Best:
    """The evenest states so far, with the fewest switches."""

    def __init__(self) -> None:
        self.squares = self.switches = 0
        self.states: list[Turned] = []

    def note(self, room: _Room) -> None:
        """Keep the room's state if it is as good as any."""
        if self.states and room.squares > self.squares:
            return
        switches = room.switches
        if not self.states or (room.squares, switches) < (self.squares, self.switches):
            self.squares, self.switches, self.states = room.squares, switches, [room.state]
        elif switches == self.switches and len(self.states) < TIES:
            state = room.state
            self.states += [state] if state not in self.states else []


def _anneal(room: _Room, choices: _Choices, rng: Random, trials: int, best: _Best) -> None:
    """Turn blocks, from nothing turned; keep what is fairer, and the unfair by chance while hot.

    Of blocks of several plays few are turned in the end: half of their trials exchange one that is
    turned for one that is not.
    """
    room.begin(choices)
    blocks = choices.blocks
    is_coarse = max(map(len, blocks)) > 1
    heat = sum(room.plays[i].cost for block in blocks for i in block) / (16 * len(blocks))
    cooling = (COLD / HOT) ** (1 / trials)
    temperature = HOT * heat
    on: list[int] = []  # the blocks turned, where they are coarse
    random = rng.random
    for _ in range(trials):
        temperature *= cooling
        number = int(random() * len(blocks))
        numbers, block = [number], blocks[number]
        if is_coarse:
            numbers = _trial(choices, on, number, rng)
            block = tuple(index for one in numbers for index in blocks[one])
        is_one = len(block) == 1
        growth = room.gain(block[0]) if is_one else room.turn_all(block)
        if growth > 0 and growth >= -temperature * log(1 - random()):
            if not is_one:
                room.turn_all(block)
            continue
        if is_one:
            room.turn(block[0], growth)
        if is_coarse:
            on = sorted({*on}.symmetric_difference(numbers))
        best.note(room)
        if room.is_perfect:
            return


def _trial(choices: _Choices, on: Sequence[int], number: int, rng: Random) -> list[int]:
    """Return the blocks to turn with a block: its rivals, and perhaps one in exchange for it."""
    group = choices.groups[number]
    numbers = [number]
    if choices.are_rivals:
        numbers += [other for other in on if other != number and choices.groups[other] == group]
    if on and rng.random() < 0.5:
        exchanged = on[int(rng.random() * len(on))]
        numbers += [exchanged] if exchanged not in numbers else []
    return numbers
