"""Queries of a club's page: next and published sessions, months, and a player's results.

They read only published sessions of this club whose embargo is over, without deleted ones and
rehearsals. Within `use_public_names` names are public names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cached_property

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import TruncMonth
from django.utils.formats import number_format

from bridgebuddy.clubs.models import Club, Person, searchable
from bridgebuddy.events.models import (
    Entry,
    EntryPerson,
    PastLine,
    PastPlayer,
    Section,
    Session,
)
from bridgebuddy.events.queries.sessions.club_sessions import (
    real_sessions,
    sections_even_deleted,
    sessions_scored_here,
)
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.seasons.models import Championship

from .outcomes import update_outcomes

LATEST, NEXT, MONTHS, FEED, FOUND = 7, 3, 6, 20, 20
#: the sessions of a year, two each week
MOST = 110
A_YEAR = timedelta(days=366)


def published_sessions(club: Club) -> QuerySet[Session]:
    """Return a club's published sessions, newest first."""
    free = ScoringSettings.objects.read_by_all().filter(session=OuterRef("pk"))
    return real_sessions(club).filter(Exists(free)).order_by("-date", "-starts_at", "-pk")


def _with_outcome(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Read sessions together with their cached rankings and sections; return the queryset."""
    inside = sections_even_deleted().only("session", "results", "plan", "contest").order_by("pk")
    whole = sessions.select_related("event", "scoring", "outcome", "past")
    return whole.prefetch_related(Prefetch("sections", inside.select_related(None)))


@dataclass(frozen=True)
class PublishedRow:
    """A row of a published ranking: entry, place, names and result."""

    entry: int
    place: str
    names: str
    value: str
    unit: str

    @property
    def value_text(self) -> str:
        """Return the result in the reader's number format."""
        if not self.value:
            return ""
        places = len(self.value.partition(".")[2])
        written = number_format(Decimal(self.value), places)
        return f"{written} %" if self.unit == "percent" else written

    @property
    def is_first(self) -> bool:
        """Return whether the contestant has the first place."""
        return self.place in ("1", "1=")


@dataclass(frozen=True)
class PublishedSession:
    """A published session with the ranking rows that a list of sessions needs."""

    session: Session
    lines: tuple[PublishedRow, ...]

    @property
    def token(self) -> str:
        """Return the token in the public address of the results."""
        return self.session.scoring.token

    @property
    def updated_at(self) -> datetime:
        """Return when readers last saw something new: publication, final ranking, or a changed score."""
        scoring, outcome = self.session.scoring, getattr(self.session, "outcome", None)
        times: tuple[datetime | None, ...] = (
            scoring.published_at,
            scoring.first_final_at or scoring.final_at,
            scoring.embargo_until,
            outcome.figures_changed_at if outcome else None,
        )
        return max(filter(None, times))

    @property
    def winners(self) -> list[str]:
        """Return the winners' names."""
        return [line.names for line in self.lines if line.is_first]

    def first_row_of_entries(self, entries: Iterable[int]) -> PublishedRow | None:
        """Return the first ranking row that belongs to one of `entries`; None if there is none."""
        wanted = set(entries)
        return next((line for line in self.lines if line.entry in wanted), None)


def sessions_with_winners(
    queryset: QuerySet[Session], *, entry_keys: Iterable[int] = ()
) -> list[PublishedSession]:
    """Return published sessions with their winners, as far as their rankings are cached.

    `entry_keys` are entries whose lines are returned besides the winners'. Makes four queries, and more
    to compute outcomes.
    """
    sessions = list(_with_outcome(queryset))
    if update_outcomes(sessions):
        sessions = list(_with_outcome(queryset))
    wanted = set(entry_keys)
    elsewhere = _imported_rows(sessions, wanted)
    rows = [(session, list(_winning_and_wanted_rows(session, wanted))) for session in sessions]
    names = names_of_entries(entry for _, lines in rows for entry, *_rest in lines)
    return [
        PublishedSession(
            session,
            elsewhere.get(session.pk)
            or tuple(
                PublishedRow(entry, place, names[entry], value, unit)
                for entry, place, value, unit in lines
                if entry in names
            ),
        )
        for session, lines in rows
    ]


def _imported_rows(
    sessions: Iterable[Session], wanted: set[int]
) -> dict[int, tuple[PublishedRow, ...]]:
    """Return the winners and the wanted rows of imported rankings, by session.

    Makes two queries, if there are any. These lines have negative keys.
    """
    keys = [session.past.pk for session in sessions if getattr(session, "past", None) is not None]
    if not keys:
        return {}
    lines = PastLine.objects.filter(past__in=keys).filter(
        Q(place=1) | Q(pk__in=[-key for key in wanted if key < 0])
    )
    by_session: defaultdict[int, list[PublishedRow]] = defaultdict(list)
    for ledger_line in prefetch_names(lines):
        line = PublishedRow(
            -ledger_line.pk, str(ledger_line.place or ""), ledger_line.names, *ledger_line.figure
        )
        by_session[ledger_line.past.session_id].append(line)
    return {key: tuple(rows) for key, rows in by_session.items()}


def prefetch_names(lines: QuerySet[PastLine]) -> QuerySet[PastLine]:
    """Prefetch the people in rows of imported rankings.

    Makes two queries.
    """
    people = PastPlayer.objects.select_related("person")
    whole = lines.select_related("past").order_by("past", "number")
    return whole.prefetch_related(Prefetch("past_players", people))


def _winning_and_wanted_rows(
    session: Session, wanted_entries: set[int]
) -> Iterable[tuple[int, str, str, str]]:
    """Yield the cached ranking rows of the winners and of the wanted entries."""
    outcome = getattr(session, "outcome", None)
    for ranking in outcome.lists if outcome else ():
        for entry, place, value in ranking["rows"]:
            if place in ("1", "1=") or entry in wanted_entries:
                yield entry, place, value, ranking["unit"]


def names_of_entries(keys: Iterable[int]) -> dict[int, str]:
    """Return the name of each entry (by primary key): its people, or the team.

    Makes two queries.
    """
    people = EntryPerson.objects.select_related("person")
    entries = Entry.objects.filter(pk__in=set(keys)).select_related("section")
    whole = entries.prefetch_related(Prefetch("entry_people", people))
    return {
        line.pk: line.team_name if line.section.contest.has_halves else line.names for line in whole
    }


def next_sessions(club: Club, count: int = NEXT) -> list[Session]:
    """Return up to `count` coming sessions of a club, today's first.

    Makes one query.
    """
    ahead = sessions_scored_here(club).filter(date__gte=club.today, date__lte=club.today + A_YEAR)
    started = sections_even_deleted().filter(session=OuterRef("pk"), round__gt=0)
    sessions = ahead.exclude(Exists(started)).select_related(
        "event__club__page", "planned__host", "planned__series", "beforehand"
    )
    return list(sessions.order_by("date", "starts_at", "pk")[:count])


def published_championships(club: Club) -> list[Championship]:
    """Return the published championships of a club.

    Makes one query.
    """
    published_lists = Championship.objects.filter(club=club, published_at__isnull=False)
    return list(published_lists.order_by("-published_at", "-pk")[:NEXT])


@dataclass(frozen=True)
class PublishedMonth:
    """A month with the number of its published sessions."""

    first: date
    count: int


def published_months(club: Club) -> list[PublishedMonth]:
    """Return every month with published sessions, newest first.

    Makes one query.
    """
    counted = published_sessions(club).order_by().annotate(month=TruncMonth("date"))
    counts = counted.values("month").annotate(count=Count("pk")).order_by("-month")
    return [PublishedMonth(month_row["month"], month_row["count"]) for month_row in counts]


class PublicPlayerSearch:
    """A search for players of a club who have full public names and published results."""

    def __init__(self, club: Club) -> None:
        self.club = club

    @cached_property
    def _players_with_results(self) -> QuerySet[Person]:
        """Return the club's people with published results."""
        there = EntryPerson.objects.filter(
            person=OuterRef("pk"), section__session__in=self._published_sessions
        )
        past = PastPlayer.objects.filter(
            person=OuterRef("pk"), line__past__session__in=self._published_sessions
        )
        people = Person.objects.filter(Exists(there) | Exists(past))
        return people.filter(club=self.club, anonymous_since=None)

    @property
    def _published_sessions(self) -> QuerySet[Session]:
        """Return the club's published sessions."""
        return published_sessions(self.club).order_by()

    def people(self, text: str) -> list[Person]:
        """Return the players whose names have words that begin with the typed ones.

        Use within `use_public_names`. Makes one query.
        """
        words = searchable(text).split()
        if not words or len("".join(words)) < 2:
            return []
        candidates = self._players_with_results
        for word in words:
            candidates = candidates.filter(search__contains=word)
        matching = [
            person
            for person in candidates.order_by("search")[: 10 * FOUND]
            if person.whole_name is None
            and all(any(part.startswith(word) for part in person.search.split()) for word in words)
        ]
        return matching[:FOUND]

    def person(self, key: int) -> Person | None:
        """Return the player with this primary key, if the name and some results are public, or None.

        Makes one query.
        """
        match = self._players_with_results.filter(pk=key).first()
        return match if match and match.whole_name is None else None

    def results(self, person: Person) -> list[tuple[PublishedSession, PublishedRow | None]]:
        """Return a player's published results, newest first."""
        places = EntryPerson.objects.filter(person=person)
        entries = set(places.values_list("entry", flat=True))
        past = dict(
            PastPlayer.objects.filter(person=person).values_list("line", "line__past__session")
        )
        own = entries | {-line for line in past}
        here = Section.objects.filter(entries__in=entries).values("session")
        mine = published_sessions(self.club).filter(Q(pk__in=here) | Q(pk__in=set(past.values())))
        sessions: Sequence[PublishedSession] = sessions_with_winners(mine[:MOST], entry_keys=own)
        return [(session, session.first_row_of_entries(own)) for session in sessions]
