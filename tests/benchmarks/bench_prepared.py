"""Cost of preparing evenings after an arrival at the door, in seconds of a core.

    python -m tests.benchmarks.bench_prepared [TABLES]

From n - 2 to n + 2 pairs, each seated evenly over the weeks, of strengths that are known: the first time in a
process and after another arrival, with the chart that clubs start with and where the adviser has to be asked.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from random import Random
from time import process_time

from bridgebuddy.planning.rules.chart import build_movement
from bridgebuddy.planning.rules.preparing import StartInput, choice_for
from movements.engine.adviser import Wishes
from movements.engine.fairness.long_run_fairness import (
    EnteredTogether,
    FormerEvening,
    PastRounds,
    past_shares,
    seats_in_turn,
)
from movements.engine.laws import find_errors

TABLES = 30


def main(tables: int = TABLES) -> None:
    """Print a line for each way in which a movement is found."""
    pairs = 2 * tables
    usual = Wishes(pairs=pairs, late_pair=True, missing_line="")
    ways = {
        "by the chart": StartInput(usual),
        "by the adviser": StartInput(replace(usual, fewest_boards=20, most_boards=22)),
    }
    for name, tonight in ways.items():
        first = seconds(tonight, pairs)
        again = seconds(tonight, pairs)
        print(
            f"{tables} tables, five evenings {name}: {first:.2f} s the first time, {again:.2f} s after another arrival"
        )


def seconds(tonight: StartInput, pairs: int) -> float:
    """Return the CPU seconds of five evenings."""
    start = process_time()
    for count in range(pairs - 2, pairs + 3):
        choice = choice_for(tonight, count)
        if choice is None:
            continue
        movement = build_movement(count, choice)
        find_errors(movement)
        order = list(movement.contestants)
        seats_in_turn(
            movement,
            [EnteredTogether((2 * number, 2 * number + 1)) for number in range(count)],
            past(count),
            order=order,
            stationary=list(movement.stationary_contestants),
            rng=Random(1),
        )
    return process_time() - start


def past(pairs: int):
    """Ten former evenings of these people."""
    random = Random(2)
    return past_shares(
        FormerEvening(
            tuple(
                PastRounds(number, 9.0, float(random.random() < 0.1), float(random.randrange(9)))
                for number in range(2 * pairs)
            )
        )
        for _ in range(10)
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
