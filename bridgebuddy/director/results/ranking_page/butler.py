"""The ranking of pairs within teams (Butler), and the datum of a board."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_scorer
from bridgebuddy.scoring.results.butler import TeamPairs
from bridgebuddy.scoring.services import publishing

from ..context import ResultsPageData


@never_cache
@require_safe
@read_in_one_snapshot
def butler(request: UserRequest, code: str) -> HttpResponse:
    """Show the Butler list of pairs.

    `?method=cross-imps` compares all results with each other. `?field=3` explains a board.
    """
    read = ResultsPageData(request, code)
    if not read.section.contest.has_halves:
        return redirect("ranking", code=read.section.code)
    if hidden := read.page_instead_of_all_results():
        return hidden
    pairs = TeamPairs(read.scored, request.GET.get("method", ""))
    asked = request.GET.get("field", "")
    context = read.context(
        "butler",
        pairs=pairs,
        field=pairs.field_at(asked),
        asked=asked or "0",
        scoring=read.tonight.scoring,
        is_draw=any(section.stored.is_draw for section in read.tonight.sections),
        may_have_own_cards=any(
            section.stored.is_draw and not section.has_duplicated_matches
            for section in read.tonight.sections
        ),
    )
    return render(request, "director/results/butler.html", context)


@require_POST
def same_cards(request: UserRequest, code: str) -> HttpResponse:
    """Store whether all tables of a round play the same deals, so that a Butler ranking makes sense."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
    publishing.play_same_cards(section, request.POST.get("same") == "1", by=request.user)
    return redirect("butler", code=section.code)
