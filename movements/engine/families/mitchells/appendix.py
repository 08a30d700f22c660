"""Appendix Mitchells: tables added to a base that is a Mitchell of its own."""

from __future__ import annotations

from math import gcd

from movements.engine.contest import Contest
from movements.engine.declarations import Share
from movements.engine.errors import UnknownOption, WrongTables
from movements.engine.model import Field, Movement, Seating, set_name, set_names
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds, require_enough_tables

STEPS = {"usual": (2, 1), "back": (-2, 1), "two": (1, 2), "two-back": (1, -2)}


def one_and_a_half_appendix(tables: int, rounds: int | None = None) -> Movement:
    """Return the 1½ Appendix Mitchell: a base of m tables, with one and a half tables more.

    `tables` counts the half one: T = m + 2. Table m + 1 shares the boards of table 1, and place m + 2 is where an
    East-West pair sits out. East-West go up one through all m + 2 places, the boards down one through the base. A
    base with an even number of tables has a skip after half the rounds. m rounds; two East-West pairs never sit out.

    Raises `TooFewTables`, `WrongRounds`. Source: catalogue 2.23 (QBA).

    >>> movement = one_and_a_half_appendix(7)
    >>> movement.rounds, len(movement.contestants), movement.longest_sit_out
    (5, 13, Fraction(1, 1))
    """
    require_enough_tables("one-and-a-half-appendix", tables, 6)
    base = tables - 2
    rounds = base if rounds is None else rounds
    require_allowed_rounds("one-and-a-half-appendix", tables, rounds, range(2, base + 1))
    skip_after = base // 2 if base % 2 == 0 else base
    seatings = []
    for r in range(rounds):
        moved = r + (r >= skip_after)
        for t in range(tables):
            pair = base + 1 + (t - moved) % tables + 1
            place = 0 if t == base else t
            sets = (set_name((place + r) % base),) if t <= base else ()
            seatings.append(Seating(r + 1, t + 1, t + 1 if t <= base else None, pair, sets))
    played = {name for seating in seatings for name in seating.sets}
    return Movement(
        family="one-and-a-half-appendix",
        contest=Contest.PAIRS,
        tables=tables,
        rounds=rounds,
        fields=(
            Field("ns", tuple(str(n) for n in range(1, base + 2))),
            Field("ew", tuple(str(n) for n in range(1, tables + 1))),
        ),
        sets=tuple(name for name in set_names(base) if name in played),
        seatings=tuple(seatings),
        shared=(Share(0, (1, base + 1)),),
    )


def appendix_mitchell(
    tables: int, rounds: int | None = None, base: int | None = None, steps: str = "usual"
) -> Movement:
    """Return the Appendix Mitchell: a base of p tables, and more that share with tables 1, 2 ….

    North-South of tables 1 to a stay; the others go round places p + 1 … p + a, a + 1 … p. East-West of the base go
    round the base, those of the appendix stay. `steps` sets how far both go: "usual" (N-S two places up, E-W one
    table up), "back", "two", "two-back". p is 5, 7, 11 … (prime to 6).

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.24 (QBA).

    >>> appendix_mitchell(9).rounds
    7
    """
    require_enough_tables("appendix-mitchell", tables, 6)
    bases = possible_bases(tables)
    if not bases:
        raise WrongTables(
            "appendix-mitchell",
            tables=tables,
            needs="a base of 5, 7, 11 … tables and fewer tables than that beside it",
        )
    base = bases[-1] if base is None else base
    if base not in bases:
        raise UnknownOption(
            "appendix-mitchell", option="base", value=base, allowed=", ".join(map(str, bases))
        )
    if steps not in STEPS:
        raise UnknownOption(
            "appendix-mitchell", option="steps", value=steps, allowed=", ".join(STEPS)
        )
    rounds = base if rounds is None else rounds
    require_allowed_rounds("appendix-mitchell", tables, rounds, range(2, base + 1))
    added = tables - base
    ns_step, ew_step = STEPS[steps]
    cycle: list[int] = [*range(base, tables), *range(added, base)]

    def north_south(r: int, t: int) -> int:
        """Return the North-South pair at table `t` in round `r`, both counted from 0."""
        if t < added:
            return t
        return cycle[(cycle.index(t) - ns_step * r) % base]

    def east_west(r: int, t: int) -> int:
        """Return the East-West pair at table `t` in round `r`, both counted from 0."""
        return (t - ew_step * r) % base if t < base else t

    seatings = tuple(
        Seating(
            r + 1,
            t + 1,
            north_south(r, t) + 1,
            tables + east_west(r, t) + 1,
            (set_name(((t if t < base else t - base) + r) % base),),
        )
        for r in range(rounds)
        for t in range(tables)
    )
    labels = tuple(str(number) for number in range(1, tables + 1))
    played = {name for seating in seatings for name in seating.sets}
    return Movement(
        family="appendix-mitchell",
        contest=Contest.PAIRS,
        tables=tables,
        rounds=rounds,
        fields=(Field("ns", labels), Field("ew", labels)),
        sets=tuple(name for name in set_names(base) if name in played),
        seatings=seatings,
        shared=tuple(Share(0, (t + 1, base + t + 1)) for t in range(added)),
    )


def possible_bases(tables: int) -> list[int]:
    """Return the possible numbers of base tables of an Appendix Mitchell: those not divisible by 2 or 3."""
    return [p for p in range(5, tables) if gcd(p, 6) == 1 and tables - p < p]


def _allowed_rounds(tables: int, base: int | None = None) -> range:
    """Return the possible numbers of rounds of an Appendix Mitchell for so many tables."""
    bases = [p for p in possible_bases(tables) if base in (None, p)]
    return range(2, bases[-1] + 1) if bases else range(0)


ONE_AND_A_HALF = Family(
    name="one-and-a-half-appendix",
    title=marked_for_players("1½ Appendix Mitchell"),
    build=one_and_a_half_appendix,
    rounds=lambda tables: range(2, tables - 1),
    smallest=6,
    needs=marked("a half table and at least 5 more"),
    takes_missing_pair=False,
    source="QBA, J. Peach 2011",
)
APPENDIX = Family(
    name="appendix-mitchell",
    title=marked_for_players("Appendix Mitchell"),
    build=appendix_mitchell,
    rounds=_allowed_rounds,
    smallest=6,
    needs=marked("a base of 5, 7, 11 … tables and fewer tables than that beside it"),
    options=(
        FamilyOption("base", "int", marked("tables of the base"), sizes=True),
        FamilyOption("steps", "choice", marked("how far N-S and E-W go"), tuple(STEPS)),
    ),
    source="QBA, J. Peach 2011",
)
