"""A session's data before scoring: contestants, plays and outcomes.

Scores are from North-South's view. Labels come from the document and are unique in their section. So a contestant is
identified by both (`ContestantKey`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from movements.engine.contest import Contest

from .scales.victory_points import OwnScale

Strain = Literal["C", "D", "H", "S", "N"]
Compass = Literal["N", "E", "S", "W"]
Line = Literal["ns", "ew"]
#: a side's award for an unplayable board: a kind, a fixed number, or nothing
Award = Literal["AVE+", "AVE", "AVE-"] | Fraction | None
#: weights that sum to 1, each with a score
Parts = tuple[tuple[Fraction, int], ...]

LINES: tuple[Line, Line] = ("ns", "ew")


class ContestantKey(NamedTuple):
    """The key of a contestant: its section and its label there."""

    section: str
    label: str


# ── Outcomes of plays ──


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract: level 1-7, strain, and 0, 1 or 2 for doubled and redoubled."""

    level: int
    strain: Strain
    doubled: int = 0

    def __str__(self) -> str:
        strain = "NT" if self.strain == "N" else self.strain
        return f"{self.level}{strain}{'x' * self.doubled}"


@dataclass(frozen=True, slots=True)
class PlayedContract:
    """A contract with declarer, tricks made, and the opening lead if known."""

    contract: Contract
    declarer: Compass
    tricks: int
    lead: str | None = None


@dataclass(frozen=True, slots=True)
class PassedOut:
    """A passed-out board: 0 to both sides."""


@dataclass(frozen=True, slots=True)
class PartialContract:
    """A contract of which only some parts are known, or the contract beside a directly typed score."""

    contract: Contract | None = None
    declarer: Compass | None = None
    tricks: int | None = None
    lead: str | None = None


@dataclass(frozen=True, slots=True)
class ScoreOnly:
    """A bridge score typed directly; the contract and tricks typed with it are only displayed."""

    score: int
    beside: PartialContract | None = None


@dataclass(frozen=True, slots=True)
class AssignedScore:
    """An assigned adjusted score: weighted scores, which may differ for both sides (split). Law 12C1."""

    ns: Parts
    ew: Parts


@dataclass(frozen=True, slots=True)
class ArtificialScore:
    """An artificial adjusted score for each side (Law 12C2). With `outside` neither side was at fault."""

    ns: Award
    ew: Award
    outside: bool = False


@dataclass(frozen=True, slots=True)
class PendingResult:
    """The result is pending: the board will be played later."""


@dataclass(frozen=True, slots=True)
class NotPlayed:
    """The board was not played, and for what reason; `side` is the side that was missing."""

    reason: Literal["time", "skipped", "sit-out", "missing", "cancelled"]
    side: Line | None = None


@dataclass(frozen=True, slots=True)
class RefusedOutcome:
    """An outcome that cannot be scored: the path of the wrong value, and the reason why.

    With `is_impossible` it is readable but impossible at a table; otherwise its form is wrong.
    """

    path: str
    what: str
    is_impossible: bool = False


#: None: not known yet
Outcome = (
    PlayedContract
    | PassedOut
    | ScoreOnly
    | AssignedScore
    | ArtificialScore
    | PendingResult
    | NotPlayed
    | RefusedOutcome
    | None
)


@dataclass(frozen=True, slots=True)
class Play:
    """One board at one table in one round. In an individual, `ns` and `ew` are two players each."""

    index: int
    section: str
    round: int | None
    table: int | None
    board: int
    ns: tuple[str, ...]
    ew: tuple[str, ...]
    outcome: Outcome = None
    ns_pair: str | None = None
    ew_pair: str | None = None
    group: str | None = None
    #: the cards, if they are not those of its section or match
    deals: str | None = None
    #: its outcome counts only towards the number of boards played; it is shown as open
    aside: bool = False

    def side(self, direction: Line) -> tuple[ContestantKey, ...]:
        """Return the contestants that sit in the direction "ns" or "ew"."""
        return tuple(
            ContestantKey(self.section, label)
            for label in (self.ns if direction == "ns" else self.ew)
        )

    @property
    def place(self) -> str:
        """Return section, round, table and board of the play as text for error messages."""
        where = f"section {self.section}"
        if self.round is not None:
            where += f" round {self.round}"
        if self.table is not None:
            where += f" table {self.table}"
        return f"{where} board {self.board}"


# ── Contestants, and rules ──


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the session; `winners` is the number of its rankings: 1, 2 (N-S, E-W) or 4 (by seat)."""

    name: str
    winners: int = 1
    expected: int | None = None
    deals: str | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the names of the separate rankings of the section: "all", or "NS" and "EW", or one for each seat."""
        return {1: ("all",), 2: ("NS", "EW"), 4: ("N", "E", "S", "W")}[self.winners]


@dataclass(frozen=True, slots=True)
class Departure:
    """A contestant's departure after a round; with `listed` it keeps a place in the ranking."""

    after_round: int
    listed: bool = False


@dataclass(frozen=True, slots=True)
class InPercent:
    """A contestant's percentage in an earlier session, with its number of boards and its top."""

    percent: Fraction
    boards: Fraction
    top: Fraction


@dataclass(frozen=True, slots=True)
class InPoints:
    """A contestant's victory points or IMPs in an earlier session."""

    points: Fraction


Earlier = InPercent | InPoints


@dataclass(frozen=True, slots=True)
class Contestant:
    """A pair, a player of an individual or a team."""

    who: ContestantKey
    field: str
    names: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    seed: int | None = None
    lot: int | None = None
    stratum: int | None = None
    points: tuple[Fraction, ...] = ()
    categories: tuple[str, ...] = ()
    handicap: tuple[Fraction, ...] = ()
    recent: tuple[Fraction, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    standing: bool = True
    left: Departure | None = None


@dataclass(frozen=True, slots=True)
class SitOut:
    """Boards that a contestant sat out: planned by the movement, or because the opponents were missing."""

    who: ContestantKey
    round: int | None
    boards: tuple[int, ...]
    reason: Literal["planned", "missing"] = "planned"


@dataclass(frozen=True, slots=True)
class Deal:
    """The four hands of a board, with double-dummy tricks by declarer and strain."""

    section: str | None
    board: int
    pbn: str
    dd: Mapping[str, object] | None = None


Unit = Literal["top", "percent", "matchpoints", "imps", "vps"]


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty (negative) or bonus of a contestant, in a unit."""

    who: ContestantKey
    unit: Unit
    amount: Fraction
    board: int | None = None
    round: int | None = None
    kind: str = ""
    reason: str = ""
    by: str = ""
    path: str = ""


Verdict = Literal["home", "away"]
WrongSeats = Literal["sides", "director"]


@dataclass(frozen=True, slots=True)
class Match:
    """Two contestants that meet on some boards; `away` is None for a bye."""

    index: int
    section: str
    round: int
    home: str
    away: str | None
    boards: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()
    deals: str | None = None
    half: bool = False
    #: its own scale, if it differs from that of the others
    vp: str | OwnScale | None = None
    carry: Fraction = Fraction(0)
    stanza: int | None = None
    given: tuple[Fraction, Fraction] | None = None
    provisional: bool = False
    void: tuple[Award, Award] | None = None
    missing: Verdict | None = None
    wrong_seats: WrongSeats | None = None
    #: it is shown as open, whatever the ruling
    aside: bool = False

    @property
    def sides(self) -> tuple[ContestantKey, ...]:
        """Return the keys of the contestants of the match: two, or one for a bye."""
        both = (self.home,) if self.away is None else (self.home, self.away)
        return tuple(ContestantKey(self.section, contestant) for contestant in both)

    @property
    def all_rounds(self) -> tuple[int, ...]:
        """Return the rounds in which the match is played."""
        return self.rounds or (self.round,)

    @property
    def last_round(self) -> int:
        """Return the round in which the match counts: its last one."""
        return max(self.all_rounds)

    @property
    def is_ruled(self) -> bool:
        """Return whether a director's ruling decides the match, so that its open boards are not played."""
        ruled = (self.given, self.void, self.missing, self.wrong_seats)
        return any(adjustment is not None for adjustment in ruled) and not (
            self.provisional or self.aside
        )


@dataclass(frozen=True, slots=True)
class Stage:
    """The rules by which an event's rounds are drawn: Swiss, round robin or knockout."""

    kind: Literal["swiss", "round-robin", "knock-out"] = "swiss"
    rounds: int | None = None
    boards: int | None = None
    first: Literal["slide", "fold", "random"] = "slide"
    seed: int | None = None
    odd: Literal["bye", "triangle", "long-triangle"] = "bye"
    ignore_before: int | None = None
    behind: int = 0
    late: Literal["wait", "last-complete", "provisional"] = "wait"
    stationary: tuple[str, ...] = ()
    balance: bool = False
    exchange: tuple[tuple[str, str], ...] = ()
    qualifiers: int | None = None
    carry: Fraction | None = None
    #: the last round of a Swiss is 1 v 2, 3 v 4 …, also for contestants that have met
    danish: bool = False
    #: the opponents in a knock-out are fixed by the chart, and not seeded anew for each round
    chart: bool = False
    #: losers of a knock-out play on
    compact: bool = False
    #: the teams that play for a knock-out's title in each drawn round, in the order of the draw
    through: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """All data of a session to be scored, except the scoring profile."""

    name: str
    contest: Contest
    sections: tuple[Section, ...]
    contestants: tuple[Contestant, ...]
    plays: tuple[Play, ...] = ()
    sit_outs: tuple[SitOut, ...] = ()
    deals: tuple[Deal, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    matches: tuple[Match, ...] = ()
    stage: Stage | None = None

    def section(self, name: str) -> Section:
        """Return the section with this name."""
        return next(section for section in self.sections if section.name == name)
