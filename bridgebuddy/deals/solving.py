"""Double dummy: the tricks that each seat takes in each strain when everybody sees all cards.

Worked out by endplay, which is asked for with the extra `analysis`; everything else does without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

STRAINS = ("S", "H", "D", "C", "NT")
Tricks = dict[str, dict[str, int]]
"""By declarer and strain."""
#: tables that the solver works out at once
AT_ONCE = 20


class NoSolver(Exception):
    """What solves deals is not installed."""


def tricks(deals: Iterable[str]) -> Iterator[Tricks]:
    """Yield the table of each deal, written as PBN. Raises `NoSolver`."""
    try:
        from endplay.dds import calc_all_tables
        from endplay.types import Deal, Denom, Player
    except ImportError as error:
        raise NoSolver from error
    denominations = dict(
        zip(
            STRAINS,
            (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt),
            strict=True,
        )
    )
    seats = {"N": Player.north, "E": Player.east, "S": Player.south, "W": Player.west}
    waiting = [Deal(one) for one in deals]
    for start in range(0, len(waiting), AT_ONCE):
        for table in calc_all_tables(waiting[start : start + AT_ONCE]):
            yield {
                seat: {strain: int(table[of, player]) for strain, of in denominations.items()}
                for seat, player in seats.items()
            }
