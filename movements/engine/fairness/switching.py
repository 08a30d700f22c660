"""Arrow-switches that make one field fair, at levels of increasing effort of announcing.

In one field half the pairs are never compared with the other half in the same direction. Therefore some tables are
turned (N-S become E-W) for some boards. The four levels are: nothing turned; whole rounds; the whole room turns one
board in a few different rounds; any table, any board. `switchings` searches the best of each (`switching_search`) and
returns those that improve the fairness.

Turning never changes the mean weight (see `balance`), so evenness is the sum of squared weights, an integer. One
turned board changes only the weights of the two pairs at the table. Turning all tables on a board changes nothing, so
at most half of them are ever turned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from ..model import Movement, Seating
from ..options import merge_fields, remove_contestant, with_single_board_sets
from .balance import Balance, balance
from .switching_room import SwitchState, Turned
from .switching_search import Level, proposals

#: Trial turns: about a second for an evening of ordinary size.
ITERATIONS = 300_000

#: Number of equally good solutions among which the one is chosen that suffers least by an absence.
CLOSEST = 4


@dataclass(frozen=True, slots=True)
class RoundSwitch:
    """The arrow-switch of a round: which boards are switched, and at which tables.

    Empty `tables` means the whole room. Empty `boards` means all boards of the round; otherwise they are counted from
    1 in the order of the set.
    """

    round: int
    tables: tuple[int, ...] = ()
    boards: tuple[int, ...] = ()


@dataclass(frozen=True)
class Switching:
    """A movement with arrow-switches, and its fairness with them.

    `switches` counts turned boards, at every table where they are turned. If only some boards of a round are turned,
    the movement's sets are single boards (`boards_per_set` is 1). Such a table has two seatings, the usual direction
    first.
    """

    level: Level
    movement: Movement
    boards_per_set: int
    turns: tuple[RoundSwitch, ...]
    switches: int
    balance: Balance


def switchings(
    movement: Movement,
    boards_per_set: int = 1,
    *,
    rng: Random,
    iterations: int = ITERATIONS,
    from_round: int = 1,
) -> tuple[Switching, ...]:
    """Return the arrow-switches worth offering, easiest first, each fairer than all easier ones.

    The first is the movement without switches, in one field. Then follow the last rounds (an eighth of them), the
    best rounds, one board in the whole room, and any table and board. Of equally even solutions the one with the
    fewest switches is taken. Then the smallest luck of the unluckiest pair decides, then the best balance with a pair
    absent. Rounds before `from_round` keep their directions. Equal seeds of `rng` and equal `iterations` give equal
    answers. Teams and individuals are never switched.

    >>> from movements.engine.families.mitchells.mitchell import mitchell
    >>> [s.balance.score for s in switchings(mitchell(7), rng=Random(1), iterations=5000)]
    [72, 92]
    """
    if not movement.contest.fills_a_side:
        return (_build_switching("none", movement, boards_per_set, frozenset()),)
    movement = merge_fields(movement)
    room = SwitchState(movement, boards_per_set, from_round)
    switchings = [_build_switching("none", movement, boards_per_set, frozenset())]
    for level, states in proposals(room, rng, iterations):
        best = _best_switching(
            [_build_switching(level, movement, boards_per_set, state) for state in states]
        )
        easier = switchings[-1].balance
        if best.balance.sd < easier.sd and best.balance.luck < easier.luck:
            switchings.append(best)
    return tuple(switchings)


# ── the finished movement ──


def _build_switching(
    level: Level, movement: Movement, boards_per_set: int, switches: Turned
) -> Switching:
    """Return the movement with the plays in `switches` arrow-switched; board sets are divided only if needed."""
    boards_at: defaultdict[int, list[int]] = defaultdict(list)
    for index, board in sorted(switches):
        boards_at[index].append(board)
    in_round = [len(seating.sets) * boards_per_set for seating in movement.seatings]
    whole = {index for index, boards in boards_at.items() if len(boards) == in_round[index]}
    per_set = boards_per_set if len(whole) == len(boards_at) else 1
    divided = with_single_board_sets(movement, boards_per_set // per_set)
    parts = [
        part
        for index, seating in enumerate(divided.seatings)
        for part in _divide_seating(
            seating, {board // per_set for board in boards_at.get(index, ())}
        )
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
            RoundSwitch(
                round, _tables_unless_all(tables[round, boards], movement.in_round(round)), boards
            )
            for round, boards in sorted(tables)
        ),
        switches=len(switches),
        balance=balance(finished, per_set),
    )


def _divide_seating(seating: Seating, turned_sets: Collection[int]) -> Iterator[Seating]:
    """Divide a seating into the board sets that stay and those that are arrow-switched."""
    usual = tuple(name for index, name in enumerate(seating.sets) if index not in turned_sets)
    others = tuple(name for index, name in enumerate(seating.sets) if index in turned_sets)
    if usual or not others:
        yield replace(seating, sets=usual)
    if others:
        yield replace(seating, sets=others).turned()


def _tables_unless_all(tables: Collection[int], seatings: Sequence[Seating]) -> tuple[int, ...]:
    """Return these tables; empty if they are all tables of the round."""
    is_all = {*tables} == {seating.table for seating in seatings if seating.is_played}
    return () if is_all else tuple(sorted(tables))


def _best_switching(equals: Sequence[Switching]) -> Switching:
    """Return the best of equally fair switchings, by the largest luck of a contestant and further criteria."""
    least = min(equal.balance.largest_luck for equal in equals)
    left = [equal for equal in equals if equal.balance.largest_luck < least + 1e-9][:CLOSEST]
    return max(left, key=_quality_with_one_absent) if len(left) > 1 else left[0]


def _quality_with_one_absent(switching: Switching) -> float:
    """Return the mean quality figure if any one pair were missing."""
    movement = switching.movement
    qualities = [
        balance(remove_contestant(movement, movement.label(pair)), switching.boards_per_set).quality
        for pair in movement.contestants
    ]
    return sum(qualities) / len(qualities)
