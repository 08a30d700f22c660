"""The ranking on paper: one list, or two side by side, as many lines on a page as fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from bridgebuddy.scoring.queries.classes import Column as Beside
from bridgebuddy.scoring.queries.classes import columns
from bridgebuddy.scoring.queries.counted import RankingList, Standing
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.scoring.queries.tonight import Tonight

from .context import Job
from .layout import evenly
from .selection import Selection
from .team_ranking import TeamPage, team_pages

#: lines of a list on a page, and lists beside each other
LINES, BESIDE = 36, 2


@dataclass(frozen=True)
class Column:
    """A list, or a part of one."""

    list: RankingList
    field: str
    section: str
    standings: tuple[Standing, ...]
    #: what stands beside each: the place in a stratum, masterpoints
    beside: tuple[Beside, ...] = ()

    @property
    def has_head(self) -> bool:
        """Whether its numbers are so many that each needs a title."""
        return bool(self.beside) or self.list.has_more


@dataclass(frozen=True)
class RankingPage:
    """A page: its lists, how it is counted and how far it is."""

    columns: tuple[Column, ...]
    scored: Scored
    state: str


def ranking_pages(job: Job, selection: Selection) -> list[RankingPage | TeamPage]:
    """Return the pages of the ranking, and of the second one beside it; none before the first result."""
    scored = job.scored
    if scored is None:
        return []
    if scored.tonight.contest.has_halves:
        return list(team_pages(scored, job.state))
    both = [scored, scored.beside] if scored.beside else [scored]
    return [page for one in both for page in _pages(one, job.state)]


def _pages(scored: Scored, state: str) -> list[RankingPage]:
    tonight = scored.tonight
    lists = [_columns(one, tonight, columns(scored, one)) for one in scored.main_lists]
    beside = [lists[start : start + BESIDE] for start in range(0, len(lists), BESIDE)]
    return [
        RankingPage(tuple(column for column in columns if column), scored, state)
        for group in beside
        for columns in zip_longest(*group)
    ]


def _columns(found: RankingList, tonight: Tonight, beside: Sequence[Beside]) -> list[Column]:
    """A list, in parts of about the same length where it is longer than a page."""
    section = found.section if found.section and tonight.has_several else ""
    whole = Column(found, found.field or "", section, found.standings, tuple(beside))
    lines = LINES - 1 if whole.has_head else LINES  # what is beside has a line with its titles
    return [
        replace(whole, standings=found.standings[part.start : part.stop])
        for part in evenly(len(found.standings), lines)
    ]
