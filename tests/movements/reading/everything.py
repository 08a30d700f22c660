"""Read the calls of the whole catalogue, and write into docs/dev/calls.md what came of it.

`make sweep` runs it after the engine's own sweep; families' names ask less, and then nothing is written.
Up to 12 tables every wish of the sweep is read but for short evenings, of larger rooms the usual ones,
each movement once.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median_low

import django

from movements.engine import catalogue
from movements.engine.errors import MovementError
from movements.engine.families.family import Family
from movements.engine.model import Movement
from movements.engine.straight import straight

from ...engine.sweep import Ask, everything

LARGEST = 12
#: of the numbers of rounds the longest: a shorter evening is the beginning of a longer one
LENGTHS = 2
PAGE = Path("docs/dev/calls.md")
TABLE = "<!-- written by make sweep -->"


@dataclass
class Tally:
    """What reading the calls of a family comes to."""

    calls: int = 0
    table_rounds: int = 0
    wrong: int = 0
    words: Counter[int] = field(default_factory=Counter)
    people_by_cards: int = 0
    boards_by_cards: int = 0

    def add(self, other: Tally) -> None:
        """Count another family's calls too."""
        for name in ("calls", "table_rounds", "wrong", "people_by_cards", "boards_by_cards"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.words += other.words

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
        turned_back = straight(movement)
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
    """Read everything, print and write it; return how many places are unsaid or wrong."""
    rows, everybody = [], Tally()
    for family in catalogue.FAMILIES:
        if names and family.name not in names:
            continue
        tally = read(family)
        everybody.add(tally)
        if tally.calls:
            rows.append(tally.row(family.name))
            print(rows[-1], flush=True)
    if everybody.calls:
        rows.append(everybody.row("**all**"))
        print(rows[-1], flush=True)
    if not names:
        before, _table = PAGE.read_text().split(TABLE)
        PAGE.write_text(f"{before}{TABLE}\n\n{HEAD}\n" + "\n".join(rows) + "\n")
    return everybody.wrong


HEAD = """\
| family | calls | table-rounds | unsaid or wrong | words, median | longest | people by cards | boards by cards |
|---|---|---|---|---|---|---|---|"""


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
    django.setup()
    sys.exit(bool(main(sys.argv[1:])))
