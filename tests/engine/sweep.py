"""A sweep of the whole catalogue: every size, number of rounds, option value and half table.

Each movement is built lawfully, as promised, or refused with a sentence. `make sweep` asks all of it and
takes its time (give families' names to ask less); `test_sweep.py` asks a sample.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from random import Random
from typing import Any

from movements.engine import catalogue, laws
from movements.engine.errors import MovementError
from movements.engine.families.family import Family, FamilyOption
from movements.engine.model import Movement

LARGEST = 26
SIDES = {"ints": ((0,), (1,), (1, 2)), "labels": (("1", "4", "5"), ("a", "b", "b"))}
"""What is tried for options that are lists; what goes by the tables comes beside it."""


@dataclass(frozen=True)
class Ask:
    """A wish as the command line takes it."""

    family: Family
    tables: int
    rounds: int | None = None
    missing: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        size = f"{self.family.name} --tables {self.tables} --rounds {self.rounds}"
        chosen = " ".join(f"--option {name}={value}" for name, value in self.options.items())
        return f"{size} --missing {self.missing} {chosen}"

    def built(self) -> Movement:
        return catalogue.build_movement(
            self.family.name, self.tables, self.rounds, self.missing, self.options
        )


def fault(ask: Ask) -> str | None:
    """Return the fault in the answer to a wish, or None."""
    promised = ask.family.possible_rounds(ask.tables, ask.options)
    usual = ask.family.default_rounds(ask.tables, ask.options)
    rounds = usual if ask.rounds is None else ask.rounds
    try:
        movement = ask.built()
    except MovementError as error:
        if not catalogue.explain_refusal(error).endswith((".", "?")):
            return "refused without a sentence"
        if rounds in promised and ask.missing is None and not _may_be_refused(ask):
            return f"promised {list(promised)}, but refused: {error}"
        return None
    if rounds not in promised or movement.rounds != rounds:
        return f"promised {list(promised)}, usually {usual}, but built {movement.rounds}"
    broken = laws.find_errors(movement)
    return "; ".join(v.sentence(movement) for v in broken[:3]) if broken else None


def _may_be_refused(ask: Ask) -> bool:
    """Return whether a wish has options without any promise: tables, rounds, names."""
    kinds = {option.name: option for option in ask.family.options}
    return any(
        not kinds[name].sizes and kinds[name].kind in ("int", "ints", "labels")
        for name in ask.options
    )


def values(option: FamilyOption, tables: int) -> Sequence[Any]:
    """Return the values to try for an option, some of them impossible."""
    if option.kind == "int":
        return range(tables + 2)
    if option.kind == "flag":
        return (True, False)
    if option.kind == "choice":
        return option.choices
    by_tables = ((tables,), (2, tables), (tables + 1,)) if option.kind == "ints" else ()
    return (*SIDES[option.kind], *by_tables)


def ways(family: Family, tables: int) -> Iterator[dict[str, Any]]:
    """Yield no options, every value of every option, and every two values together."""
    yield {}
    for count in (1, 2):
        for options in combinations(family.options, count):
            for chosen in product(*(values(option, tables) for option in options)):
                yield dict(zip([option.name for option in options], chosen, strict=True))


def everything(family: Family) -> Iterator[Ask]:
    """Yield every wish for a family."""
    for tables in range(1, LARGEST + 1):
        for options in ways(family, tables):
            promised = family.possible_rounds(tables, options)
            around = range(1, max(promised, default=2) + 2)
            for rounds in (None, *around) if len(options) < 2 else (None, *promised[:1]):
                ask = Ask(family, tables, rounds, None, options)
                yield ask
                if family.takes_missing_pair and len(options) < 2:
                    yield from _halves(ask)


def _halves(ask: Ask) -> Iterator[Ask]:
    """Yield the wish with each contestant missing in turn; in another length than usual with a few."""
    for label in labels(ask, few=ask.rounds is not None or bool(ask.options)):
        yield Ask(ask.family, ask.tables, ask.rounds, label, ask.options)


def labels(ask: Ask, *, few: bool = False) -> list[str]:
    """Return the labels that could be missing: all, or the first and last of each field."""
    try:
        movement = ask.built()
    except MovementError:
        return []
    every = [[movement.label(n) for n in movement.members(item)] for item in movement.fields]
    return [name for names in every for name in ((names[0], names[-1]) if few else names)]


def sample(family: Family, seed: int, count: int) -> Iterator[Ask]:
    """Yield so many wishes for a family, half of them with rounds that are promised.

    They depend on the family's name and on nothing else, so a new family changes no other sample.
    """
    rng = Random(f"{family.name} {seed}")
    for _ in range(count):
        tables = rng.choice(family.sizes if rng.random() < 0.8 else range(1, LARGEST + 1))
        tables = min(tables, LARGEST)
        options = {}
        for option in family.options:
            if rng.random() < 0.5:
                options[option.name] = rng.choice(values(option, tables))
        promised = family.possible_rounds(tables, options)
        rounds = rng.choice([None, *promised, *promised, rng.randint(1, LARGEST)])
        ask = Ask(family, tables, rounds, None, options)
        known = labels(ask) if family.takes_missing_pair else []
        missing = rng.choice(known) if known and rng.random() < 0.4 else None
        yield Ask(family, tables, rounds, missing, options)


def main(names: Sequence[str]) -> int:
    """Try everything, print the faults, and return their number."""
    found = 0
    for family in catalogue.FAMILIES:
        if names and family.name not in names:
            continue
        asked = 0
        for ask in everything(family):
            asked += 1
            if problem := fault(ask):
                found += 1
                print(f"{ask}: {problem}", flush=True)
        print(f"{family.name}: {asked} asked", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
