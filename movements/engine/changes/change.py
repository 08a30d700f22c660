"""Live changes as values: a pair arrives late, leaves, or sat at the wrong table …"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal


@dataclass(frozen=True, slots=True)
class PairArrives:
    """A new contestant arrives during the session; with `joins_running` it can play in the current round.

    `spared` are stationary contestants that a rover must not displace.
    """

    joins_running: bool = False
    spared: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PairLeaves:
    """A contestant leaves the session for good."""

    contestant: int


@dataclass(frozen=True, slots=True)
class PairReturns:
    """A contestant that had left comes back."""

    contestant: int


@dataclass(frozen=True, slots=True)
class PairStays:
    """A contestant that cannot move is to stay at one table from the next round on."""

    contestant: int


@dataclass(frozen=True, slots=True)
class SkipIsMoved:
    """The skip of a table by the moving direction is to be moved to another round, removed or added."""


@dataclass(frozen=True, slots=True)
class LengthChanges:
    """The session is to end after another round than planned."""

    rounds: int


@dataclass(frozen=True, slots=True)
class FewerBoards:
    """Only `boards` of the `of` boards of every set are to be played from now on."""

    boards: int
    of: int


@dataclass(frozen=True, slots=True)
class ArrowsTurn:
    """Boards are to be arrow-switched in coming rounds, at all or some tables."""

    rounds: tuple[int, ...]
    tables: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SatInEachOthersPlace:
    """Two contestants sat in each other's seats in a past or the current round."""

    round: int
    one: int
    other: int


@dataclass(frozen=True, slots=True)
class PlayedOtherBoards:
    """Two tables played each other's boards in a past or the current round."""

    round: int
    table: int
    other_table: int


@dataclass(frozen=True, slots=True)
class BoardSpan:
    """Some consecutive boards of a set, as shares of it: the whole set is from 0 to 1."""

    name: str
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class TookOtherBoards:
    """A table played the wrong boards in a past or the current round.

    Each piece of `boards` replaces one of `instead`, in order; without `instead`, all boards due there. The boards
    due stayed where they were, unless another change says that they were played. A piece may be of another section's
    boards (`borrowed_sets`).
    """

    round: int
    table: int
    boards: tuple[BoardSpan, ...]
    instead: tuple[BoardSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedTheOtherWay:
    """A table sat in the wrong directions in a past or the current round, for some boards or all.

    `boards` are those turned; all of the round by default.
    """

    round: int
    table: int
    boards: tuple[BoardSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class LineSatElsewhere:
    """A whole direction sat `up` tables away from its seats in a past or the current round.

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
    """Return the played rounds that a change corrects; `fixed_rounds` is the last possible one."""
    happened = change.happened if isinstance(change, Rebuild) else change
    if not isinstance(happened, Mistake):
        return range(0)
    is_since = isinstance(happened, LineSatElsewhere) and happened.since
    return range(happened.round, (fixed_rounds if is_since else happened.round) + 1)


@dataclass(frozen=True, slots=True)
class Rebuild:
    """All coming rounds are to be planned anew by an exhaustive search, limited by `effort`.

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
