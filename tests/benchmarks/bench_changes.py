"""Live changes in random evenings: how often a proposal exists, and how long the search takes.

    python -m tests.benchmarks.bench_changes [evenings]

First the changes by kind: how often one was wished, how often something could be proposed, how often the
best proposal was clean (no opponents meet again, no board is played again), and what was taken. Then the time
of all proposals for a change, as a multiple of one check of the same movement by the laws in the same
run: the median, and the slowest. A rebuild uses its whole time limit and is not timed.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from random import Random
from statistics import median

from movements.engine import catalogue, laws
from movements.engine.changes import (
    ArrowsTurn,
    Change,
    FewerBoards,
    LengthChanges,
    PairArrives,
    PairLeaves,
    PairStays,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    SatInEachOthersPlace,
    SkipIsMoved,
    proposals,
)
from movements.engine.model import Movement
from tests.proofs.simulation import Counts, simulated

SIZES = [
    ("mitchell", 7),
    ("mitchell", 13),
    ("mitchell", 27),
    ("skip-mitchell", 12),
    ("skip-mitchell", 40),
    ("share-and-relay", 8),
    ("crisscross", 12),
    ("web", 14),
    ("two-stanza", 10),
    ("scrambled-mitchell", 9),
    ("howell", 5),
    ("howell", 7),
    ("ns-rover", 11),
]


def main() -> None:
    """Print both tables."""
    counts = Counts()
    evenings = int(sys.argv[1]) if sys.argv[1:] and sys.argv[1].isdigit() else 300
    for _ in simulated(evenings, 2024, counts):
        pass
    print(counts.table())
    print()
    print(f"{'change':22} {'changes':>7} {'median':>8} {'slowest':>8}  slowest in")
    for kind, found in sorted(ratios().items()):
        most, where = max(found)
        typical = median(ratio for ratio, _ in found)
        print(f"{kind:22} {len(found):7} {typical:8.1f} {most:8.1f}  {where}")


def ratios() -> dict[str, list[tuple[float, str]]]:
    """Compare the time of all proposals for each kind of change with one check by the laws."""
    found: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for family, tables in SIZES:
        movement = catalogue.build_movement(family, tables)
        check = min(_seconds(lambda: laws.find_violations(movement)) for _ in range(5))  # noqa: B023
        for fixed in (0, 1, movement.rounds // 2, movement.rounds - 2):
            for change in _changes(movement, fixed):
                took = min(
                    _seconds(lambda: proposals(movement, fixed, change))  # noqa: B023
                    for _ in range(2)
                )
                where = f"{family}, {tables} tables, after round {fixed}"
                found[type(change).__name__].append((took / check, where))
    return found


def _seconds(what) -> float:
    start = time.perf_counter()
    what()
    return time.perf_counter() - start


def _changes(movement: Movement, fixed: int) -> list[Change]:
    """One change of every kind."""
    rng = Random(f"{movement.family} {fixed}")
    one, other = rng.sample(list(movement.contestants), 2)
    changes: list[Change] = [
        PairArrives(joins_running=True),
        PairLeaves(one),
        PairStays(one),
        SkipIsMoved(),
        LengthChanges(movement.rounds - 1),
        FewerBoards(2, 3),
        ArrowsTurn((movement.rounds,)),
    ]
    if fixed:
        changes += [
            SatInEachOthersPlace(fixed, one, other),
            PlayedOtherBoards(fixed, 1, 2),
            PlayedTheOtherWay(fixed, 1),
        ]
    return changes


if __name__ == "__main__":
    main()
