"""The ranking on paper: one list, or two side by side, as many lines on a page as fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from bridgebuddy.scoring.queries.classes import Column as Beside
from bridgebuddy.scoring.queries.classes import columns
from bridgebuddy.scoring.queries.counted import RankingList, Standing
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.scoring.queries.tonight import Tonight
from bridgebuddy.scoring.winners import headline

from .context import Job
from .footnotes import footnotes
from .layout import as_few_as_fit
from .measure import SMALLEST_TYPE, fits, wrapped
from .selection import Selection
from .team_ranking import TeamPage, team_pages

#: lists beside each other
BESIDE = 2
#: how high lines may be (mm), their class and type (pt): few fill the page, and are read from further away
HEIGHTS = (
    (19, "h19", 12.5),
    (16, "h16", 12.5),
    (11.5, "h12", 10.5),
    (8, "h9", 10.5),
    (0, "", 10.5),
)
#: for lines on a page, and for names where two lists stand beside each other, with and without more (mm)
SPACE = {"a4": 200.0, "letter": 183.0}
NAMES, NAMES_WITH_MORE, NAMES_ALONE = 52.0, 45.0, 110.0
MARGIN = 1.6  # above and below what stands in a line


@dataclass(frozen=True)
class Column:
    """A list, or a part of one."""

    list: RankingList
    field: str
    section: str
    standings: tuple[Standing, ...]
    #: what stands beside each: the place in a stratum, masterpoints
    beside: tuple[Beside, ...] = ()
    is_alone: bool = False

    def needs(self, points: float, least: float = 0) -> Sequence[float]:
        """How high each line is in a size of type (mm)."""
        space = NAMES_ALONE if self.is_alone else NAMES_WITH_MORE if self.beside else NAMES
        return [
            max(least, _lines(standing, space, points) * points * 0.41 + MARGIN)
            for standing in self.standings
        ]


@dataclass(frozen=True)
class RankingPage:
    """A page: its lists, how it is counted and how far it is."""

    columns: tuple[Column, ...]
    scored: Scored
    state: str
    paper: str
    #: who has won, and what became of whoever left: each once, on the first page and on the last
    headline: str = ""
    notes: tuple[str, ...] = ()
    #: the number of the note that is about somebody
    marks: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @property
    def height(self) -> str:
        """The class of its lines: the highest with which they fit."""
        for height, name, points in HEIGHTS:
            tall = [sum(column.needs(points, height)) for column in self.columns]
            if max(tall) <= SPACE[self.paper]:
                return name
        return ""

    @property
    def is_narrow(self) -> bool:
        """Whether lists stand beside each other: what else there is stands small below each number."""
        return len(self.columns) > 1

    @property
    def most_boards(self) -> int:
        return max(self._boards)

    @property
    def has_unequal_boards(self) -> bool:
        """Whether somebody has played fewer boards than others, which a list then tells."""
        return len(self._boards) > 1

    @property
    def _boards(self) -> set[int]:
        return {
            standing.row.boards for column in self.columns for standing in column.list.standings
        }


def ranking_pages(job: Job, selection: Selection) -> list[RankingPage | TeamPage]:
    """Return the pages of the ranking, and of the second one beside it; none before the first result."""
    scored = job.scored
    if scored is None:
        return []
    if scored.tonight.contest.has_halves:
        return list(team_pages(scored, job.state))
    both = [scored, scored.beside] if scored.beside else [scored]
    return [page for ranking in both for page in _pages(ranking, job)]


def _pages(scored: Scored, job: Job) -> list[RankingPage]:
    tonight = scored.tonight
    is_alone = len(scored.main_lists) == 1
    lists = [
        _columns(ranking, tonight, columns(scored, ranking), job.paper, is_alone=is_alone)
        for ranking in scored.main_lists
    ]
    beside = [lists[start : start + BESIDE] for start in range(0, len(lists), BESIDE)]
    found = footnotes(scored)
    pages = [
        RankingPage(
            tuple(column for column in columns if column),
            scored,
            job.state,
            job.paper,
            marks=found.marks,
        )
        for group in beside
        for columns in zip_longest(*group)
    ]
    if pages:
        pages[0] = replace(pages[0], headline=headline(scored))
        pages[-1] = replace(pages[-1], notes=tuple(found.notes))
    return pages


def _columns(
    found: RankingList, tonight: Tonight, beside: Sequence[Beside], paper: str, *, is_alone: bool
) -> list[Column]:
    """A list, in parts of about the same length where it is longer than a page."""
    section = found.section if found.section and tonight.has_several else ""
    whole = Column(
        found, found.field or "", section, found.standings, tuple(beside), is_alone=is_alone
    )
    return [
        replace(whole, standings=found.standings[part.start : part.stop])
        for part in as_few_as_fit(whole.needs(SMALLEST_TYPE), SPACE[paper], 0)
    ]


def _lines(one: Standing, space: float, points: float) -> int:
    """How many lines somebody's names take: one, or as many as each takes by itself."""
    names = one.contestant.full_names
    if fits(" & ".join(names), space, points):
        return 1
    return sum(wrapped(f"{name} &", space, points) for name in names)
