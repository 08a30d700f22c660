"""The barometer form of a movement: all tables play the same boards in the same round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from movements.engine.errors import UnknownOption
from movements.engine.model import Movement, set_name, set_names
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds, require_enough_tables, two_lines
from ..mitchells.hesitation import DOUBLE_HESITATION, HESITATION
from .howell import HOWELL, PARTIAL_HOWELL

BASES = {family.name: family for family in (HOWELL, PARTIAL_HOWELL, HESITATION, DOUBLE_HESITATION)}


def barometer(tables: int, rounds: int | None = None, base: str = "mitchell") -> Movement:
    """Return a barometer movement, in which all tables play the same boards in every round.

    With as many copies of the boards as tables, no boards are shared, and a ranking after every round is possible.
    The Mitchell may then have an even number of tables too; `base` may also be howell, partial-howell, hesitation or
    double-hesitation, each with its own number of rounds.

    Raises `TooFewTables`, `WrongRounds`, `UnknownOption`, and the errors of the base. Source: catalogue 2.2
    (Wikipedia).

    >>> barometer(4).is_barometer, barometer(4, base="howell").is_barometer
    (True, True)
    """
    require_enough_tables("barometer", tables, 2)
    if base == "mitchell":
        rounds = tables if rounds is None else rounds
        require_allowed_rounds("barometer", tables, rounds, range(2, tables + 1))
        return two_lines(
            "barometer",
            tables,
            rounds,
            east_west=lambda r, t: (t - r) % tables,
            board_set=lambda r, t: r,
            copies=tables,
        )
    if base not in BASES:
        raise UnknownOption(
            "barometer", option="base", value=base, allowed=", ".join(("mitchell", *BASES))
        )
    legal = BASES[base].possible_rounds(tables)
    if rounds is not None and legal:
        require_allowed_rounds("barometer", tables, rounds, legal)
    movement = BASES[base].build(tables, rounds)
    return replace(
        movement,
        family="barometer",
        sets=set_names(movement.rounds),
        seatings=tuple(
            replace(seating, sets=(set_name(seating.round - 1),)) for seating in movement.seatings
        ),
        copies=tables,
        shared=(),
        stands=(),
    )


def _allowed_rounds(tables: int, base: str = "mitchell") -> Sequence[int]:
    """Return the possible numbers of rounds of a barometer movement for so many tables."""
    if base == "mitchell":
        return range(2, tables + 1)
    return BASES[base].possible_rounds(tables) if base in BASES else ()


def _usual_rounds(tables: int, base: str = "mitchell") -> int | None:
    """Return the usual number of rounds of a barometer movement for so many tables."""
    return BASES[base].default_rounds(tables) if base in BASES else tables


FAMILY = Family(
    name="barometer",
    title=marked_for_players("Barometer Mitchell"),
    build=barometer,
    rounds=_allowed_rounds,
    smallest=2,
    needs=marked("at least 2 tables"),
    usual_rounds=_usual_rounds,
    options=(
        FamilyOption(
            "base", "choice", marked("the movement below"), ("mitchell", *BASES), sizes=True
        ),
    ),
    source="Wikipedia, Duplicate bridge movements",
)
