"""A club's sessions: today's, coming and past ones; by month, and by search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from django.db.models import Count, Max, Prefetch, Q, QuerySet, prefetch_related_objects
from django.utils import timezone
from django.utils.dates import MONTHS, MONTHS_3

from bridgebuddy.clubs.models import Club, searchable
from bridgebuddy.events.models import EntryPerson, PastPlayer, Section, Session

#: how long a session that is not ended counts as being played
LONGEST = timedelta(hours=18)
WEEK = timedelta(days=7)
#: greatest age of a session whose pairs are offered again
RECENT = timedelta(days=31)

NUMBERS = re.compile(r"(\d{1,2})[./](\d{1,2})[./]?(\d{4}|\d{2})?")
ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
SOME_YEAR = 2000  # a year with all days
WITH_MONTH = re.compile(r"(\d{1,2})\.? ([^\W\d_]+)\.?(?: (\d{4}))?")


@dataclass(frozen=True)
class ListedSession:
    """A session in a list, with its sections in order; each section has a `pair_count`."""

    session: Session
    sections: tuple[Section, ...]

    @property
    def main_section(self) -> Section:
        """Return the first section, whose address the session's pages use."""
        return self.sections[0]

    @property
    def name(self) -> str:
        """Return the name of the session's event."""
        return self.session.event.name

    @property
    def entry_count(self) -> int:
        """Return the number of entries in all sections of the session."""
        return sum(section.pair_count for section in self.sections)  # type: ignore[attr-defined]

    @property
    def names(self) -> list[str]:
        """Return the names of the session's sections if it has several."""
        return [section.name for section in self.sections] if len(self.sections) > 1 else []

    @property
    def can_choose(self) -> bool:
        """Return whether a movement is still to choose and there are enough entries for one."""
        first = self.main_section
        entered: int = first.pair_count  # type: ignore[attr-defined]
        return first.movement_id is None and entered >= first.fewest_entries

    @cached_property
    def is_started(self) -> bool:
        """Return whether a section of the session has started."""
        return any(section.is_started for section in self.sections)

    @cached_property
    def running_section(self) -> Section | None:
        """Return the first section of the session that is being played."""
        return next((section for section in self.sections if section.is_running), None)

    @property
    def is_finished(self) -> bool:
        """Return whether all sections of the session that started have finished."""
        return self.is_started and self.running_section is None


@dataclass(frozen=True)
class CurrentSession:
    """The current, coming, rehearsed and deleted sessions on a director's home page."""

    tonight: list[ListedSession]
    coming: list[ListedSession]
    rehearsals: list[ListedSession]
    deleted: list[ListedSession]


def real_sessions(club: Club) -> QuerySet[Session]:
    """Return the sessions of a club that are neither deleted nor rehearsals."""
    return Session.objects.filter(event__club=club, deleted_at=None, rehearsal_until=None)


def sessions_scored_here(club: Club) -> QuerySet[Session]:
    """Return the sessions of a club that were not scored by another program."""
    return real_sessions(club).filter(past=None)


def prefetch_sections(sessions: Sequence[Session]) -> None:
    """Prefetch the sections of these sessions in one query."""
    inside = sections_even_deleted().annotate(pair_count=Count("entries")).order_by("pk")
    prefetch_related_objects(sessions, Prefetch("sections", inside))


def listed_sessions(sessions: Iterable[Session]) -> list[ListedSession]:
    """Return these sessions with their prefetched sections; imported sessions have none."""
    rows = ((session, tuple(session.sections.all())) for session in sessions)
    return [ListedSession(session, sections) for session, sections in rows if sections]


def sections_even_deleted() -> QuerySet[Section]:
    """Return the sections of all sessions, also deleted ones, with their movement but without its long JSON."""
    return Section.objects.select_related("movement").defer("movement__document")


def current_sessions(club: Club, *also: Session) -> CurrentSession:
    """Return the club's current and coming sessions, rehearsals and recently deleted sessions. Two queries.

    The sections of the sessions in `also` are read too.
    """
    today, now = club.today, timezone.now()
    sessions = Session.objects.filter(event__club=club)
    rows = list(
        sessions.select_related("event")
        .filter(
            Q(date__gte=today)
            | Q(pk__in=_running_sessions(sessions).values("pk"))
            | Q(deleted_at__isnull=False)
            | Q(rehearsal_until__isnull=False)
        )
        .exclude(Q(deleted_at__lte=now - Session.KEPT_FOR) | Q(rehearsal_until__lte=now))
    )
    prefetch_sections([*rows, *also])
    listed_sections = listed_sessions(rows)
    here = [
        session_section
        for session_section in listed_sections
        if session_section.session.deleted_at is None
    ]
    real = [session_section for session_section in here if not session_section.session.is_rehearsal]
    tonight = [
        session_section
        for session_section in real
        if session_section.session.date == today or _has_round_begun_recently(session_section)
    ]
    tonight.sort(key=lambda session_section: session_section.running_section is None)
    return CurrentSession(
        tonight=tonight,
        coming=[session_section for session_section in real if session_section not in tonight],
        rehearsals=[
            session_section for session_section in here if session_section.session.is_rehearsal
        ],
        deleted=[
            session_section
            for session_section in listed_sections
            if session_section.session.deleted_at is not None
        ],
    )


def _running_sessions(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Return the sessions of these in which a round is being played."""
    return sessions.filter(
        sections__round__gt=0,
        sections__finished_at=None,
        sections__round_started_at__gt=timezone.now() - LONGEST,
    )


def _has_round_begun_recently(listed: ListedSession) -> bool:
    """Return whether a round of the session began not longer ago than a session can last."""
    begun = listed.running_section.round_started_at if listed.running_section else None
    return begun is not None and begun > timezone.now() - LONGEST


def earlier_sessions(club: Club) -> QuerySet[Session]:
    """Return the club's past sessions, newest first."""
    past_sessions = real_sessions(club).filter(date__lt=club.today)
    return order_newest_first(
        past_sessions.exclude(pk__in=_running_sessions(real_sessions(club)).values("pk"))
    )


def order_newest_first(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Return these sessions sorted by date, the newest first."""
    return sessions.order_by("-date", "-starts_at", "-pk")


def session_to_repeat(club: Club) -> Session | None:
    """Return the club's session to copy the pairs of: that of a week ago, or else the last one."""
    today = club.today
    sessions = order_newest_first(real_sessions(club).filter(sections__round__gt=0)).select_related(
        "event"
    )
    recent = list(sessions.filter(date__lt=today, date__gte=today - RECENT).distinct()[:40])
    weekly = (session for session in recent if session.date == today - WEEK)
    return next(weekly, recent[0] if recent else None)


def session_days(club: Club, month: date) -> dict[date, bool]:
    """Return the days of a month on which the club has a session, and whether it was played. One query."""
    rows = real_sessions(club).filter(date__year=month.year, date__month=month.month)
    begun = rows.values("date").annotate(rounds=Max("sections__round")).order_by("date")
    today = club.today
    return {row["date"]: bool(row["rounds"]) or row["date"] < today for row in begun}


def sessions_on_day(club: Club, day: date) -> QuerySet[Session]:
    """Return the club's sessions on a day."""
    return order_newest_first(real_sessions(club).filter(date=day))


def find_sessions(club: Club, text: str) -> QuerySet[Session]:
    """Return the club's sessions on a typed day, or else those of a typed name or with a player of that name."""
    sessions = order_newest_first(real_sessions(club))
    if days := _read_typed_day(text):
        return sessions.filter(days)
    begins = searchable(text)
    if not begins:
        return sessions.none()
    names = club.events.values_list("pk", "name")
    events = [key for key, name in names if begins in searchable(name)]
    links = EntryPerson.objects.filter(person__club=club, person__search__contains=begins)
    with_player = Section.objects.filter(pk__in=links.values("section"))
    past = PastPlayer.objects.filter(person__club=club, person__search__contains=begins)
    return sessions.filter(
        Q(event__in=events)
        | Q(pk__in=with_player.values("session"))
        | Q(pk__in=past.values("line__past__session"))
    )


def _read_typed_day(text: str) -> Q | None:
    """Parse a typed day: "18.11.", "18/11/2026", "2026-11-18", "18 November"."""
    text = " ".join(text.split())
    if match := ISO.fullmatch(text):
        year, month, day = match.groups()
    elif match := NUMBERS.fullmatch(text):
        day, month, year = match.groups()
        if int(month) > 12 >= int(day):  # as Americans write it
            day, month = month, day
    elif match := WITH_MONTH.fullmatch(text):
        day, month, year = match[1], _month_named(match[2]), match[3]
    else:
        return None
    century = 2000 if year and len(year) == 2 else 0
    try:
        day_typed = date(int(year or SOME_YEAR) + century, int(month), int(day))
    except ValueError:
        return None
    return Q(date=day_typed) if year else Q(date__day=day_typed.day, date__month=day_typed.month)


def _month_named(word: str) -> str:
    """Return the number of the month that a word names in the reader's language; "0" if it names none."""
    word = searchable(word)
    for number in MONTHS:
        if word in (searchable(str(MONTHS[number])), searchable(str(MONTHS_3[number]))):
            return str(number)
    return "0"
