"""A movement of the library on paper: announcements and all rounds, without names."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from movements.engine import catalogue
from movements.engine.errors import UnknownFamily
from movements.library.library import MovementPage
from movements.library.views import requested_movement

from ..rendering.paper import sheets_response


@require_safe
@login_required
def movement(request: HttpRequest, family: str, tables: int) -> HttpResponse:
    """Return a library movement, printed without a section, as a PDF for the browser."""
    try:
        known_family = catalogue.find_family(family)
    except UnknownFamily as error:
        raise Http404(str(error)) from None
    built, refusal = requested_movement(known_family, tables, request.GET)
    if built is None:
        raise Http404(refusal)
    context = {"family": known_family, "movement": built, "shown": MovementPage(built)}
    html = render_to_string("printing/movement.html", context)
    return sheets_response(f"{family}-{built.tables}x{built.rounds}.pdf", html)
