"""Find even individuals that follow no rule, and write tables/even_individuals.toml.

Run it again with `python -m tests.proofs.searches.even_individuals`; a minute or two. Deterministic: each start has
its own fixed seed.

Simulated annealing exchanges two players of a round at a time. It looks for the smallest sum of squared opposition
weights; their mean is always the same. Two players should not be partners twice or opponents three times: each such
meeting counts as `TOO_OFTEN`. Of some starts the fairest is kept.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from math import exp
from pathlib import Path
from random import Random

from movements.engine.fairness.balance import balance
from movements.engine.families.individuals.individual import unturned_individual
from movements.engine.families.tables import FOLDER
from movements.engine.model import Movement, Seating

SIZES = ((28, 7),)
STARTS, STEPS = 3, 200_000
HOT, COLD, TOO_OFTEN = 60.0, 1.0, 60
SEATS = 4  # at a table: North, South, East, West


@dataclass
class RoundSeats:
    """An individual's seats in each round, and the opposition weights of its players."""

    players: int
    rounds: int
    rng: Random
    seats: list[list[int]] = field(init=False)  # by round: players from 0, table by table
    weights: list[list[int]] = field(init=False)
    partners: list[list[int]] = field(init=False)
    opponents: list[list[int]] = field(init=False)
    seat_weights: list[list[int]] = field(init=False)  # what two seats of a round add

    def __post_init__(self) -> None:
        everybody = range(self.players)
        own = self.players // SEATS - 1
        self.seats = [self.rng.sample(everybody, self.players) for _ in range(self.rounds)]
        self.weights, self.partners, self.opponents = (
            [[0] * self.players for _ in everybody] for _ in range(3)
        )
        self.seat_weights = [
            [_seat_weight(number, other, own) if number != other else 0 for other in everybody]
            for number in everybody
        ]
        for seats in self.seats:
            for item in everybody:
                for other in everybody:
                    self._add(seats[item], seats[other], item, other, 1)

    def _add(self, player: int, other: int, seat: int, other_seat: int, times: int) -> None:
        """Count the relation of two players in two seats, or uncount it, for the first of them."""
        weight = self.seat_weights[seat][other_seat]
        self.weights[player][other] += times * weight
        if seat // SEATS == other_seat // SEATS and seat != other_seat:
            (self.partners if weight < 0 else self.opponents)[player][other] += times

    @property
    def squares(self) -> int:
        return sum(weight * weight for row in self.weights for weight in row) // 2

    @property
    def too_often(self) -> int:
        """Return how many meetings are too many, each counted for both players."""
        partners = sum(max(0, times - 1) for row in self.partners for times in row)
        return partners + sum(max(0, times - 2) for row in self.opponents for times in row)

    def exchange(self, round: int, one: int, other: int) -> None:
        """Exchange the players of two seats."""
        seats = self.seats[round]
        for times in (-1, 1):
            for seat in range(self.players):
                for moved in (one, other):
                    if seat not in (one, other):
                        self._add(seats[moved], seats[seat], moved, seat, times)
                        self._add(seats[seat], seats[moved], seat, moved, times)
            if times < 0:
                seats[one], seats[other] = seats[other], seats[one]

    def growth(self, round: int, one: int, other: int) -> int:
        """Return by how much squares and meetings grow if the players of two seats are exchanged."""
        seats = self.seats[round]
        first, second = self.weights[seats[one]], self.weights[seats[other]]
        here, there = self.seat_weights[one], self.seat_weights[other]
        grown = 0
        for seat, player in enumerate(seats):
            change = there[seat] - here[seat]
            if change and seat not in (one, other):
                grown += 2 * change * (first[player] - second[player] + change)
        return grown + TOO_OFTEN * self._more_meetings(round, one, other)

    def _more_meetings(self, round: int, one: int, other: int) -> int:
        seats, grown = self.seats[round], 0
        for left, comes, goes in (
            (one, seats[other], seats[one]),
            (other, seats[one], seats[other]),
        ):
            table = range(left // SEATS * SEATS, left // SEATS * SEATS + SEATS)
            for seat in table:
                if seat not in (one, other):
                    is_partner = self.seat_weights[left][seat] < 0
                    counts, most = (self.partners, 1) if is_partner else (self.opponents, 2)
                    player = seats[seat]
                    grown += (counts[comes][player] >= most) - (counts[goes][player] > most)
        return grown

    def anneal(self) -> list[list[int]]:
        """Exchange players for `STEPS` steps, and return the evenest seats without a meeting too many."""
        best, squares = [], self.squares
        least = None
        cooling, temperature = (COLD / HOT) ** (1 / STEPS), HOT
        meetings = self.too_often // 2
        for _ in range(STEPS):
            temperature *= cooling
            round = self.rng.randrange(self.rounds)
            one, other = self.rng.sample(range(self.players), 2)
            if one // 2 == other // 2:
                continue  # partners
            grown = self.growth(round, one, other)
            if grown <= 0 or self.rng.random() < exp(-grown / temperature):
                more = self._more_meetings(round, one, other)
                self.exchange(round, one, other)
                squares += grown - TOO_OFTEN * more
                meetings += more
                if not meetings and (least is None or squares < least):
                    best, least = [list(seats) for seats in self.seats], squares
        return best


def _seat_weight(one: int, other: int, own: int) -> int:
    """Return the opposition weight of two seats in a round, `own` at the same table."""
    is_same_side = one % SEATS // 2 == other % SEATS // 2
    if one // SEATS == other // SEATS:
        return -own if is_same_side else own
    return 1 if is_same_side else -1


def with_seats(movement: Movement, rounds: list[list[int]]) -> Movement:
    """Return the movement with these players, from 0, in its seats."""
    seatings = []
    for seating in movement.seatings:
        first = (seating.table - 1) * SEATS
        north, south, east, west = (n + 1 for n in rounds[seating.round - 1][first : first + SEATS])
        seatings.append(
            replace(
                seating,
                ns=(min(north, south), max(north, south)),
                ew=(min(east, west), max(east, west)),
            )
        )
    return replace(movement, seatings=tuple(seatings))


def fairest(players: int, rounds: int) -> Movement:
    """Return the fairest individual of a size that is found."""
    movement = unturned_individual(players // SEATS, rounds)
    found = [
        with_seats(movement, seats)
        for start in range(STARTS)
        if (seats := RoundSeats(players, rounds, Random(f"{players}x{rounds}-{start}")).anneal())
    ]
    return max(found, key=lambda candidate: balance(candidate).score)


def _cell(seating: Seating) -> str:
    return "-".join("+".join(map(str, side)) for side in (seating.ns, seating.ew))  # type: ignore[arg-type]


def main() -> None:
    """Search all sizes and write the table."""
    lines = [
        "# Individuals that follow no rule, found by `python -m tests.proofs.searches.even_individuals`.",
        "# Each line is a round, each cell a table: the players of North-South and East-West.",
        'source = "own search (simulated annealing)"',
    ]
    for players, rounds in SIZES:
        movement = fairest(players, rounds)
        score = balance(movement).score
        sys.stderr.write(f"{players}x{rounds} {score}\n")
        lines += ["", "[[movements]]", f"players = {players}", f"rounds = {rounds}"]
        lines += [f"score = {score}", "seats = ["]
        for round in range(1, rounds + 1):
            cells = "  ".join(map(_cell, movement.in_round(round)))
            lines.append(f'  "{cells}",')
        lines.append("]")
    Path(FOLDER / "even_individuals.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
