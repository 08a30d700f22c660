"""The identity of teams over a season: a team that changes a member, or its name, remains the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .model import Championship, People, Season, SeasonRow

#: least number of people that make a team
TEAM = 3
#: weights above any number of people: the same name, and exactly the same people
NAMED, EXACTLY = 1000, 2000


@dataclass(slots=True)
class Team:
    """A team over a season: its first people, later members, each of its line-ups, and its latest name."""

    people: list[str]
    line_ups: list[frozenset[str]] = field(default_factory=list)
    name: str = ""

    def likeness(self, row: SeasonRow, common_count: int) -> int:
        """Return how well a session's row fits the team; 0 if it must be another team.

        >>> lions = Team(["A", "B", "C", "D"], [frozenset("ABCD")], "Lions")
        >>> [lions.likeness(SeasonRow(tuple(who)), 3) for who in ("ABCE", "ABEF")]
        [3, 0]
        >>> lions.likeness(SeasonRow(tuple("AEFG"), team="LIONS"), 3)
        1001
        """
        people = frozenset(row.who)
        if people in self.line_ups:
            return EXACTLY
        shared = len(people.intersection(self.people))
        if shared and row.team and row.team.casefold() == self.name.casefold():
            return NAMED + shared
        shared = max((len(people & line_up) for line_up in self.line_ups), default=0)
        return shared if shared >= common_count else 0

    def add_row(self, row: SeasonRow) -> None:
        """Add a session's result row to the team: its new people, its line-up and its name."""
        self.people += sorted(set(row.who).difference(self.people))
        self.line_ups.append(frozenset(row.who))
        self.name = row.team or self.name

    @property
    def key(self) -> People:
        """Return the team's key: its people in the order of joining."""
        return tuple(self.people)


@dataclass(frozen=True, slots=True)
class Teams:
    """The teams of a season: the team of each row, by session and people, and each team's name."""

    of: Mapping[tuple[str, People], People]
    names: Mapping[People, str]


def teams_of(season: Season, rules: Championship) -> Teams:
    """Decide which rows of a season belong to the same team, although members change.

    Line-ups that share as many people as the list says are one team. With an equal name, one shared person is enough.
    A team has one row in a session: the most similar one. If the list gives no number, only the same people are the
    same team.
    """
    same = rules.same or 0
    known_teams = [Team(list(people), [frozenset(people)]) for people in rules.known]
    team_of: dict[tuple[str, People], Team] = {}
    for session in season.sessions:
        if rules.sessions is not None and session.id not in rules.sessions:
            continue
        rows = {frozenset(row.who): row for row in session.rows if len(row.who) >= TEAM}
        whose = {}
        for people, team in _match_rows_to_teams(list(rows.values()), known_teams, same):
            team.add_row(rows[people])
            whose[people] = team
        team_of |= {
            (session.id, row.who): whose[frozenset(row.who)]
            for row in session.rows
            if len(row.who) >= TEAM
        }
    return Teams(
        {key: team.key for key, team in team_of.items()},
        {team.key: team.name for team in known_teams},
    )


def _match_rows_to_teams(
    rows: list[SeasonRow], teams: list[Team], common_count: int
) -> Iterator[tuple[frozenset[str], Team]]:
    """Yield the people of each row of a session with their team; new teams are appended to `teams`."""
    likely = sorted(
        (-like, place, number)
        for number, row in enumerate(rows)
        for place, team in enumerate(teams)
        if (like := team.likeness(row, common_count or EXACTLY))
        if common_count or like == EXACTLY
    )
    matched: dict[int, int] = {}  # index of the known team, by row
    for _, place, number in likely:
        if number not in matched and place not in matched.values():
            matched[number] = place
    for number, row in enumerate(rows):
        people = sorted(row.who)
        team = teams[matched[number]] if number in matched else _team_begun_by(people, teams)
        yield frozenset(people), team


def _team_begun_by(people: list[str], teams: list[Team]) -> Team:
    """Return the team whose first members are these people; add it to `teams` if it is new."""
    for team in teams:
        if team.people[: len(people)] == people:
            return team
    teams.append(Team(people))
    return teams[-1]
