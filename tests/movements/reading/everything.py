"""Read the calls of the whole catalogue, and write the outcome into docs/dev/calls.md.

`make sweep` runs it after the engine's own sweep. Families' names ask less: then the rows of these families are
written. Up to 12 tables every wish of the sweep is read but for short evenings, of larger rooms the usual ones, each
movement once.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul
from pathlib import Path
from statistics import median_low

import django

from movements.engine import catalogue
from movements.engine.errors import MovementError
from movements.engine.families.family import Family
from movements.engine.model import Movement
from movements.engine.straight import movement_as_seated

from ...engine.sweep import Ask, everything

LARGEST = 12
#: of the numbers of rounds the longest: a shorter evening is the beginning of a longer one
LENGTHS = 2
PAGE = Path("docs/dev/calls.md")
TABLE = "<!-- written by make sweep -->"


@dataclass
class Tally:
    """Totals of reading the calls of a family."""

    calls: int = 0
    table_rounds: int = 0
    wrong: int = 0
    words: Counter[int] = field(default_factory=Counter)
    people_by_cards: int = 0
    boards_by_cards: int = 0

    def row(self, name: str) -> str:
        """Return the line of a table in the documentation."""
        cells = [name, f"{self.calls:,}", f"{self.table_rounds:,}", str(self.wrong)]
        cells += [str(median_low(self.words.elements())), str(max(self.words))]
        for count in (self.people_by_cards, self.boards_by_cards):
            cells.append(f"{100 * count / self.calls:.0f} %")
        return f"| {' | '.join(cells)} |"


def movements(family: Family) -> Iterator[tuple[str, Movement]]:
    """Yield every movement of a family once, as people sit down, with the wish that makes it."""
    seen: set[tuple[object, ...]] = set()
    for ask in everything(family):
        if not _is_read(ask):
            continue
        try:
            movement = ask.built()
        except MovementError:
            continue
        turned_back = movement_as_seated(movement)
        movement = turned_back[0] if turned_back else movement
        key = (movement.seatings, movement.stands, movement.shared, movement.copies)
        if not movement.is_draw and key not in seen:
            seen.add(key)
            yield str(ask), movement


def _is_read(ask: Ask) -> bool:
    if ask.tables <= LARGEST:
        longest = [*ask.family.possible_rounds(ask.tables, ask.options)][-LENGTHS:]
        return ask.rounds is None or ask.rounds in longest
    return ask.rounds is None and ask.missing is None and not ask.options


def read(family: Family) -> Tally:
    """Read all calls of a family and print those that are wrong."""
    from . import calls_of, faults

    tally = Tally()
    for ask, movement in movements(family):
        for round, call in calls_of(movement):
            found = faults(movement, round, call)
            tally.calls += 1
            tally.table_rounds += len({s.table for s in movement.in_round(round + 1)})
            tally.words[len(call.spoken_now.split())] += 1
            tally.people_by_cards += "guide card" in call.text
            tally.boards_by_cards += "table cards" in call.text
            if found:
                tally.wrong += len(found)
                print(f"{ask} after round {round}: {call.text}: {'; '.join(found)}", flush=True)
    return tally


def main(names: Sequence[str]) -> int:
    """Read everything, or the families named, print and write it; return how many places are unsaid or wrong."""
    wrong, rows = 0, written_rows() if names else {}
    for family in catalogue.FAMILIES:
        if names and family.name not in names:
            continue
        tally = read(family)
        wrong += tally.wrong
        if tally.calls:
            rows[family.name] = tally.row(family.name)
            print(rows[family.name], flush=True)
    before, _table = PAGE.read_text().split(TABLE)
    PAGE.write_text(f"{before}{TABLE}\n\n{table_of(rows)}\n")
    return wrong


def written_rows() -> dict[str, str]:
    """Return the rows that the page has, by family."""
    lines = PAGE.read_text().split(TABLE)[1].strip().splitlines()[2:]
    rows = {line.split("|")[1].strip(): line for line in lines}
    return {name: row for name, row in rows.items() if name != ALL}


def table_of(rows: Mapping[str, str]) -> str:
    """Return the table of the page, in the order of the catalogue, with a last row for all families."""
    in_order = [rows[family.name] for family in catalogue.FAMILIES if family.name in rows]
    return "\n".join((HEAD, *in_order, row_of_all(in_order)))


def row_of_all(rows: Sequence[str]) -> str:
    """Return the row that sums up others: sums, the largest number, and by calls the median and the shares."""
    cells = [
        [int(cell.strip(" %").replace(",", "")) for cell in row.split("|")[2:-1]] for row in rows
    ]
    calls, table_rounds, wrong, medians, longest, people, boards = zip(*cells, strict=True)
    words = Counter[int]()
    for median, count in zip(medians, calls, strict=True):
        words[median] += count
    by_cards = [f"{sum(map(mul, calls, shares)) / sum(calls):.0f} %" for shares in (people, boards)]
    summed = [f"{sum(calls):,}", f"{sum(table_rounds):,}", str(sum(wrong))]
    summed += [str(median_low(words.elements())), str(max(longest)), *by_cards]
    return f"| {' | '.join((ALL, *summed))} |"


ALL = "**all**"
HEAD = """\
| family | calls | table-rounds | unsaid or wrong | words, median | longest | people by cards | boards by cards |
|---|---|---|---|---|---|---|---|"""


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
    django.setup()
    sys.exit(bool(main(sys.argv[1:])))
