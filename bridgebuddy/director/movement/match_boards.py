"""Storing the boards of teams' matches. The form is on the page of entries."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.events.services.setup.movement import number_matches
from bridgebuddy.web.folds import redirect_with_part_open

from ..entries.views import entries_page
from ..match_boards import MatchBoardsForm, chosen_match_boards
from ..refusals import change_refused


@require_http_methods(["GET", "POST"])
def match_boards(request: UserRequest, code: str) -> HttpResponse:
    """Store which boards the team matches play. The form is on the page of entries."""
    section = section_for_director(request, code)
    if request.method == "GET":
        if chosen_match_boards(section) is None:
            messages.info(request, _("This is asked for team matches only."))
            return redirect("entries", code=code)
        return redirect_with_part_open("boards", "entries", section.code)
    form, problem = MatchBoardsForm(request.POST), ""
    if form.is_valid():
        try:
            number_matches(section, form.wished, by=request.user)
        except ChangeRefused as refused:
            problem = change_refused(refused)
        else:
            messages.success(request, _("The boards are chosen."))
            beside = sections_of_session(section)
            is_other_open = any(other.movement is None for other in beside)
            return redirect("all-sections" if is_other_open else "entries", code=code)
    return entries_page(request, code, boards_form=form, problem=problem)
