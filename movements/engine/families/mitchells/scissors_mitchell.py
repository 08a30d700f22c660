"""The Scissors Mitchell: sets in halves, exchanged twice, so that an even number of tables works."""

from __future__ import annotations

from movements.engine.contest import Contest
from movements.engine.errors import UnknownOption
from movements.engine.model import Field, Movement, Seating, set_name
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds, require_even_tables


def scissors_mitchell(tables: int, rounds: int | None = None, scissors: int = 2) -> Movement:
    """Return the Scissors Mitchell for an even number of tables.

    Every set is in two halves, A1 and A2. In round `scissors`, and again half the rounds later, the tables play one
    half, pass it on within the round, and play another. In between each table's halves come from two sets. So
    East-West never meet a board again.

    Raises `OddTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.8 (Wikipedia).

    >>> [s.sets for s in scissors_mitchell(6).seatings_at_table(2, 1)]
    [('B1',), ('C1',)]
    """
    require_even_tables("scissors-mitchell", tables, 4, instead=("mitchell",))
    rounds = tables if rounds is None else rounds
    require_allowed_rounds("scissors-mitchell", tables, rounds, range(2, tables + 1))
    half = tables // 2
    if not 1 <= scissors <= half:
        raise UnknownOption(
            "scissors-mitchell", option="scissors", value=scissors, allowed=f"1 to {half}"
        )
    first, second = scissors - 1, scissors - 1 + half

    def half_set_name(group: int, part: int) -> str:
        """Return the name of half a board set."""
        return f"{set_name(group % tables)}{part}"

    def half_sets_at(r: int, t: int) -> tuple[tuple[str, ...], ...]:
        """Return the half sets that table `t` plays in round `r`, in order."""
        g = t + r
        if r < first or r > second:
            return ((half_set_name(g, 1), half_set_name(g, 2)),)
        if r == first:
            return ((half_set_name(g, 1),), (half_set_name(g + 1, 1),))
        if r == second:
            return ((half_set_name(g - 1, 2),), (half_set_name(g, 2),))
        return ((half_set_name(g + 1, 1), half_set_name(g - 1, 2)),)

    seatings = tuple(
        Seating(r + 1, t + 1, t + 1, tables + (t - r) % tables + 1, sets)
        for r in range(rounds)
        for t in range(tables)
        for sets in half_sets_at(r, t)
    )
    labels = tuple(str(number) for number in range(1, tables + 1))
    here = {set_name for seating in seatings for set_name in seating.sets}
    return Movement(
        family="scissors-mitchell",
        contest=Contest.PAIRS,
        tables=tables,
        rounds=rounds,
        fields=(Field("ns", labels), Field("ew", labels)),
        sets=tuple(
            set_name
            for g in range(tables)
            for set_name in (half_set_name(g, 1), half_set_name(g, 2))
            if set_name in here
        ),
        seatings=seatings,
    )


FAMILY = Family(
    name="scissors-mitchell",
    title=marked_for_players("Scissors Mitchell"),
    build=scissors_mitchell,
    rounds=lambda tables: range(2, tables + 1) if tables % 2 == 0 else range(0),
    smallest=4,
    needs=marked("an even number of tables"),
    options=(
        FamilyOption("scissors", "int", marked("the first round in which half sets are passed on")),
    ),
    source="Wikipedia, Duplicate bridge movements",
)
