"""A session on the home page: its next step, and after the end its winners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import PastLine, PastSession, Section
from bridgebuddy.events.queries.plan_cache import cached_for_section
from bridgebuddy.events.queries.sessions.club_sessions import ListedSession
from bridgebuddy.publication.queries import prefetch_names
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.words.sentences import contestant_count_text

from ..wording import registered_pairs_text

#: before this there is time to print; later the desk is the next step
SOON = timedelta(minutes=15)
#: more winners that share a first place are counted, not named
MOST_NAMED = 3
#: prefix of the cookie that records that a section's paper was printed
PAPER = "paper-"


@dataclass(frozen=True)
class ListWinner:
    """All contestants that share the first place in one of a session's rankings."""

    field: str  # "NS", "EW", or "" for a single list
    names: str
    surnames: str
    percent: Any  # None if lists are by points, or count several sessions
    section: str = ""  # its letter if each section has lists of its own


@dataclass(frozen=True)
class StartStep:
    """A step that a session on the home page needs before round 1, such as its entries."""

    title: str
    said: str
    address: str
    state: str  # "done", "now" or ""


@dataclass(frozen=True)
class SessionCard:
    """A session on the home page with its state and the director's next action."""

    listed: ListedSession
    scoring: Mapping[str, Any] | None
    winners: tuple[ListWinner, ...] = ()
    printed: bool = False
    #: pairs that have registered
    registered: int = 0

    @property
    def section(self) -> Section:
        """Return the section to which the session's links lead: the running one, else the first."""
        return self.listed.running_section or self.listed.main_section

    @property
    def is_today(self) -> bool:
        """Return whether the session is today."""
        return self.listed.session.date == self.section.club.today

    @property
    def published_at(self) -> Any:
        """Return the time of publication; None before it."""
        return self.scoring["published_at"] if self.scoring else None

    @property
    def starts_soon(self) -> bool:
        """Return whether the session's planned start is near, or has passed."""
        return timezone.now() >= self.listed.session.planned_start - SOON

    @property
    def next_action(self) -> str:
        """Return the name of the next action for the director, such as "enter", for the card's main button."""
        if self.listed.is_finished:
            return "paper" if self.published_at else "results"
        if self.listed.names:
            return "sections"
        if self.listed.running_section:
            return "desk"
        if self.section.movement_id is None:
            if self.listed.can_choose:
                return "choose"
            return "registrations" if self.registered and not self.listed.entry_count else "enter"
        return "desk" if self.printed or self.starts_soon else "print"

    @property
    def state_sentence(self) -> str:
        """Return the state of the session as a sentence."""
        if self.listed.is_finished:
            return ""
        if running := self.listed.running_section:
            told = {"round": running.round, "rounds": running.rounds}
            return _("Round %(round)s of %(rounds)s") % told + "."
        if not self.listed.entry_count:
            text = self.registered_text
            return f"{text}." if text else _("Nobody is entered yet.")
        pairs = contestant_count_text(self.section.contest, self.listed.entry_count)
        if self.listed.names:
            where = {"pairs": pairs, "names": ", ".join(self.listed.names)}
            return _("%(pairs)s in sections %(names)s.") % where
        if self.section.contest.fills_a_side and self.listed.entry_count % 2:
            return _("%(pairs)s. With one more, nobody sits out.") % {"pairs": pairs}
        return f"{pairs}."

    @property
    def registered_text(self) -> str:
        """Return the number of registered pairs as text; empty without any."""
        return registered_pairs_text(self.registered)

    @property
    def rounds(self) -> list[str]:
        """Return the state of each round in a running session: "done", "now" or ""."""
        running = self.listed.running_section
        if running is None:
            return []
        states = {True: "done", False: ""}
        return [
            "now" if number == running.round else states[number < running.round]
            for number in range(1, running.rounds + 1)
        ]

    @property
    def steps_before_start(self) -> list[StartStep]:
        """Return the steps that are needed before round 1; empty after the start."""
        if self.listed.is_started:
            return []
        code, entered = self.section.code, self.listed.entry_count
        has_movement = self.section.movement_id is not None
        enough = has_movement or self.listed.can_choose
        done = [enough, has_movement, self.printed, False]
        now = 3 if self.next_action in ("desk", "sections") and has_movement else done.index(False)
        remarks = [
            contestant_count_text(self.section.contest, entered)
            if entered
            else self.registered_text or _("nobody yet"),
            _("chosen") if has_movement else _("not chosen"),
            _("printed") if self.printed else _("not yet"),
            time_format(self.listed.session.starts_at, "H:i"),
        ]
        titles = [_("Entries"), _("Movement"), _("Print"), _("Round 1")]
        names = ["entries", "choose-movement", "print", "desk" if has_movement else "entries"]
        if self.next_action == "registrations":
            names[0] = "who-comes"
        return [
            StartStep(
                titles[number],
                remarks[number],
                reverse(names[number], args=[code]),
                "done" if done[number] else "now" if number == now else "",
            )
            for number in range(4)
        ]


@dataclass(frozen=True)
class PastCard:
    """A session on the home page that was scored by another program, with the names of its winners."""

    past: PastSession
    winners: str


def past_cards(sessions: Iterable[int]) -> list[PastCard]:
    """Return the sessions scored by another program as the home page shows them.

    Makes three queries.
    """
    imported = PastSession.objects.filter(session__in=list(sessions))
    first = prefetch_names(PastLine.objects.filter(past__in=imported, place=1))
    won: dict[int, list[str]] = {}
    for line in first:
        won.setdefault(line.past_id, []).append(line.names)
    return [
        PastCard(past_session, " · ".join(won.get(past_session.pk, [])[:MOST_NAMED]))
        for past_session in imported.select_related("session__event")
    ]


def session_cards(
    request: HttpRequest,
    club: Club,
    listed_sessions: Iterable[ListedSession],
    registered: Mapping[int, int] | None = None,
) -> list[SessionCard]:
    """Return sessions as the home page shows them; `registered` are numbers of pairs by session key.

    Makes one query, and those of `winners_of_session`.
    """
    sessions = list(listed_sessions)
    for session in sessions:
        session.session.event.club = club
    keys = [session.session.pk for session in sessions if session.is_finished]
    rows = ScoringSettings.objects.filter(session__in=keys).values(
        "session", "published_at", "token"
    )
    scoring: dict[int, Mapping[str, Any]] = {row["session"]: row for row in rows} if keys else {}
    return [
        SessionCard(
            session,
            scoring.get(session.session.pk),
            winners_of_session(session) if session.is_finished else (),
            printed=f"{PAPER}{session.main_section.code}" in request.COOKIES,
            registered=(registered or {}).get(session.session.pk, 0),
        )
        for session in sessions
    ]


def winners_of_session(session: ListedSession) -> tuple[ListWinner, ...]:
    """Return the winners of a finished session, from the cache until its results change."""
    first = session.main_section
    first.session = session.session
    first.has_others = len(session.sections) > 1  # type: ignore[attr-defined]
    state = sum(section.results + section.shown for section in session.sections)
    return cached_for_section(first, "winners", lambda: _winners_of_lists(first), state)


def _winners_of_lists(section: Section) -> tuple[ListWinner, ...]:
    """Return the winners of each ranking of a section's session."""
    scored = ScoredSession(SessionSnapshot(section))
    if not scored.entered_count:
        return ()
    winners = []
    for ranking in scored.main_lists:
        firsts = [row for row in ranking.standings if row.place in ("1", "1=")]
        if not firsts:
            continue
        names, surnames = (
            [row.names for row in firsts],
            [row.contestant.surnames for row in firsts],
        )
        if len(firsts) > MOST_NAMED:
            shared = ngettext("%(count)s level", "%(count)s level", len(firsts))
            names = surnames = [shared % {"count": len(firsts)}]
        field = ranking.field if ranking.field in ("NS", "EW") else ""
        winners.append(
            ListWinner(
                field,
                ", ".join(names),
                ", ".join(surnames),
                None if ranking.has_overall else firsts[0].row.percent,
                ranking.section if scored.tonight.has_several and ranking.section else "",
            )
        )
    return tuple(winners)
