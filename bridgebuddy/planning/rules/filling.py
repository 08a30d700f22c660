"""A chart made of the adviser's suggestions: the first for each number of pairs, and the next.

Run it by hand (`python -m bridgebuddy.planning.rules.filling`) after changes of the adviser; it takes
a minute.
"""

from __future__ import annotations

from dataclasses import replace

from movements.engine.adviser import Wishes, advise_movements

from .chart import FEWEST, MOST, USUAL, Chart, ChartLine, chart_text
from .preparing import movement_choice

#: the number of alternatives in a line
OTHERS = 2


def filled_chart(wishes: Wishes) -> Chart:
    """Return a movement chart made of the best movements by a club's wishes, for every number of pairs."""
    lines = (suggested_line(replace(wishes, pairs=pairs)) for pairs in range(FEWEST, MOST + 1))
    return tuple(line for line in lines if line)


def suggested_line(wishes: Wishes) -> ChartLine | None:
    """Return the chart line for `wishes.pairs` pairs: the best movement and its alternatives; None without any."""
    advised = [proposal for proposal in advise_movements(wishes) if not proposal.offer.size.total]
    if not advised:
        return None
    first, *rest = advised
    others = [proposal for proposal in rest if set(proposal.broken) <= set(first.broken)][:OTHERS]
    return ChartLine(wishes.pairs, movement_choice(first), "", tuple(map(movement_choice, others)))


def main() -> None:
    """Write the default movement chart to its file."""
    USUAL.write_text(
        chart_text(filled_chart(Wishes(pairs=FEWEST, missing_line=""))), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
