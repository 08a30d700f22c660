"""Directors who play: their own entry, and hidden results of boards they have still to play."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot, section_for_scorer
from bridgebuddy.table_phones.services import playing_directors
from bridgebuddy.web.folds import redirect_with_part_open

from ..desk.folds import PlayingForm, playing_fold
from ..desk.views import desk_response, render_desk
from .entry.this_round import round_page


@never_cache
@require_http_methods(["GET", "POST"])
def store_playing_director(request: UserRequest, code: str) -> HttpResponse:
    """Store as which entry a director or scorer plays. The form is on the desk and on the results page."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
        form = PlayingForm(section, None, request.POST)
    page = "desk" if section.club.rights.run_sessions else "results"
    if request.method == "GET":
        return redirect_with_part_open("i-play", page, section.code)
    if form.is_valid():
        playing_directors.store_playing_entry(section, form.cleaned_data["entry"], by=request.user)
        return desk_response(request, code, "") if page == "desk" else redirect(page, code=code)
    if page == "desk":
        return render_desk(
            request, code, fold=lambda sent, section, _problem: playing_fold(sent, section)
        )
    return round_page(request, code, playing_fold(request, section))


@require_POST
def show_unplayed_board(request: UserRequest, code: str, board: int) -> HttpResponse:
    """Show a board to a director who has still to play it, and record that they looked."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
    playing_directors.record_early_look(section, board, by=request.user)
    return redirect("board-results", code=section.code, board=board)
