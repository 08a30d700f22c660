"""Two pairs of one line that change places for a round, as in the rover of nine tables."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from .model import Movement


def exchanged_seats(movement: Movement) -> dict[tuple[int, int], int]:
    """Return whose usual place a contestant has, by contestant and round, where two pairs have exchanged places.

    If the rover has the seat of one of them, the other still sits in its place. A pair's own place follows from
    round 1 by the steps that most of its line make after each round. Movements with one field, and rounds in which a
    line has no common step, have no such places.

    >>> from movements.engine.catalogue import build_movement
    >>> found = exchanged_seats(build_movement("ew-rover", 9))
    >>> [movement_round for pair, movement_round in sorted(found) if pair == 9 + 6]
    [3, 6]
    """
    places = {
        (number, seating.round): seating.table
        for number in movement.contestants
        for seating in movement.seatings_of(number)
        if len(movement.seatings_at_table(seating.round, seating.table)) == 1
    }
    found: dict[tuple[int, int], int] = {}
    for line in movement.fields if not movement.is_one_winner else ():
        own = {n: places[n, 1] for n in movement.members(line) if (n, 1) in places}
        for round in range(2, movement.rounds + 1):
            steps = Counter(
                (places[n, round] - table) % movement.tables
                for n, table in own.items()
                if (n, round) in places
            )
            step, times = steps.most_common(1)[0] if steps else (0, 0)
            if 2 * times <= len(own):
                break
            own = {n: (table + step - 1) % movement.tables + 1 for n, table in own.items()}
            for a, b in combinations(own, 2):
                at_a, at_b = places.get((a, round)), places.get((b, round))
                if (at_a, at_b) == (own[b], own[a]):
                    found[a, round], found[b, round] = b, a
                elif (at_a, at_b) == (own[b], None) and b in _exchange_partners(found, a):
                    found[a, round] = b
                elif (at_a, at_b) == (None, own[a]) and a in _exchange_partners(found, b):
                    found[b, round] = a
    return found


def _exchange_partners(exchanges: dict[tuple[int, int], int], contestant: int) -> set[int]:
    """Return the contestants with which a contestant has already changed places."""
    return {other for (number, _), other in exchanges.items() if number == contestant}
