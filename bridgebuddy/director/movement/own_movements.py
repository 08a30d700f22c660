"""Importing a club's own movements."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy.clubs.club_locale import use_club_formats
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.rules import RUN_SESSIONS, memberships_with
from bridgebuddy.events.models import ClubMovement
from bridgebuddy.events.services.setup.own_movements import store_own_movement
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import MOST_DIGITS_OF_A_KEY, read_number
from movements.library.library import MovementPage
from movements.services import BrokenMovement
from movements.words.violations import violation_sentence

from ..sessions.home import chosen_club, create_club_first, directed_clubs
from .forms import ImportForm


@login_required
@require_http_methods(["GET", "POST"])
def import_movement(request: UserRequest) -> HttpResponse:
    """Import a movement from a file; show its errors at their places, or store it."""
    clubs = directed_clubs(request.user)
    if not clubs:
        return create_club_first(request.user)
    club = chosen_club(request, clubs)
    use_club_formats(club)
    form = ImportForm(request.POST or None, request.FILES or None)
    page = None
    if request.method == "POST" and form.is_valid():
        try:
            own = store_own_movement(
                club,
                form.cleaned_data["movement"],
                name=form.cleaned_data["name"],
                by=request.user,
            )
            messages.success(request, _("The movement is kept. It is offered when the pairs fit."))
            return redirect_with_part_open("own", "import-movement", own=own.pk, club=club.pk)
        except BrokenMovement as broken:
            page = MovementPage(form.cleaned_data["movement"], broken.violations)
    context: dict[str, Any] = {
        "tab": "library",
        "club": club,
        "clubs": clubs,
        "form": form,
        "shown": page,
        "problems": [violation_sentence(page.movement, v) for v in page.violations[:30]]
        if page
        else [],
        "own": club.own_movements.all(),
    }
    if page is None and request.GET.get("open") == "own":
        opened = _own_movement_of(
            request, read_number(request.GET.get("own"), MOST_DIGITS_OF_A_KEY)
        )
        context |= {"opened": opened, "shown": MovementPage(opened.movement)}
    status = 422 if form.errors or page else 200
    return render(request, "director/import_movement.html", context, status=status)


@login_required
@require_safe
def own_movement(request: UserRequest, pk: int) -> HttpResponse:
    """Redirect the former address of an imported movement to the page of imports."""
    own = _own_movement_of(request, pk)
    return redirect_with_part_open("own", "import-movement", own=own.pk, club=own.club_id)


def _own_movement_of(request: UserRequest, pk: int | None) -> ClubMovement:
    """Return the imported movement `pk` of a club that the user directs.

    Raises `Http404`.
    """
    return get_object_or_404(
        ClubMovement,
        memberships_with(RUN_SESSIONS, "club__memberships__"),
        pk=pk,
        club__memberships__user=request.user,
    )
