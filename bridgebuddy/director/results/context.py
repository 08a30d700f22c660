"""What pages about boards and rulings have in common."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from bridgebuddy.events.access import section_for_director
from bridgebuddy.http import UserRequest
from bridgebuddy.scoring.explaining import explain, profile_of
from bridgebuddy.scoring.queries.scored import Scored, Side
from bridgebuddy.scoring.queries.tonight import Line, Tonight
from bridgebuddy.scoring.rules.profile import Profile
from bridgebuddy.tables.queries.doubts import AllDoubts

from .pages import pages_of


class Read:
    """Everything a page shows of results. Make it in the one moment the page is of."""

    def __init__(self, request: UserRequest, code: str) -> None:
        self.tonight = Tonight(section_for_director(request, code))
        self.section = self.tonight.section
        self.scored = Scored(self.tonight)
        self.doubts = AllDoubts(self.tonight)

    def context(self, page: str, **more: Any) -> dict[str, Any]:
        """Return what the templates of the tab need."""
        return {
            "section": self.section,
            "tab": "results",
            "page": page,
            "pages": pages_of(self.section, {"look-at": len(self.doubts.open)}),
            "tonight": self.tonight,
            "scored": self.scored,
            **more,
        }

    def line(self, play: int) -> Line:
        """Return a line of this section that has begun. Raises 404."""
        line = self.tonight.line_of(play)
        if line is None or line.section.pk != self.section.pk:
            raise Http404("no such play")
        return line

    def fields(self, section: str, board: int) -> dict[str | None, dict[str, Any]]:
        """Return the fields of a board by group: those of the cards that a section has played."""
        return {
            one["group"]: one
            for one in self.scored.fields_of(section, board)
            if one["deals"] in (None, section)
        }

    def why(self, line: Line, side: Side | None) -> str:
        """Say how what a side has of a line came about."""
        if side is None:
            return ""
        if self.scored.is_cancelled(line):
            return _(
                "Somebody at the table left before half of their boards: it counts for nobody."
            )
        fields = self.fields(line.section.name, line.board)
        datum = fields[line.group]["datum"] if line.group in fields else None
        return explain(side.row, self._profile, datum=datum)

    @cached_property
    def _profile(self) -> Profile:
        return profile_of(self.scored.document)
