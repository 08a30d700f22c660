"""Mitchells scored as one field, with some rounds arrow-switched so that the lines can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from movements.engine.errors import UnknownOption
from movements.engine.model import Movement
from movements.engine.options import arrow_switched, merge_fields
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import usual_switches
from . import crisscross, mitchell, share_and_relay, skip
from .web import WEB

BASES = {
    family.name: family
    for family in (mitchell.FAMILY, skip.FAMILY, share_and_relay.FAMILY, crisscross.FAMILY, WEB)
}


def scrambled_mitchell(
    tables: int,
    rounds: int | None = None,
    base: str = "usual",
    switched: tuple[int, ...] | None = None,
    at: tuple[int, ...] = (),
) -> Movement:
    """Return a Mitchell scored as one field, arrow-switched in some rounds.

    `base` is mitchell (usual for odd tables), skip-mitchell, share-and-relay (usual for even ones), crisscross or
    web. `switched` names the rounds, none with 0; by default the last ones, an eighth of all. `at` restricts the
    switch to some tables.

    Raises the errors of the base, and `UnknownOption`. Source: catalogue 2.14 (Wikipedia; QBA).

    >>> scrambled_mitchell(7).at(7, 1)
    Seating(round=7, table=1, ns=9, ew=1, sets=('G',))
    """
    base = _base_name(tables, base)
    if base not in BASES:
        raise UnknownOption(
            "scrambled-mitchell", option="base", value=base, allowed=", ".join(BASES)
        )
    movement = BASES[base].build(tables, rounds)
    if switched is None:
        count = usual_switches(movement.rounds)
        switched = tuple(range(movement.rounds - count + 1, movement.rounds + 1))
    elif switched == (0,):
        switched = ()
    if any(not 1 <= round <= movement.rounds for round in switched):
        raise UnknownOption(
            "scrambled-mitchell",
            option="switched",
            value=" ".join(map(str, switched)),
            allowed=f"1 to {movement.rounds}",
        )
    if any(not 1 <= number <= tables for number in at) or (at and not switched):
        raise UnknownOption(
            "scrambled-mitchell",
            option="at",
            value=" ".join(map(str, at)),
            allowed=f"1 to {tables}" if switched else "",
        )
    return replace(
        arrow_switched(merge_fields(movement), switched, at), family="scrambled-mitchell"
    )


def _base_name(tables: int, base: str) -> str:
    """Return the Mitchell family that is arrow-switched, chosen or usual for this number of tables."""
    if base == "usual":
        return "mitchell" if tables % 2 else "share-and-relay"
    return base


def _allowed_rounds(tables: int, base: str = "usual") -> Sequence[int]:
    """Return the possible numbers of rounds of a Scrambled Mitchell for so many tables."""
    below = BASES.get(_base_name(tables, base))
    return below.possible_rounds(tables) if below else ()


def _usual_rounds(tables: int, base: str = "usual") -> int | None:
    """Return the usual number of rounds of a Scrambled Mitchell for so many tables."""
    return BASES[_base_name(tables, base)].default_rounds(tables)


FAMILY = Family(
    name="scrambled-mitchell",
    title=marked_for_players("Scrambled Mitchell"),
    build=scrambled_mitchell,
    rounds=_allowed_rounds,
    smallest=3,
    needs=marked("at least 3 tables"),
    winners=1,
    usual_rounds=_usual_rounds,
    options=(
        FamilyOption("base", "choice", marked("the movement below"), ("usual", *BASES), sizes=True),
        FamilyOption("switched", "ints", marked("the rounds to switch; 0 for none")),
        FamilyOption("at", "ints", marked("only these tables")),
    ),
    source="Wikipedia, Duplicate bridge movements; QBA, J. Peach 2011",
    also_called=("Arrow-switched Mitchell", "Switched Mitchell"),
)
