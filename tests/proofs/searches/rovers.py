"""Find the paths of rovers for which no formula is printed, and write tables/rovers.toml.

Run it again with `python -m tests.proofs.searches.rovers`; it is deterministic and takes some
minutes. `late` paths begin in round 2 (the rover sits out round 1), `full` ones in round 1, as a
two-way rover needs, and so do `twice` ones, on which the pair of round 1 comes again. `exchange` paths
are late ones for which two East-West pairs exchange places. Paths that a formula gives are not kept.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from movements.engine.families.mitchells.crisscross import crisscross
from movements.engine.families.mitchells.mitchell import mitchell
from movements.engine.families.mitchells.share_and_relay import share_and_relay
from movements.engine.families.mitchells.skip import skip_mitchell
from movements.engine.families.rovers.rover import exchange_pairs, tables_by_formula
from movements.engine.families.rovers.transversal import rover_path
from movements.engine.families.tables import FOLDER
from movements.engine.model import Movement

BASES: dict[str, tuple[Callable[[int], Movement], range]] = {
    "skip-mitchell": (skip_mitchell, range(4, 41, 2)),
    "share-and-relay": (share_and_relay, range(4, 41, 2)),
    "crisscross": (crisscross, range(4, 41, 4)),
}
STEPS = 120_000
LONG = 1_000_000


def paths() -> Iterator[tuple[str, int, str, list[int]]]:
    """Yield base, tables, kind and path of everything that is found."""
    for base, (build, sizes) in BASES.items():
        for tables in sizes:
            for kind, first in (("late", 2), ("full", 1)):
                movement = build(tables)
                if kind == "late" and tables_by_formula(base, tables) is not None:
                    continue
                path = rover_path(movement, first, steps=STEPS)
                if path is not None:
                    yield base, tables, kind, [path[r] for r in sorted(path)]
    for tables in range(4, 21, 2):  # no path through every round exists: see two_way_rover
        path = rover_path(share_and_relay(tables), 1, steps=STEPS, bumps_twice=True)
        if path is not None:
            yield "share-and-relay", tables, "twice", [path[r] for r in sorted(path)]
    for tables in range(9, 40, 6):
        path = rover_path(mitchell(tables), 2, tables - 1, steps=STEPS)  # all rounds but the last
        if path is not None:
            yield "mitchell", tables, "late", [path[r] for r in sorted(path)]
        if tables_by_formula("mitchell", tables) is None:
            path = rover_path(exchange_pairs(mitchell(tables)), 2, steps=LONG)
            if path is not None:
                yield "mitchell", tables, "exchange", [path[r] for r in sorted(path)]


def main() -> None:
    """Write the table."""
    lines = [
        "# Paths of rovers, found by `python -m tests.proofs.searches.rovers`.",
        "# The table at which the rover plays, round by round: late from round 2, full from round 1.",
        'source = "own search"',
    ]
    for base, tables, kind, path in paths():
        lines += ["", "[[paths]]", f'base = "{base}"', f"tables = {tables}", f'kind = "{kind}"']
        lines.append(f"path = {path}")
        sys.stderr.write(f"{base} {tables} {kind}\n")
    Path(FOLDER / "rovers.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
