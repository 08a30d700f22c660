"""Movements in stanzas: some boards before the break, all others after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from movements.engine.errors import UnknownOption, WrongTables
from movements.engine.model import Movement
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds, require_enough_tables, two_lines

PATTERNS = ("usual", "up", "whist", "eight", "twelve")


def two_stanza(
    tables: int, rounds: int | None = None, pattern: str = "usual", stanzas: int = 2
) -> Movement:
    """Return the Two Stanza Mitchell for an even number of tables, or one in more stanzas.

    Half the rounds are played on half the sets, then the others; boards go down one inside each run of T/2 tables.
    East-West move by `pattern`:

    up      one table up after every round; not for multiples of 4
    whist   down two inside a stanza, up one over the break; every even number of tables
    eight   up two, and one over the break; not for multiples of 6 (usual for 8)
    twelve  up one, but four after rounds 3 and 9; only 12 tables

    With more than two stanzas the moves are the first that work; an odd number of stanzas needs runs of an odd number
    of tables. The last stanza may be curtailed. Needs a copy of the boards for every run of tables. Raises
    `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.7.

    >>> two_stanza(6).copies
    2
    """
    require_enough_tables("two-stanza", tables, 4)
    if not _can_divide(tables, stanzas):
        others = [str(s) for s in range(2, tables // 2 + 1) if _can_divide(tables, s)]
        if stanzas == 2 or not others:
            raise WrongTables(
                "two-stanza",
                tables=tables,
                needs="an even number of tables",
                instead=("mitchell", "awl"),
            )
        raise UnknownOption(
            "two-stanza",
            option="stanzas",
            value=stanzas,
            allowed=", ".join(others),
        )
    places = _moves_before_rounds(tables, stanzas, pattern)
    if places is None:
        allowed = ", ".join(p for p in PATTERNS if _moves_before_rounds(tables, stanzas, p))
        raise UnknownOption("two-stanza", option="pattern", value=pattern, allowed=allowed)
    rounds = tables if rounds is None else rounds
    require_allowed_rounds("two-stanza", tables, rounds, possible_rounds(tables, stanzas, pattern))
    run = tables // stanzas
    return two_lines(
        "two-stanza",
        tables,
        rounds,
        east_west=lambda r, t: (t - places[r]) % tables,
        board_set=lambda r, t: r // run * run + (t + r) % run,
        copies=stanzas,
    )


def possible_rounds(tables: int, stanzas: int = 2, pattern: str = "usual") -> range:
    """Return the legal numbers of rounds of a Mitchell in stanzas: those that reach the last stanza."""
    if not _can_divide(tables, stanzas) or _moves_before_rounds(tables, stanzas, pattern) is None:
        return range(0)
    return range(tables - tables // stanzas + 1, tables + 1)


def _can_divide(tables: int, stanzas: int) -> bool:
    """Return whether a Mitchell of so many tables can be played in so many stanzas.

    East-West must come to each set of a stanza once. In runs of an even number of tables, their places add up to a
    multiple of the run in each stanza. Over an odd number of stanzas they would not add up to all places.
    """
    if stanzas < 2 or tables % stanzas or tables // stanzas < 2:
        return False
    return stanzas % 2 == 0 or tables // stanzas % 2 == 1


def _moves_before_rounds(tables: int, stanzas: int, pattern: str) -> Sequence[int] | None:
    """Return by how many tables East-West have moved in all before each round; None if impossible."""
    if stanzas > 2:
        return _first_lawful_moves(tables, stanzas) if pattern == "usual" else None
    if pattern == "usual":
        pattern = {8: "eight", 12: "twelve"}.get(tables, "up" if tables % 4 else "whist")
    moves: dict[str, Callable[[int], int]] = {
        "up": lambda r: 1,
        "whist": lambda r: -2 if (r + 1) % (tables // 2) else 1,
        "eight": lambda r: 2 if (r + 1) % (tables // 2) else 1,
        "twelve": lambda r: 4 if r + 1 in (3, 9) else 1,
    }
    if pattern not in moves or (pattern == "twelve" and tables != 12):
        return None
    places = [0]
    for r in range(tables - 1):
        places.append(places[-1] + moves[pattern](r))
    return places if _are_moves_lawful(tables, 2, places) else None


@lru_cache(maxsize=256)
def _first_lawful_moves(tables: int, stanzas: int) -> tuple[int, ...] | None:
    """Return the first pattern of East-West's moves that is lawful; None if there is none."""
    run = tables // stanzas
    for step in (1, -2, 2, -3, 3, *range(4, tables)):
        for leap in (1, -1, 2, -2, *range(3, tables)):
            places = [0]
            for r in range(tables - 1):
                places.append(places[-1] + (step if (r + 1) % run else leap))
            if _are_moves_lawful(tables, stanzas, places):
                return tuple(places)
    return None


def _are_moves_lawful(tables: int, stanzas: int, places: Sequence[int]) -> bool:
    """Return whether with these moves all opponents meet, and no pair repeats a board set."""
    if len({place % tables for place in places}) < tables:
        return False
    run = tables // stanzas
    return all(
        len({(places[r] + r) % run for r in range(first, first + run)}) == run
        for first in range(0, tables, run)
    )


FAMILY = Family(
    name="two-stanza",
    title=marked_for_players("Two Stanza Mitchell"),
    build=two_stanza,
    rounds=possible_rounds,
    smallest=4,
    needs=marked("an even number of tables"),
    options=(
        FamilyOption("pattern", "choice", marked("how East-West move"), PATTERNS, sizes=True),
        FamilyOption("stanzas", "int", marked("how many stanzas"), sizes=True),
    ),
    source="Wikipedia, Duplicate bridge movements; even tables in whist steps: own search",
)
