"""A club's final lists as a season reads them: people, values and place of each line.

A session is evaluated once, when its list becomes final. The lines are stored (`FinalList`) with the session's state:
how often it was made final or revised, and the counters of its sections. If the state has changed, the lines are
calculated again. A list that is no longer final is not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Func, Q, QuerySet, Sum, TextField
from django.utils import timezone

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import Entry, EntryPerson, PastLine, Section
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.classes import awarded_masterpoints
from bridgebuddy.scoring.results.figures import has_new_ranking
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.counted import RankedContestant, RankingList
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.contest import Contest

from ..models import FinalList
from ..rules.model import People, SeasonRow

#: fields of a stored line: its people, their substitutes, its values, and the list within the session
SEATS, SAT, PERCENTAGE, PLACE, BOARDS, VPS, IMPS, MASTERPOINTS, LIST = range(9)
Kept = list[Any]


class FinalSession(NamedTuple):  # an old club has thousands
    """A session with a final ranking."""

    session: int
    date: date
    event: int
    name: str
    revision: int
    state: str


def final_lists_state(sessions: Iterable[FinalSession]) -> list[tuple[int, str, date]]:
    """Return data that change whenever one of these final rankings changes: its session, counter and day."""
    return [(final.session, final.state, final.date) for final in sessions]


class TimeAsText(Func):
    """A database function that returns a time as text, since parsing thousands of times would be slow."""

    template = "%(expressions)s"
    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **more: Any) -> tuple[str, Any]:
        """Return the SQL for SQLite, which adds the time zone as PostgreSQL does."""
        return self.as_sql(compiler, connection, template="(%(expressions)s || '+00:00')", **more)


def final_results(
    club: Club, since: date | None = None, until: date | None = None
) -> list[FinalSession]:
    """Return a club's sessions with a final ranking in a period, by day. One query."""
    scorings = _final_scorings(club)
    if since:
        scorings = scorings.filter(session__date__gte=since)
    if until:
        scorings = scorings.filter(session__date__lte=until)
    rows = scorings.annotate(
        counted=Sum("session__sections__results"),
        planned=Sum("session__sections__plan"),
        at=TimeAsText("final_at"),
    ).order_by("session__date", "session__starts_at", "session")
    return [
        FinalSession(key, day, event, name, revision, f"{at}-{revision}-{counted}-{planned}")
        for key, day, event, name, revision, at, counted, planned in rows.values_list(
            "session",
            "session__date",
            "session__event",
            "session__event__name",
            "revision",
            "at",
            "counted",
            "planned",
        )
    ]


def _final_scorings(club: Club) -> QuerySet[ScoringSettings]:
    """Return the scoring settings of the club's sessions whose ranking is final and may count.

    A list that was published and withdrawn does not count, nor does a list under embargo.
    """
    final_scorings = ScoringSettings.objects.filter(
        session__event__club=club,
        session__deleted_at=None,
        session__rehearsal_until=None,
        final_at__isnull=False,
        withdrawn_at__isnull=True,
    )
    return final_scorings.exclude(embargo_until__gt=timezone.now())


def lines_by_session(
    sessions: Iterable[FinalSession], *, keeps: bool = True
) -> dict[int, list[Kept]]:
    """Return the stored rows of final rankings by session; missing ones are calculated (and stored if `keeps`).

    A page that shows one moment must not write, so it passes `keeps=False`.
    """
    by_session = {final_list.session: final_list for final_list in sessions}
    stored_lines = _stored_final_lists(by_session).values_list("session", "state", "lines")
    lines = {
        key: json.loads(text)
        for key, state, text in stored_lines
        if key in by_session and state == by_session[key].state
    }
    for key, final in by_session.items():
        if key not in lines:
            lines[key], is_new = _compute_lines_now(final)
            if keeps:
                _store_final_list(final, lines[key], is_new)
    return lines


def revised_lists(sessions: Iterable[FinalSession]) -> list[FinalSession]:
    """Return the sessions whose final ranking differs from the one first declared final."""
    changed = [final for final in sessions if final.revision > 1]
    stored_lines = {
        key: (state, is_new)
        for key, state, is_new in _stored_final_lists(
            {final.session: final for final in changed}
        ).values_list("session", "state", "has_new_ranking")
    }
    return [
        final
        for final in changed
        if _is_revised_list(final, *stored_lines.get(final.session, ("", False)))
    ]


def _is_revised_list(final: FinalSession, state: str, is_new: bool) -> bool:
    """Return whether a session's ranking differs from the one first declared final; recompute it if needed."""
    return is_new if state == final.state else _compute_lines_now(final)[1]


def store_lists(sessions: Iterable[FinalSession]) -> None:
    """Calculate and store the final rankings of these sessions that are not stored yet."""
    by_session = {final_list.session: final_list for final_list in sessions}
    states = dict(_stored_final_lists(by_session).values_list("session", "state"))
    for key, final in by_session.items():
        if states.get(key) != final.state:
            _store_final_list(final, *_compute_lines_now(final))


#: most keys in a query
MANY = 900


def _stored_final_lists(sessions: Mapping[int, FinalSession]) -> QuerySet[FinalList]:
    """Return the stored final rankings of these sessions."""
    if len(sessions) < MANY:
        return FinalList.objects.filter(session__in=sessions)
    days = [final_list.date for final_list in sessions.values()]
    events = {final_list.event for final_list in sessions.values()}
    between = Q(session__date__gte=min(days), session__date__lte=max(days))
    return FinalList.objects.filter(between, session__event__in=events)


def _compute_lines_now(final: FinalSession) -> tuple[list[Kept], bool]:
    """Return a final ranking's rows, and whether they differ from the ranking first declared final."""
    section = Section.objects.filter(session=final.session).order_by("pk")
    first = section.select_related("session__event__club", "movement").first()
    if first is None:
        return _lines_of_past_session(final.session), False
    scored = ScoredSession(SessionSnapshot(first))
    return compute_lines(scored), has_new_ranking(scored)


def _store_final_list(final: FinalSession, lines: list[Kept], is_new: bool) -> None:
    """Store the rows of a session's final ranking."""
    FinalList.objects.update_or_create(
        session_id=final.session,
        defaults={
            "state": final.state,
            "revision": final.revision,
            "lines": json.dumps(lines, separators=(",", ":")),
            "has_new_ranking": is_new,
        },
    )


def _lines_of_past_session(session: int) -> list[Kept]:
    """Return the rows of an imported session's ranking."""
    lines = PastLine.objects.filter(past__session=session).select_related("past")
    fields: dict[str, int] = {}
    return [
        [
            people,
            0,
            _normalized_fraction(line.percent),
            line.place,
            line.boards,
            _normalized_fraction(line.total if line.past.unit == "vp" else ""),
            _imps_a_board(line),
            _normalized_fraction(line.masterpoints),
            fields.setdefault(line.field, len(fields)),
        ]
        for line in lines.prefetch_related("past_players").order_by("number")
        if (people := sorted(player.person_id for player in line.past_players.all()))
    ]


def _normalized_fraction(text: str) -> str | None:
    """Return the text of a fraction in lowest terms; None for an empty text."""
    return _fraction_text(Fraction(text) if text else None)


def _imps_a_board(line: PastLine) -> str | None:
    """Return the IMPs per board in an imported row; None if the number of boards is unknown."""
    if line.past.unit != "imp" or not line.total or not line.boards:
        return None
    return _fraction_text(Fraction(line.total) / line.boards)


def compute_lines(scored: ScoredSession) -> list[Kept]:
    """Return a row to store for each contestant in the rankings that decide the winners."""
    people = people_of_entries(
        [
            standing.contestant.entry
            for ranking in scored.main_lists
            for standing in ranking.standings
        ]
    )
    return [
        line
        for number, ranking in enumerate(scored.main_lists)
        for line in _lines_of(scored, ranking, number, people)
        if line[SEATS]
    ]


def _lines_of(
    scored: ScoredSession,
    ranking: RankingList,
    number: int,
    people: Mapping[int, tuple[list[int], list[int]]],
) -> Iterator[Kept]:
    """Yield the rows of a ranking in their stored form."""
    has_points = bool(scored.tonight.scoring.masterpoints)
    points = awarded_masterpoints(scored, ranking) if has_points else {}
    for standing in ranking.standings:
        seats, sat = people.get(standing.contestant.entry, ([], []))
        place = int(standing.place.rstrip("=")) if standing.place else None
        is_counted = has_points and (place is not None or standing.row.boards)
        amount = points.get(standing.contestant_key, Fraction(0)) if is_counted else None
        yield [
            seats,
            0 if sat == seats else sat,
            _fraction_text(_exact_percentage(scored, standing)),
            place,
            standing.row.boards,
            _fraction_text(_exact_total(standing) if scored.is_in_victory_points else None),
            _fraction_text(_imps_per_board(scored, standing)),
            _fraction_text(amount),
            number,
        ]


def _fraction_text(value: Fraction | None) -> str | None:
    """Return a fraction as text for the database."""
    return None if value is None else str(value)


def _exact_total(contestant: RankedContestant) -> Fraction | None:
    """Return the exact total of a ranked contestant."""
    return contestant.row.exact_total


def _exact_percentage(scored: ScoredSession, contestant: RankedContestant) -> Fraction | None:
    """Return a ranked contestant's exact percentage in this session alone, after penalties."""
    printed, total, top = contestant.row.percent, _exact_total(contestant), contestant.row.top
    if not scored.is_per_cent or printed is None:
        return None
    if (
        contestant.row.overall is None
        and contestant.row.exact is not None
        and not scored.is_in_points
    ):
        return contestant.row.exact
    exact = 100 * total / Fraction(str(top)) if total is not None and top else None
    if exact is not None and abs(exact - Fraction(str(printed))) < Fraction(1, 100):
        return exact
    return Fraction(str(printed))


def _imps_per_board(scored: ScoredSession, contestant: RankedContestant) -> Fraction | None:
    """Return a contestant's IMPs per board; None if the session is not scored in IMPs."""
    total = _exact_total(contestant)
    if (
        total is None
        or not contestant.row.boards
        or scored.is_per_cent
        or scored.is_in_victory_points
    ):
        return None
    return total / contestant.row.boards


def people_of_entries(entries: Iterable[int]) -> dict[int, tuple[list[int], list[int]]]:
    """Return for each entry its regular people, and the people that played most in each seat.

    Reserves are not among its people.
    """
    links = EntryPerson.objects.filter(
        entry__in=list(entries), position__lte=Contest.TEAMS.people
    ).order_by("entry", "position", "from_round")
    rounds = {
        key: (count or 1)
        for key, count in Entry.objects.filter(pk__in=list(entries)).values_list(
            "pk", "section__round"
        )
    }
    owners: dict[int, dict[int, int]] = {}
    played: dict[int, dict[int, dict[int, int]]] = {}
    for link in links:
        last = min(link.until_round or rounds[link.entry_id], rounds[link.entry_id])
        owners.setdefault(link.entry_id, {})[link.position] = link.plays_for_id or link.person_id
        sat = played.setdefault(link.entry_id, {}).setdefault(link.position, {})
        sat[link.person_id] = sat.get(link.person_id, 0) + max(0, last - link.from_round + 1)
    return {
        entry: (
            sorted(set(places.values())),
            sorted({max(sat, key=lambda people: sat[people]) for sat in played[entry].values()}),
        )
        for entry, places in owners.items()
    }


def season_rows(
    lines: Iterable[Kept],
    *,
    as_played: bool = False,
    fewest: int = 0,
    teams: Mapping[People, str] | None = None,
) -> tuple[SeasonRow, ...]:
    """Return stored rows as rows of a season, with the teams' names."""
    return tuple(
        SeasonRow(
            _people_of_line(line, as_played),
            _read_fraction(line[PERCENTAGE]),
            line[PLACE],
            _read_fraction(line[VPS]),
            _read_fraction(line[IMPS]),
            _read_fraction(line[MASTERPOINTS]),
            teams.get(tuple(map(str, line[SEATS])), "") if teams else "",
        )
        for line in lines
        if line[BOARDS] is None or line[BOARDS] >= fewest
    )


def percentages_of(
    lines: Iterable[Kept], *, as_played: bool = False, fewest: int = 0
) -> Iterator[tuple[People, int, int]]:
    """Yield the people of each stored row with their percentage as numerator and denominator."""
    for line in lines:  # a large club has more than ten thousand
        text = line[PERCENTAGE]
        if text is not None and (line[BOARDS] is None or line[BOARDS] >= fewest):
            people = line[SAT] if as_played and line[SAT] else line[SEATS]
            above, _, below = text.partition("/")
            yield tuple(map(str, people)), int(above), int(below or 1)


class FinalLine(NamedTuple):
    """A stored row of a final ranking: all its people, those it counts for, and its number of boards."""

    people: frozenset[str]
    counts_for: People
    boards: int | None


def people_by_line(lines: Iterable[Kept], *, as_played: bool) -> Iterator[FinalLine]:
    """Yield the people of each stored row, including those for whom it does not count."""
    for line in lines:
        everybody = frozenset(map(str, [*line[SEATS], *(line[SAT] or [])]))
        yield FinalLine(everybody, _people_of_line(line, as_played), line[BOARDS])


def _people_of_line(line: Kept, as_played: bool) -> People:
    """Return the people for whom a stored row counts: the players, or the owners of the seats."""
    return tuple(map(str, line[SAT] if as_played and line[SAT] else line[SEATS]))


def _read_fraction(text: str | None) -> Fraction | None:
    """Return the number in a stored text; faster than `Fraction`, which accepts any text."""
    return None if text is None else Fraction(*fraction_parts(text))


def fraction_parts(text: str) -> tuple[int, int]:
    """Return the numerator and denominator of the number in a stored text."""
    above, _, below = text.partition("/")
    return int(above), int(below or 1)
