"""The search for arrow-switches: which boards to turn to make the weights as even as possible.

Whole rounds and boards of the whole room are few, so they are turned on trial. Worse trials are accepted by chance at
high temperature (simulated annealing). Single boards at single tables are many, but the gain of each is cheap to
update. There the best one is always turned, and not turned back for a while (tabu search), which escapes local
optima.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import cycle
from math import log
from operator import mul, sub
from random import Random
from typing import Literal

from .switching_room import SwitchChoices, SwitchState, Turned

Level = Literal["none", "rounds", "room", "tables"]

#: Least number of trials of rounds and room-wide boards, also in large rooms.
FEWEST_TRIALS = 500

#: The annealing begins and ends at these temperatures, per table playing a board.
HOT, COLD = 2.5, 0.5

#: Reading all boards, turning one and counting anew takes as long as so many trials per board.
TRIALS_A_STEP = 0.125 * 3 / 4

#: Number of restarts: the first with no board turned, then with an eighth of the boards. A turned board stays for one
#: of these numbers of steps, plus a random number; they are used in turn, since none suits every movement.
STAYS = ((4, 8, 16), (4, 8, 16), (16, 32), (4, 8, 16))
STEPS_A_STAY = 300
TURNED_AT_FIRST = 1 / 8
MOST_STEPS = 6_000

#: Number of solutions with equal evenness and equally many switches that are compared more closely.
TIES = 40


def rounds_to_switch(rounds: int) -> int:
    """Return how many whole rounds to switch: an eighth, at least one.

    With s of r rounds switched, couples that meet have 4s comparisons in the same direction and couples of one line r
    - 4s opposite to them: equal for s = r / 8. Source: EBU; Wikipedia.

    >>> [rounds_to_switch(rounds) for rounds in (6, 9, 12, 13)]
    [1, 1, 2, 2]
    """
    return max(1, round(rounds / 8))


def proposals(
    room: SwitchState, rng: Random, iterations: int
) -> Iterator[tuple[Level, Sequence[Turned]]]:
    """Yield the fairest arrow-switches found for each level of effort at the tables, the easiest level first."""
    rounds = room.movement.rounds
    last = range(rounds - rounds_to_switch(rounds) + 1, rounds + 1)
    free = [room.plays[index] for index in room.free]
    yield "rounds", [frozenset((p.seating, p.position) for p in free if p.round in last)]
    levels: list[tuple[Level, SwitchChoices]] = [
        ("rounds", room.whole_rounds),
        ("room", room.room_boards),
        ("tables", room.table_boards),
    ]
    tried: list[tuple[tuple[int, ...], ...]] = [()]
    for level, choices in levels:
        if choices.blocks not in tried:
            tried.append(choices.blocks)
            yield level, _search_best_switches(room, choices, rng, iterations)
        if level == "room" and (steady := _steady_table(room)):
            yield "tables", [steady]


def _steady_table(room: SwitchState) -> Turned | None:
    """Return the table at which switching the second half of the boards in all rounds is fairest.

    It makes Howells of odd tables perfect if the number of boards in a round is even.
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

    def squares_of_table(table: int) -> int:
        """Return the sum of squares if a table is switched alone."""
        room.begin_search(room.table_boards)
        room.turn_all([number[state_number] for state_number in sorted(states[table])])
        return room.squares

    return frozenset(states[min(sorted(states), key=squares_of_table)]) if states else None


class BestSwitches:
    """The fairest switches found so far with the fewest switched plays."""

    def __init__(self, room: SwitchState) -> None:
        self.squares, self.switches, self.states = room.squares, room.switch_count, [room.state]

    def note(self, room: SwitchState) -> None:
        """Store the present switches of the search if they are as fair as any found so far."""
        if room.squares > self.squares:
            return
        switches = room.switch_count
        if (room.squares, switches) < (self.squares, self.switches):
            self.squares, self.switches, self.states = room.squares, switches, [room.state]
        elif switches == self.switches and len(self.states) < TIES:
            state = room.state
            self.states += [state] if state not in self.states else []


def _search_best_switches(
    room: SwitchState, choices: SwitchChoices, rng: Random, iterations: int
) -> list[Turned]:
    """Return the fairest states found by switching blocks of plays."""
    room.begin_search(choices)
    best = BestSwitches(room)
    size = max(map(len, choices.blocks))
    if size > 1:
        _anneal_blocks(room, choices, rng, max(FEWEST_TRIALS, iterations // (16 * size)), best)
    else:
        steps = int(iterations / (TRIALS_A_STEP * len(choices.blocks) * len(STAYS)))
        turn_tables(room, rng, min(MOST_STEPS, steps), best)
    return best.states


# ── rounds, and boards at all tables ──


def _anneal_blocks(
    room: SwitchState, choices: SwitchChoices, rng: Random, trials: int, best_switches: BestSwitches
) -> None:
    """Search by simulated annealing: switch blocks at random, and accept worse states less and less.

    Few blocks are turned in the end: half of the trials exchange a turned block for another.
    """
    blocks = choices.blocks
    heat = sum(room.plays[i].cost for block in blocks for i in block) / (16 * len(blocks))
    cooling = (COLD / HOT) ** (1 / trials)
    temperature = HOT * heat
    on: list[int] = []
    for _ in range(trials):
        if room.is_perfect:
            return
        temperature *= cooling
        numbers = _blocks_to_turn(choices, on, int(rng.random() * len(blocks)), rng)
        block = tuple(index for number in numbers for index in blocks[number])
        growth = room.turn_all(block)
        if growth > 0 and growth >= -temperature * log(1 - rng.random()):
            room.turn_all(block)
            continue
        on = sorted({*on}.symmetric_difference(numbers))
        best_switches.note(room)


def _blocks_to_turn(
    choices: SwitchChoices, on: Sequence[int], number: int, rng: Random
) -> list[int]:
    """Return the blocks to switch along with block `number`: its rivals already on, and at random one more."""
    group = choices.groups[number]
    numbers = [number]
    if choices.are_rivals:
        numbers += [other for other in on if other != number and choices.groups[other] == group]
    if on and rng.random() < 0.5:
        exchanged = on[int(rng.random() * len(on))]
        numbers += [exchanged] if exchanged not in numbers else []
    return numbers


# ── single boards at single tables ──


def turn_tables(room: SwitchState, rng: Random, steps: int, best_switches: BestSwitches) -> None:
    """Search switches of single boards at single tables, from several starts; `best_switches` stores the results."""
    movable = [block[0] for block in room.table_boards.blocks]
    for number, stays in enumerate(STAYS):
        room.begin_search(room.table_boards)
        if number:
            room.turn_all([index for index in movable if rng.random() < TURNED_AT_FIRST])
        _switch_best_plays_repeatedly(room, movable, stays, rng, steps, best_switches)


def _switch_best_plays_repeatedly(
    room: SwitchState,
    movable: Sequence[int],
    stay_lengths: Sequence[int],
    rng: Random,
    steps: int,
    best_switches: BestSwitches,
) -> None:
    """Repeatedly switch the play with the best gain; a switched play stays so for a while.

    It may be turned back sooner if that improves on the best state so far.
    """
    gains = _SwitchGains(room, movable)
    free_from = [0] * len(movable)
    long = cycle(stay for stay in stay_lengths for _ in range(STEPS_A_STAY))
    for step, stay in zip(range(steps), long, strict=False):
        if room.is_perfect:
            return
        least = min(gains.all)
        if room.squares + least >= best_switches.squares:
            least = min(
                [gain for gain, free in zip(gains.all, free_from, strict=True) if free <= step],
                default=least,
            )
        places = [
            place
            for place, gain in enumerate(gains.all)
            if gain == least
            and (free_from[place] <= step or room.squares + gain < best_switches.squares)
        ]
        place = places[int(rng.random() * len(places))] if places else step % len(movable)
        free_from[place] = step + 1 + stay + int(rng.random() * stay)
        gains.turn_board(place)
        best_switches.note(room)


class _SwitchGains:
    """The change of unevenness by each possible switch, updated step by step.

    `pulls[board][p]` is the weight of the board's directions for contestant p: the sum over all q of the weight of p
    and q times q's direction. From it, a gain is three products.
    """

    def __init__(self, room: SwitchState, movable: Sequence[int]) -> None:
        self.room = room
        self.order = sorted(movable, key=lambda index: room.plays[index].board)
        self.plays: defaultdict[str, list[tuple[int, int, int, int]]] = defaultdict(list)
        for play in (room.plays[index] for index in self.order):
            self.plays[play.board].append((play.ns, play.ew, 4 * play.factor, play.cost))
        self.pulls = {
            board: [sum(map(mul, row, room.columns[board])) for row in room.weights]
            for board in self.plays
        }
        self.all = self._count_gains()

    def _count_gains(self) -> list[int]:
        """Return by how much the unevenness changes with each possible switch."""
        weights, columns, pulls = self.room.weights, self.room.columns, self.pulls
        return [
            cost - factor * (column[p] * (pull[p] - pull[q]) + 2 * weights[p][q])
            for board, plays in self.plays.items()
            for column, pull in ((columns[board], pulls[board]),)
            for p, q, factor, cost in plays
        ]

    def turn_board(self, place: int) -> None:
        """Switch the play at this index, and update the gains."""
        room, index = self.room, self.order[place]
        play = room.plays[index]
        p, q, before = play.ns, play.ew, room.weights[play.ns]
        room.turn_play(index, self.all[place])
        lost = list(map(sub, before, room.weights[p]))  # lost by p to all others; q gained as much
        for board, pull in self.pulls.items():
            column = room.columns[board]
            shift = sum(map(mul, lost, column))
            apart = column[q] - column[p]
            if board == play.board:
                pull[:] = [sum(map(mul, row, column)) for row in room.weights]
                continue
            if apart:
                pull[:] = [here + apart * weight for here, weight in zip(pull, lost, strict=True)]
            pull[p] -= shift
            pull[q] += shift
        self.all = self._count_gains()
