"""Find individuals for 4 to 29 players, and write tables/individuals.toml.

Run it again with `python -m tests.proofs.searches.individuals`; deterministic. They are cyclic: round
r + 1 is round r with 1 added to each player. With 4n or 4n + 1 players they are whist tournaments (4n
players: one keeps a seat and the others count modulo 4n - 1; 4n + 1 players: one sits out each round):
every two players are partners once and opponents twice. Of 4n + 2 or 4n + 3 players two or three sit out
each round, never twice running: no player has a partner twice, or an opponent more than twice. No whist
tournament of 9 is cyclic: its players are two threes, which both count modulo 3. Of many that are found
the fairest is kept.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import combinations, product
from pathlib import Path
from random import Random

from movements.engine.fairness.balance import balance
from movements.engine.families.individuals.individual import CyclicStart, cyclic_individual
from movements.engine.families.tables import FOLDER

Table = tuple[int, int, int, int]
"""N, S, E, W in round 1, from 0; the player who keeps a seat is -1."""

STEPS = 3_000_000
NINE = 9
#: so many are tried: for each with every table turned or not the fairness is worked out, which takes time
SEEDS = {6: 400, 12: 200, 16: 60, 20: 16}
FEW_SEEDS = 6
FEW_STEPS = 60_000  # with one choice of those who sit out
USUAL_ROUNDS, MANY_LENGTHS, AN_EVENING = range(6, 13), 4, 9
APART = 2  # rounds at least between two in which somebody sits out


def whist(players: int, rng: Random) -> list[Table] | None:
    """Return the tables of round 1, or None when the search gives up."""
    modulus = players - 1 if players % 4 == 0 else players
    tables = players // 4
    left = [STEPS]
    chosen: list[Table] = []
    partners: set[int] = set()
    opponents = [0] * (modulus // 2 + 1)

    def gap(a: int, b: int) -> int:
        return min((a - b) % modulus, (b - a) % modulus)

    def place(free: list[int]) -> bool:
        left[0] -= 1
        if left[0] < 0:
            return False
        if len(chosen) == tables:
            return True
        first, rest = free[0], free[1:]
        order = list(rest)
        rng.shuffle(order)
        for second in order:
            g = gap(first, second)
            if g in partners:
                continue
            partners.add(g)
            others = [x for x in rest if x != second]
            for i, third in enumerate(others):
                a, b = gap(first, third), gap(second, third)
                if opponents[a] >= 2 or opponents[b] >= 2 - (a == b):
                    continue
                opponents[a] += 1
                opponents[b] += 1
                for fourth in others[i + 1 :]:
                    h = gap(third, fourth)
                    if h in partners:
                        continue
                    c, d = gap(first, fourth), gap(second, fourth)
                    if opponents[c] >= 2 or opponents[d] >= 2 - (c == d):
                        continue
                    partners.add(h)
                    opponents[c] += 1
                    opponents[d] += 1
                    chosen.append((first, second, third, fourth))
                    if place([x for x in others if x not in (third, fourth)]):
                        return True
                    chosen.pop()
                    opponents[c] -= 1
                    opponents[d] -= 1
                    partners.discard(h)
                opponents[a] -= 1
                opponents[b] -= 1
            partners.discard(g)
        return False

    if players % 4:
        return chosen if place(list(range(1, modulus))) else None
    # the player who keeps a seat partners 0; two opponents of theirs count once each for them
    for third in range(1, modulus):
        for fourth in range(third + 1, modulus):
            h, a, b = gap(third, fourth), gap(0, third), gap(0, fourth)
            chosen[:] = [(-1, 0, third, fourth)]
            partners.clear()
            partners.add(h)
            opponents[:] = [0] * len(opponents)
            opponents[a] += 1
            opponents[b] += 1
            left[0] = STEPS // 40
            if place([x for x in range(1, modulus) if x not in (third, fourth)]):
                return chosen
    return None


def sitting_out(players: int, rng: Random) -> list[Table] | None:
    """Return the tables of round 1 with several sit-outs; no player sits out twice running."""
    numbers = range(players)

    def gap(one: int, other: int) -> int:
        return min((one - other) % players, (other - one) % players)

    every = [(0, *rest) for rest in combinations(numbers[1:], players % 4 - 1)]
    rng.shuffle(every)
    least = APART if players > APART * 4 else 1
    for out in every:
        if min(gap(a, b) for a, b in combinations(out, 2)) < least:
            continue
        seated = [number for number in numbers if number not in out]
        found = even(seated, gap, players, rng)
        if found and _can_be_shorter(players, found):
            return found
    return None


def _can_be_shorter(players: int, tables: list[Table]) -> bool:
    """Return whether most usual evenings can end without a player who sat out twice as often as another."""
    stored = CyclicStart(players, tuple(tables))
    lengths = [n for n in USUAL_ROUNDS if n <= players and stored.is_even(n)]
    return len(lengths) >= (MANY_LENGTHS if players >= USUAL_ROUNDS.stop else 1)


def square(rng: Random) -> list[Table] | None:
    """Return the tables of round 1 for 9 players, number 3a + b where they count by (a, b)."""

    def gap(one: int, other: int) -> int:
        found = []
        for a, b in ((one, other), (other, one)):
            found.append((a // 3 - b // 3) % 3 * 3 + (a % 3 - b % 3) % 3)
        return min(found)

    return even(range(1, 9), gap, NINE, rng)


def even(
    seated: Iterable[int], gap: Callable[[int, int], int], players: int, rng: Random
) -> list[Table] | None:
    """Return tables at which no gap is twice one of partners or more than twice one of opponents.

    Half the number of players is a gap that is met from both ends: no partners have it, and one couple of
    opponents at most. Every other gap opponents have at least once.
    """
    left = [FEW_STEPS]
    chosen: list[Table] = []
    partners: set[int] = set()
    half = players / 2
    most = {number: 1 if number == half else 2 for number in range(1, players)}
    opponents = dict.fromkeys(most, 0)
    every = {gap(0, number) for number in range(1, players)} - {half}

    def place(free: list[int]) -> bool:
        left[0] -= 1
        if left[0] < 0:
            return False
        if not free:
            return all(opponents[number] for number in every)
        first, *rest = free
        rng.shuffle(rest)
        for second in rest:
            g = gap(first, second)
            if g in partners or g == half:
                continue
            partners.add(g)
            for third, fourth in combinations([x for x in rest if x != second], 2):
                h = gap(third, fourth)
                if h in partners or h == half:
                    continue
                gaps = [gap(a, b) for a in (first, second) for b in (third, fourth)]
                for number in gaps:
                    opponents[number] += 1
                if all(opponents[number] <= most[number] for number in gaps):
                    partners.add(h)
                    chosen.append((first, second, third, fourth))
                    if place(sorted(x for x in rest if x not in (second, third, fourth))):
                        return True
                    chosen.pop()
                    partners.discard(h)
                for number in gaps:
                    opponents[number] -= 1
            partners.discard(g)
        return False

    return chosen if place(sorted(seated)) else None


def fairest(players: int) -> list[Table] | None:
    """Return of some that are found, each with every table turned or not, the fairest."""
    best: list[Table] | None = None
    most = -1.0
    seeds = next((many for below, many in SEEDS.items() if players < below), FEW_SEEDS)
    for seed in range(seeds):
        rng = Random(players + 100 * seed)
        if players == NINE:
            found = square(rng)
        else:
            found = sitting_out(players, rng) if players % 4 > 1 else whist(players, rng)
        if found is None:
            continue
        for turned in product((False, True), repeat=len(found) - 1):
            tables = [
                found[0],
                *(turned_if(item, is_so) for item, is_so in zip(found[1:], turned, strict=True)),
            ]
            stored = CyclicStart(players, tuple(tables), players == NINE)
            quality = _quality(stored)
            if quality > most:
                best, most = tables, quality
    return best


def _quality(stored: CyclicStart) -> float:
    """Return the evenness of the complete movement and of its first rounds in a usual evening."""
    complete = stored.players - (stored.players % 4 == 0)
    lengths = {
        complete,
        *(n for n in range(6, AN_EVENING + 1) if n < complete and stored.is_even(n)),
    }
    longest = sorted(lengths)[-2:] if complete > AN_EVENING else [complete]
    return sum(
        balance(cyclic_individual("individual", stored, rounds)).quality for rounds in longest
    )


def turned_if(one: Table, is_so: bool) -> Table:
    north, south, east, west = one
    return (east, west, north, south) if is_so else one


def main() -> None:
    """Write the table."""
    lines = [
        "# Individuals, found by `python -m tests.proofs.searches.individuals`.",
        "# Round 1: N S E W of each table, players from 0; -1 keeps a seat, the others count round.",
        "# With is_square players are two threes, a and b of 3a + b, that both count round.",
        'source = "own search (cyclic whist tournaments)"',
    ]
    for players in range(4, 30):
        found = fairest(players)
        sys.stderr.write(f"{players} {'found' if found else '-'}\n")
        if found:
            cells = ", ".join(f'"{" ".join(map(str, item))}"' for item in found)
            lines += ["", "[[movements]]", f"players = {players}", f"tables = [{cells}]"]
            if players == NINE:
                lines.append("is_square = true")
    Path(FOLDER / "individuals.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
