"""The Scissors Howell: 3 tables, 5 rounds, sets in halves, perfectly balanced."""

from __future__ import annotations

from movements.engine.errors import WrongTables
from movements.engine.model import Movement
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family
from ..grid import require_allowed_rounds
from ..published import published_movement


def scissors_howell(tables: int = 3, rounds: int | None = None) -> Movement:
    """Return the Scissors Howell of 3 tables: all meet all, no set is shared.

    Raises `WrongTables`, `WrongRounds`. Source: catalogue 2.21 (Wikipedia).

    >>> scissors_howell().rounds
    5
    """
    if tables != 3:
        raise WrongTables(
            "scissors-howell", tables=tables, needs="3 tables", instead=("howell", "partial-howell")
        )
    require_allowed_rounds("scissors-howell", tables, 5 if rounds is None else rounds, (5,))
    return published_movement("scissors-howell-3x5")


FAMILY = Family(
    name="scissors-howell",
    title=marked_for_players("Scissors Howell"),
    build=scissors_howell,
    rounds=lambda tables: (5,),
    smallest=3,
    largest=3,
    needs=marked("3 tables"),
    winners=1,
    source="Wikipedia, Duplicate bridge movements",
)
