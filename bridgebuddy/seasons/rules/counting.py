"""The values that count from a session: each way is a function from its rows to values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from bridgebuddy.scoring.rules.rounding import exact_mean

from .handicap import RecentResults
from .model import Championship, People, Season, SeasonRow, Session, SessionValue
from .teams import TEAM, Teams, teams_of

Amounts = list[tuple[SeasonRow, Fraction]]


def _points_for_places(rows: tuple[SeasonRow, ...]) -> Amounts:
    """Return each row's points for its place: N for the first of N, 1 for the last, shared by equals.

    >>> one, two, three = (SeasonRow((name,), place=place) for name, place in (("A", 1), ("B", 2), ("C", 2)))
    >>> [str(points) for row, points in _points_for_places((one, two, three))]
    ['3', '3/2', '3/2']
    """
    ranked = sorted((row for row in rows if row.place is not None), key=lambda row: row.place or 0)
    points: defaultdict[int | None, list[Fraction]] = defaultdict(list)
    for ahead, row in enumerate(ranked):
        points[row.place].append(Fraction(len(ranked) - ahead))
    return [(row, exact_mean(points[row.place])) for row in ranked]


def _wins_of_rows(rows: tuple[SeasonRow, ...]) -> Amounts:
    """Return a 1 for each row in first place and a 0 for each other row, to count wins."""
    return [(row, Fraction(row.place == 1)) for row in rows if row.place is not None]


def _one_for_each_session(rows: tuple[SeasonRow, ...]) -> Amounts:
    """Return 1 for each row, so that a championship counts sessions played."""
    return [(row, Fraction(1)) for row in rows]


def _amounts_of_field(name: str) -> Callable[[tuple[SeasonRow, ...]], Amounts]:
    """Return the function that takes the attribute `name` of each result row as its value."""

    def amounts_of_rows(rows: tuple[SeasonRow, ...]) -> Amounts:
        """Return the rows that have a value, with this value."""
        return [(row, value) for row in rows if (value := getattr(row, name)) is not None]

    return amounts_of_rows


#: values that may count in a session; a row without the value does not count
COUNTS: Mapping[str, Callable[[tuple[SeasonRow, ...]], Amounts]] = {
    "percentage": _amounts_of_field("percentage"),
    "imps": _amounts_of_field("imps"),
    "vps": _amounts_of_field("vps"),
    "places": _points_for_places,
    "masterpoints": _amounts_of_field("masterpoints"),
    "wins": _wins_of_rows,
    "evenings": _one_for_each_session,
}
#: value of a player that played twice in a session: usually the mean of both
_TWICE: Mapping[str, Callable[[list[Fraction]], Fraction]] = {
    "masterpoints": sum,  # type: ignore[dict-item]  # of fractions it is one
    "wins": max,
}


def _single_players(people: People) -> Iterable[People]:
    """Return a one-person key for each person of a result row, for a ranking of players."""
    return [(player,) for player in people]


def _sorted_pair(people: People) -> Iterable[People]:
    """Return the key of a pair's row: both people, sorted; nothing if the row has not two people."""
    return (tuple(sorted(people)),) if len(people) == 2 else ()


def _sorted_team(people: People) -> Iterable[People]:
    """Return the key of a team's row: its people, sorted; nothing if they are too few for a team."""
    return (tuple(sorted(people)),) if len(people) >= TEAM else ()


#: the contestants in a list to whom a row counts: each of its people, the pair, or the whole team
OF: Mapping[str, Callable[[People], Iterable[People]]] = {
    "player": _single_players,
    "pair": _sorted_pair,
    "partnership": _sorted_pair,
    "team": _sorted_team,
}
Had = tuple[Fraction, Fraction | None]
"""A contestant's value in a session, and the handicap in it."""


def counting_values(
    season: Season,
    rules: Championship,
    teams: Teams | None = None,
    form: RecentResults | None = None,
) -> dict[People, list[SessionValue]]:
    """Return each contestant's values from the sessions they played, oldest first.

    `teams` and `form` (percentages from before the season) may be passed in if they are known.
    """
    if teams is None and rules.of == "team" and rules.same:
        teams = teams_of(season, rules)
    if form is None and rules.handicap:
        form = RecentResults(rules.handicap)
    values: dict[People, list[SessionValue]] = {}
    for session in season.sessions:
        if rules.sessions is None or session.id in rules.sessions:
            bare = replace(session, rows=())  # stored lists need no other rows
            for people, (amount, more) in _values_by_contestant(
                session, rules, form, teams
            ).items():
                values.setdefault(people, []).append(SessionValue(bare, amount, True, "", more))
        if form:
            form.add(session)
    return values


def _values_by_contestant(
    session: Session, rules: Championship, form: RecentResults | None, teams: Teams | None
) -> dict[People, Had]:
    """Return each contestant's value in a session, and the handicap included in it."""
    owners, only = OF[rules.of], rules.only
    amounts: dict[People, Had] = {}
    twice: dict[People, list[Had]] = {}
    for row, bare in COUNTS[rules.counts](session.rows):
        more = form.handicap_of_row(row, session.date) if form else None
        has = (bare if more is None else bare + more), more
        for people in owners(row.who):
            if only is None or only.issuperset(people):
                whose = teams.of[session.id, row.who] if teams else people
                if whose in amounts:
                    twice.setdefault(whose, [amounts[whose]]).append(has)
                else:
                    amounts[whose] = has
    once = _TWICE.get(rules.counts, exact_mean)
    for whose, every in twice.items():
        added = exact_mean([more for _, more in every if more is not None]) if form else None
        amounts[whose] = once([amount for amount, _ in every]), added
    return amounts
