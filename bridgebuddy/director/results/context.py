"""Shared context of the pages on boards and rulings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.rules import SCORE
from bridgebuddy.events.access import section_for_director
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.scoring.checks.result_check import doubtful_result_count
from bridgebuddy.scoring.explaining import explain_value
from bridgebuddy.scoring.results.scored import ScoredSession, SideScore
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.table_phones.queries.playing_directors import DirectorUnplayedBoards
from bridgebuddy.table_phones.queries.unclear_results import DoubtfulResults

from .pages import pages_of


def hidden_results_page(
    request: UserRequest, section: Section, boards: Iterable[int]
) -> HttpResponse:
    """Return a page that hides results of boards that the director has still to play.

    A single board can be opened nevertheless.
    """
    numbers = sorted(boards)
    context = {
        "section": section,
        "tab": "results",
        "page": "boards",
        "pages": pages_of(section),
        "boards": board_text(tuple(numbers)),
        "board": numbers[0] if len(numbers) == 1 else None,
    }
    return render(request, "director/results/still_to_play.html", context)


class ResultsPageData:
    """The data of a page of the results tab. Create it inside the page's snapshot."""

    def __init__(self, request: UserRequest, code: str, *, may: str = SCORE) -> None:
        whole = SessionSnapshot(section_for_director(request, code, may=may))
        self.request = request
        self.before = DirectorUnplayedBoards(whole, request.user)
        self.tonight = self.before.visible_session
        self.section = self.tonight.section
        self.scored = ScoredSession(self.tonight, whole.document)
        self.doubts = DoubtfulResults(whole, self.before.boards)

    def context(self, page: str, **more: Any) -> dict[str, Any]:
        """Return the template context of a page of the results tab."""
        return {
            "section": self.section,
            "tab": "results",
            "page": page,
            "pages": pages_of(
                self.section, {"look-at": doubtful_result_count(self.doubts.open_doubts)}
            ),
            "tonight": self.tonight,
            "scored": self.scored,
            **more,
        }

    def page_hiding_unplayed_boards(self, lines: Iterable[PlayLine]) -> HttpResponse | None:
        """Return the page that hides these results if the director has still to play one of the boards, else None."""
        cards = self.before.cards
        boards = {line.board for line in lines if cards and self.tonight.cards_of(line) in cards}
        return hidden_results_page(self.request, self.section, boards) if boards else None

    def page_instead_of_all_results(self) -> HttpResponse | None:
        """Return the page shown in place of all results if the director may not see them all yet, else None."""
        return self.page_hiding_unplayed_boards(
            line for line in self.tonight.lines if line.is_hidden
        )

    def line(self, play: int) -> PlayLine:
        """Return the play with this primary key, if it belongs to the section and has begun.

        Raises `Http404`.
        """
        line = self.tonight.line_of(play)
        if line is None or line.section.pk != self.section.pk:
            raise Http404("no such play")
        return line

    def explain_score(self, line: PlayLine, side: SideScore | None, direction: str) -> str:
        """Return a sentence on how the score of a side that sat in `direction` was computed for a play."""
        if side is None:
            return ""
        if self.scored.is_cancelled(line):
            return _(
                "A player at the table left before half of the boards: the result counts for "
                "nobody."
            )
        field = self.scored.field_of(line)
        datum = field.datum if field else None
        if direction == "ew" and field and field.datum_ew is not None:  # the score was split
            datum = field.datum_ew
        return explain_value(side.row, self.scored.profile, datum=datum)
