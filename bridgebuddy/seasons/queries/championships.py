"""A championship's current state: its sessions, its lines, and the changes since the session before.

It is cached without names; they are read for each request, because readers have different rights to see them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, TypedDict, TypeVar

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.clubs.people.public_names import text_with_public_names
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.states import row_values
from bridgebuddy.operations.caching import cached

from ..models import Championship
from ..rules import model, totals
from ..rules.counting import counting_values
from ..rules.handicap import RecentResults, months_before
from ..rules.promotion import Had, Promotion, group_changes
from ..rules.standing import fewest_values, standing_of_values
from ..rules.teams import teams_of
from .club_rules import ClubRules
from .final_lists import (
    FinalLine,
    FinalSession,
    final_lists_state,
    final_results,
    lines_by_session,
    people_by_line,
    percentages_of,
    season_rows,
)
from .people_by_key import line_names, people_of
from .team_names import Names

Value = TypeVar("Value")


class _Eligibility(TypedDict):
    """Which rows of a session count: for owners of seats or those who played, and with how many boards."""

    as_played: bool
    fewest: int


#: common people from which on two line-ups are the same team
SAME = 3


@dataclass(frozen=True)
class ChampionshipStandings:
    """A championship's calculated ranking in the form that is cached, with people as keys."""

    lines: tuple[model.StandingLine, ...]
    below: tuple[model.StandingLine, ...]
    #: by people: places gained in the last session; None: new
    moved: Mapping[model.People, int | None]
    #: by people: a team's latest name, as written
    teams: Mapping[model.People, str]
    #: with groups: their state, and the people that would change over now; the lines stand group by group
    promotion: Promotion | None = None

    def group_of(self, people: model.People) -> int:
        """Return the number of the group, from 0, in which the contestant `people` is."""
        groups = self.promotion.groups if self.promotion else ()
        return next((number for number, group in enumerate(groups) if people in group.order), 0)

    def list_with(self, people: model.People) -> Sequence[model.StandingLine]:
        """Return the rows that are ranked together with a contestant: all, or those of their group."""
        return self.promotion.groups[self.group_of(people)].lines if self.promotion else self.lines


def championship_rules(
    championship: Championship, sessions: Collection[int], club: ClubRules
) -> model.Championship:
    """Return a stored championship's rules as input for the calculation of its ranking."""
    return model.Championship(
        championship.name,
        championship.of,
        championship.counts,
        championship.rule,
        best=championship.best if totals.RULES[championship.rule].keeps_best else None,
        least=championship.least,
        each=(championship.each or 1) if totals.RULES[championship.rule].uses_each else None,
        handicap=club.handicap(championship.since if championship.is_frozen else None)
        if championship.has_handicap and championship.is_per_cent
        else None,
        ties=championship.ties,
        then=championship.then,
        sessions=frozenset(map(str, sessions)),
        only=club.eligible_people(championship),
        same=SAME if championship.of == Championship.Of.TEAM else None,
        known=tuple(tuple(people) for group in championship.groups for people in group),
    )


class ChampionshipTable:
    """A championship with its sessions and its calculated ranking, for pages."""

    def __init__(
        self,
        championship: Championship,
        final_sessions: Sequence[FinalSession] | None = None,
        club_rules: ClubRules | None = None,
    ) -> None:
        """Read a championship. `final_sessions` and `club_rules` avoid reading them again for several tables."""
        self.championship = championship
        self.club = championship.club
        self._every = final_sessions
        if club_rules is not None:
            self.club_rules = club_rules

    @cached_property
    def _final_lists(self) -> list[FinalSession]:
        """Return the sessions with a final ranking that may count, and earlier ones that handicaps need."""
        one = self.championship
        return self._read_final_lists(
            _first_day(one, self.club_rules), None if one.brought_in else one.until
        )

    def _read_final_lists(
        self, since: date | None = None, until: date | None = None
    ) -> list[FinalSession]:
        """Return the sessions with a final ranking in a period, already read ones if possible."""
        if self._every is None:
            return final_results(self.club, since, until)
        return [
            each
            for each in self._every
            if (since is None or each.date >= since) and (until is None or each.date <= until)
        ]

    @cached_property
    def sessions(self) -> list[FinalSession]:
        """Return the sessions that count in the championship, oldest first."""
        return [final for final in self._final_lists if session_counts(self.championship, final)]

    @cached_property
    def sessions_to_come(self) -> int | None:
        """Return the number of counting sessions to come: 0 after the end, None if it is not known."""
        one, planned = self.championship, self.championship.planned
        if one.is_final or (one.until is not None and one.until < self.club.today):
            return 0
        return max(0, planned - len(self.sessions)) if planned else None

    @cached_property
    def club_rules(self) -> ClubRules:
        """Return the club's rule for handicaps and its roster, read once."""
        return ClubRules(self.club)

    @cached_property
    def rules(self) -> model.Championship:
        """Return the championship's rules as input for the calculation of its ranking."""
        keys = [session.session for session in self.sessions]
        return championship_rules(self.championship, keys, self.club_rules)

    @cached_property
    def fewest_sessions(self) -> int:
        """Return the fewest sessions with which a contestant is ranked."""
        return fewest_values(self.rules)

    @cached_property
    def standings(self) -> ChampionshipStandings:
        """Return the calculated ranking, from the cache if possible."""
        return self.cached("standings", lambda: self._compute_standings(self._needed_sessions))

    @property
    def _needed_sessions(self) -> Sequence[FinalSession]:
        """Return the sessions that the ranking depends on: with handicaps also earlier ones."""
        return self._final_lists if self.rules.handicap else self.sessions

    @cached_property
    def _state(self) -> str:
        """Return a text that changes whenever data that the ranking depends on change, as its cache key."""
        roster = self.club_rules.roster_state
        return repr(
            [
                row_values(self.championship),
                self.rules,
                roster,
                final_lists_state(self._needed_sessions),
                self._team_names,
                self._forgotten_people,
            ]
        )

    @cached_property
    def _team_names(self) -> Names:
        """Return the names of the teams by session and people; empty unless teams are ranked."""
        if self.championship.of != Championship.Of.TEAM:
            return {}
        return self.club_rules.team_names({session.session for session in self.sessions})

    def cached(self, kind: str, build: Callable[[], Value], *more: Hashable) -> Value:
        """Return a value of the championship from the cache, or build it; nothing is cached for an unsaved one."""
        key = self.championship.pk
        return build() if key is None else cached((kind, key, *more), self._state, build)

    def _compute_standings(self, sessions: Sequence[FinalSession]) -> ChampionshipStandings:
        """Calculate the ranking from these sessions."""
        season, form = self._season(sessions)
        teams = teams_of(season, self.rules) if self.rules.same else None
        had = counting_values(season, self.rules, teams, form)
        changes = self._compute_promotion(had)
        lines, below = self._ranked_and_unranked(had, changes)
        before: dict[model.People, int] = {}
        if len(self.sessions) > 1:
            last = str(self.sessions[-1].session)
            earlier = {
                people: [v for v in each if v.session.id != last] for people, each in had.items()
            }
            earlier_values = {
                line.who: line
                for line in (*lines, *below)
                if len(earlier.get(line.who, ())) == len(line.values)
            }
            former, _ = self._ranked_and_unranked(
                {people: each for people, each in earlier.items() if each},
                known_rows=earlier_values,
            )
            before = {line.who: line.place for line in former}
        moved = {
            line.who: before[line.who] - line.place if line.who in before else None
            for line in lines
        }
        return ChampionshipStandings(
            tuple(lines),
            tuple(below),
            moved if before else {},
            teams.names if teams else {},
            changes,
        )

    def _season(
        self, sessions: Sequence[FinalSession]
    ) -> tuple[model.Season, RecentResults | None]:
        """Return the sessions from the first counting one on, and earlier percentages needed for handicaps."""
        one = self.championship
        how: _Eligibility = {
            "as_played": one.whose == Championship.SubstitutedResult.PLAYED,
            "fewest": one.fewest_boards or 0,
        }
        counting = {each.session for each in self.sessions}
        begins = (at for at, each in enumerate(sessions) if each.session in counting)
        first = next(begins, len(sessions)) if self.rules.handicap else 0
        form = (
            self._handicap_form(self.rules.handicap, sessions[:first], how)
            if self.rules.handicap
            else None
        )
        lines_of_session = lines_by_session(sessions[first:])
        played = []
        for each in sessions[first:]:
            teams = self._team_names.get(each.session)
            rows = season_rows(lines_of_session[each.session], teams=teams, **how)
            played.append(model.Session(str(each.session), each.date, rows))
        return model.Season(tuple(played)), form

    def _handicap_form(
        self,
        rule: model.Handicap,
        earlier_sessions: Sequence[FinalSession],
        eligibility: _Eligibility,
    ) -> RecentResults:
        """Return the percentages before the championship, from which its first handicaps are computed."""
        form, lines = RecentResults(rule), lines_by_session(earlier_sessions)
        for each in earlier_sessions:
            form.add_all(each.date, percentages_of(lines[each.session], **eligibility))
        return form

    def sessions_without_value(self, people: model.People) -> dict[int, FinalLine]:
        """Return the sessions that `people` played but that gave them no value, by session key."""
        line = self.line(people)
        has = {value.session.id for value in line.values} if line else set()
        others = [session for session in self.sessions if str(session.session) not in has]
        as_played = self.championship.whose == Championship.SubstitutedResult.PLAYED
        return {
            session: evening
            for session, lines in lines_by_session(others, keeps=False).items()
            for evening in people_by_line(lines, as_played=as_played)
            if (
                evening.people.issuperset(people)
                if len(people) < SAME
                else len(evening.people.intersection(people)) >= SAME
            )
        }

    def _compute_promotion(self, values: Had) -> Promotion | None:
        """Return who would change between groups if the championship ended now; None without groups."""
        one = self.championship
        if not one.groups:
            return None
        gone = {tuple(people) for people in one.gone}
        gone.update(people for people in values if self._has_left(people))
        return group_changes(self.rules, self._group_members, values, one.change_over, gone)

    def _ranked_and_unranked(
        self,
        values: Had,
        changes: Promotion | None = None,
        known_rows: Mapping[model.People, model.StandingLine] | None = None,
    ) -> tuple[list[model.StandingLine], list[model.StandingLine]]:
        """Return the ranked rows and those with too few sessions; `known_rows` are reused."""
        if not self.championship.groups:
            return standing_of_values(self.rules, values, known_rows)
        group_tables = (changes or group_changes(self.rules, self._group_members, values, 0)).groups
        return [line for group_table in group_tables for line in group_table.lines], [
            line for group_table in group_tables for line in group_table.below
        ]

    @property
    def _group_members(self) -> list[list[model.People]]:
        """Return the contestants of each group, as the director divided them."""
        return [[tuple(people) for people in group] for group in self.championship.groups]

    @cached_property
    def _forgotten_people(self) -> list[str]:
        """Return the keys of people removed from the roster, which only a ranking in groups needs."""
        return self.club_rules.forgotten_people if self.championship.groups else []

    def _has_left(self, people: model.People) -> bool:
        """Return whether too few of a contestant's people are left on the roster."""
        there = len(set(people) - set(self._forgotten_people))
        return there < (SAME if self.rules.same else len(people))

    # ── names ──

    @cached_property
    def _people_by_key(self) -> dict[str, Person]:
        """Return the people of all rows by their keys."""
        whole = [*self.standings.lines, *self.standings.below]
        return people_of(self.club, {person for line in whole for person in line.who})

    @cached_property
    def names(self) -> dict[str, str]:
        """Return the names of all people in the ranking that this reader may see, by key. One query."""
        return {key: person.name for key, person in self._people_by_key.items()}

    def people(self, contestant: model.People) -> str:
        """Return the names of a contestant's people as text."""
        return line_names(self.names, contestant)

    def team(self, people: model.People) -> str:
        """Return a team's name without the parts that people have hidden; empty if it has no name."""
        name = self.standings.teams.get(people, "")
        team_people = (self._people_by_key[key] for key in people if key in self._people_by_key)
        return text_with_public_names(name, team_people) if name else ""

    def line_text(self, people: model.People) -> str:
        """Return the name of a contestant: the team's name, or else the names of its people."""
        return self.team(people) or self.people(people)

    @property
    def leading_lines(self) -> list[model.StandingLine]:
        """Return the rows in first place of the first group: several if they are level."""
        first = self.standings.lines[:1]
        lines = self.standings.list_with(first[0].who) if first else ()
        return [line for line in lines if line.place == 1]

    def line(self, people: model.People) -> model.StandingLine | None:
        """Return the row of the contestant `people`, ranked or not; None if there is none."""
        whole = (*self.standings.lines, *self.standings.below)
        return next((line for line in whole if line.who == people), None)

    @cached_property
    def rows_to_store(self) -> list[list[object]]:
        """Return the people, total and place of each row, to store when the ranking is made final."""
        return [[list(line.who), str(line.total), line.place] for line in self.standings.lines]

    @property
    def differs_from_final_ranking(self) -> bool:
        """Return whether a final ranking has changed since; another order of equals is no change."""
        was = self.championship.final_rows
        return self.championship.is_final and _ordered_rows(was) != _ordered_rows(
            self.rows_to_store
        )


def _ordered_rows(rows: Iterable[list[Any]]) -> list[list[Any]]:
    """Return stored ranking rows, sorted, so that two rankings that differ only in order compare as equal."""
    return sorted([sorted(people), *has] for people, *has in rows)


def _first_day(championship: Championship, rules: ClubRules) -> date | None:
    """Return the first day whose results may count or affect handicaps; None for no limit."""
    if championship.since is None or championship.brought_in:
        return None
    return months_before(
        championship.since,
        rules.months_needed if championship.has_handicap and championship.is_per_cent else 0,
    )


def final_lists_for(
    club: Club, championships: Iterable[Championship], rules: ClubRules
) -> list[FinalSession]:
    """Return the sessions with a final ranking that these championships need. One query."""
    days = [_first_day(championship_table, rules) for championship_table in championships]
    return final_results(club, None if None in days else min(filter(None, days), default=None))


def session_counts(championship: Championship, final: FinalSession) -> bool:
    """Return whether a session counts in a championship: chosen by hand, or by weekday, event and date."""
    if final.session in championship.left_out:
        return False
    if final.session in championship.brought_in:
        return True
    return (
        not championship.is_by_hand
        and (championship.weekday is None or final.date.weekday() == championship.weekday)
        and (championship.event_id is None or final.event == championship.event_id)
        and (championship.since is None or final.date >= championship.since)
        and (championship.until is None or final.date <= championship.until)
    )


def championships_shown_before(section: Section) -> list[ChampionshipTable]:
    """Return the published championships that the room display shows before a session."""
    session = section.session
    tonight = FinalSession(session.pk, session.date, session.event_id, "", 1, "")
    asked = Championship.objects.filter(
        club=section.club, is_in_room=True, published_at__isnull=False
    ).select_related("event")
    tables = []
    for championship in asked.order_by("pk"):
        championship.club = section.club
        if session_counts(championship, tonight) or championship.is_by_hand:
            tables.append(ChampionshipTable(championship))
    return tables


def championship_tables(
    club: Club, championships: Sequence[Championship]
) -> list[ChampionshipTable]:
    """Return the tables of several championships of a club, reading their common data once."""
    if len(championships) < 2:
        return [ChampionshipTable(championship) for championship in championships]
    rules = ClubRules(club)
    every = final_lists_for(club, championships, rules)
    return [ChampionshipTable(championship, every, rules) for championship in championships]
