"""Places in a knock-out by the round reached, not by IMPs, of which a beaten team may have the most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from bridgebuddy.events.models import Section

from ..rules.reports.results import MatchStanding, RankedLine, Results
from .drawn_rounds import draws_in_force, is_knockout, title_teams

#: a contestant by the name of the section and the label
Key = tuple[str, str]
R = TypeVar("R", RankedLine, MatchStanding)


def last_rounds(sections: Sequence[Section]) -> dict[int, int]:
    """Return the last knockout round that each entry (by key) has reached; missing entries reached the first.

    A team whose opponent has left goes on. In the last round that means it has won.
    """
    rounds: dict[int, int] = {}
    for section in sections:
        if not is_knockout(section):
            continue
        for draw in draws_in_force(section).values():
            decided = [entry for tie in draw.decided for entry in tie["through"]]
            rounds |= dict.fromkeys((*decided, *draw.through), draw.round)
        rounds |= dict.fromkeys(_unopposed_entries(section), section.rounds + 1)
    return rounds


def _unopposed_entries(section: Section) -> Iterator[int]:
    """Yield the entries that are still playing for the title but have no opponent in the last round."""
    movement, last = section.stored.movement, section.rounds
    if last in movement.open_rounds:
        return
    numbers = {e.pk: e.contestant for e in section.entries.exclude(contestant=None)}
    away = movement.absent(last)
    groups = [seating.contestants for seating in movement.in_round(last) if seating.is_played]
    groups += [triangle.teams for triangle in movement.triangles if last in triangle.rounds]
    busy = {team for group in groups if len(set(group) - away) > 1 for team in group}
    for entry in title_teams(section).get(last, ()):
        number = numbers.get(entry)
        if number is not None and number not in busy | away:
            yield entry


def ranked_by_rounds(
    results: Results,
    sections: Sequence[str],
    rounds: Mapping[Key, int],
    last: int,
    leavers: Collection[Key] = (),
) -> Results:
    """Return the results with contestants ordered by the knockout round that they reached.

    `sections` are those of the matches, in the document's order. In the `last` round, matches between teams that came
    equally far, or one round less, decide their order. Teams beaten before are ordered by the consolation. Teams
    still in are ordered by IMPs until then. Beaten teams without further matches share a place. Teams that have
    `leavers` are behind or level with those that play on for their place.
    """
    positions = _count_beaten_equals(results, sections, rounds, last)
    beside = _consolation_results(results, sections, rounds, last)
    most = max(map(len, beside.values()), default=0)
    furthest = max(rounds.values(), default=1)

    def placed_by_rounds(rows: Sequence[R]) -> tuple[R, ...]:
        """Return the rows with places by the round in which each team was knocked out."""
        with_place = [row for row in rows if row.place]

        def rank_key(row: R) -> tuple[int, int, bool, tuple[int, ...]]:
            """Return the sort key: the furthest round first."""
            played: tuple[int, ...] = beside.get(row.contestant_key, ())
            # a team that has left is ranked behind the losers of the rounds that it did not play
            missed: tuple[int, ...] = (2 * (row.contestant_key in leavers),) * (most - len(played))
            level, behind = rounds.get(row.contestant_key, 1), positions.get(row.contestant_key, 0)
            has_gone = row.contestant_key in leavers and level == furthest and not behind
            return -level, behind, has_gone, (*played, *missed)

        placed_rows: list[R] = []
        for (level, *_), group in groupby(sorted(with_place, key=rank_key), key=rank_key):
            equals, first = list(group), len(placed_rows) + 1
            is_still_in = -level == furthest < last
            if is_still_in:
                equals.sort(key=lambda row: -(row.total or 0))
            totals = [(row.total or 0) if is_still_in else 0 for row in equals]
            for row, total in zip(equals, totals, strict=True):
                place = first + sum(number > total for number in totals)
                shared = "=" if totals.count(total) > 1 else ""
                placed_rows.append(replace(row, place=f"{place}{shared}"))
        placed_rows += [row for row in rows if not row.place]
        return tuple(replace(row, order=order) for order, row in enumerate(placed_rows, start=1))

    standings = list(results.standings)
    if standings:
        rows = [replace(row, decided=None) for row in placed_by_rounds(standings[-1].rows)]
        standings[-1] = replace(standings[-1], rows=tuple(rows))
    rankings = tuple(
        replace(ranking, rows=placed_by_rounds(ranking.rows)) for ranking in results.rankings
    )
    return replace(results, standings=tuple(standings), rankings=rankings)


def _count_beaten_equals(
    results: Results, sections: Sequence[str], rounds: Mapping[Key, int], last: int
) -> dict[Key, int]:
    """Return for each contestant how many of those that reached the same round it beat in the last round."""
    ahead: defaultdict[Key, float] = defaultdict(float)
    met: defaultdict[Key, set[Key]] = defaultdict(set)
    for round, home, away, margin in _finished_matches(results, sections):
        came = rounds.get(home, 1)
        if round != last or came != rounds.get(away, 1) or came < last - 1:
            continue
        ahead[home] += margin
        ahead[away] -= margin
        met[home].add(away)
        met[away].add(home)
    return {
        contestant: sum(ahead[other] > ahead[contestant] for other in met[contestant])
        for contestant in met
    }


def _consolation_results(
    results: Results, sections: Sequence[str], rounds: Mapping[Key, int], last: int
) -> dict[Key, tuple[int, ...]]:
    """Return sort values from the consolation matches of those who lost before the semi-finals.

    Matches of the same two teams count together. For each one the figure is the number of matches ahead less the
    number behind.
    """
    ahead: defaultdict[tuple[Key, frozenset[Key]], float] = defaultdict(float)
    groups: dict[frozenset[Key], int] = {}
    for round, home, away, margin in _finished_matches(results, sections):
        if max(rounds.get(home, 1), rounds.get(away, 1)) < min(round, last - 1):
            two = frozenset((home, away))
            groups.setdefault(two, round)
            ahead[home, two] += margin
            ahead[away, two] -= margin
    results_of_team: defaultdict[Key, list[int]] = defaultdict(list)
    for two in sorted(groups, key=lambda group: (groups[group], sorted(group))):
        for contestant in two:
            results_of_team[contestant].append(
                (ahead[contestant, two] < 0) - (ahead[contestant, two] > 0)
            )
    return {contestant: tuple(each) for contestant, each in results_of_team.items()}


def _finished_matches(
    results: Results, sections: Sequence[str]
) -> Iterator[tuple[int, Key, Key, float]]:
    """Yield the completed matches: the round, both sides, and the first side's lead."""
    for match in results.matches:
        lead, points = match.lead, match.points
        if lead is None and points and match.rule != "bye":
            lead = points.ahead
        if lead is not None and match.rule != "open" and match.away is not None:
            section = sections[match.match]
            yield match.round, (section, match.home), (section, match.away), lead
