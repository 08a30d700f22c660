"""The results of a session for all readers: numbers rounded once, with exact ones beside them.

`written.py` converts them to the results document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from movements.engine.contest import Contest

from ..model import Line
from ..rounding import round_half_away

Number = int | float
State = Literal["complete", "provisional"]
#: unit of a board's value
Unit = Literal["mp", "imps", "points"]
#: decimal places of a side's value on pages
PLACES = 2


@dataclass(frozen=True)
class SideResult:
    """A side's score on a play, with the rule that gave it."""

    value: Number | None
    #: the value before rounding
    exact: Fraction | None
    unit: Unit
    top: Number | None
    percent: Number | None
    rule: str
    #: number of results compared, and number expected
    results: int | None = None
    expected: int | None = None
    beaten: int | None = None
    tied: int | None = None
    #: of a weighted score: every weight, and the value of its part
    parts: tuple[tuple[Fraction, Number | None], ...] = ()
    #: exact counting value; rounded if the profile rounds every board
    counted: Fraction | None = None

    @property
    def shown_percent(self) -> Fraction | None:
        """Return the exact percentage of the top; pages print it with fewer decimals.

        >>> SideResult(10, Fraction(10), "mp", 22, 45.45, "compared", counted=Fraction(10)).shown_percent
        Fraction(500, 11)
        """
        if self.counted is None or self.percent is None:
            return None
        return 100 * self.counted / Fraction(str(self.top))

    @property
    def shown_points(self) -> Fraction | None:
        """Return the score with two decimals, an exact half rounded away from the average.

        >>> every = [Fraction(1, 8), Fraction(127, 8)]
        >>> [str(SideResult(0, points, "mp", 16, 0, "", counted=points).shown_points) for points in every]
        ['3/25', '397/25']
        """
        if self.counted is None:
            return None
        middle = 0 if self.top is None else Fraction(str(self.top)) / 2
        return round_half_away(self.counted, PLACES, middle)


@dataclass(frozen=True)
class MatchSides:
    """A number for each side of a match; `away` is None for a bye."""

    home: Number
    away: Number | None

    @property
    def ahead(self) -> Number:
        """Return by how much the home side leads."""
        return self.home - (self.away or 0)

    @property
    def greater_first(self) -> tuple[Number, Number]:
        """Return both numbers, the greater one first."""
        away = self.away or 0
        return max(self.home, away), min(self.home, away)


@dataclass(frozen=True)
class PairsOfPlay:
    """The scores of both teams' pairs on a play, each compared with all results of the same cards."""

    ns: Number | None
    ew: Number | None


@dataclass(frozen=True)
class PlayResult:
    """The result of a play for both sides; `own` gives artificial scores of single players, by label."""

    play: int
    score: int | None
    ns: SideResult
    ew: SideResult
    pair: PairsOfPlay | None = None
    own: Mapping[str, SideResult] = field(default_factory=dict)

    def side(self, direction: Line) -> SideResult:
        """Return the score of the side that sits in a direction."""
        return self.ns if direction == "ns" else self.ew

    @property
    def has_value(self) -> bool:
        """Return whether a side has a score on the play."""
        return self.ns.value is not None or self.ew.value is not None


@dataclass(frozen=True)
class FrequencyRow:
    """The frequency of a bridge score on a board, and its value for both sides."""

    score: int
    count: Number
    ns: Number | None
    ew: Number | None


@dataclass(frozen=True)
class BoardResult:
    """All results of a board that are compared with each other, as a part of the report."""

    section: str | None
    deals: str | None
    board: int
    group: str | None
    state: Literal["complete", "open"]
    results: int
    expected: int
    datum: Number | None
    datum_ew: Number | None
    top: Number | None
    frequency: tuple[FrequencyRow, ...]
    #: East-West's, if it differs from North-South's
    frequency_ew: tuple[FrequencyRow, ...] | None
    #: plays with an artificial score
    artificial: tuple[int, ...]


@dataclass(frozen=True)
class RankedLine:
    """A contestant's row in a ranking; `place` is None for a contestant without a place."""

    order: int
    place: str | None
    contestant: str
    section: str
    field: str
    percent: Number | None
    total: Number | None
    top: Number | None
    average: Number | None
    overall: Number | None
    #: deciding value, and total, before rounding
    exact: Fraction | None
    exact_total: Fraction | None
    boards: int
    due: int
    penalty: Number | None

    @property
    def contestant_key(self) -> tuple[str, str]:
        """Return the key of the contestant: section and label."""
        return self.section, self.contestant


@dataclass(frozen=True)
class Ranking:
    """A ranking: of one direction in a section or in all sections, or of all contestants."""

    section: str | None
    field: str | None
    stratum: int | None
    category: str | None
    handicap: bool
    rows: tuple[RankedLine, ...]

    @property
    def is_plain(self) -> bool:
        """Return whether the ranking is of all compared contestants, not of a group and without handicaps."""
        return self.stratum is None and self.category is None and not self.handicap


@dataclass(frozen=True)
class MatchBoard:
    """A board of a match with both sides' scores; None while it is open or does not count."""

    board: int
    home: Number | None
    away: Number | None


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, which is identified by its index in the session."""

    match: int
    round: int
    home: str
    away: str | None
    imps: MatchSides | None
    lead: Number | None
    points: MatchSides | None
    percent: MatchSides | None
    vps: MatchSides | None
    boards: tuple[MatchBoard, ...]
    rule: str


@dataclass(frozen=True)
class MatchStanding:
    """A row of the league table after a round; `decided` is the tie-break against the equal row above."""

    order: int
    place: str | None
    contestant: str
    section: str
    total: Number
    average: Number | None
    boards: int
    matches: int
    wins: int
    draws: int
    losses: int
    net: Number
    tie_break: Number | None
    decided: str | None

    @property
    def contestant_key(self) -> tuple[str, str]:
        """Return the key of the contestant: section and label."""
        return self.section, self.contestant


@dataclass(frozen=True)
class RoundStandings:
    """The league table after a round."""

    round: int
    rows: tuple[MatchStanding, ...]


@dataclass(frozen=True)
class PairInTeam:
    """A pair of a team with its score over all tables; `few` marks one with very few boards."""

    pair: str
    team: str
    section: str
    boards: int
    total: Number
    average: Number | None
    few: bool


@dataclass(frozen=True)
class DrawnMatch:
    """A match of a drawn round, and the reason for its pairing."""

    table: int
    home: str
    away: str
    why: str


@dataclass(frozen=True)
class DrawnRound:
    """The pairings of the next round, and the standings by which it was drawn."""

    round: int
    matches: tuple[DrawnMatch, ...]
    bye: str | None
    #: the first play
    triangle: tuple[str, ...] | None
    triangles: tuple[tuple[str, ...], ...]
    standings: tuple[str, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class UnlikelyResult:
    """A result that a scorer should check, with its path in the document."""

    path: str
    text: str


@dataclass(frozen=True)
class SatOut:
    """A board that a contestant sat out, with the score that the profile gives for it."""

    section: str
    contestant: str
    board: int
    side: SideResult


@dataclass(frozen=True)
class Results:
    """All results of a session: plays, boards, rankings and matches."""

    name: str
    contest: Contest
    state: State = "provisional"
    #: number of results in, and number expected
    entered: int = 0
    due: int = 0
    #: the plays whose results are in, by index
    entered_plays: frozenset[int] = frozenset()
    plays: tuple[PlayResult, ...] = ()
    boards: tuple[BoardResult, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    matches: tuple[MatchResult, ...] = ()
    standings: tuple[RoundStandings, ...] = ()
    pairs: tuple[PairInTeam, ...] = ()
    warnings: tuple[UnlikelyResult, ...] = ()
    sit_outs: tuple[SatOut, ...] = ()

    @property
    def last_standings(self) -> tuple[MatchStanding, ...]:
        """Return the standings after the last round that has a match."""
        return self.standings[-1].rows if self.standings else ()
