"""The Skip Mitchell: an even number of tables, with East-West skipping one table once."""

from __future__ import annotations

from movements.engine.declarations import Exemption
from movements.engine.errors import UnknownOption
from movements.engine.model import Movement
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds, require_even_tables, two_lines


def skip_mitchell(
    tables: int, rounds: int | None = None, skip: int | None = None, revenge: bool = False
) -> Movement:
    """Return the Skip Mitchell for an even number of tables.

    Like the Mitchell, but after round `skip` East-West move up two tables, so that they do not meet their first
    boards again. One round fewer than tables; with `revenge` one more, in which East-West return to their first
    opponents, on the boards they skipped.

    `skip` is as late as possible by default (half the tables); legal are max(1, R - T/2) … T/2, so that an earlier
    skip allows fewer rounds.

    Raises `OddTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.3 (all k tested).

    >>> skip_mitchell(4).at(round=3, table=1).ew - 4
    2
    """
    require_even_tables("skip-mitchell", tables, 4, instead=("mitchell",))
    usual = possible_rounds(tables, revenge=revenge)
    if rounds is None:
        rounds = (possible_rounds(tables, skip, revenge) or usual)[-1]
    require_allowed_rounds("skip-mitchell", tables, rounds, usual)
    if skip is not None and rounds not in possible_rounds(tables, skip, revenge):
        legal = possible_skips(tables, rounds)
        raise UnknownOption(
            "skip-mitchell", option="skip", value=skip, allowed=f"{legal[0]} to {legal[-1]}"
        )
    skip = tables // 2 if skip is None else skip
    return two_lines(
        "skip-mitchell",
        tables,
        rounds,
        east_west=lambda r, t: (t - r - (r >= skip)) % tables,
        board_set=lambda r, t: (t + r) % tables,
        exemptions=(Exemption("meet-once", 2, "revenge round", rounds=(1, tables)),)
        if rounds == tables
        else (),
    )


def possible_skips(tables: int, rounds: int) -> range:
    """Return the rounds after which the skip of a Skip Mitchell is legal."""
    return range(max(1, rounds - tables // 2), tables // 2 + 1)


def possible_rounds(tables: int, skip: int | None = None, revenge: bool = False) -> range:
    """Return the legal numbers of rounds of a Skip Mitchell: all but the last, fewer with an early skip."""
    half = tables // 2
    if tables % 2 or skip not in (None, *range(1, half + 1)):
        return range(0)
    if revenge:
        return range(tables, tables + 1) if skip in (None, half) else range(0)
    if skip is None:
        return range(2, tables)
    return range(2, min(tables - 1, skip + half) + 1)


FAMILY = Family(
    name="skip-mitchell",
    title=marked_for_players("Skip Mitchell"),
    build=skip_mitchell,
    rounds=possible_rounds,
    smallest=4,
    needs=marked("an even number of tables"),
    options=(
        FamilyOption(
            "skip",
            "int",
            marked("the round after which East-West move up two tables"),
            sizes=True,
        ),
        FamilyOption(
            "revenge", "flag", marked("a last round against the first opponents"), sizes=True
        ),
    ),
    source="Wikipedia, Duplicate bridge movements; QBA, J. Peach 2011",
)
