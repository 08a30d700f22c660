"""Are the deals honest? On phones before they are made, where a word may be added, and beside published results."""

from __future__ import annotations

from contextlib import suppress

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST

from bridgebuddy.deals.rules.writing import FORMATS
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.http import private
from bridgebuddy.scoring.added_words import WordForm
from bridgebuddy.scoring.queries.dealing import deals_in, honest_of
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.scoring.queries.sheets import Traveller, boards_of
from bridgebuddy.scoring.queries.tonight import Tonight
from bridgebuddy.scoring.services.dealing import add_word

from .access import find_section, players_page
from .results import published, published_file

#: of published boards: for programs, and not for dealing machines
PUBLISHED = ("pbn", "lin")


@players_page
def of_section(request: HttpRequest, section: Section) -> HttpResponse:
    """Show the fingerprint to whoever has the code; until the deals are made a word may be added."""
    honest = honest_of(Tonight(section), section)
    back = reverse("lookup", args=[section.code])
    context = {"section": section, "honest": honest, "form": WordForm(), "back": back}
    return render(request, "players/deals.html", context)


@require_POST
def word(request: HttpRequest, code: str) -> HttpResponse:
    """Add a word to the deals; one that comes too late is not there, and the page says since when."""
    section = find_section(request, code)
    if isinstance(section, HttpResponse):
        return private(section)
    form = WordForm(request.POST)
    if form.is_valid():
        with suppress(ChangeRefused):  # the page shows which words are in
            add_word(section, form.cleaned_data["word"], by=None)
    return private(redirect("player-deals", code=section.code))


@published
def of_results(request: HttpRequest, scored: Scored) -> HttpResponse:
    """Show how the deals of published results were made, and how to check it."""
    tonight = scored.tonight
    honest = honest_of(tonight, tonight.section)
    back = reverse("public-results", args=[tonight.scoring.token])
    context = {"section": tonight.section, "honest": honest, "back": back}
    return render(request, "players/deals.html", context)


@published_file
def file(request: HttpRequest, scored: Scored, section: str, format: str) -> HttpResponse:
    """Hand out the cards of published boards, of those alone that nobody will play any more."""
    tonight = scored.tonight
    found = next(
        (section_found for section_found in tonight.sections if section_found.name == section), None
    )
    if found is None:
        raise Http404("no such section")
    boards = boards_of(tonight.of_section(found))
    known = {board: Traveller(scored, found, board).cards for board in boards}
    cards = {board: deal.pbn for board, deal in known.items() if deal is not None}
    if not cards or format not in PUBLISHED:
        return redirect("public-boards", token=tonight.scoring.token)
    response = HttpResponse(
        FORMATS[format](deals_in(cards)), content_type="application/octet-stream"
    )
    name = f"{tonight.session.date:%Y-%m-%d}-{section}.{format}"
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    return response
