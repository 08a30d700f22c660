"""The ranking on paper: one list, or two side by side, with as many lines as fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from bridgebuddy.scoring.footnotes import footnote_lines
from bridgebuddy.scoring.results.classes import ExtraRankingColumn as Beside
from bridgebuddy.scoring.results.classes import class_columns
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.counted import RankedContestant, RankingList
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.winners import winners_headline

from ..context import PrintJob
from ..layout import fewest_chunks
from ..measure import SMALLEST_TYPE, fits_width, line_count
from ..selection import SheetSelection
from .team_ranking import TeamPage, team_pages

#: lists side by side
BESIDE = 2
#: line heights (mm), class and type (pt): short lists fill the page in larger type
HEIGHTS = (
    (19, "h19", 12.5),
    (16, "h16", 12.5),
    (11.5, "h12", 10.5),
    (8, "h9", 10.5),
    (0, "", 10.5),
)
#: the height of lines on a page; the width of names in two lists, with and without further values
#: (mm)
SPACE = {"a4": 200.0, "letter": 183.0}
NAMES, NAMES_WITH_MORE, NAMES_ALONE = 52.0, 45.0, 110.0
#: the height of the headings of lists below others (mm)
HEAD = 20.0
MARGIN = 1.6  # above and below the text of a line


@dataclass(frozen=True)
class RankingColumn:
    """A column of the printed ranking: a ranking list, or a part of it."""

    list: RankingList
    field: str
    section: str
    standings: tuple[RankedContestant, ...]
    #: further values: the place in a stratum, masterpoints
    beside: tuple[Beside, ...] = ()
    is_alone: bool = False

    def line_heights(self, points: float, minimum: float = 0) -> Sequence[float]:
        """Return the height in mm of each row at a type size, `minimum` at least."""
        space = NAMES_ALONE if self.is_alone else NAMES_WITH_MORE if self.beside else NAMES
        return [
            max(minimum, _lines_of_names(standing, space, points) * points * 0.41 + MARGIN)
            for standing in self.standings
        ]


@dataclass(frozen=True)
class RankingPage:
    """A page of the printed ranking: lists side by side, the scoring method and the state of the results."""

    bands: tuple[tuple[RankingColumn, ...], ...]
    scored: ScoredSession
    state: str
    paper: str
    #: the winners, and the contestants that left: on the first and on the last page
    headline: str = ""
    notes: tuple[str, ...] = ()
    #: the number of the note for each contestant
    marks: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @property
    def height(self) -> str:
        """Return the CSS class of the largest row height with which the page fits."""
        for height, name, points in HEIGHTS:
            if self._total_height(points, height) <= SPACE[self.paper]:
                return name
        return ""

    def joined_with(self, other_page: RankingPage) -> RankingPage | None:
        """Return one page with the lists of both pages; None if they do not fit in the smallest type."""
        whole = replace(self, bands=(*self.bands, *other_page.bands))
        has_room = whole._total_height(SMALLEST_TYPE, 0) <= SPACE[self.paper]
        return whole if has_room else None

    def _total_height(self, points: float, minimum: float) -> float:
        """Return the height of all rows in mm, with the headings of the lists below the first ones."""
        bands = [
            max(sum(column.line_heights(points, minimum)) for column in band) for band in self.bands
        ]
        return sum(bands) + HEAD * (len(bands) - 1)

    @property
    def is_narrow(self) -> bool:
        """Return whether lists are side by side, so that further values are below the names."""
        return any(len(band) > 1 for band in self.bands)

    @property
    def most_boards(self) -> int:
        """Return the largest number of boards that a contestant has played."""
        return max(self._board_counts)

    @property
    def has_unequal_boards(self) -> bool:
        """Return whether contestants played different numbers of boards, which the list then shows."""
        return len(self._board_counts) > 1

    @property
    def _board_counts(self) -> set[int]:
        """Return the different numbers of boards that contestants on the page have played."""
        return {
            standing.row.boards
            for band in self.bands
            for column in band
            for standing in column.list.standings
        }


def ranking_pages(job: PrintJob, selection: SheetSelection) -> list[RankingPage | TeamPage]:
    """Return the pages of the ranking, and of a second list if there is one; empty before the first result."""
    scored = job.scored
    if scored is None:
        return []
    if scored.tonight.contest.has_halves:
        return list(team_pages(scored, job.state))
    both = [scored, scored.by_second_method] if scored.by_second_method else [scored]
    return [page for ranking in both for page in _pages_of_lists(ranking, job)]


def _pages_of_lists(scored: ScoredSession, job: PrintJob) -> list[RankingPage]:
    """Return the printed pages of all rankings."""
    tonight = scored.tonight
    is_alone = len(scored.main_lists) == 1
    lists = [
        _columns_of_list(
            ranking, tonight, class_columns(scored, ranking), job.paper, is_alone=is_alone
        )
        for ranking in scored.main_lists
    ]
    beside = [lists[start : start + BESIDE] for start in range(0, len(lists), BESIDE)]
    master_sheet_notes = footnote_lines(scored)
    pages = [
        RankingPage(
            (tuple(column for column in columns if column),),
            scored,
            job.state,
            job.paper,
            marks=master_sheet_notes.marks,
        )
        for group in beside
        for columns in zip_longest(*group)
    ]
    pages = _join_pages(pages)
    if pages:
        pages[0] = replace(pages[0], headline=winners_headline(scored))
        pages[-1] = replace(pages[-1], notes=tuple(master_sheet_notes.notes))
    return pages


def _join_pages(pages: list[RankingPage]) -> list[RankingPage]:
    """Return the pages with those joined that fit on one page together."""
    joined: list[RankingPage] = []
    for page in pages:
        both = joined[-1].joined_with(page) if joined else None
        joined[-1:] = [both] if both else [*joined[-1:], page]
    return joined


def _columns_of_list(
    ranking: RankingList,
    tonight: SessionSnapshot,
    columns_beside: Sequence[Beside],
    paper: str,
    *,
    is_alone: bool,
) -> list[RankingColumn]:
    """Return a ranking list as columns; a list longer than a page is divided evenly."""
    section = ranking.section if ranking.section and tonight.has_several else ""
    whole = RankingColumn(
        ranking,
        ranking.field or "",
        section,
        ranking.standings,
        tuple(columns_beside),
        is_alone=is_alone,
    )
    return [
        replace(whole, standings=ranking.standings[part.start : part.stop])
        for part in fewest_chunks(whole.line_heights(SMALLEST_TYPE), SPACE[paper], 0)
    ]


def _lines_of_names(contestant: RankedContestant, space: float, points: float) -> int:
    """Return how many printed lines a contestant's names take in a width of `space` mm."""
    names = contestant.contestant.full_names
    if fits_width(" & ".join(names), space, points):
        return 1
    return sum(line_count(f"{name} &", space, points) for name in names)
