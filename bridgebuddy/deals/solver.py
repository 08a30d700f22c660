"""The process that calls endplay: it reads a deal from each line and writes its twenty tricks as a line.

A strain and a declarer may follow a deal. Then it writes declarer's tricks after each of the thirteen leads.

    python -m bridgebuddy.deals.solver

It reads untrusted deals with a large native library. So it gets little time and memory, has no access to database,
network or settings (`sandbox`), and ends with its parent.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

STRAINS, SEATS = ("S", "H", "D", "C", "NT"), "NESW"
SUITS, RANKS = "♠♥♦♣", "AKQJT98765432"
READY, MISSING = "ready", "missing"
#: seconds of CPU for a deal (none took more than two), and bytes of addresses (a third is used)
MOST_SECONDS, MOST_MEMORY = 20, 1_000_000_000
LOWEST = 19


def main() -> None:
    """Run the solver process: solve each deal from standard input and write its tricks, until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # output that a library prints must not mix with answers

    def write_answer(line: str) -> None:
        """Write an answer as a line."""
        answers.write(f"{line}\n")
        answers.flush()

    with suppress(OSError, AttributeError):
        os.nice(LOWEST)
    try:
        from endplay import _dds
        from endplay.dds import calc_dd_table, solve_board
        from endplay.types import Deal, Denom, Player
    except ImportError:
        write_answer(MISSING)
        return
    _dds.SetMaxThreads(1)
    _limit_process()
    strains = (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt)
    seats = (Player.north, Player.east, Player.south, Player.west)

    def tricks_of_deal(deal: Deal) -> str:
        """Return the tricks of each declarer and strain as hexadecimal digits."""
        table = calc_dd_table(deal)
        return "".join(f"{int(table[strain, seat]):X}" for seat in seats for strain in strains)

    def tricks_after_leads(deal: Deal, strain: str, declarer: str) -> str:
        """Return declarer's tricks after each of the 13 leads as hexadecimal digits."""
        deal.trump = strains[STRAINS.index(strain)]
        deal.first = seats[(SEATS.index(declarer) + 1) % 4]
        tricks_against = {str(card): int(against) for card, against in solve_board(deal)}
        order = sorted(
            tricks_against, key=lambda card: (SUITS.index(card[0]), RANKS.index(card[1]))
        )
        return "".join(f"{13 - tricks_against[card]:X}" for card in order)

    write_answer(READY)
    for line in sys.stdin:
        _limit_time()
        deal, *contract = line.rstrip("\n").split("\t")
        write_answer(
            tricks_after_leads(Deal(deal), *contract) if contract else tricks_of_deal(Deal(deal))
        )


def _limit_time() -> None:
    """Limit the processor time for the next deal; the system kills the process when it is used up."""
    if sys.platform == "win32":
        return
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF)
    most = int(usage.ru_utime + usage.ru_stime) + MOST_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def _limit_process() -> None:
    """Limit the memory and the system calls of the solver process."""
    if sys.platform == "win32":
        return
    import resource

    from bridgebuddy.operations.sandbox import confine_process

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(ValueError, OSError):  # the limit is lower, or the system has none
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    with suppress(OSError):  # an older kernel, or another system
        confine_process()


if __name__ == "__main__":
    main()
