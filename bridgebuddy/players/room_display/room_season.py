"""The standings of a club's championships on the room display before the start."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from bridgebuddy.clubs.people.public_names import use_public_names
from bridgebuddy.events.models import Section
from bridgebuddy.seasons.championship_views import (
    ChampionshipLineView,
    ChampionshipView,
    GroupTable,
)
from bridgebuddy.seasons.queries.championships import championships_shown_before

from .room_ranking import LINES, size_class

#: the most lines of a list, so that the seats come back soon
MOST_LINES = 3 * LINES
#: a line is as wide as two of a ranking
WIDER = 2


@dataclass(frozen=True)
class DisplayedSeasonRow:
    """A row of a championship's table on the room display."""

    line: ChampionshipLineView

    @property
    def size(self) -> str:
        """Return the CSS size class of the names, small enough that they fit."""
        return size_class(self.line.names, WIDER)


@dataclass(frozen=True)
class SeasonPage:
    """One page of a championship's table on the room display."""

    title: str
    note: str
    lines: tuple[DisplayedSeasonRow, ...]
    number: int
    of: int


def pages_of_season(section: Section) -> list[SeasonPage]:
    """Return the pages of the published championships to which a session belongs."""
    with use_public_names(section.club):
        tables = [ChampionshipView(table) for table in championships_shown_before(section)]
        return [page for table in tables for page in _pages_of_table(table)]


def _pages_of_table(championship_view: ChampionshipView) -> list[SeasonPage]:
    """Return the pages of a championship's table; with groups, those of each group."""
    most = max(LINES, MOST_LINES // len(championship_view.group_tables))
    return [
        page
        for part in championship_view.group_tables
        for page in _pages_of_group(championship_view, part, most)
    ]


def _pages_of_group(
    championship_view: ChampionshipView, part: GroupTable, maximum: int
) -> list[SeasonPage]:
    """Return the pages of one group of a championship, at most `maximum` rows on each."""
    lines = part.lines
    few = lines[:maximum]
    count = -(-len(few) // LINES)
    size = -(-len(few) // count) if count else 1
    note = championship_view.progress_sentence
    if len(lines) > maximum:
        first = _("The first %(count)s of %(all)s.") % {"count": maximum, "all": len(lines)}
        note = f"{note} {first}"
    title = championship_view.championship.name
    if part.name:
        title = f"{title}: {_('Group %(name)s') % {'name': part.name}}"
    return [
        SeasonPage(
            title,
            note,
            tuple(DisplayedSeasonRow(line) for line in few[page * size : (page + 1) * size]),
            page + 1,
            count,
        )
        for page in range(count)
    ]
