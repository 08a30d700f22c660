"""The data of each published session on an own page, cached by the session's state.

Only final, public lists are read: no current, withdrawn, embargoed, deleted or rehearsed sessions,
and none of other clubs. A board counts for the player who sat there, not for a replaced one.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.db.models import Case, F, Q, Subquery, Sum, TextField, Value, When
from django.db.models.functions import Coalesce

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import EntryPerson, PastPlayer, Play
from bridgebuddy.events.queries.sessions.club_sessions import real_sessions
from bridgebuddy.events.queries.sessions.sections import sections_with_session
from bridgebuddy.jobs.kinds import job_kind
from bridgebuddy.jobs.services import request_job
from bridgebuddy.publication.models import PlayerSession
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.against_cards import tricks_against_cards
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import cards_of_line
from bridgebuddy.scoring.snapshot.counted import RankedContestant, RankingList
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.seasons.queries.final_lists import TimeAsText

from .imported_sessions import imported_session_totals

#: sessions computed while the reader waits; a job computes the others
AT_ONCE = 4
JOB, MOST_OF_A_JOB = "own-evenings", 60
#: boards are read for one session: the newest with boards among so many
LOOKED_AT, NO_BOARDS = 60, "[]"
#: the version of the computation; older cached data are computed again
WAY = 2
CHAIRS = "NSEW"
PARTNER = {"N": "S", "S": "N", "E": "W", "W": "E"}
DECLARES, WATCHES, DEFENDS = "declarer", "dummy", "defence"


@dataclass(frozen=True)
class PublicSession:
    """A published session with a final ranking in which the person has a place."""

    session: int
    day: date
    name: str
    token: str
    state: str


def published_sessions_of(person: Person) -> list[PublicSession]:
    """Return a person's published sessions, the newest first.

    Makes one query.
    """
    here = EntryPerson.objects.filter(person=person).order_by().values("section__session")
    elsewhere = PastPlayer.objects.filter(person=person).order_by().values("line__past__session")
    free = ScoringSettings.objects.read_by_all().filter(final_at__isnull=False)
    mine = free.filter(Q(session__in=here) | Q(session__in=elsewhere))
    asked = mine.filter(session__in=real_sessions(person.club)).annotate(
        counted=Coalesce(Sum("session__sections__results"), 0),
        planned=Coalesce(Sum("session__sections__plan"), 0),
        at=TimeAsText("final_at"),
    )
    rows = asked.order_by("-session__date", "-session__starts_at", "-session").values_list(
        *("session", "session__date", "session__event__name", "token"),
        *("at", "revision", "counted", "planned"),
    )
    return [
        PublicSession(session, day, name, token, f"{WAY} {at}-{revision}-{counted}-{planned}")
        for session, day, name, token, at, revision, counted, planned in rows
    ]


@dataclass
class PlayerTotals:
    """Sums over boards: their number and percentages, and the tricks compared with double dummy."""

    boards: int = 0
    hundredths: int = 0
    compared: int = 0
    tricks: int = 0

    def add(self, percent: int | None, tricks: int | None) -> None:
        """Add a board's percentage and compared tricks, where they are known."""
        if percent is not None:
            self.boards, self.hundredths = self.boards + 1, self.hundredths + percent
        if tricks is not None:
            self.compared, self.tricks = self.compared + 1, self.tricks + tricks

    def join(self, sums: Iterable[int]) -> None:
        """Add the sums of another session to these."""
        boards, hundredths, compared, tricks = sums
        self.boards, self.hundredths = self.boards + boards, self.hundredths + hundredths
        self.compared, self.tricks = self.compared + compared, self.tricks + tricks

    @property
    def as_list(self) -> list[int]:
        """Return the sums as the list that the cache stores."""
        return [self.boards, self.hundredths, self.compared, self.tricks]


@dataclass
class PlayerRecord:
    """Data collected about one person while a session is read: boards, sums, partners, opponents."""

    boards: list[list[Any]] = field(default_factory=list)
    seats: defaultdict[str, PlayerTotals] = field(default_factory=lambda: defaultdict(PlayerTotals))
    lines: defaultdict[str, PlayerTotals] = field(default_factory=lambda: defaultdict(PlayerTotals))
    against: defaultdict[tuple[int, ...], PlayerTotals] = field(
        default_factory=lambda: defaultdict(PlayerTotals)
    )
    partners: Counter[int] = field(default_factory=Counter)
    rounds: set[int] = field(default_factory=set)
    where: tuple[str, str] = ("", "")  # the section and the label of their sheet


def session_totals(scored: ScoredSession) -> dict[int, tuple[dict[str, Any], list[list[Any]]]]:
    """Return each person's sums and boards in a session, by primary key of the person."""
    records: defaultdict[int, PlayerRecord] = defaultdict(PlayerRecord)
    tonight = scored.tonight
    chairs = _people_by_play(scored)
    for line in tonight.lines:
        there = chairs.get(line.play)
        if there is not None and line.outcome is not None:
            for chair, person in there.items():
                _add_board(records[person], scored, line, chair, there)
    lists, rounds = _ranking_rows(scored), _count_rounds_played(scored)
    return {
        person: (
            _session_values(scored, records[person], lists.get(entry), rounds[entry]),
            records[person].boards,
        )
        for person, entry in _entry_by_person(scored).items()
    }


def _people_by_play(scored: ScoredSession) -> dict[int, dict[str, int]]:
    """Return the people of the roster at each play, by seat."""
    inside = [section.pk for section in scored.tonight.sections]
    plays = Play.objects.filter(section__in=inside, taken_back_at=None)
    rows = plays.values_list("pk", "north", "south", "east", "west")
    return {
        key: {chair: person for chair, person in zip(CHAIRS, people, strict=True) if person}
        for key, *people in rows
    }


def _entry_by_person(scored: ScoredSession) -> dict[int, int]:
    """Return the entry of each person in a session; the first one if there are several.

    Entries of sections without a movement are included, so that their lack of results is known.
    """
    there = EntryPerson.objects.filter(section__session=scored.tonight.session)
    return dict(there.order_by("-from_round", "-pk").values_list("person", "entry"))


def _count_rounds_played(scored: ScoredSession) -> Counter[int]:
    """Return the number of rounds that each entry has played."""
    played = {
        (contestant.entry, line.round)
        for line in scored.tonight.lines
        if line.outcome is not None
        for contestant in line.ns + line.ew
    }
    return Counter(entry for entry, _round in played)


def _ranking_rows(scored: ScoredSession) -> dict[int, tuple[RankingList, RankedContestant]]:
    """Return the ranking and the ranking row of each entry, by primary key."""
    return {
        standing.contestant.entry: (ranking, standing)
        for ranking in scored.main_lists
        for standing in ranking.standings
    }


def _add_board(
    record: PlayerRecord,
    scored: ScoredSession,
    line: PlayLine,
    chair: str,
    seat_counts: dict[str, int],
) -> None:
    """Add a play to the collected results of the player in the seat `chair` ("N", "E", "S" or "W")."""
    side = "ns" if chair in "NS" else "ew"
    own = line.side(side)
    label = own[-1 if chair in "SW" else 0].slug if own else ""
    has = scored.side(line, side, of=label)
    exact = has.percent if has else None
    percent = None if exact is None else round(exact * 100)
    points = None if has is None or has.points is None else str(has.points)
    against = tricks_against_cards(cards_of_line(scored, line), line.outcome, side)
    tricks = against.gained if against else None
    role = _role_in_contract(line.outcome or {}, chair)
    if role:
        record.seats[role].add(percent, tricks)
    record.lines[side].add(percent, None)
    partner = seat_counts.get(PARTNER[chair])
    if partner:
        record.partners[partner] += 1
    others = tuple(
        sorted(
            person for seat, person in seat_counts.items() if seat not in (chair, PARTNER[chair])
        )
    )
    if others:
        record.against[others].add(percent, None)
    record.rounds.add(line.round)
    record.where = line.section.name, label
    record.boards.append(
        [line.board, line.section.name, line.outcome, chair, percent, points, tricks]
    )


def _role_in_contract(outcome: dict[str, Any], chair: str) -> str:
    """Return whether the player in `chair` was declarer, dummy or defender; empty without a contract."""
    match outcome:
        case {"contract": str(), "declarer": str(declarer)}:
            if declarer == chair:
                return DECLARES
            return WATCHES if PARTNER.get(declarer) == chair else DEFENDS
    return ""


def _session_values(
    scored: ScoredSession,
    record: PlayerRecord,
    line: tuple[RankingList, RankedContestant] | None,
    rounds: int,
) -> dict[str, Any]:
    """Return what the cache of personal pages stores about a person in a session."""
    data: dict[str, Any] = {
        "boards": len(record.boards),
        # drawn matches have no pages of boards, because numbers repeat in each match
        "has_boards": not any(section.stored.is_draw for section in scored.tonight.sections),
        "where": list(record.where),
        "seats": {role: sums.as_list for role, sums in record.seats.items()},
        "lines": {side: sums.as_list for side, sums in record.lines.items()},
        "against": [[list(person), *sums.as_list] for person, sums in record.against.items()],
        "with": [],
    }
    # a list's place belongs to players of at least half of the rounds
    if line is None or 2 * len(record.rounds) < rounds:
        return data
    ranking, standing = line
    in_points = scored.is_in_points
    value = standing.row.total if in_points else standing.row.percent
    data |= {
        "place": str(standing.row.place or ""),
        "of": len(ranking.standings),
        "value": "" if value is None else f"{value:.2f}",
        "unit": "total" if in_points else "percent",
        "with": [
            person for person, boards in record.partners.items() if 2 * boards > len(record.boards)
        ],
    }
    return data


def cache_own_page_data(session: int, state: str) -> None:
    """Compute the own-page data of all people in a published session, and store them in the cache."""
    first = sections_with_session().filter(session=session).order_by("pk").first()
    by_person = (
        session_totals(ScoredSession(SessionSnapshot(first)))
        if first
        else imported_session_totals(session)
    )
    rows = [
        PlayerSession(
            session_id=session,
            person_id=person,
            state=state,
            sums=json.dumps(sums, separators=(",", ":")),
            boards=json.dumps(boards, separators=(",", ":")),
        )
        for person, (sums, boards) in by_person.items()
    ]
    PlayerSession.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["person", "session"],
        update_fields=["state", "sums", "boards"],
    )


@dataclass(frozen=True)
class PlayerHistory:
    """A person's cached results in sessions, and how many sessions are still to be computed."""

    sums: dict[int, dict[str, Any]]
    #: the boards of the newest session that has any
    boards: list[list[Any]]
    waiting: int = 0


def player_history(
    person: Person, sessions: list[PublicSession], at_once: int = 0
) -> PlayerHistory:
    """Return a person's results in sessions from the cache; a few missing ones are computed now.

    Makes one query if all is cached. The newest `at_once` missing sessions are computed now (0: the
    default); a job computes the others.
    """
    at_once = at_once or AT_ONCE
    known_sessions = _stored_history(person, sessions)
    missing = [evening for evening in sessions if evening.session not in known_sessions.sums]
    for evening in missing[:at_once]:
        cache_own_page_data(evening.session, evening.state)
    if missing[at_once:]:
        request_job(JOB, person.pk)
    if missing:
        known_sessions = _stored_history(person, sessions)
    return replace(known_sessions, waiting=len(missing[at_once:]))


def _stored_history(person: Person, sessions: list[PublicSession]) -> PlayerHistory:
    """Return a person's cached results in these sessions."""
    states = {evening.session: evening.state for evening in sessions}
    mine = PlayerSession.objects.filter(person=person)
    played = mine.filter(session__in=[evening.session for evening in sessions[:LOOKED_AT]])
    newest = played.exclude(boards=NO_BOARDS).order_by(
        "-session__date", "-session__starts_at", "-session"
    )
    is_newest = When(pk=Subquery(newest.values("pk")[:1]), then=F("boards"))
    boards = Case(is_newest, default=Value(NO_BOARDS), output_field=TextField())
    rows = [
        row
        for row in mine.values_list("session", "state", "sums", boards)
        if states.get(row[0]) == row[1]
    ]
    return PlayerHistory(
        {key: json.loads(sums) for key, _state, sums, _boards in rows},
        [board for *_, text in rows if text != NO_BOARDS for board in json.loads(text)],
    )


@job_kind(JOB, seconds=240)
def compute_missing_sessions(key: str) -> None:
    """Background job: compute missing sessions of a person's personal page, a limited number at a time."""
    person = Person.objects.select_related("club").filter(pk=int(key)).first()
    if person is not None and person.anonymous_since is None:
        player_history(person, published_sessions_of(person), MOST_OF_A_JOB)
