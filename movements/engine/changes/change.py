"""What may happen to an evening, as values: a pair comes late, leaves, sat at the wrong table …"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal


@dataclass(frozen=True, slots=True)
class PairArrives:
    """A contestant more. `joins_running`: it can still play in the round that is being played.

    `spared` are contestants who are not to be displaced by a rover (they must stay seated).
    """

    joins_running: bool = False
    spared: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PairLeaves:
    """A contestant plays no round more."""

    contestant: int


@dataclass(frozen=True, slots=True)
class PairReturns:
    """A contestant who has left comes back."""

    contestant: int


@dataclass(frozen=True, slots=True)
class PairStays:
    """A contestant cannot move: it is to stay at one table from the next round on."""

    contestant: int


@dataclass(frozen=True, slots=True)
class SkipIsMoved:
    """The line that moves skips a table at another time, or no more, or now does."""


@dataclass(frozen=True, slots=True)
class LengthChanges:
    """The evening ends after another round than planned."""

    rounds: int


@dataclass(frozen=True, slots=True)
class FewerBoards:
    """From now on only so many of the boards of every set are played (of so many there are)."""

    boards: int
    of: int


@dataclass(frozen=True, slots=True)
class ArrowsTurn:
    """In some rounds to come all tables, or some, sit the other way round."""

    rounds: tuple[int, ...]
    tables: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SatInEachOthersPlace:
    """In a round that is over or being played two contestants sat where the other should have."""

    round: int
    one: int
    other: int


@dataclass(frozen=True, slots=True)
class PlayedOtherBoards:
    """In a round that is over or being played two tables had each other's boards."""

    round: int
    table: int
    other_table: int


@dataclass(frozen=True, slots=True)
class Piece:
    """Boards of a set that follow each other, as shares of it: the whole set is from 0 to 1."""

    name: str
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class TookOtherBoards:
    """In a round that is over or being played a table had these boards, wherever they should have been.

    Each piece `instead` of another that it should have had, in their order; of all it should have had
    where none are named. Nobody had those, unless that is said too: they stayed where they were. A piece may
    be of boards that others in the room play (`borrowed`).
    """

    round: int
    table: int
    boards: tuple[Piece, ...]
    instead: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedTheOtherWay:
    """In a round that is over or being played a table sat the other way round, for some boards or for all.

    `boards` are the boards that were turned; all of the round where none are named.
    """

    round: int
    table: int
    boards: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class LineSatElsewhere:
    """In a round that is over or being played a whole line sat so many tables `up` from its places.

    The last table is followed by the first; down is negative. `since` says that it did so in all rounds from
    then on: a skip that was not called, and noticed later.
    """

    round: int
    line: Literal["ns", "ew"]
    up: int
    since: bool = False


Mistake = (
    SatInEachOthersPlace
    | PlayedOtherBoards
    | TookOtherBoards
    | PlayedTheOtherWay
    | LineSatElsewhere
)
"""What can have happened instead of what should have."""


def amended_rounds(change: object, fixed: int) -> range:
    """Return the rounds in which a change says that something else happened; `fixed` is the last that may be."""
    happened = change.happened if isinstance(change, Rebuild) else change
    if not isinstance(happened, Mistake):
        return range(0)
    is_since = isinstance(happened, LineSatElsewhere) and happened.since
    return range(happened.round, (fixed if is_since else happened.round) + 1)


@dataclass(frozen=True, slots=True)
class Rebuild:
    """All rounds to come are made anew, by search. `effort` bounds it, in units of about a second.

    `arrives`: for a contestant more. `leaves`: without these contestants. `returns`: with one who had
    left. `happened`: after a mistake, which is recorded with it.
    """

    effort: float
    arrives: bool = False
    leaves: tuple[int, ...] = ()
    returns: int = 0
    happened: Mistake | None = None


Change = (
    PairArrives
    | PairLeaves
    | PairReturns
    | PairStays
    | SkipIsMoved
    | LengthChanges
    | FewerBoards
    | ArrowsTurn
    | SatInEachOthersPlace
    | PlayedOtherBoards
    | TookOtherBoards
    | PlayedTheOtherWay
    | LineSatElsewhere
    | Rebuild
)
