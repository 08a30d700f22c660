"""Individuals for one winner: every two players are partners once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from movements.engine.contest import Contest
from movements.engine.declarations import Exemption, Share
from movements.engine.errors import UnknownOption, WrongTables
from movements.engine.model import Field, Movement, Seating, set_name, set_names
from movements.engine.options import arrow_switched
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds
from ..published import published_movement
from ..tables import read_data_table

#: number of tables that pass a copy of the boards on within a round
PASSING = 3
WHY_NOT_ALL = "two players meet at most three times: once as partners, twice as opponents"
WHY = "every two players meet three times: once as partners, twice as opponents"


@dataclass(frozen=True)
class CyclicStart:
    """Round 1 of a cyclic individual: players by table and seat, from 0; -1 is the player who never moves."""

    players: int
    tables: tuple[tuple[int, ...], ...]
    is_square: bool = False  # 9 players count in two threes, since no such movement counts to 9
    most_rounds: int = 0  # the longest evening for which it is made; 0: it may be complete

    @property
    def is_complete(self) -> bool:
        """Return whether every two players become partners in the complete movement."""
        return not self.most_rounds and self.players % 4 < 2

    def player(self, number: int, r: int) -> int:
        """Return the player in the seat that player `number` had in round 1, r rounds later."""
        if number < 0:
            return self.players
        if self.is_square:
            (high, low), (by_high, by_low) = divmod(number, 3), divmod(r, 3)
            return (high + by_high) % 3 * 3 + (low + by_low) % 3 + 1
        return (number + r) % (self.players - (self.players % 4 == 0)) + 1

    def is_even(self, rounds: int) -> bool:
        """Return whether players' sit-outs differ by at most one after so many rounds."""
        seated = {number for cell in self.tables for number in cell}
        waits = Counter(
            self.player(number, r)
            for number in range(self.players)
            if number not in seated and self.players % 4
            for r in range(rounds)
        )
        times = [waits[player] for player in range(1, self.players + 1)]
        return max(times) - min(times) <= 1


@dataclass(frozen=True)
class TurnedTables:
    """The tables arrow-switched in each round of an individual of one size, and its fairness."""

    players: int
    rounds: int
    score: int
    tables: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class EvenIndividual:
    """A stored individual that follows no rule: the seats of all rounds, and its fairness."""

    score: int
    seatings: tuple[Seating, ...]


def shomate(tables: int, rounds: int | None = None) -> Movement:
    """Return the Shomate individual: every two players are partners once and opponents twice.

    All tables play the same set in a round. The last player keeps a seat; with 2 tables it is the printed one.
    Complete: one round fewer than players.

    Raises `WrongTables`, `WrongRounds`. Source: catalogue 3 (Wikipedia); more tables by own search.

    >>> shomate(2).rounds
    7
    """
    if tables not in shomate_tables():
        raise WrongTables(
            "shomate",
            tables=tables,
            needs=_list_text(shomate_tables(), "tables"),
            instead=("rainbow",),
        )
    rounds = 4 * tables - 1 if rounds is None else rounds
    require_allowed_rounds("shomate", tables, rounds, (4 * tables - 1,))
    if tables == 2:
        return published_movement("shomate-2x7")
    return cyclic_individual("shomate", _stored_starts()[4 * tables], rounds)


def individual(tables: int, rounds: int | None = None, out: int = 0) -> Movement:
    """Return an individual for 4 players a table and `out` (0 to 3) more, so that `out` players sit out in turn.

    No two are partners twice, or opponents more than twice. No player sits out again before all have sat out. All
    tables play the same set in a round: up to 3 pass it on. It may be curtailed. With 30 players and more it is made
    for an evening of up to 15 rounds. In some sizes chosen tables are turned in chosen rounds, or the seats of all
    rounds are stored, which makes the comparisons more even.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: own search (`searches/individuals.py`,
    `searches/individual_evenings.py`, `searches/individual_turns.py`, `searches/even_individuals.py`).

    >>> individual(3).contestants, individual(3, out=1).longest_sit_out
    (range(1, 13), Fraction(1, 1))
    """
    movement = unturned_individual(tables, rounds, out)
    size = len(movement.contestants), movement.rounds
    if size in even_individuals():
        return replace(movement, seatings=even_individuals()[size].seatings)
    for turned in turned_tables():
        if (turned.players, turned.rounds) == size:
            for round, at in enumerate(turned.tables, start=1):
                movement = arrow_switched(movement, (round,), at) if at else movement
    return movement


def unturned_individual(tables: int, rounds: int | None = None, out: int = 0) -> Movement:
    """Return the individual without arrow-switched tables; arguments and errors as for `individual`."""
    if not 0 <= out < Contest.INDIVIDUAL.contestants_per_table:
        raise UnknownOption("individual", option="out", value=out, allowed="0, 1, 2, 3")
    players = 4 * tables + out
    if players not in _stored_starts():
        if 4 * tables in _stored_starts():
            raise UnknownOption("individual", option="out", value=out, allowed="0")
        raise WrongTables(
            "individual", tables=tables, needs=_list_text(individual_tables(), "tables")
        )
    legal = individual_rounds(tables, out)
    rounds = legal[-1] if rounds is None else rounds
    require_allowed_rounds("individual", tables, rounds, legal)
    return cyclic_individual("individual", _stored_starts()[players], rounds)


def cyclic_individual(family: str, stored: CyclicStart, rounds: int) -> Movement:
    """Return the individual that a stored round 1 generates: each round adds one to every number."""
    players = stored.players
    sets = set_names(rounds)
    seatings = tuple(
        Seating(
            r + 1,
            place,
            (stored.player(north, r), stored.player(south, r)),
            (stored.player(east, r), stored.player(west, r)),
            (sets[r],),
        )
        for r in range(rounds)
        for place, (north, south, east, west) in enumerate(stored.tables, start=1)
    )
    tables = len(stored.tables)
    groups = _passing_groups(tables)
    return Movement(
        family=family,
        contest=Contest.INDIVIDUAL,
        tables=tables,
        rounds=rounds,
        fields=(Field("players", tuple(str(n) for n in range(1, players + 1))),),
        sets=sets,
        seatings=seatings,
        copies=len(groups),
        shared=tuple(Share(0, tuple(group)) for group in groups if len(group) > 1),
        exemptions=(Exemption("meet-once", 3, WHY if stored.is_complete else WHY_NOT_ALL),),
    )


def _passing_groups(tables: int) -> list[range]:
    """Return the tables that pass on each copy of the boards, evenly divided."""
    count = -(-tables // PASSING)
    starts = [1 + index * tables // count for index in range(count + 1)]
    return [range(first, end) for first, end in pairwise(starts)]


def copies_needed(tables: int) -> int:
    """Return how many copies of the boards an individual needs if all tables play the same boards.

    >>> [copies_needed(tables) for tables in (3, 4, 6)]
    [1, 2, 2]
    """
    return len(_passing_groups(tables))


def most_tables_per_copy(tables: int) -> int:
    """Return the largest number of tables that pass on one copy of the boards in a round.

    With fewer boards than that, a table would have to wait.
    """
    return max(map(len, _passing_groups(tables)))


def turned_tables() -> tuple[TurnedTables, ...]:
    """Return the stored arrow-switched tables of individuals, by size."""
    return tuple(
        TurnedTables(
            size["players"],
            size["rounds"],
            size["score"],
            tuple(tuple(map(int, cell.split())) for cell in size["turned"]),
        )
        for size in read_data_table("individual_turns")["movements"]
    )


@lru_cache
def even_individuals() -> Mapping[tuple[int, int], EvenIndividual]:
    """Return the individuals that are stored seat by seat, because no formula makes them, by players and rounds."""
    return {
        (stored["players"], stored["rounds"]): EvenIndividual(
            stored["score"],
            tuple(
                Seating(round, place, *_read_sides(cell), (set_name(round - 1),))
                for round, line in enumerate(stored["seats"], start=1)
                for place, cell in enumerate(line.split(), start=1)
            ),
        )
        for stored in read_data_table("even_individuals")["movements"]
    }


def _read_sides(cell: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the players of both sides in a cell such as "1+2-3+4"."""
    (north, south), (east, west) = (map(int, side.split("+")) for side in cell.split("-"))
    return (north, south), (east, west)


def _stored_starts() -> dict[int, CyclicStart]:
    """Return the stored first rounds of cyclic individuals, by number of players."""
    return {
        start["players"]: CyclicStart(
            start["players"],
            tuple(tuple(int(n) for n in cell.split()) for cell in start["tables"]),
            start.get("is_square", False),
            data.get("rounds", 0),
        )
        for data in map(read_data_table, ("individuals", "individual_evenings"))
        for start in data["movements"]
    }


def shomate_tables() -> tuple[int, ...]:
    """Return the numbers of tables for which a Shomate exists."""
    complete = (start.players for start in _stored_starts().values() if start.is_complete)
    return tuple(sorted(players // 4 for players in complete if players % 4 == 0 and players > 4))


def individual_tables() -> tuple[int, ...]:
    """Return the numbers of tables for which an individual with exactly 4 players a table exists."""
    return tuple(sorted(players // 4 for players in _stored_starts() if players % 4 == 0))


def individual_rounds(tables: int, out: int = 0) -> tuple[int, ...]:
    """Return the legal numbers of rounds of an individual, up to the complete movement or one session.

    In each, sit-outs differ by at most one.
    """
    if not 0 <= out < Contest.INDIVIDUAL.contestants_per_table:
        return ()
    players = 4 * tables + out
    stored = _stored_starts().get(players)
    if stored is None:
        return ()
    complete = players - (out == 0)
    longest = min(complete, stored.most_rounds or complete)
    return tuple(n for n in range(2, longest + 1) if stored.is_even(n))


def _list_text(numbers: Sequence[int], what: str) -> str:
    """Return numbers with a noun as text: "2, 3 or 5 tables"."""
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
    fewest_boards=most_tables_per_copy,
    source="Wikipedia, Duplicate bridge movements; own search",
)
INDIVIDUAL = Family(
    name="individual",
    title=marked_for_players("Individual"),
    build=individual,
    rounds=individual_rounds,
    smallest=1,
    largest=15,
    needs=marked("1 to 15 tables"),
    contest=Contest.INDIVIDUAL,
    winners=1,
    options=(
        FamilyOption(
            "out", "int", marked("how many players more, who sit out in turn"), sizes=True
        ),
    ),
    takes_missing_pair=False,
    fewest_boards=most_tables_per_copy,
    source="own search",
)
