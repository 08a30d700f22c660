"""Find individuals for 30 to 60 players and evenings of up to 15 rounds, and write tables/individual_evenings.toml.

Run it again with `python -m tests.proofs.searches.individual_evenings`; deterministic, about two minutes. The
movements are cyclic like those of `individuals.py`: each round every number increases by one. There, no two gaps
between partners may be equal. For so many players that search takes hours, and no evening is complete. Here, two
equal gaps between partners are allowed if the rounds in which they bring the same two players together are not both
among the first 15, and likewise three equal gaps between opponents. Simulated annealing exchanges two seats of round 1
at a time. Of some starts that are found the one is kept that is fairest after nine rounds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import exp
from pathlib import Path
from random import Random

from movements.engine.fairness.balance import balance
from movements.engine.families.individuals.individual import CyclicStart, cyclic_individual
from movements.engine.families.tables import FOLDER

PLAYERS = range(30, 61)
ROUNDS = 15
AN_EVENING = 9
SEEDS = 3
#: the annealing's first and last temperature, its factor for each step, and the steps until it starts again
HOT, COLD, COOLING, STEPS = 1.0, 0.15, 0.99997, 150_000
MOST_STEPS = 3_000_000
#: so much worse than a third meeting of opponents is a second one of partners
PARTNERS_WEIGHT = 2
MOST_MEETINGS = 2

Table = tuple[int, int, int, int]
"""N, S, E, W in round 1, from 0; the player who keeps a seat is -1."""


@dataclass
class Gaps:
    """The players in round 1 from which each gap is counted."""

    modulus: int
    is_partners: bool
    starts: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.starts = [[] for _ in range(self.modulus)]

    def cost(self, gap: int) -> int:
        """Return how many meetings within the evening are too many, by the starts of a gap."""
        starts = sorted(self.starts[gap])
        if self.is_partners:
            pairs = ((a, b) for i, a in enumerate(starts) for b in starts[:i])
            return PARTNERS_WEIGHT * sum(self._are_near(a, b) for a, b in pairs)
        near = (sum((b - a) % self.modulus < ROUNDS for b in starts) for a in starts)
        return sum(max(0, meetings - MOST_MEETINGS) for meetings in near)

    def _are_near(self, a: int, b: int) -> bool:
        apart = (a - b) % self.modulus
        return min(apart, self.modulus - apart) < ROUNDS

    def places(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        """Yield the gap of two players with its start; half the modulus has two starts."""
        gap = (b - a) % self.modulus
        if 2 * gap > self.modulus:
            gap, a, b = self.modulus - gap, b, a
        yield gap, a
        if 2 * gap == self.modulus:
            yield gap, b


class Search:
    """A start of a cyclic movement, improved until it holds for an evening."""

    def __init__(self, players: int, rng: Random) -> None:
        self.rng, self.cost = rng, 0
        keeps_a_seat = players % 4 == 0
        modulus = players - keeps_a_seat
        out = {index * players // (players % 4) for index in range(players % 4)}
        self.seats = [number for number in range(modulus) if number not in out]
        rng.shuffle(self.seats)
        self.first = int(keeps_a_seat)
        self.seats[:0] = [-1] * self.first
        self.partners, self.opponents = Gaps(modulus, True), Gaps(modulus, False)
        for table in range(len(self.seats) // 4):
            self._count(table, is_added=True)

    def _couples(self, table: int) -> Iterator[tuple[Gaps, int, int]]:
        north, south, east, west = self.seats[4 * table : 4 * table + 4]
        yield self.partners, north, south
        yield self.partners, east, west
        for a in (north, south):
            for b in (east, west):
                yield self.opponents, a, b

    def _count(self, table: int, *, is_added: bool) -> None:
        for gaps, a, b in self._couples(table):
            for gap, start in gaps.places(a, b) if min(a, b) >= 0 else ():
                self.cost -= gaps.cost(gap)
                if is_added:
                    gaps.starts[gap].append(start)
                else:
                    gaps.starts[gap].remove(start)
                self.cost += gaps.cost(gap)

    def _exchange(self, a: int, b: int) -> None:
        for is_added in (False, True):
            if is_added:
                self.seats[a], self.seats[b] = self.seats[b], self.seats[a]
            for table in (a // 4, b // 4):
                self._count(table, is_added=is_added)

    def tables(self) -> list[Table] | None:
        """Return the tables of round 1; None if the search gives up."""
        temperature = HOT
        for step in range(1, MOST_STEPS):
            if not self.cost:
                cells = zip(*[iter(self.seats)] * 4, strict=True)
                return [(north, south, east, west) for north, south, east, west in cells]
            temperature = HOT if step % STEPS == 0 else max(COLD, temperature * COOLING)
            a, b = (self.rng.randrange(self.first, len(self.seats)) for _ in range(2))
            if a // 4 == b // 4:
                continue
            before = self.cost
            self._exchange(a, b)
            worse = self.cost - before
            if worse > 0 and self.rng.random() >= exp(-worse / temperature):
                self._exchange(a, b)
        return None


def fairest(players: int) -> list[Table] | None:
    """Return the fairest start after nine rounds, of those that are found."""
    found = (Search(players, Random(players + 100 * seed)).tables() for seed in range(SEEDS))
    return max(
        (tables for tables in found if tables),
        key=lambda tables: _quality(players, tables),
        default=None,
    )


def _quality(players: int, tables: list[Table]) -> float:
    start = CyclicStart(players, tuple(tables))
    return balance(cyclic_individual("individual", start, AN_EVENING)).quality


def main() -> None:
    """Write the table."""
    lines = [
        "# Individuals of one evening, found by `python -m tests.proofs.searches.individual_evenings`.",
        "# Round 1: N S E W of each table, players from 0; -1 keeps a seat, the others count round.",
        'source = "own search (cyclic, for up to 15 rounds)"',
        f"rounds = {ROUNDS}",
    ]
    for players in PLAYERS:
        found = fairest(players)
        sys.stderr.write(f"{players} {'found' if found else '-'}\n")
        if found:
            cells = ", ".join(f'"{" ".join(map(str, table))}"' for table in found)
            lines += ["", "[[movements]]", f"players = {players}", f"tables = [{cells}]"]
    Path(FOLDER / "individual_evenings.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
