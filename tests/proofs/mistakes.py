"""Random mistakes in random movements: each has a repair, or is recorded with the laws that it breaks.

`python -m tests.proofs.mistakes 2500 SEED` tries this number of each kind and prints the outcomes.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

from movements.engine import catalogue, laws
from movements.engine.changes import (
    BoardSpan,
    LineSatElsewhere,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    SatInEachOthersPlace,
    TookOtherBoards,
    proposals,
)
from movements.engine.changes.change import Mistake
from movements.engine.errors import MovementError
from movements.engine.model import Movement

SMALLEST, LARGEST = 3, 13


def movement_by_chance(rng: Random) -> Movement:
    """Return a random movement of pairs or single players, sometimes with a contestant missing."""
    while True:
        family = catalogue.find_family(rng.choice([row.name for row in catalogue.FAMILIES]))
        tables = rng.randint(SMALLEST, LARGEST)
        possible = [rounds for rounds in family.possible_rounds(tables) if rounds > 1]
        if not possible or family.contest.has_halves:
            continue
        try:
            movement = catalogue.build_movement(family.name, tables, rng.choice(possible))
            if family.takes_missing_pair and rng.random() < 0.3:
                missing = movement.label(rng.choice(list(movement.contestants)))
                movement = catalogue.build_movement(family.name, tables, movement.rounds, missing)
        except MovementError:
            continue
        if movement.sets:
            return movement


def _played(movement: Movement, round: int) -> list[int]:
    return sorted({s.table for s in movement.in_round(round) if s.is_played})


def wrong_seats(rng: Random, movement: Movement, fixed: int) -> Mistake | None:
    round = rng.randint(1, fixed)
    there = sorted({n for s in movement.in_round(round) if s.is_played for n in s.contestants})
    one, other = rng.sample(there, 2)
    sides = [side for s in movement.in_round(round) for side in (s.ns, s.ew)]
    if any(isinstance(side, tuple) and {one, other} <= {*side} for side in sides):
        return None  # partners in each other's chairs: nothing is another
    return SatInEachOthersPlace(round, one, other)


def exchanged_boards(rng: Random, movement: Movement, fixed: int) -> Mistake | None:
    round = rng.randint(1, fixed)
    tables = _played(movement, round)
    if len(tables) < 2:
        return None
    one, other = rng.sample(tables, 2)
    here, there = (
        sorted(n for s in movement.seatings_at_table(round, t) for n in s.sets)
        for t in (one, other)
    )
    if here == there or (
        len(here) != len(there)
        and max(len(movement.seatings_at_table(round, t)) for t in (one, other)) > 1
    ):
        return None
    return PlayedOtherBoards(round, one, other)


def other_boards(rng: Random, movement: Movement, fixed: int) -> Mistake | None:
    round = rng.randint(1, fixed)
    table = rng.choice(_played(movement, round) or [0])
    here = [name for s in movement.seatings_at_table(round, table) for name in s.sets]
    others = sorted({*movement.sets} - {*here})
    if not here or len(others) < len(here):
        return None
    return TookOtherBoards(round, table, tuple(map(BoardSpan, rng.sample(others, len(here)))))


def turned(rng: Random, movement: Movement, fixed: int) -> Mistake | None:
    round = rng.randint(1, fixed)
    tables = _played(movement, round)
    if not tables:
        return None
    table = rng.choice(tables)
    names = [name for s in movement.seatings_at_table(round, table) for name in s.sets]
    if rng.random() < 0.3:
        return PlayedTheOtherWay(round, table)
    low, high = rng.choice([(0, 1), (1, 2), (2, 3), (1, 3), (0, 2)])
    piece = BoardSpan(rng.choice(names), Fraction(low, 3), Fraction(high, 3))
    return PlayedTheOtherWay(round, table, (piece,))


def moved_line(rng: Random, movement: Movement, fixed: int) -> Mistake | None:
    round, is_since = rng.randint(1, fixed), rng.random() < 0.4
    rounds = range(round, (fixed if is_since else round) + 1)
    tables = [*range(1, movement.tables + 1)]
    if any([s.table for s in movement.in_round(r)] != tables for r in rounds):
        return None
    if movement.contest.plays_alone or movement.is_one_winner:
        return None
    up = rng.choice([u for u in (-2, -1, 1, 2) if u % movement.tables])
    return LineSatElsewhere(round, rng.choice(["ns", "ew"]), up, is_since)


KINDS: dict[str, Callable[[Random, Movement, int], Mistake | None]] = {
    "wrong seats": wrong_seats,
    "exchanged boards": exchanged_boards,
    "other boards": other_boards,
    "turned boards": turned,
    "moved line": moved_line,
}


def tried(kind: str, many: int, seed: int) -> Iterator[tuple[Movement, int, Mistake, str]]:
    """Yield so many mistakes of a kind, with the kind of the way that is first; nothing where there is none.

    Raises `AssertionError` where a way breaks a law, or is not among the best first.
    """
    rng = Random(f"{kind} {seed}")
    while many:
        movement = movement_by_chance(rng)
        fixed = rng.randint(1, movement.rounds)
        change = KINDS[kind](rng, movement, fixed)
        if change is None:
            continue
        many -= 1
        options = proposals(movement, fixed, change)
        for proposal in options:
            assert not laws.find_errors(proposal.movement)
        yield movement, fixed, change, options[0].kind if options else ""


def main(many: int, seed: int) -> None:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for kind in KINDS:
        for movement, fixed, change, first in tried(kind, many, seed):
            counts[kind][first] += 1
            if not first:
                print("NO WAY", movement.family, movement.tables, fixed, change)
        print(kind, dict(counts[kind]), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
