"""Live changes as values: a pair arrives late, leaves, or sat at the wrong table …"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal


@dataclass(frozen=True, slots=True)
class PairArrives:
    """A new contestant. With `joins_running` it can still play in the current round.

    `spared` are stationary contestants that a rover must not displace.
    """

    joins_running: bool = False
    spared: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PairLeaves:
    """A contestant leaves for good."""

    contestant: int


@dataclass(frozen=True, slots=True)
class PairReturns:
    """A contestant that left comes back."""

    contestant: int


@dataclass(frozen=True, slots=True)
class PairStays:
    """A contestant that cannot move stays at one table from the next round on."""

    contestant: int


@dataclass(frozen=True, slots=True)
class SkipIsMoved:
    """The skip of the moving line is moved to another round, removed or added."""


@dataclass(frozen=True, slots=True)
class LengthChanges:
    """The session ends after another round than planned."""

    rounds: int


@dataclass(frozen=True, slots=True)
class FewerBoards:
    """The change to play only `boards` of the `of` boards of every set from now on."""

    boards: int
    of: int


@dataclass(frozen=True, slots=True)
class ArrowsTurn:
    """The change to turn the arrows of all or some tables in some coming rounds."""

    rounds: tuple[int, ...]
    tables: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SatInEachOthersPlace:
    """Two contestants sat in each other's places in a past or current round."""

    round: int
    one: int
    other: int


@dataclass(frozen=True, slots=True)
class PlayedOtherBoards:
    """Two tables had each other's boards in a past or current round."""

    round: int
    table: int
    other_table: int


@dataclass(frozen=True, slots=True)
class BoardSpan:
    """Consecutive boards of a set, as shares of it: the whole set is from 0 to 1."""

    name: str
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class TookOtherBoards:
    """A table had the wrong boards in a past or current round.

    Each piece of `boards` replaces one of `instead`, in order; without `instead`, all boards due there. The boards
    due stayed where they were, unless another change says that they were played. A piece may be of another section's
    boards (`borrowed`).
    """

    round: int
    table: int
    boards: tuple[BoardSpan, ...]
    instead: tuple[BoardSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedTheOtherWay:
    """A table sat in the opposite directions in a past or current round, for some boards or all.

    `boards` are those turned; all of the round by default.
    """

    round: int
    table: int
    boards: tuple[BoardSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class LineSatElsewhere:
    """A whole line sat `up` tables from its places in a past or current round.

    After the last table comes the first; down is negative. With `since` it did so in all rounds from then on, as
    after a skip that was not called.
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
"""The ways in which play can differ from the movement."""


def amended_rounds(change: object, fixed_rounds: int) -> range:
    """Return the rounds that a change amends; `fixed_rounds` is the last possible one."""
    happened = change.happened if isinstance(change, Rebuild) else change
    if not isinstance(happened, Mistake):
        return range(0)
    is_since = isinstance(happened, LineSatElsewhere) and happened.since
    return range(happened.round, (fixed_rounds if is_since else happened.round) + 1)


@dataclass(frozen=True, slots=True)
class Rebuild:
    """The change to plan all coming rounds anew by a search. `effort` limits it, in units of about a second.

    `arrives`: with one more contestant. `leaves`: without these contestants. `returns`: with a contestant that had
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
