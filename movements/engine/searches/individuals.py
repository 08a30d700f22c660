"""Find individuals for 8 to 29 players, and write tables/individuals.toml.

Run it again with `python -m movements.engine.searches.individuals`; deterministic. They are cyclic whist
tournaments: round r + 1 is round r with 1 added to everybody (4n players: one keeps a seat and the
others count modulo 4n - 1; 4n + 1 players: one sits out each round). Every two players are partners
once and opponents twice.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from movements.engine.families.tables import FOLDER

Table = tuple[int, int, int, int]
"""N, S, E, W in round 1, from 0; the player who keeps a seat is -1."""

STEPS = 3_000_000


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


def main() -> None:
    """Write the table."""
    lines = [
        "# Individuals, found by `python -m movements.engine.searches.individuals`.",
        "# Round 1: N S E W of each table, players from 0; -1 keeps a seat, the others count round.",
        'source = "own search (cyclic whist tournaments)"',
    ]
    for players in [n for n in range(8, 30) if n % 4 in (0, 1)]:
        found = whist(players, Random(players))
        sys.stderr.write(f"{players} {'found' if found else '-'}\n")
        if found:
            cells = ", ".join(f'"{" ".join(map(str, one))}"' for one in found)
            lines += ["", "[[movements]]", f"players = {players}", f"tables = [{cells}]"]
    Path(FOLDER / "individuals.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
