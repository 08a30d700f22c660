"""Find Howells in which opponents meet twice, for rooms of 2 to 4 tables, and write tables/rematches.toml.

Run it again with `python -m tests.proofs.searches.rematches`; deterministic, some minutes.

The boards go round a circle of as many stations as there are rounds. Tables are at some of the stations, and stands at
the others, so no tables share. One pair keeps its table. Every pair plays every set once, meets every other pair at
least once and at most twice, and never twice running where there are other opponents. OR-Tools finds such movements
for each choice of stations; the one is kept whose arrow-switches (`switching_search`) give the most even weights.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from random import Random

from ortools.sat.python import cp_model

from movements.engine.fairness.switching_room import SwitchState
from movements.engine.fairness.switching_search import BestSwitches, turn_tables
from movements.engine.families.howells.rematches import build_movement
from movements.engine.families.tables import FOLDER

#: tables, rounds, and the stations of the tables (none: all choices are tried). Four tables stand side by side, since
#: other choices take too long; with a stand between any two (McKinnon) nothing is found.
SIZES: Sequence[tuple[int, int, tuple[int, ...]]] = (
    (2, 6, ()),
    (3, 7, ()),
    (3, 10, ()),
    (4, 8, (0, 1, 2, 3)),
)
SEEDS = range(1, 3)
TIME = 8.0
STEPS, LONG = 200, 2_000
MOST_MEETINGS = 2

Couple = tuple[int, int]
Rounds = list[list[Couple]]
"""The couples at all tables, round by round; pairs from 0."""


def couples(
    tables: int, rounds: int, stations: Sequence[int], seed: int, *, one_stays: bool
) -> Rounds | None:
    """Return who meets at each table, round by round; None if nothing is found.

    With `one_stays` the last pair keeps table 1.
    """
    model = cp_model.CpModel()
    everybody, every = range(2 * tables), range(rounds)
    meetings = list(combinations(everybody, 2))
    of_pair = [[c for c in meetings if pair in c] for pair in everybody]
    meets = {place: model.new_bool_var("") for place in product(every, range(tables), meetings)}
    for r, t in product(every, range(tables)):
        model.add_exactly_one(meets[r, t, c] for c in meetings)
    for r, pair in product(every, everybody):
        model.add_exactly_one(meets[r, t, c] for t in range(tables) for c in of_pair[pair])
    for pair, name in product(everybody, every):
        model.add_exactly_one(
            meets[(name - station) % rounds, t, c]
            for t, station in enumerate(stations)
            for c in of_pair[pair]
        )
    for c in meetings:
        times = sum(meets[r, t, c] for r in every for t in range(tables))
        model.add_linear_constraint(times, 1, MOST_MEETINGS)
        for r in range(rounds - 1) if tables > 2 else ():
            model.add_at_most_one(meets[n, t, c] for n in (r, r + 1) for t in range(tables))
    last = everybody[-1]
    for r in every if one_stays else ():
        model.add_exactly_one(meets[r, 0, c] for c in of_pair[last])
    model.add(meets[0, 0, (0, last)] == 1)
    for t in range(1, tables):
        model.add(meets[0, t, (2 * t - 1, 2 * t)] == 1)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.randomize_search = True
    solver.parameters.max_deterministic_time = TIME
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [
        [next(c for c in meetings if solver.value(meets[r, t, c])) for t in range(tables)]
        for r in every
    ]


def _places(tables: int, rounds: int, wanted: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the stations of the tables, the first at station 0."""
    if wanted:
        yield wanted
        return
    for others in combinations(range(1, rounds), tables - 1):
        yield (0, *others)


def evened(stations: Sequence[int], found: Rounds, rng: Random, steps: int) -> tuple[int, Rounds]:
    """Return the sum of the squared weights and the couples with their best arrow-switches, N-S first."""
    room = SwitchState(build_movement(stations, found), 1, 1)
    best = BestSwitches(room)
    turn_tables(room, rng, steps, best)
    tables = len(stations)
    turned = {divmod(seating, tables) for seating, _ in best.states[0]}
    return best.squares, [
        [(b, a) if (r, t) in turned else (a, b) for t, (a, b) in enumerate(row)]
        for r, row in enumerate(found)
    ]


def best_of(tables: int, rounds: int, wanted: tuple[int, ...]) -> tuple[tuple[int, ...], Rounds]:
    """Return the stations and couples of the most even movement that is found."""
    for one_stays in (True, False):
        tried = []
        for stations in _places(tables, rounds, wanted):
            for seed in SEEDS:
                found = couples(tables, rounds, stations, seed, one_stays=one_stays)
                if found is None:
                    break
                squares, _ = evened(stations, found, Random(1), STEPS)
                tried.append((squares, stations, found))
        if tried:
            _, stations, found = min(tried)
            return stations, evened(stations, found, Random(2), LONG)[1]
    raise LookupError(f"no movement of {tables} tables and {rounds} rounds")


def main() -> None:
    """Write the table."""
    parts = [HEAD]
    for tables, rounds, wanted in SIZES:
        stations, found = best_of(tables, rounds, wanted)
        sys.stderr.write(f"{tables}x{rounds} {stations}\n")
        rows = [f'  "{" ".join(f"{a + 1}-{b + 1}" for a, b in row)}",' for row in found]
        parts.append(
            "\n".join(
                [
                    "[[movements]]",
                    f"tables = {tables}",
                    f"rounds = {rounds}",
                    f"stations = [{', '.join(map(str, stations))}]",
                    "pairs = [",
                    *rows,
                    "]",
                ]
            )
        )
    Path(FOLDER / "rematches.toml").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


HEAD = """# Howells in which opponents meet twice, found by `python -m tests.proofs.searches.rematches`.
# The stations of the tables on the circle of the boards, from 0; then N-S and E-W at each table, round by round.
source = "own search" """.rstrip()


if __name__ == "__main__":
    main()
