"""Sit-outs, opponents and lines in a club's sessions of the last year, derived from plays; used to take turns.

Nothing is stored for it: plays give opponents and lines, and entries give those present without opponents. A line is
that of the cards, because turned boards change no seats.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import product
from typing import Any

from django.db.models import Count

from bridgebuddy.events.models import Entry, EntryPerson, Play, Section
from bridgebuddy.operations.caching import cached
from movements.engine.contest import Contest
from movements.engine.drawing.draws import DRAWN_ON_RESULTS
from movements.engine.fairness.long_run_fairness import (
    FormerEvening,
    PastRounds,
    PastShares,
    past_shares,
    sit_outs_of,
)

from ..plan.games import is_away
from ..sessions.club_sessions import real_sessions
from .person_search import roster_state

YEAR = timedelta(days=365)


@dataclass(frozen=True)
class FormerSession:
    """A former session, for seating in turns: its day, and each person's sit-outs, directions and opponents."""

    date: date
    evening: FormerEvening

    @property
    def sat_out(self) -> frozenset[Any]:
        """Return the people who sat out in the session."""
        return frozenset(
            person_evening.person for person_evening in self.evening.had if person_evening.sat_out
        )


def can_take_turns(section: Section) -> bool:
    """Return whether sit-outs can rotate over the weeks: pairs play, and results decide no round's draw."""
    movement = section.movement
    return (
        section.contest == Contest.PAIRS
        and movement is not None
        and movement.family not in DRAWN_ON_RESULTS
    )


def former_sessions(section: Section) -> list[FormerSession]:
    """Return the club's sessions in the year before a section's, oldest first. Two queries, then cached."""
    session = section.session
    before = real_sessions(section.club).filter(
        date__gte=session.date - YEAR, date__lte=session.date, past=None
    )
    rows = list(
        Section.objects.filter(
            session__in=before.exclude(pk=session.pk),
            contest=Contest.PAIRS,
            finished_at__isnull=False,
        )
        .order_by("session__date", "session__starts_at", "pk")
        .values_list("pk", "session__date", "shown", "code")
    )
    if not rows:
        return []
    state = repr([rows, roster_state(section.club)])
    return cached(("former sessions", session.pk), state, lambda: _load_former_sessions(rows))


def past_before(section: Section) -> PastShares:
    """Return how far people exceeded their share of sit-outs, E-W rounds and meetings in the past year."""
    return past_shares(session.evening for session in former_sessions(section))


def _load_former_sessions(rows: Sequence[tuple[int, date, int, str]]) -> list[FormerSession]:
    """Read these sections with their plays as former sessions. Two queries."""
    keys = [key for key, *_ in rows]
    played: defaultdict[int, list[_TableMeeting]] = defaultdict(list)
    plays = Play.objects.filter(section__in=keys, taken_back_at=None, ns2=None, ew2=None)
    seatings = plays.values_list("section", "round", "table", "ns", "ew").annotate(Count("pk"))
    for section, *rest in seatings.order_by("section", "round", "table", "ns", "ew"):
        played[section].append(_TableMeeting(*rest))
    entered: defaultdict[int, dict[int, _PresentRounds]] = defaultdict(dict)
    of_entry = ("entry__first_round", "entry__left_after", "entry__back_in")
    links = EntryPerson.objects.filter(section__in=keys).order_by("entry", "position", "from_round")
    for section, entry, stays, first, left, back, *link in links.values_list(
        *("section", "entry", "entry__must_stay_seated", *of_entry),
        *("position", "person", "from_round", "until_round"),
    ):
        there = entered[section].setdefault(entry, _PresentRounds(stays, first, left, back))
        there.links.append(tuple(link))
    return [FormerSession(day, _former_evening(played[key], entered[key])) for key, day, *_ in rows]


@dataclass(frozen=True)
class _TableMeeting:
    """Two entries that meet at a table in a round, or one that sits out there, and the number of boards."""

    round: int
    table: int
    ns: int | None
    ew: int | None
    boards: int


@dataclass
class _PresentRounds:
    """The rounds of a former session in which an entry, or a person in it, was present."""

    must_stay: bool
    first: int
    left: int | None
    back: int | None
    links: list[tuple[Any, ...]] = field(default_factory=list)

    def is_in(self, round: int) -> bool:
        """Return whether the entry or person was present in a round."""
        return round >= self.first and not is_away(round, self.left, self.back)

    def people_in(self, round: int) -> list[int]:
        """Return the people who played for the entry in a round, substitutes instead of replaced players."""
        places: dict[int, int] = {}
        for position, person, first, until in self.links:
            if first <= round and (until is None or round <= until):
                places[position] = person
        return list(places.values())


def _former_evening(
    meetings: Iterable[_TableMeeting], rounds_by_entry: Mapping[int, _PresentRounds]
) -> FormerEvening:
    """Return a former session from its tables' meetings and its entries' rounds of presence."""
    boards: defaultdict[tuple[int, int], int] = defaultdict(int)
    at: defaultdict[tuple[int, int], float] = defaultdict(float)
    tables: defaultdict[int, set[int]] = defaultdict(set)
    ew: defaultdict[int, float] = defaultdict(float)
    met: defaultdict[tuple[int, int], float] = defaultdict(float)
    plays = list(meetings)
    for play in plays:
        boards[play.round, play.table] += play.boards
    for play in plays:
        if play.ns is None or play.ew is None:
            continue
        share = play.boards / boards[play.round, play.table]
        for entry in (play.ns, play.ew):
            at[entry, play.round] += share
            tables[entry].add(play.table)
        ns_people, ew_people = (
            rounds_by_entry[key].people_in(play.round) if key in rounds_by_entry else []
            for key in (play.ns, play.ew)
        )
        for player in ew_people:
            ew[player] += share
        for player, other in product(ns_people, ew_people):
            met[player, other] += share
    was: defaultdict[int, float] = defaultdict(float)
    out: defaultdict[int, float] = defaultdict(float)
    moved: set[int] = set()
    for key, there in rounds_by_entry.items():
        for round in sorted({round for round, _ in boards}):
            for player in there.people_in(round) if there.is_in(round) else ():
                was[player] += 1
                out[player] += max(0.0, 1 - at[key, round])
                if there.must_stay and len(tables[key]) > 1:
                    moved.add(player)
    return FormerEvening(
        tuple(
            PastRounds(player, was[player], out[player], ew[player], player in moved)
            for player in sorted(was)
        ),
        tuple((person, other, share) for (person, other), share in sorted(met.items())),
    )


@dataclass(frozen=True)
class SitOutTurns:
    """The present entries that sat out last time, and those whose turn it is to sit out."""

    last: date | None
    sat_out: tuple[Entry, ...]
    tonight: tuple[Entry, ...]


def sit_out_turns(section: Section, entries: Sequence[Entry]) -> SitOutTurns | None:
    """Return whose turn it is to sit out before a section's start; None if that cannot be balanced."""
    if section.is_started or not can_take_turns(section):
        return None
    former = former_sessions(section)
    if not former:
        return None
    movement = section.stored.movement
    out = sit_outs_of(movement)
    falls_to_all = len(out) == len(movement.contestants)
    last = next((evening for evening in reversed(former) if evening.sat_out), None)
    people = last.sat_out if last else frozenset()
    sat_out = tuple(
        entry for entry in entries if any(player.pk in people for player in entry.players)
    )
    tonight = () if falls_to_all else tuple(entry for entry in entries if entry.contestant in out)
    return SitOutTurns(last.date if last and sat_out else None, sat_out, tonight)
