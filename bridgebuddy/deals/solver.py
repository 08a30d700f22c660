"""The process that asks endplay: a deal on each line that it reads, its twenty tricks on each line that it writes.

    python -m bridgebuddy.deals.solver

It reads strangers' deals with a large library in another language: it gets little time and memory, has neither
database nor network nor settings in reach (`confined`), and ends with the one that asked.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

READY, MISSING = "ready", "missing"
#: of a core, for all that one such process solves; and of addresses, of which it uses a third
MOST_SECONDS, MOST_MEMORY = 300, 1_000_000_000
LOWEST = 19


def main() -> None:
    """Solve what comes on the standard input until nothing comes any more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a library prints is no answer

    def say(line: str) -> None:
        answers.write(f"{line}\n")
        answers.flush()

    with suppress(OSError, AttributeError):
        os.nice(LOWEST)
    try:
        from endplay import _dds
        from endplay.dds import calc_dd_table
        from endplay.types import Deal, Denom, Player
    except ImportError:
        say(MISSING)
        return
    _dds.SetMaxThreads(1)
    _limit()
    strains = (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt)
    seats = (Player.north, Player.east, Player.south, Player.west)
    say(READY)
    for line in sys.stdin:
        table = calc_dd_table(Deal(line.strip()))
        say("".join(f"{int(table[strain, seat]):X}" for seat in seats for strain in strains))


def _limit() -> None:
    if sys.platform == "win32":
        return
    import resource

    from bridgebuddy.confined import keep_in

    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(ValueError, OSError):  # less is allowed already, or the system knows no limit
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    with suppress(OSError):  # an older kernel, or none that knows this
        keep_in()


if __name__ == "__main__":
    main()
