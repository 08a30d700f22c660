"""Mitchells of an odd number of tables and an even number of rounds, on two copies of the boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from movements.engine.errors import UnknownOption, WrongTables
from movements.engine.model import Movement, set_names
from movements.engine.options import merge_fields
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds, two_lines
from ..tables import read_data_table

COPIES = 2
WINNERS = ("1", "2")


@dataclass(frozen=True)
class StoredMovement:
    """A Mitchell on two copies of the boards as its data file gives it: sets and E-W pairs by round."""

    tables: int
    rounds: int
    sets: Sequence[Sequence[int]]
    pairs: Sequence[Sequence[int]]
    turned: Sequence[Sequence[int]] = field(default=())

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> StoredMovement:
        """Return the movement in a row of the data file; if it names no E-W pairs, they go up one table."""
        tables, rounds = row["tables"], row["rounds"]
        names = set_names(rounds)
        pairs = [[int(number) - 1 for number in cells.split()] for cells in row.get("pairs", [])]
        return cls(
            tables,
            rounds,
            [[names.index(name) for name in cells.split()] for cells in row["sets"]],
            pairs or [[(t - r) % tables for t in range(tables)] for r in range(rounds)],
            [[int(number) for number in cells.split()] for cells in row["turned"]],
        )

    @property
    def is_up_one(self) -> bool:
        """Return whether all East-West pairs go up one table after each round."""
        return all(
            pair == (t - r) % self.tables
            for r, row in enumerate(self.pairs)
            for t, pair in enumerate(row)
        )


def two_copy_mitchell(tables: int, rounds: int | None = None, winners: str = "1") -> Movement:
    """Return a Mitchell on two copies of the boards: an odd number of tables, an even number of rounds.

    All pairs play all boards, of which there are two copies. North-South keep their tables. East-West go up one table,
    of 13 tables in 8 rounds two after round 4; with one table fewer than twice the rounds they go by guide cards. The
    boards go by the table cards. With one winner, some tables are arrow-switched in each round.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: own search (`searches/two_copies.py`).

    >>> movement = two_copy_mitchell(5)
    >>> movement.rounds, movement.copies, {len(movement.sets_played(n)) for n in movement.contestants}
    (4, 2, {4})
    """
    if winners not in WINNERS:
        raise UnknownOption(
            "two-copy-mitchell", option="winners", value=winners, allowed=", ".join(WINNERS)
        )
    legal = possible_rounds(tables)
    if not legal:
        raise WrongTables(
            "two-copy-mitchell", tables=tables, needs=NEEDS, instead=("web", "mitchell")
        )
    rounds = usual_rounds(tables) if rounds is None else rounds
    require_allowed_rounds("two-copy-mitchell", tables, rounds or 0, legal)
    stored = next(s for s in _stored_movements() if (s.tables, s.rounds) == (tables, rounds))
    return build_stored_movement(stored, int(winners))


def build_stored_movement(stored: StoredMovement, winners: int) -> Movement:
    """Return the movement stored in the data file, arrow-switched if there is to be one winner."""
    movement = two_lines(
        "two-copy-mitchell",
        stored.tables,
        stored.rounds,
        east_west=lambda r, t: stored.pairs[r][t],
        board_set=lambda r, t: stored.sets[r][t],
        sets=stored.rounds,
        copies=COPIES,
    )
    if winners == 2:
        return movement
    turned = {(r, t) for r, row in enumerate(stored.turned, start=1) for t in row}
    return replace(
        merge_fields(movement),
        seatings=tuple(
            seating.turned() if (seating.round, seating.table) in turned else seating
            for seating in movement.seatings
        ),
    )


@lru_cache
def _stored_movements() -> tuple[StoredMovement, ...]:
    """Return all Mitchells on two copies in the data file."""
    return tuple(map(StoredMovement.read, read_data_table("two_copies")["movements"]))


def possible_rounds(tables: int) -> tuple[int, ...]:
    """Return the rounds for which a Mitchell on two copies is stored for so many tables."""
    return tuple(sorted(stored.rounds for stored in _stored_movements() if stored.tables == tables))


def usual_rounds(tables: int) -> int | None:
    """Return the usual rounds of a Mitchell on two copies: six if possible."""
    return min(possible_rounds(tables), key=lambda rounds: (abs(rounds - 6), rounds), default=None)


NEEDS = marked("an odd number of tables, more than the rounds and fewer than twice as many")
FAMILY = Family(
    name="two-copy-mitchell",
    title=marked_for_players("Two-Copy Mitchell"),
    build=two_copy_mitchell,
    rounds=possible_rounds,
    smallest=5,
    largest=13,
    needs=NEEDS,
    winners=1,
    usual_rounds=usual_rounds,
    options=(
        FamilyOption("winners", "choice", marked("one ranking, or one for each line"), WINNERS),
    ),
    source="own search",
)
