"""How a club's championships stand, on the room display before the start: as everybody may read them."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from bridgebuddy.clubs.public_names import in_public
from bridgebuddy.events.models import Section
from bridgebuddy.seasons.queries.championships import shown_before
from bridgebuddy.seasons.shown import Part, ShownLine, ShownTable

from .room_ranking import LINES, size_of

#: of a list no more than so many lines: who looks for their seat does not wait for ever
MOST_LINES = 3 * LINES
#: a line has the width of two of a ranking
WIDER = 2


@dataclass(frozen=True)
class SeasonLine:
    """A line of a championship on the screen."""

    line: ShownLine

    @property
    def size(self) -> str:
        """How much smaller the names have to be, so that they stay whole."""
        return size_of(self.line.names, WIDER)


@dataclass(frozen=True)
class SeasonPage:
    """What of a championship the screen shows at a time."""

    title: str
    note: str
    lines: tuple[SeasonLine, ...]
    number: int
    of: int


def pages_of_season(section: Section) -> list[SeasonPage]:
    """Return the championships that a session counts in and everybody may read, so many lines at a time."""
    with in_public(section.club):
        shown = [ShownTable(table) for table in shown_before(section)]
        return [page for table_shown in shown for page in _pages(table_shown)]


def _pages(shown: ShownTable) -> list[SeasonPage]:
    """Return the pages of a list, or of each of its groups, for which there is so much less room."""
    most = max(LINES, MOST_LINES // len(shown.parts))
    return [page for part in shown.parts for page in _of_part(shown, part, most)]


def _of_part(shown: ShownTable, part: Part, most: int) -> list[SeasonPage]:
    lines = part.lines
    few = lines[:most]
    count = -(-len(few) // LINES)
    size = -(-len(few) // count) if count else 1
    note = shown.after
    if len(lines) > most:
        first = _("The first %(count)s of %(all)s.") % {"count": most, "all": len(lines)}
        note = f"{note} {first}"
    title = shown.championship.name
    if part.name:
        title = f"{title}: {_('Group %(name)s') % {'name': part.name}}"
    return [
        SeasonPage(
            title,
            note,
            tuple(SeasonLine(line) for line in few[page * size : (page + 1) * size]),
            page + 1,
            count,
        )
        for page in range(count)
    ]
