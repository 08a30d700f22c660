"""How even arrow-switches make one-winner movements: ours, what is known to be reachable, the bound.

    python -m tests.benchmarks.bench_fairness [iterations]

The targets are the best figures known. The bound is a closed form, for complete movements whose
sets are turned whole; single boards have none. More iterations than the usual ones search longer.
"""

from __future__ import annotations

import sys
from functools import partial
from random import Random
from time import perf_counter

from movements.engine import catalogue
from movements.engine.balance import balance, mitchell_bound
from movements.engine.model import Movement
from movements.engine.options import as_one_field
from movements.engine.switching import ITERATIONS, Level, Switching, switchings

SETS = {  # tables: sd with whole rounds, sd with any table, as known
    4: (1.979, 1.278),
    5: (1.618, 1.381),
    6: (1.462, 1.286),
    7: (1.049, 1.049),
    8: (1.237, 1.237),
    9: (1.165, 1.165),
    10: (1.643, 1.300),
    11: (1.875, 1.459),
    12: (2.012, 1.520),
    13: (1.773, 1.643),
    14: (1.722, 1.646),
    15: (1.633, 1.633),
    16: (1.831, 1.741),
}
BOARDS = {  # tables, boards in a set: Qf with room-wide boards (where known), with any board
    (4, 6): (None, 98.5),
    (7, 3): (97.4, 98.3),
    (7, 4): (98.3, 98.9),
    (8, 3): (96.2, 98.4),
    (9, 3): (97.7, 98.4),
    (10, 2): (95.5, 97.2),
    (11, 2): (97.0, 97.2),
    (12, 2): (95.9, 97.5),
    (13, 2): (97.7, 97.8),
}
INCOMPLETE = {  # family, tables, rounds: Qf with any table
    ("mitchell", 9, 8): 72.8,
    ("mitchell", 13, 12): 85.0,
    ("mitchell", 13, 9): 51.0,
    ("skip-mitchell", 8, 7): 74.4,
    ("skip-mitchell", 10, 9): 81.2,
    ("skip-mitchell", 12, 11): 82.4,
    ("skip-mitchell", 14, 13): 86.2,
    ("web", 14, 13): 86.5,
    ("web", 14, 9): 53.9,
    ("web", 20, 9): 35.6,
}
ORDER: tuple[Level, ...] = ("none", "rounds", "room", "tables")


def complete(tables: int) -> Movement:
    """Return a Mitchell in which everybody plays everything."""
    return catalogue.build("mitchell" if tables % 2 else "share-and-relay", tables)


def best_up_to(found: tuple[Switching, ...], level: Level) -> Switching:
    """Return the fairest switching no harder to announce than a level."""
    return [one for one in found if ORDER.index(one.level) <= ORDER.index(level)][-1]


def searched(
    movement: Movement, boards: int, iterations: int
) -> tuple[tuple[Switching, ...], float]:
    """Return the switchings found and the seconds they took."""
    begin = perf_counter()
    found = switchings(movement, boards, rng=Random(1), iterations=iterations)
    return found, perf_counter() - begin


def against(ours: float, target: float | None, digits: int) -> str:
    """Return ours beside the target."""
    known = "-" if target is None else f"{target:.{digits}f}"
    return f"{ours:8.{digits}f} ({known:>6})"


def main(iterations: int = ITERATIONS) -> None:
    """Print everything."""
    say = partial(print, flush=True)
    say(f"One winner, {iterations} trials. Ours (known to be reachable).\n")
    say("sets turned whole, sd      whole rounds         any table  switches  bound  seconds")
    for tables, (rounds, free) in SETS.items():
        found, seconds = searched(complete(tables), 1, iterations)
        by_rounds, by_tables = best_up_to(found, "rounds"), found[-1]
        say(
            f"{tables:2} tables         {against(by_rounds.balance.sd, rounds, 3):>20}"
            f"{against(by_tables.balance.sd, free, 3):>18}{by_tables.switches:10}"
            f"{mitchell_bound(tables):7.3f}{seconds:9.2f}"
        )
    say("\nsingle boards, Qf          whole room           any table  switches  luck U  seconds")
    for (tables, boards), (room, free) in BOARDS.items():
        found, seconds = searched(complete(tables), boards, iterations)
        by_room, by_tables = best_up_to(found, "room"), found[-1]
        say(
            f"{tables:2} tables x {boards}     {against(by_room.balance.quality, room, 2):>20}"
            f"{against(by_tables.balance.quality, free, 1):>18}{by_tables.switches:10}"
            f"{by_tables.balance.luck:8.1%}{seconds:9.2f}"
        )
    say("\nincomplete, sets turned whole, Qf               any table  switches  luck U  seconds")
    for (family, tables, rounds), free in INCOMPLETE.items():
        if family not in {one.name for one in catalogue.FAMILIES}:
            continue
        found, seconds = searched(catalogue.build(family, tables, rounds), 1, iterations)
        last = found[-1]
        say(
            f"{f'{family} {tables}x{rounds}':35}{against(last.balance.quality, free, 1):>22}"
            f"{last.switches:10}{last.balance.luck:8.1%}{seconds:9.2f}"
        )
    say("\nmeasuring one movement, milliseconds")
    for family, tables, rounds in (("skip-mitchell", 16, 15), ("skip-mitchell", 40, 39)):
        movement = as_one_field(catalogue.build(family, tables, rounds))
        times = []
        for _ in range(5):
            begin = perf_counter()
            balance(movement)
            times.append(perf_counter() - begin)
        say(f"{family} {tables}x{rounds:<22}{1000 * min(times):8.1f}")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
