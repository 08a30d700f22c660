"""The club's slower pairs, measured by the times of results entered at the tables in the last half year.

It is cached in the process only, so nothing about a person remains after they are made anonymous.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Q

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.queries.forecast import round_beginnings
from bridgebuddy.events.queries.roster.person_search import roster_state
from bridgebuddy.events.queries.sessions.club_sessions import sessions_scored_here
from bridgebuddy.operations.caching import cached
from bridgebuddy.scoring.result_sources import ResultSource
from movements.engine.contest import Contest

from ..rules.pace import PaceReport, SlowPace, TableRound, pace_report

HALF_A_YEAR = timedelta(days=182)
CHAIRS = ("north", "south", "east", "west")


@dataclass(frozen=True)
class SlowPair:
    """A pair that plays slower than others, with its people and the extra minutes."""

    people: tuple[Person, Person]
    slow: SlowPace

    @property
    def names(self) -> str:
        """Return the names of the pair."""
        return " & ".join(person.name for person in self.people)


@dataclass
class _AtTable:
    """The pairs of a round at a table, and when its results were entered."""

    pairs: set[str] = field(default_factory=set)
    boards: int = 0
    timed: int = 0
    last: datetime | None = None


def slow_pairs(club: Club) -> tuple[list[SlowPair], int]:
    """Return the club's slow pairs, slowest first, and the number of sessions with known times."""
    report = _pace_report(club)
    people = club.known_people.in_bulk()
    slow = []
    for slow_pair in report.slow:
        keys = [int(key) for key in slow_pair.pair.split()]
        if all(key in people for key in keys):
            slow.append(SlowPair((people[keys[0]], people[keys[1]]), slow_pair))
    return slow, report.evenings


def _pace_report(club: Club) -> PaceReport:
    """Return the pace of all pairs of the club, with people as keys; cached for the same sessions."""
    since = club.today - HALF_A_YEAR
    played = Section.objects.filter(
        session__in=sessions_scored_here(club).filter(date__gte=since),
        contest=Contest.PAIRS,
        finished_at__isnull=False,
    ).order_by("pk")
    rows = list(played.only("session", "round", "clocks_before", "round_started_at", "finished_at"))
    state = repr(
        [
            roster_state(club),
            list(played.values_list("pk", "code", "shown", "results")),
        ]
    )
    return cached(("pace", club.pk), state, lambda: pace_report(_table_rounds(rows)))


def _table_rounds(sections: list[Section]) -> Iterator[TableRound]:
    """Yield each round at each table with the times at which its results were entered. One query."""
    at_tables: defaultdict[tuple[int, int, int], _AtTable] = defaultdict(_AtTable)
    at_table = Q(results__number=1, results__source=ResultSource.PHONE)
    rows = (
        Play.objects.filter(section__in=sections, taken_back_at=None)
        .exclude(Q(ns=None) | Q(ew=None))
        .order_by()
        .values("section", "round", "table", *CHAIRS)
        .annotate(
            boards=Count("pk", distinct=True),
            timed=Count("results", filter=at_table),
            last=Max("results__at", filter=at_table),
        )
    )
    for row in rows:
        place = at_tables[row["section"], row["round"], row["table"]]
        place.pairs |= {_pair_key(row, *CHAIRS[:2]), _pair_key(row, *CHAIRS[2:])}
        place.boards += row["boards"]
        place.timed += row["timed"]
        if row["last"] is not None:
            place.last = max(place.last or row["last"], row["last"])
    began = {
        section.pk: (str(section.session_id), round_beginnings(section)) for section in sections
    }
    for (section, round, _table), place in sorted(at_tables.items()):
        evening, starts = began[section]
        pairs = sorted(place.pairs)
        if len(pairs) != 2 or "" in pairs or round not in starts:
            continue
        table_round = TableRound(f"{evening}", round, (pairs[0], pairs[1]), place.boards, None)
        if place.timed == place.boards and place.last is not None and round + 1 in starts:
            table_round = replace(
                table_round,
                at=_minutes_between(starts[round], place.last),
                until=_minutes_between(starts[round], starts[round + 1]),
            )
        yield table_round


def _pair_key(row: dict[str, Any], *chairs: str) -> str:
    """Return a pair as its players' keys in a fixed order; empty if one player is unknown."""
    people = sorted(row[chair] for chair in chairs if row[chair] is not None)
    return " ".join(map(str, people)) if len(people) == len(chairs) else ""


def _minutes_between(begun: datetime, at: datetime) -> float:
    """Return the minutes between two times."""
    return (at - begun).total_seconds() / 60
