"""The parts of a season: sessions with their rows, and rankings with their rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

People = tuple[str, ...]
"""The owner of a line: a player, a pair in the order of their names, or a team."""


class SeasonRow(NamedTuple):  # there are thousands, and tuples are fast
    """A contestant's results in a session; None for values that the session does not give."""

    who: People
    percentage: Fraction | None = None
    place: int | None = None
    vps: Fraction | None = None
    imps: Fraction | None = None
    masterpoints: Fraction | None = None
    #: a team's name, if it has one
    team: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """A session of a season, with its rows in the order of its ranking."""

    id: str
    date: date
    rows: tuple[SeasonRow, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Handicap:
    """A rule for handicaps: how many recent percentages it uses, the fewest needed, and limits."""

    last: int | None = None
    least: int = 1
    times: Fraction = Fraction(1)
    #: only sessions of so many months before
    months: int | None = None
    #: rounded to whole bands of this width, and never further from 0 than `most`
    band: Fraction | None = None
    most: Fraction | None = None
    #: value of a player that is too new for a handicap
    new: Fraction = Fraction(0)
    #: handicaps set by the club, independent of results
    by_hand: Mapping[str, Fraction] = field(default_factory=dict)
    #: from this day on results do not change it
    frozen: date | None = None
    #: first day of a handicap set by hand; for people not in it: always
    by_hand_since: Mapping[str, date] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Championship:
    """The rules of a ranking over a season: kind of contestant, the value counted, and how values add up."""

    name: str
    of: str = "player"
    counts: str = "percentage"
    rule: str = "mean"
    best: int | None = None
    least: int | None = None
    each: int | None = None
    handicap: Handicap | None = None
    #: tie-breaks of equal totals (see `ties`), first and second; empty: they share the place
    ties: str = ""
    then: str = ""
    #: counting sessions (by `id`), and people allowed in the list; None: all
    sessions: frozenset[str] | None = None
    only: frozenset[str] | None = None
    #: for teams: common people from which on it is the same team, see `teams`; None: all of them
    same: int | None = None
    #: teams known before play: those of its groups
    known: tuple[People, ...] = ()


class SessionValue(NamedTuple):  # rows too: there are thousands
    """A contestant's value from one session, and whether it counts in the championship."""

    session: Session
    amount: Fraction
    counts: bool = True
    #: reason for which it does not count: "dropped"
    why: str = ""
    #: the handicap in it
    handicap: Fraction | None = None


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A contestant's row in a championship's ranking. Equals share a place, and the next place is skipped."""

    who: People
    total: Fraction
    place: int
    values: tuple[SessionValue, ...]
    #: the rule for equal totals that decided the place; empty: none
    split_by: str = ""

    def __reduce__(self) -> tuple[Callable[..., StandingLine], tuple[object, ...]]:
        """Return a compact form for pickling, because lists have thousands of values."""
        plain = [tuple(value) for value in self.values]
        return _standing_line, (self.who, self.total, self.place, plain, self.split_by)

    @property
    def counted(self) -> list[Fraction]:
        """Return the values that count in the total, oldest first."""
        return [value.amount for value in self.values if value.counts]


def _standing_line(
    people: People, total: Fraction, place: int, plain: list[tuple[Any, ...]], split_by: str
) -> StandingLine:
    """Build a `StandingLine` from the plain values with which it was pickled for the cache."""
    return StandingLine(people, total, place, tuple(map(SessionValue._make, plain)), split_by)


@dataclass(frozen=True, slots=True)
class Season:
    """The sessions of a season in the order of play, and the championships over them."""

    sessions: tuple[Session, ...] = ()
    lists: tuple[Championship, ...] = field(default_factory=tuple)

    def all_players(self) -> Iterator[str]:
        """Yield the names of all players of the season, sorted."""
        yield from sorted(
            {person for session in self.sessions for row in session.rows for person in row.who}
        )
