"""The process that asks endplay: a deal on each line that it reads, its twenty tricks on each line that it writes.

Behind a deal may stand a strain and who declares: then it writes declarer's tricks after each of the thirteen leads.

    python -m bridgebuddy.deals.solver

It reads strangers' deals with a large library in another language: it gets little time and memory, has neither
database nor network nor settings in reach (`confined`), and ends with the one that asked.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

STRAINS, SEATS = ("S", "H", "D", "C", "NT"), "NESW"
SUITS, RANKS = "♠♥♦♣", "AKQJT98765432"
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
        from endplay.dds import calc_dd_table, solve_board
        from endplay.types import Deal, Denom, Player
    except ImportError:
        say(MISSING)
        return
    _dds.SetMaxThreads(1)
    _limit()
    strains = (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt)
    seats = (Player.north, Player.east, Player.south, Player.west)

    def tricks(deal: Deal) -> str:
        table = calc_dd_table(deal)
        return "".join(f"{int(table[strain, seat]):X}" for seat in seats for strain in strains)

    def after_leads(deal: Deal, strain: str, declarer: str) -> str:
        deal.trump = strains[STRAINS.index(strain)]
        deal.first = seats[(SEATS.index(declarer) + 1) % 4]
        taken = {str(card): int(against) for card, against in solve_board(deal)}
        order = sorted(taken, key=lambda card: (SUITS.index(card[0]), RANKS.index(card[1])))
        return "".join(f"{13 - taken[card]:X}" for card in order)

    say(READY)
    for line in sys.stdin:
        deal, *contract = line.rstrip("\n").split("\t")
        say(after_leads(Deal(deal), *contract) if contract else tricks(Deal(deal)))


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
