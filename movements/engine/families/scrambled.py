"""Mitchells scored as one field, some rounds arrow-switched so that the lines can be compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..errors import UnknownOption
from ..marking import marked, marked_for_players
from ..model import Movement
from ..options import arrow_switched, as_one_field
from .crisscross import crisscross
from .family import Family, Option
from .mitchell import mitchell
from .mitchell import possible_rounds as mitchell_rounds
from .share_and_relay import share_and_relay
from .skip import skip_mitchell
from .web import web

BASES: dict[str, Callable[..., Movement]] = {
    "mitchell": mitchell,
    "skip-mitchell": skip_mitchell,
    "share-and-relay": share_and_relay,
    "crisscross": crisscross,
    "web": web,
}


def scrambled_mitchell(
    tables: int,
    rounds: int | None = None,
    base: str = "usual",
    switched: tuple[int, ...] | None = None,
    at: tuple[int, ...] = (),
) -> Movement:
    """Return a Mitchell scored as one field, arrow-switched in some rounds.

    `base` is mitchell (usual for odd tables), skip-mitchell, share-and-relay (usual for even ones),
    crisscross or web. `switched` names the rounds, none with 0; usual are the last ones, an eighth of
    all. `at` restricts the switch to some tables.

    Raises what the base raises, and `UnknownOption`. Source: catalogue 2.14 (Wikipedia; QBA).

    >>> scrambled_mitchell(7).at(7, 1)
    Seating(round=7, table=1, ns=9, ew=1, sets=('G',))
    """
    if base == "usual":
        base = "mitchell" if tables % 2 else "share-and-relay"
    if base not in BASES:
        raise UnknownOption(
            "scrambled-mitchell", option="base", value=base, allowed=", ".join(BASES)
        )
    movement = BASES[base](tables, rounds)
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
    if any(not 1 <= one <= tables for one in at):
        raise UnknownOption(
            "scrambled-mitchell",
            option="at",
            value=" ".join(map(str, at)),
            allowed=f"1 to {tables}",
        )
    return replace(
        arrow_switched(as_one_field(movement), switched, at), family="scrambled-mitchell"
    )


def usual_switches(rounds: int) -> int:
    """Return how many rounds to switch: an eighth, at least one.

    >>> [usual_switches(rounds) for rounds in (5, 9, 12, 13)]
    [1, 1, 2, 2]
    """
    return max(1, round(rounds / 8))


def _rounds(tables: int) -> range:
    return mitchell_rounds(tables) if tables % 2 else range(2, tables + 1)


FAMILY = Family(
    name="scrambled-mitchell",
    title=marked_for_players("Scrambled Mitchell"),
    build=scrambled_mitchell,
    rounds=_rounds,
    smallest=3,
    needs=marked("at least 3 tables"),
    winners=1,
    options=(
        Option("base", "choice", marked("the movement below"), ("usual", *BASES)),
        Option("switched", "ints", marked("the rounds to switch; 0 for none")),
        Option("at", "ints", marked("only these tables")),
    ),
    source="Wikipedia, Duplicate bridge movements; QBA, J. Peach 2011",
    also_called=("Arrow-switched Mitchell", "Switched Mitchell"),
)
