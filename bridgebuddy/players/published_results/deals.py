"""The fairness page of the deals: on phones before and after they are made, and with results."""

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
from bridgebuddy.scoring.added_words import WordForm
from bridgebuddy.scoring.results.dealing import deal_origin_of, valid_hands_by_board
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import Traveller, boards_of
from bridgebuddy.scoring.services.cards.dealing import add_word
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.web.http import mark_private

from ..access import find_section, players_page
from .results import published_file, published_session_view

#: for published boards: formats for programs, not for dealing machines
PUBLISHED = ("pbn", "lin")


@players_page
def section_deals(request: HttpRequest, section: Section) -> HttpResponse:
    """Show the fingerprint of the secret number behind the deals; players may add a word before they are made."""
    honest = deal_origin_of(SessionSnapshot(section), section)
    back = reverse("lookup", args=[section.code])
    context = {"section": section, "honest": honest, "form": WordForm(), "back": back}
    return render(request, "players/deals.html", context)


@require_POST
def add_deal_word(request: HttpRequest, code: str) -> HttpResponse:
    """Add a player's word to the seed of the deals; a late word is ignored, and the page says so."""
    section = find_section(request, code)
    if isinstance(section, HttpResponse):
        return mark_private(section)
    form = WordForm(request.POST)
    if form.is_valid():
        with suppress(ChangeRefused):  # the page shows the added words
            add_word(section, form.cleaned_data["word"], by=None)
    return mark_private(redirect("player-deals", code=section.code))


@published_session_view
def result_deals(request: HttpRequest, scored: ScoredSession) -> HttpResponse:
    """Show how the deals of published results were made from a secret and words, and how to verify it."""
    tonight = scored.tonight
    honest = deal_origin_of(tonight, tonight.section)
    back = reverse("public-results", args=[tonight.scoring.token])
    context = {"section": tonight.section, "honest": honest, "back": back}
    return render(request, "players/deals.html", context)


@published_file
def send_deal_file(
    request: HttpRequest, scored: ScoredSession, section: str, format: str
) -> HttpResponse:
    """Send a file with the deals of published boards that are not played any more."""
    tonight = scored.tonight
    found_section = next(
        (candidate for candidate in tonight.sections if candidate.name == section),
        None,
    )
    if found_section is None:
        raise Http404("no such section")
    boards = boards_of(tonight.lines_of_section(found_section))
    deals_by_board = {board: Traveller(scored, found_section, board).cards for board in boards}
    cards = {board: deal.pbn for board, deal in deals_by_board.items() if deal is not None}
    if not cards or format not in PUBLISHED:
        return redirect("public-boards", token=tonight.scoring.token)
    response = HttpResponse(
        FORMATS[format](valid_hands_by_board(cards)), content_type="application/octet-stream"
    )
    name = f"{tonight.session.date:%Y-%m-%d}-{section}.{format}"
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    return response
