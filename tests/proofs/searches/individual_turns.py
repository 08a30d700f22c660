"""Find tables to turn in individuals, and write tables/individual_turns.toml.

Run it again with `python -m tests.proofs.searches.individual_turns [SIZE …]`, a size being "12x9" (players and
rounds); without sizes all of `SIZES`, in a few minutes. Deterministic: each size has its own fixed seed.

Turning a table in a round (North-South and East-West exchange their seats) changes neither partners nor opponents, nor
the mean of the opposition weights, only how even they are. Simulated annealing turns one table of one round at a time
and keeps the most even state; of some starts the best is kept. A
size is written if its fairness is better than that of the stored movement as it is. Tables of a round are complemented so that at most half of them are turned, which
changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import exp
from pathlib import Path
from random import Random

from movements.engine.fairness.balance import balance
from movements.engine.families.individuals.individual import unturned_individual
from movements.engine.families.tables import FOLDER
from movements.engine.model import Movement, players_of

#: evenings of nine rounds (with 8 and 27 players of seven, which end evenly), and complete ones that gain by it
SIZES = (
    (8, 7),
    (12, 11),
    (27, 7),
    (29, 21),
    *((players, 9) for players in (*range(9, 27), *range(28, 33), 36, 40, 44, 48)),
)
STARTS, STEPS = 3, 60_000
HOT, COLD = 60.0, 2.0


@dataclass
class TurningSearch:
    """An individual's tables, each turned or not, and the opposition weights of its players."""

    movement: Movement
    rng: Random
    places: list[tuple[int, tuple[int, ...]]] = field(init=False)  # round, and N S E W from 0
    sides: list[list[int]] = field(init=False)  # by round and player: 1 N-S, -1 E-W, 0 sits out
    weights: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        movement, people = self.movement, len(self.movement.contestants)
        self.places = [
            (s.round - 1, tuple(n - 1 for n in players_of(s.ns) + players_of(s.ew)))
            for s in movement.seatings
        ]
        self.sides = [[0] * people for _ in range(movement.rounds)]
        self.turned = [self.rng.random() < 0.5 for _ in self.places]
        for (round, four), is_turned in zip(self.places, self.turned, strict=True):
            for place, player in enumerate(four):
                self.sides[round][player] = 1 if (place < 2) != is_turned else -1
        own = movement.tables - 1
        self.weights = [[0] * people for _ in range(people)]
        for round, four in self.places:
            side = self.sides[round]
            for p in four:
                row = self.weights[p]
                for q in range(people):
                    if q not in four:
                        row[q] += side[p] * side[q]
                    elif q != p:
                        row[q] += -own if side[p] == side[q] else own

    def growth(self, place: int) -> int:
        """Return by how much the sum of squared weights grows if a table is turned."""
        round, four = self.places[place]
        side, grown = self.sides[round], 0
        for p in four:
            row, mine = self.weights[p], side[p]
            for q, other in enumerate(side):
                if other and q not in four:
                    grown += 4 - 4 * row[q] * mine * other
        return grown

    def turn(self, place: int) -> None:
        """Turn a table."""
        round, four = self.places[place]
        side = self.sides[round]
        for p in four:
            for q, other in enumerate(side):
                if other and q not in four:
                    change = -2 * side[p] * other
                    self.weights[p][q] += change
                    self.weights[q][p] += change
        for p in four:
            side[p] = -side[p]
        self.turned[place] = not self.turned[place]

    def improved(self) -> list[bool]:
        """Return the tables turned in the most even state that is found."""
        best, squares, least = list(self.turned), 0, 0
        temperature, cooling = HOT, (COLD / HOT) ** (1 / STEPS)
        for _ in range(STEPS):
            place = self.rng.randrange(len(self.places))
            grown = self.growth(place)
            temperature *= cooling
            if grown <= 0 or self.rng.random() < exp(-grown / temperature):
                self.turn(place)
                squares += grown
                if squares < least:
                    best, least = list(self.turned), squares
        return best


def turned_rounds(movement: Movement, turned: list[bool]) -> tuple[tuple[int, ...], ...]:
    """Return the tables turned in each round, at most half of them."""
    rounds = []
    for round in range(1, movement.rounds + 1):
        here = [
            seating.table
            for seating, is_turned in zip(movement.seatings, turned, strict=True)
            if seating.round == round and is_turned
        ]
        others = [s.table for s in movement.in_round(round) if s.table not in here]
        fewer = here if (len(here), here) <= (len(others), others) else others
        rounds.append(tuple(fewer))
    return tuple(rounds)


def with_turns(movement: Movement, turned: list[bool]) -> Movement:
    """Return the movement with its tables turned."""
    return replace(
        movement,
        seatings=tuple(
            seating.turned() if is_turned else seating
            for seating, is_turned in zip(movement.seatings, turned, strict=True)
        ),
    )


def fairest(players: int, rounds: int) -> tuple[tuple[tuple[int, ...], ...], int] | None:
    """Return the tables to turn in each round and the fairness; None if no turned table makes it fairer."""
    movement = unturned_individual(players // 4, rounds, players % 4)
    found = [
        TurningSearch(movement, Random(f"{players}x{rounds}-{start}")).improved()
        for start in range(STARTS)
    ]
    best = min(found, key=lambda turned: balance(with_turns(movement, turned)).luck)
    score = balance(with_turns(movement, best)).score
    if score <= balance(movement).score:
        return None
    return turned_rounds(movement, best), score


def _cells(rows: Sequence[Sequence[int]]) -> str:
    return ", ".join(f'"{" ".join(map(str, row))}"' for row in rows)


def main(sizes: list[str]) -> None:
    """Write the table: the sizes asked for anew, or all."""
    asked = [tuple(map(int, size.split("x"))) for size in sizes] or SIZES
    lines = [
        "# Tables turned in individuals, found by `python -m tests.proofs.searches.individual_turns`.",
        "# Of so many players in so many rounds: the tables turned in each round, and the fairness with them.",
        'source = "own search (simulated annealing)"',
    ]
    for players, rounds in asked:
        found = fairest(players, rounds)
        sys.stderr.write(f"{players}x{rounds} {found[1] if found else '-'}\n")
        if found:
            lines += ["", "[[movements]]", f"players = {players}", f"rounds = {rounds}"]
            lines.append(f"score = {found[1]}")
            lines.append(f"turned = [{_cells(found[0])}]")
    Path(FOLDER / "individual_turns.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
