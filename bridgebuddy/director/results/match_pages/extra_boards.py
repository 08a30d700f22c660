"""Extra boards for a level match: added and taken back on the match's page."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.matches import TeamMatch
from bridgebuddy.scoring.services.draws.extra_boards import (
    MOST,
    add_extra_boards,
    take_back_extra_boards,
)
from bridgebuddy.scoring.snapshot.kinds import KNOCKOUT

from ..context import ResultsPageData
from .proposed_draw import DrawInput


@dataclass(frozen=True)
class MoreBoards:
    """The extra boards of a level match: the usual number, those played, and whether more are allowed."""

    usual: int
    played: tuple[str, ...]
    may_go_back: bool
    most: int = MOST


def more_boards(context: ResultsPageData, match: TeamMatch) -> MoreBoards | None:
    """Return the extra boards of a knock-out match; None if it has none and is not level after its boards."""
    section, away = match.section, match.away
    if away is None or section.stored.family != KNOCKOUT:
        return None
    teams = {match.home.entry, away.entry}
    extra = section.extra_boards_of(match.round, teams)
    knockout = KnockOut(context.scored, section)
    is_level = match.round == knockout.last and teams in knockout.pairs_for_extra_boards
    if not extra and not is_level:
        return None
    newest = extra[-1] if extra else range(0)
    return MoreBoards(
        knockout.extra_board_count if is_level else 0,
        tuple(board_text(boards) for boards in extra),
        bool(extra) and all(line.outcome is None for line in match.lines if line.board in newest),
    )


@require_POST
def change_extra_boards(
    request: UserRequest, code: str, round: int, home: str, away: str
) -> HttpResponse:
    """Add extra boards to a level match, or remove the last ones.

    If the match does not exist, redirect to all matches.
    """
    with one_snapshot(request):
        read = ResultsPageData(request, code)
        match = None
        if read.section.contest.has_halves and read.scored.has_results:
            match = TeamMatches(read.scored).find(read.section, round, home, away)
    if match is None or match.away is None:
        return redirect("matches", code=read.section.code)
    teams, asked = (match.home.entry, match.away.entry), DrawInput(request.POST)
    plan = asked.number("plan")
    try:
        if "back" in request.POST:
            take_back_extra_boards(read.section, match.round, *teams, plan=plan, by=request.user)
        else:
            boards = asked.number("boards")
            if not 0 < boards <= MOST:
                words = _("Between 1 and %(most)s boards can be added.") % {"most": MOST}
                messages.warning(request, words)
                return redirect("match", read.section.code, *match.key.values())
            add_extra_boards(read.section, *teams, boards=boards, plan=plan, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect("match", read.section.code, *match.key.values())
