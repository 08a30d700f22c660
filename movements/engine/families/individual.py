"""Individuals for one winner: everybody partners everybody once."""

from __future__ import annotations

from collections.abc import Sequence

from ..contest import Contest
from ..errors import UnknownOption, WrongTables
from ..marking import marked, marked_for_players
from ..model import Exemption, Field, Movement, Seating, set_names
from .family import Family, Option
from .grid import need_rounds
from .published import published
from .tables import table

WHY = "every two players meet three times: once as partners, twice as opponents"


def shomate(tables: int, rounds: int | None = None) -> Movement:
    """Return the Shomate: everybody is everybody's partner once and opponent twice, on every set.

    All tables play the same set in a round. The last player keeps a seat; with 2 tables it is the
    printed one. Complete: one round fewer than players.

    Raises `WrongTables`, `WrongRounds`. Source: catalogue 3 (Wikipedia); more tables by own search.

    >>> shomate(2).rounds
    7
    """
    if tables not in shomate_tables():
        raise WrongTables(
            "shomate", tables=tables, needs=_list(shomate_tables(), "tables"), instead=("rainbow",)
        )
    rounds = 4 * tables - 1 if rounds is None else rounds
    need_rounds("shomate", tables, rounds, (4 * tables - 1,))
    if tables == 2:
        return published("shomate-2x7")
    return _whist("shomate", 4 * tables, rounds)


def individual(tables: int, rounds: int | None = None, one_out: bool = False) -> Movement:
    """Return an individual of 4 players a table, or one more who sits out in turn (`one_out`).

    Everybody is everybody's partner at most once and opponent at most twice; all tables play the same
    set in a round. It may be curtailed.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: own search
    (`searches/individuals.py`).

    >>> individual(3).contestants, individual(3, one_out=True).longest_sit_out
    (range(1, 13), Fraction(1, 1))
    """
    players = 4 * tables + one_out
    if players not in _stored():
        if one_out and 4 * tables in _stored():
            raise UnknownOption("individual", option="one_out", value=True, allowed="no")
        raise WrongTables("individual", tables=tables, needs=_list(individual_tables(), "tables"))
    legal = individual_rounds(tables, one_out)
    rounds = legal[-1] if rounds is None else rounds
    need_rounds("individual", tables, rounds, legal)
    return _whist("individual", players, rounds)


def _whist(family: str, players: int, rounds: int) -> Movement:
    """Return the cyclic movement of a stored round 1."""
    modulus = players - 1 if players % 4 == 0 else players
    first_round = _stored()[players]

    def player(number: int, r: int) -> int:
        return players if number < 0 else (number + r) % modulus + 1

    sets = set_names(rounds)
    seatings = tuple(
        Seating(
            r + 1,
            place,
            (player(north, r), player(south, r)),
            (player(east, r), player(west, r)),
            (sets[r],),
        )
        for r in range(rounds)
        for place, (north, south, east, west) in enumerate(first_round, start=1)
    )
    return Movement(
        family=family,
        contest=Contest.INDIVIDUAL,
        tables=len(first_round),
        rounds=rounds,
        fields=(Field("players", tuple(str(n) for n in range(1, players + 1))),),
        sets=sets,
        seatings=seatings,
        copies=len(first_round),
        exemptions=(Exemption("meet-once", 3, WHY),),
    )


def _stored() -> dict[int, list[tuple[int, ...]]]:
    return {
        one["players"]: [tuple(int(n) for n in cell.split()) for cell in one["tables"]]
        for one in table("individuals")["movements"]
    }


def shomate_tables() -> tuple[int, ...]:
    """Return the numbers of tables with a Shomate."""
    return tuple(size for size in individual_tables() if size > 1)


def individual_tables() -> tuple[int, ...]:
    """Return the numbers of tables with an individual of exactly 4 players each."""
    return tuple(sorted(players // 4 for players in _stored() if players % 4 == 0))


def individual_rounds(tables: int, one_out: bool = False) -> range:
    """Return the legal numbers of rounds: up to as many as it takes to partner everybody."""
    players = 4 * tables + one_out
    return range(2, players + one_out) if players in _stored() else range(0)


def _list(numbers: Sequence[int], what: str) -> str:
    return f"{', '.join(map(str, numbers))} {what}"


SHOMATE = Family(
    name="shomate",
    title=marked_for_players("Shomate individual"),
    build=shomate,
    rounds=lambda tables: (4 * tables - 1,) if tables in shomate_tables() else (),
    smallest=2,
    largest=7,
    needs=marked("2 tables or a few more"),
    contest=Contest.INDIVIDUAL,
    winners=1,
    takes_missing_pair=False,
    source="Wikipedia, Duplicate bridge movements; own search",
)
INDIVIDUAL = Family(
    name="individual",
    title=marked_for_players("Individual"),
    build=individual,
    rounds=individual_rounds,
    smallest=1,
    largest=7,
    needs=marked("1 to 7 tables"),
    contest=Contest.INDIVIDUAL,
    winners=1,
    options=(
        Option("one_out", "flag", marked("one player more, who sits out in turn"), sizes=True),
    ),
    takes_missing_pair=False,
    source="own search",
)
