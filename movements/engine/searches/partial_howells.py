"""Find three-quarter Howells, and write tables/partial_howells.toml.

Run it again with `python -m movements.engine.searches.partial_howells [BATCHES] [SIZE …] [seed=NUMBER]
[differences=1,2,4]`, a size being "10x17"; sizes that are named are improved where something better is
found. Deterministic: so many batches of starters are tried (one unless told, some ten seconds); another
seed tries others, and differences named are the only ones by which couples of movers differ (they decide
who meets whom, and so how even a movement can be).

A movement of n tables and r rounds has q = 2n - r pairs that keep their table and r that move on round
the room; round r + 1 is round r with 1 added to movers and sets, modulo r. A starter is right when the
movers are everybody once, the couples of movers differ by different amounts (not half of r), and the
sets less the movers are all different. Where no starter has different sets at all tables, sharing is
allowed. The directions are then turned, table by table, until the weights (see `balance`) are as even
as an annealing finds them: the sum of their squares is the measure.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from itertools import islice
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from movements.engine.families.tables import FOLDER

SIZES = [(n, r) for n in range(4, 13) for r in range(n + 1, 2 * n - 1)]
SEED = 2026
STARTERS = 256
"""How many starters are turned at the same time."""
AGAIN = 16
"""From how many beginnings the best of them are turned again."""

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


class Rooms:
    """All seatings of several starters of one size, with the weights of everybody on everybody.

    Arrays have a row for each starter: `plays` [N-S, E-W, set], `seats` the direction of everybody on
    every set (0 where they do not play it), `weights` of everybody on everybody.
    """

    def __init__(self, tables: int, rounds: int, starters: list[list[Table]]) -> None:
        self.tables, self.rounds = tables, rounds
        pairs, many = 2 * tables, len(starters)
        self.every = np.arange(many)
        self.plays = np.array([_plays(rounds, starter) for starter in starters])
        self.turned = np.zeros((many, rounds * tables), dtype=bool)
        self.seats = np.zeros((many, rounds, pairs), dtype=np.int32)
        met = np.zeros((many, pairs, pairs), dtype=np.int32)
        for ns, ew, board in self.plays.transpose(1, 2, 0):
            self.seats[self.every, board, ns] = 1
            self.seats[self.every, board, ew] = -1
            met[self.every, ns, ew] += 1
            met[self.every, ew, ns] += 1
        self.weights = np.einsum("csp,csq->cpq", self.seats, self.seats) + tables * met
        self.weights[:, np.arange(pairs), np.arange(pairs)] = 0
        self.others = (self.seats != 0).sum(2) - 2
        self.squares = (self.weights.astype(np.int64) ** 2).sum((1, 2)) // 2
        self.total = self.weights.sum((1, 2)) // 2

    def chosen(self, which: np.ndarray) -> Rooms:
        """Return the rooms with these numbers, each as often as it is named."""
        copy = object.__new__(Rooms)
        copy.tables, copy.rounds, copy.every = self.tables, self.rounds, np.arange(len(which))
        for name in ("plays", "turned", "seats", "weights", "others", "squares", "total"):
            setattr(copy, name, getattr(self, name)[which].copy())
        return copy

    def anneal(self, rng: np.random.Generator, flips: int, warmth: float) -> None:
        """Turn tables at random, ever less often for the worse; every room ends as its best was."""
        best, kept = self.squares.copy(), self.turned.copy()
        for step in range(flips):
            heat = warmth * self.tables * (1 - step / flips) ** 2 + 0.5
            play = rng.integers(self.plays.shape[1], size=len(self.every))
            gain, change = self._gain(play)
            takes = gain <= -heat * np.log(rng.random(len(self.every)))
            self._turn(play, gain, change, self.every[takes])
            better = self.every[self.squares < best]
            best[better], kept[better] = self.squares[better], self.turned[better]
        for number in range(self.plays.shape[1]):  # back to the best
            same = np.full(len(self.every), number)
            gain, change = self._gain(same)
            self._turn(same, gain, change, self.every[self.turned[:, number] != kept[:, number]])

    def _gain(self, play: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """By how much the sum of squares changes when a table is turned, and N-S's weights do."""
        ns, ew, board = self.plays[self.every, play].T
        here = self.seats[self.every, board]
        change = -2 * here[self.every, ns][:, None] * here
        change[self.every, ns] = change[self.every, ew] = 0
        apart = self.weights[self.every, ns] - self.weights[self.every, ew]
        return 8 * self.others[self.every, board] + 2 * (change * apart).sum(1), change

    def _turn(
        self, play: np.ndarray, gain: np.ndarray, change: np.ndarray, rooms: np.ndarray
    ) -> None:
        play, change = play[rooms], change[rooms]
        ns, ew, board = self.plays[rooms, play].T
        self.weights[rooms, ns] += change
        self.weights[rooms, :, ns] += change
        self.weights[rooms, ew] -= change
        self.weights[rooms, :, ew] -= change
        self.seats[rooms, board, ns] *= -1
        self.seats[rooms, board, ew] *= -1
        self.squares[rooms] += gain[rooms]
        self.turned[rooms, play] ^= True

    def sd(self, room: int) -> float:
        couples = self.tables * (2 * self.tables - 1)
        mean = self.total[room] / couples
        return sqrt(max(0.0, self.squares[room] / couples - mean**2))


def _plays(rounds: int, starter: list[Table]) -> list[tuple[int, int, int]]:
    """Who plays whom with which set, table by table and round by round: N-S, E-W, set."""
    seated = iter(range(rounds, rounds + len(starter)))
    first = [(next(seated), True) if a is None else (a, False) for a, _, _ in starter]
    return [
        (ns if stays else (ns + r) % rounds, (b + r) % rounds, (s + r) % rounds)
        for r in range(rounds)
        for (ns, stays), (_, b, s) in zip(first, starter, strict=True)
    ]


def best_of(
    tables: int,
    rounds: int,
    batches: int,
    seed: int = SEED,
    known: list[Table] | None = None,
    differences: frozenset[int] = frozenset(),
) -> dict[str, Any]:
    """Return the best movement of a size that so many batches of starters give.

    All starters are turned for a short while, the best of them for a long one, from several beginnings.
    A starter that is known to be good is one of the first batch.
    """
    chance = Random(f"{seed} {tables} {rounds}")
    rng = np.random.default_rng([seed, tables, rounds])
    stationary = 2 * tables - rounds
    probe = Random(f"{SEED} probe {tables} {rounds}")
    is_shared = all(
        _starter(rounds, stationary, rounds - tables, probe, False) is None for _ in range(60)
    )
    found = starters(tables, rounds, chance, shared=is_shared, differences=differences)
    best: tuple[int, Rooms, int, list[Table]] | None = None
    for batch in range(batches):
        tried = list(islice(found, STARTERS))
        if known and not batch:
            tried[0] = known
        rooms = Rooms(tables, rounds, tried)
        rooms.anneal(rng, 40 * tables * rounds, 16)
        good = np.argsort(rooms.squares, kind="stable")[: STARTERS // AGAIN]
        if known and not batch:
            good[-1] = 0
        good = np.repeat(good, AGAIN)
        rooms = rooms.chosen(good)
        rooms.anneal(rng, 200 * tables * rounds, 10)
        room = int(np.argmin(rooms.squares))
        if best is None or rooms.squares[room] < best[0]:
            best = (int(rooms.squares[room]), rooms, room, tried[good[room]])
    assert best is not None
    _, rooms, room, starter = best
    return {
        "tables": tables,
        "rounds": rounds,
        "shared": is_shared,
        "sd": round(rooms.sd(room), 4),
        "starter": starter,
        "turned": _normal(rooms, room),
    }


def _normal(rooms: Rooms, room: int) -> list[list[int]]:
    """The tables that are turned, round by round; on no set more than half of them."""
    state = rooms.turned[room]
    for board in range(rooms.rounds):
        plays = rooms.plays[room, :, 2] == board
        if 2 * state[plays].sum() > plays.sum():
            state[plays] ^= True
    rows = state.reshape(rooms.rounds, rooms.tables)
    return [[int(table) + 1 for table in np.flatnonzero(row)] for row in rows]


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
    batches = next((int(one) for one in others if "x" not in one), 1)
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
        found = best_of(tables, rounds, batches, seed, known, differences)
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
