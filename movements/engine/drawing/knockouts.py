"""The rounds of a knock-out.

It plays in brackets of 9 to 16 teams, in which matches of three teams bring the field to four for the semi-finals. A
Soloway is a Swiss whose best teams go on to a knock-out: `knockout_round` of the head of the ranking.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from ..errors import NoDraw
from .draws import Draw, first_draw

MOST_IN_BRACKET = 16


@dataclass(frozen=True, slots=True)
class KnockoutMatch:
    """A knockout match between two teams, or three in a three-way match, and how many of them qualify."""

    teams: tuple[int, ...]
    go_on: int = 1
    event: Literal["main", "consolation", "third place"] = "main"


def knockout_brackets(teams: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Divide the teams of a knockout into brackets of at most 16 teams, as equal as possible.

    >>> [len(bracket) for bracket in knockout_brackets(range(1, 42))]
    [14, 14, 13]
    """
    count = -(-len(teams) // MOST_IN_BRACKET)
    sizes = [len(teams) // count + (index < len(teams) % count) for index in range(count)]
    starts = [sum(sizes[:index]) for index in range(count)]
    return tuple(
        tuple(teams[start : start + size]) for start, size in zip(starts, sizes, strict=True)
    )


def knockout_round(
    teams: Sequence[int],
    *,
    meetings: Collection[frozenset[int]] = (),
    losers: Sequence[int] = (),
    compact: bool = False,
) -> tuple[KnockoutMatch, ...]:
    """Return a bracket's matches for the remaining teams, in the order of the bracket.

    From 9 to 16 teams four rounds lead to one winner. Matches are head to head as far as possible. Triangles, of
    which two teams go on, bring the number to 8 or 6, then to 4 for the semi-finals. Three teams play a triangle for
    the title, and of five one goes on from a triangle. Teams that have met (`meetings`), in a triangle from which
    both went on, are kept apart as long as possible.

    In the compact form (two short matches a session, one day) all teams stay: `losers` of the semi-finals play for
    the third place, earlier `losers` in a consolation.

    Raises `ValueError` for fewer than 2 or more than 16 teams: see `brackets`. Source: catalogue 4 (Wikipedia,
    knock-out teams).

    >>> [(match.teams, match.go_on) for match in knockout_round(range(1, 8))]
    [((1, 2), 1), ((3, 4), 1), ((5, 6, 7), 2)]
    """
    size = len(teams)
    if not 2 <= size <= MOST_IN_BRACKET:
        raise ValueError(f"a bracket has 2 to {MOST_IN_BRACKET} teams, not {size}")
    threes = 2 * _count_going_on(size) - size if size not in (3, 5) else 1
    matches = [
        KnockoutMatch(group, go_on=2 if len(group) == 3 and size not in (3, 5) else 1)
        for group in _divide_into_groups(teams, threes, frozenset(meetings))
    ]
    if compact:
        matches += consolation_matches(
            losers, meetings=meetings, event="third place" if size == 2 else "consolation"
        )
    return tuple(matches)


def consolation_matches(
    losers: Sequence[int],
    *,
    meetings: Collection[frozenset[int]] = (),
    event: Literal["consolation", "third place"] = "consolation",
) -> tuple[KnockoutMatch, ...]:
    """Return matches for beaten teams, in their order; a single team has none.

    >>> [match.teams for match in consolation_matches([5, 6, 7, 8], meetings=[frozenset({5, 6})])]
    [(5, 7), (6, 8)]
    """
    if len(losers) < 2:
        return ()
    groups = _divide_into_groups(losers, len(losers) % 2, frozenset(meetings))
    return tuple(KnockoutMatch(group, go_on=len(group) - 1, event=event) for group in groups)


def seeded_chart(size: int) -> tuple[int, ...]:
    """Return the seeds of a bracket in order: 1 meets the last seed, and seed 2 only in the final.

    If the first round has triangles, the best seeds have two-way matches.

    >>> seeded_chart(8)
    (1, 8, 4, 5, 3, 6, 2, 7)
    >>> [match.teams for match in knockout_round(seeded_chart(7))]
    [(1, 6), (2, 5), (3, 4, 7)]
    """
    sizes = [len(match.teams) for match in knockout_round(range(size))]
    groups, twos = len(sizes), sizes.count(2)
    heads = [*_bracket_order(twos), *range(twos + 1, groups + 1)]
    thirds = iter(range(size, 2 * groups, -1))
    found: list[int] = []
    for head, many in zip(heads, sizes, strict=True):
        found += [head, 2 * groups + 1 - head, *([next(thirds)] if many > 2 else [])]
    return tuple(found)


def seeded_round(
    teams: Sequence[int], meetings: Collection[frozenset[int]] = ()
) -> tuple[KnockoutMatch, ...]:
    """Return a bracket's matches if teams are seeded anew for each round, by their numbers.

    If all are head to head, 1 meets the last, and so on; teams that have met are kept apart.

    >>> [match.teams for match in seeded_round([5, 1, 8, 3], [frozenset({1, 8})])]
    [(1, 5), (3, 8)]
    """
    order = sorted(teams)
    by_chart = [order[seed - 1] for seed in seeded_chart(len(order))]
    matches = knockout_round(by_chart, meetings=meetings)
    if all(len(match.teams) == 2 for match in matches):
        with suppress(NoDraw):
            return tuple(
                KnockoutMatch(two) for two in first_draw(order, "fold", meetings=meetings).matches
            )
    return matches


def _bracket_order(count: int) -> list[int]:
    """Return the numbers 1 to `count` in bracket order, which keeps the best apart as long as possible."""
    order = [1]
    while len(order) < count:
        last = 2 * len(order) + 1
        pairs = [(place, last - place) for place in order]
        order = [
            player for i, two in enumerate(pairs) for player in (two if i % 2 == 0 else two[::-1])
        ]
    return [place for place in order if place <= count]


def first_knockout_draw(teams: Sequence[int], *, seeded: bool = False) -> Draw:
    """Return the first round of a knockout, bracket by bracket, of teams in bracket order or by seeds.

    >>> first_knockout_draw(range(1, 9), seeded=True).matches
    ((1, 8), (4, 5), (3, 6), (2, 7))
    """
    charts = knockout_brackets(teams)
    if seeded:
        charts = tuple(tuple(chart[i - 1] for i in seeded_chart(len(chart))) for chart in charts)
    return knockout_draw([match for chart in charts for match in knockout_round(chart)])


def drawn_round_matches(
    teams: Sequence[int],
    matches: Sequence[tuple[int, ...]],
    triangles: Collection[tuple[int, ...]] = (),
) -> tuple[KnockoutMatch, ...]:
    """Return the matches of a bracket in a drawn round, with how many teams qualify from each.

    `teams` are those for which the round was drawn, including teams that left before it, and their opponents.
    `triangles` are the matches drawn as such, even if a team may have left; matches of three count as well.
    """
    most = 1 if len(teams) in (3, 5) else 2
    return tuple(
        KnockoutMatch(match, go_on=most if len(match) == 3 or match in triangles else 1)
        for match in matches
        if set(match) <= set(teams)
    )


def knockout_rounds(size: int) -> int:
    """Return how many rounds a bracket of so many teams takes.

    >>> [knockout_rounds(size) for size in (2, 3, 4, 5, 6, 8, 9, 16)]
    [1, 1, 2, 2, 3, 3, 4, 4]
    """
    return len(knockout_sizes(size))


def knockout_sizes(size: int) -> tuple[int, ...]:
    """Return how many teams of a bracket are left in each round.

    >>> knockout_sizes(12), knockout_sizes(7)
    ((12, 8, 4, 2), (7, 4, 2))
    """
    sizes = []
    while size > 1:
        sizes.append(size)
        size = sum(match.go_on for match in knockout_round(range(size)))
    return tuple(sizes)


def knockout_draw(matches: Sequence[KnockoutMatch]) -> Draw:
    """Return these knockout matches as the draw of a round."""
    return Draw(
        tuple((match.teams[0], match.teams[1]) for match in matches if len(match.teams) == 2),
        tuple(
            (match.teams[0], match.teams[1], match.teams[2])
            for match in matches
            if len(match.teams) == 3
        ),
    )


def _count_going_on(size: int) -> int:
    """Return how many teams of a bracket qualify for the next round: 8 or 6, then 4, 2 and 1."""
    return next(
        target for least, target in ((12, 8), (9, 6), (6, 4), (4, 2), (2, 1)) if size >= least
    )


def _divide_into_groups(
    teams: Sequence[int], threes: int, meetings: frozenset[frozenset[int]]
) -> list[tuple[int, ...]]:
    """Divide teams, in order, into groups of two and `threes` groups of three at the end.

    If possible, teams that have met are in different groups.
    """
    twos = (len(teams) - 3 * threes) // 2
    sizes = [2] * twos + [3] * threes
    groups = _groups_without_rematch(list(teams), sizes, meetings) or _groups_without_rematch(
        list(teams), sizes[::-1], meetings
    )
    return sorted(groups or _groups_without_rematch(list(teams), sizes, frozenset()) or [], key=len)


def _groups_without_rematch(
    teams: list[int], sizes: list[int], meetings: frozenset[frozenset[int]]
) -> list[tuple[int, ...]] | None:
    """Return groups of these sizes in which no two teams have met; None if that is impossible."""
    if not sizes:
        return []
    first, *others = teams
    for rest in combinations(others, sizes[0] - 1):
        group = (first, *rest)
        if not any(frozenset(two) in meetings for two in combinations(group, 2)):
            remaining = [team for team in others if team not in rest]
            tail = _groups_without_rematch(remaining, sizes[1:], meetings)
            if tail is not None:
                return [group, *tail]
    return None
