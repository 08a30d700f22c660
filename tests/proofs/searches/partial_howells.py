"""Find three-quarter Howells, and write tables/partial_howells.toml.

Run it again with `python -m tests.proofs.searches.partial_howells [SECONDS] [SIZE …] [seed=NUMBER]
[differences=1,2,4]`, a size being "10x17"; named sizes are improved if a better movement is
found. Deterministic apart from the time a size is given (8 seconds unless told), which only decides how
many starters are tried; another seed tries others, and differences named are the only ones by which
couples of movers differ (they decide the meetings, and so the possible evenness).

A movement of n tables and r rounds has q = 2n - r pairs that keep their table and r that move on round
the room; round r + 1 is round r with 1 added to movers and sets, modulo r. A starter is right when it
has each mover once, the couples of movers differ by different amounts (not half of r), and the
sets less the movers are all different. Where no starter has different sets at all tables, sharing is
allowed. Then tables are turned until the weights (see `balance`) are as even as the search for
arrow-switches (`switching_search`) finds them: the sum of their squares is the measure.
"""

from __future__ import annotations

import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from movements.engine.fairness.switching_room import SwitchState
from movements.engine.fairness.switching_search import BestSwitches, turn_tables
from movements.engine.families.howells.howell import cyclic_howell
from movements.engine.families.tables import FOLDER

SIZES = [(n, r) for n in range(4, 13) for r in range(n + 1, 2 * n - 1)]
SEED = 2026
#: steps of the search for a starter's arrow-switches; how often as many for the best starters, and how
#: many these are
STEPS, LONG, KEPT = 100, 30, 3

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
        return sorted(chosen, key=lambda item: (item[0] is not None, item[2]))
    return None


@dataclass(frozen=True)
class Turned:
    """A starter with the tables turned that make it as even as was found."""

    starter: list[Table]
    squares: int
    sd: float
    turned: list[list[int]]  # round by round, in the starter's order from 1


def turned(rounds: int, starter: list[Table], rng: Random, steps: int) -> Turned:
    """Return a starter with its best arrow-switches, on no set at more than half of the tables."""
    room = SwitchState(cyclic_howell("partial-howell", rounds, starter), 1, 1)
    best = BestSwitches(room)
    turn_tables(room, rng, steps, best)
    mean = room.total / room.couples
    order = sorted(range(len(starter)), key=lambda index: (starter[index][2], index))
    tables: list[list[int]] = [[] for _ in range(rounds)]
    for seating, _ in best.states[0]:
        round, place = divmod(seating, len(starter))
        tables[round].append(order[place] + 1)
    return Turned(
        starter,
        best.squares,
        sqrt(max(0.0, best.squares / room.couples - mean * mean)),
        [sorted(row) for row in tables],
    )


def best_of(
    tables: int,
    rounds: int,
    seconds: float,
    seed: int = SEED,
    known: list[Table] | None = None,
    differences: frozenset[int] = frozenset(),
) -> dict[str, Any]:
    """Return the best movement of a size that the time allows to find.

    Every starter is turned for a moment, the best ones and the one that is known longer.
    """
    rng = Random(f"{seed} {tables} {rounds}")
    until = time.monotonic() + seconds
    stationary = 2 * tables - rounds
    probe = Random(f"{SEED} probe {tables} {rounds}")
    is_shared = all(
        _starter(rounds, stationary, rounds - tables, probe, False) is None for _ in range(60)
    )
    tried: list[Turned] = []
    for starter in starters(tables, rounds, rng, shared=is_shared, differences=differences):
        if time.monotonic() > until and (tried or known):
            break
        tried.append(turned(rounds, starter, rng, STEPS))
        tried = sorted(tried, key=lambda item: item.squares)[:KEPT]
    starting = [item.starter for item in tried] + ([known] if known else [])
    longer = [turned(rounds, starter, rng, LONG * STEPS) for starter in starting]
    best = min(tried + longer, key=lambda item: item.squares)
    return {
        "tables": tables,
        "rounds": rounds,
        "shared": is_shared,
        "sd": round(best.sd, 4),
        "starter": best.starter,
        "turned": best.turned,
    }


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
    """Search the sizes named (all by default), and write those better than the stored ones."""
    seeds = [int(item.removeprefix("seed=")) for item in sys.argv[1:] if item.startswith("seed=")]
    named = next((item for item in sys.argv[1:] if item.startswith("differences=")), "")
    differences = frozenset(int(part) for part in named.partition("=")[2].split(",") if part)
    others = [item for item in sys.argv[1:] if "=" not in item]
    wanted = [item for item in others if "x" in item]
    seconds = next((float(item) for item in others if "x" not in item), 8.0)
    file = Path(FOLDER / "partial_howells.toml")
    kept = {}
    if wanted:
        for movement in tomllib.loads(file.read_text(encoding="utf-8"))["movements"]:
            starter = [_cell(cell) for cell in movement["starter"]]
            turned = [[int(t) for t in row.split()] for row in movement["turned"]]
            kept[movement["tables"], movement["rounds"]] = {
                **movement,
                "starter": starter,
                "turned": turned,
            }
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


HEAD = """# Three-quarter Howells, found by `python -m tests.proofs.searches.partial_howells`.
# A starter's cell is "mover mover set" or, at a stationary pair's table, "- mover set";
# turned holds, round by round, the tables that are arrow-switched; sd is of the weights.
source = "own search" """.rstrip()


if __name__ == "__main__":
    main()
