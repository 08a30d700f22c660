"""Time to import the engine and to build every movement.

Printed: the import's time, and per family the slowest build up to 40 tables, beside a plain Mitchell of
the same number of tables built in the same run.
"""

from __future__ import annotations

import subprocess
import sys
import time

from movements.engine import catalogue


def seconds(build) -> float:
    """The quickest of three builds."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        build()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Print the table."""
    code = "import time; t = time.perf_counter(); import movements.engine.catalogue; print(time.perf_counter() - t)"
    took = float(subprocess.check_output([sys.executable, "-c", code], text=True))
    print(f"import of the engine: {took:.3f} s")
    print(f"{'family':26} {'tables':>6} {'ms':>8} {'x Mitchell':>10}")
    for family in catalogue.FAMILIES:
        slowest = (0.0, 0)
        for tables in range(2, 41):
            legal = family.possible_rounds(tables)
            if legal:
                took = seconds(lambda: catalogue.build_movement(family.name, tables, legal[-1]))  # noqa: B023
                slowest = max(slowest, (took, tables))
        took, tables = slowest
        plain = seconds(lambda: catalogue.build_movement("mitchell", max(3, tables) | 1))  # noqa: B023
        print(f"{family.name:26} {tables:6} {1000 * took:8.2f} {took / plain:10.1f}")


if __name__ == "__main__":
    main()
