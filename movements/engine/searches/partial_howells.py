"""Find three-quarter Howells, and write tables/partial_howells.toml.

Run it again with `python -m movements.engine.searches.partial_howells [SECONDS] [SIZE …] [seed=NUMBER]
[differences=1,2,4]`, a size being "10x17"; sizes that are named are improved where something better is
found. Deterministic apart from the time a size is given (8 seconds unless told), which only decides how
many starters are tried; another seed tries others, and differences named are the only ones by which
couples of movers differ (they decide who meets whom, and so how even a movement can be).

A movement of n tables and r rounds has q = 2n - r pairs that keep their table and r that move on round
the room; round r + 1 is round r with 1 added to movers and sets, modulo r. A starter is right when the
movers are everybody once, the couples of movers differ by different amounts (not half of r), and the
sets less the movers are all different. Where no starter has different sets at all tables, sharing is
allowed. The directions are then turned, table by table, until the weights (see `balance`) are as even
as an annealing finds them: the sum of their squares is the measure.
"""

from __future__ import annotations

import sys
import time
import tomllib
from collections.abc import Iterator
from math import exp, sqrt
from pathlib import Path
from random import Random
from typing import Any

from movements.engine.families.tables import FOLDER

SIZES = [(n, r) for n in range(4, 13) for r in range(n + 1, 2 * n - 1)]
SEED = 2026
FLIPS = 60_000

Table = tuple[int | None, int, int]
"""The stationary pair's place is None: mover or nobody, mover, set."""


def starters(
    tables: int,
    rounds: int,
    rng: Random,
    *,
    shared: bool,
    differences: frozenset[int] = frozenset(),
) -> Iterator[list[Table]]:
    """Yield right starters, stationary tables first, in random order without end."""
    stationary, couples = 2 * tables - rounds, rounds - tables
    while True:
        found = _starter(rounds, stationary, couples, rng, shared, differences)
        if found:
            yield found


def _starter(
    rounds: int,
    stationary: int,
    couples: int,
    rng: Random,
    shared: bool,
    wanted: frozenset[int] = frozenset(),
) -> list[Table] | None:
    left = [4000]
    chosen: list[Table] = []

    def choose(
        free: frozenset[int],
        differences: frozenset[int],
        offsets: frozenset[int],
        sets: frozenset[int],
        to_couple: int,
    ) -> bool:
        left[0] -= 1
        if left[0] < 0:
            return False
        if not free:
            return True
        if to_couple:
            a = min(free) if to_couple == couples else rng.choice(sorted(free))
            partners = [b for b in free if b != a]
        else:
            a = rng.choice(sorted(free))
            partners = [a]
        rng.shuffle(partners)
        order = list(range(rounds))
        rng.shuffle(order)
        for b in partners:
            gap = min((a - b) % rounds, (b - a) % rounds)
            if to_couple and (gap in differences or 2 * gap == rounds):
                continue
            if to_couple and wanted and gap not in wanted:
                continue
            for s in order:
                new = {(s - a) % rounds, (s - b) % rounds}
                if new & offsets or (s in sets and not shared):
                    continue
                if to_couple and len(new) == 1:
                    continue
                chosen.append((a, b, s) if to_couple else (None, a, s))
                if choose(
                    free - {a, b},
                    differences | ({gap} if to_couple else set()),
                    offsets | new,
                    sets | {s},
                    to_couple - 1 if to_couple else 0,
                ):
                    return True
                chosen.pop()
        return False

    everybody = frozenset(range(rounds))
    if choose(everybody, frozenset(), frozenset(), frozenset(), couples):
        return sorted(chosen, key=lambda one: (one[0] is not None, one[2]))
    return None


class Room:
    """All seatings of a starter, with the weights of everybody on everybody."""

    def __init__(self, tables: int, rounds: int, starter: list[Table]) -> None:
        self.plays: list[tuple[int, int, int]] = []  # N-S, E-W, set
        pairs = 2 * tables
        seated = 0
        ids: list[tuple[int | None, int, int]] = []
        for a, b, s in starter:
            if a is None:
                ids.append((rounds + seated, b, s))
                seated += 1
            else:
                ids.append((a, b, s))
        for r in range(rounds):
            for (a, b, s), (kind, _, _) in zip(ids, starter, strict=True):
                first = a if kind is None else (a + r) % rounds  # type: ignore[operator]
                self.plays.append((first, (b + r) % rounds, (s + r) % rounds))  # type: ignore[arg-type]
        self.x = [[0] * rounds for _ in range(pairs)]
        met = [[0] * pairs for _ in range(pairs)]
        for ns, ew, s in self.plays:
            self.x[ns][s], self.x[ew][s] = 1, -1
            met[ns][ew] += 1
            met[ew][ns] += 1
        self.weights = [
            [
                sum(p * q for p, q in zip(self.x[a], self.x[b], strict=True)) + tables * met[a][b]
                if a != b
                else 0
                for b in range(pairs)
            ]
            for a in range(pairs)
        ]
        self.squares = sum(w * w for row in self.weights for w in row) // 2
        self.total = sum(map(sum, self.weights)) // 2
        self.turned = [False] * len(self.plays)
        self.on = [[p for p in range(pairs) if self.x[p][s]] for s in range(rounds)]

    def gain(self, play: int) -> int:
        """By how much the sum of squares changes when a table is turned."""
        a, b, s = self.plays[play]
        xa, xb, change = self.x[a][s], self.x[b][s], 0
        wa, wb = self.weights[a], self.weights[b]
        for q in self.on[s]:
            if q != a and q != b:
                da, db = -2 * xa * self.x[q][s], -2 * xb * self.x[q][s]
                change += da * (2 * wa[q] + da) + db * (2 * wb[q] + db)
        return change

    def turn(self, play: int, gain: int) -> None:
        a, b, s = self.plays[play]
        for pair in (a, b):
            mine, row = self.x[pair][s], self.weights[pair]
            for q in self.on[s]:
                if q != a and q != b:
                    change = -2 * mine * self.x[q][s]
                    row[q] += change
                    self.weights[q][pair] += change
        self.x[a][s], self.x[b][s] = -self.x[a][s], -self.x[b][s]
        self.squares += gain
        self.turned[play] = not self.turned[play]

    def sd(self, squares: int) -> float:
        couples = len(self.x) * (len(self.x) - 1) // 2
        return sqrt(max(0.0, squares / couples - (self.total / couples) ** 2))

    def anneal(
        self, rng: Random, flips: int, moves: list[list[int]] | None = None
    ) -> tuple[int, list[bool]]:
        """Turn tables at random, ever less often for the worse; return the best found.

        A move turns several plays together (`moves`), or any single one.
        """
        best, state = self.squares, list(self.turned)
        hot = 8.0 * len(self.x)
        choices = moves or [[play] for play in range(len(self.plays))]
        for step in range(flips):
            heat = hot * (1 - step / flips) ** 2 + 0.5
            move = rng.choice(choices)
            before = self.squares
            for play in move:
                self.turn(play, self.gain(play))
            gain = self.squares - before
            if gain > 0 and rng.random() >= exp(-gain / heat):
                for play in reversed(move):
                    self.turn(play, self.gain(play))
            elif self.squares < best:
                best, state = self.squares, list(self.turned)
        return best, state


def steady_moves(tables: int, rounds: int, starter: list[Table]) -> list[list[int]]:
    """Moves under which tables of movers keep one direction all evening: far fewer, often enough."""
    moves = []
    for t in range(tables):
        plays = [r * tables + t for r in range(rounds)]
        moves += [[play] for play in plays] if starter[t][0] is None else [plays]
    return moves


def best_of(
    tables: int,
    rounds: int,
    seconds: float,
    seed: int = SEED,
    known: list[Table] | None = None,
    differences: frozenset[int] = frozenset(),
) -> dict[str, Any]:
    """Return the best movement of a size that the time allows to find.

    A starter that is known to be good is turned once more, as the best of the new ones is.
    """
    rng = Random(f"{seed} {tables} {rounds}")
    until = time.monotonic() + seconds
    stationary = 2 * tables - rounds
    probe = Random(f"{SEED} probe {tables} {rounds}")
    is_shared = all(
        _starter(rounds, stationary, rounds - tables, probe, False) is None for _ in range(60)
    )
    best: tuple[int, Room, list[Table], list[bool]] | None = None
    is_steady = False
    for starter in starters(tables, rounds, rng, shared=is_shared, differences=differences):
        room = Room(tables, rounds, starter)
        is_steady = not is_steady
        if is_steady:
            moves = steady_moves(tables, rounds, starter)
            squares, state = room.anneal(rng, 40 * len(moves), moves)
        else:
            squares, state = room.anneal(rng, FLIPS // 3)
        if best is None or squares < best[0]:
            best = (squares, room, starter, state)
        if time.monotonic() > until:
            break
    assert best is not None
    for starter in (best[2], known or best[2]):
        steady = steady_moves(tables, rounds, starter)
        for choices in (None, None, steady):  # once more, longer
            room = Room(tables, rounds, starter)
            squares, state = room.anneal(rng, 400 * len(choices) if choices else 2 * FLIPS, choices)
            if squares < best[0]:
                best = (squares, room, starter, state)
    squares, room, starter, state = best
    return {
        "tables": tables,
        "rounds": rounds,
        "shared": is_shared,
        "sd": round(room.sd(squares), 4),
        "starter": starter,
        "turned": _normal(tables, rounds, room, state),
    }


def _normal(tables: int, rounds: int, room: Room, state: list[bool]) -> list[list[int]]:
    """The tables that are turned, round by round; on no set more than half of them."""
    by_set: dict[int, list[int]] = {}
    for play, (_, _, s) in enumerate(room.plays):
        by_set.setdefault(s, []).append(play)
    for plays in by_set.values():
        if 2 * sum(state[play] for play in plays) > len(plays):
            for play in plays:
                state[play] = not state[play]
    return [[t + 1 for t in range(tables) if state[r * tables + t]] for r in range(rounds)]


def written(found: dict[str, Any]) -> str:
    """Return a movement as TOML."""
    starter = ", ".join(f'"{"-" if a is None else a} {b} {s}"' for a, b, s in found["starter"])
    turned = ", ".join(f'"{" ".join(map(str, row))}"' for row in found["turned"])
    return "\n".join(
        [
            "[[movements]]",
            f"tables = {found['tables']}",
            f"rounds = {found['rounds']}",
            f"shared = {str(found['shared']).lower()}",
            f"sd = {found['sd']}",
            f"starter = [{starter}]",
            f"turned = [{turned}]",
        ]
    )


def main() -> None:
    """Search the sizes named (all unless any is), and write what is better than what is kept."""
    seeds = [int(one.removeprefix("seed=")) for one in sys.argv[1:] if one.startswith("seed=")]
    named = next((one for one in sys.argv[1:] if one.startswith("differences=")), "")
    differences = frozenset(int(one) for one in named.partition("=")[2].split(",") if one)
    others = [one for one in sys.argv[1:] if "=" not in one]
    wanted = [one for one in others if "x" in one]
    seconds = next((float(one) for one in others if "x" not in one), 8.0)
    file = Path(FOLDER / "partial_howells.toml")
    kept = {}
    if wanted:
        for one in tomllib.loads(file.read_text(encoding="utf-8"))["movements"]:
            starter = [_cell(cell) for cell in one["starter"]]
            turned = [[int(t) for t in row.split()] for row in one["turned"]]
            kept[one["tables"], one["rounds"]] = {**one, "starter": starter, "turned": turned}
    for tables, rounds in SIZES:
        if wanted and f"{tables}x{rounds}" not in wanted:
            continue
        before = kept.get((tables, rounds))
        known = before["starter"] if before else None
        seed = (seeds or [SEED])[0]
        found = best_of(tables, rounds, seconds, seed, known, differences)
        if before is None or found["sd"] < before["sd"]:
            kept[tables, rounds] = found
        sys.stderr.write(f"{tables}x{rounds} sd {found['sd']} shared {found['shared']}\n")
        parts = [HEAD, *(written(kept[size]) for size in sorted(kept))]
        file.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _cell(cell: str) -> Table:
    first, second, sets = cell.split()
    return (None if first == "-" else int(first), int(second), int(sets))


HEAD = """# Three-quarter Howells, found by `python -m movements.engine.searches.partial_howells`.
# A starter's cell is "mover mover set" or, at a stationary pair's table, "- mover set";
# turned holds, round by round, the tables that are arrow-switched; sd is of the weights.
source = "own search" """.rstrip()


if __name__ == "__main__":
    main()
