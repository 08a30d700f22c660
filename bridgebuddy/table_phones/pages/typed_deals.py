"""A board dealt by hand: after its last play a table types the cards."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.scoring.errors import AlreadyDealt
from bridgebuddy.scoring.results.dealing import may_players_type_hands
from bridgebuddy.scoring.services.cards.deals import store_typed
from bridgebuddy.scoring.typed_hands import HandsForm
from bridgebuddy.web.http import HtmxRequest

from ..access import table_form, table_page
from ..place import TablePlace
from ..queries.at_table import TableBoard

WRONG = 422


@csrf_exempt  # type_cards checks it
def cards(request: HtmxRequest, code: str, table: int, play: int) -> HttpResponse:
    """Show or handle the form for typing the cards of a board that all have played."""
    view: Callable[..., HttpResponse] = type_cards if request.method == "POST" else show_deal_form
    return view(request, code, table, play=play)


@table_page
def show_deal_form(request: HttpRequest, place: TablePlace, play: int) -> HttpResponse:
    """Show the form for typing a board's cards, if they may be typed now."""
    board = place.board(play)
    may = may_players_type_hands(place.tonight, place.section, board.board)
    return _cards_page(request, place, board, HandsForm() if may else None)


@table_form
def type_cards(request: HttpRequest, place: TablePlace, play: int) -> HttpResponse:
    """Store the four hands of a board as a player has typed them."""
    board = place.read_board(play)
    form = HandsForm(request.POST)
    if not form.is_valid():
        return _cards_page(request, place, board, form, WRONG)
    try:
        store_typed(place.section, board.board, form.cleaned_data["pbn"])
    except AlreadyDealt:
        form.add_error(None, _("Somebody has typed these cards already."))
    except ChangeRefused:
        form.add_error(None, _("This board will still be played. Enter its cards later."))
    else:
        return redirect("table", place.section.code, place.table)
    return _cards_page(request, place, board, form, WRONG)


def _cards_page(
    request: HttpRequest,
    place: TablePlace,
    board: TableBoard,
    form: HandsForm | None,
    status: int = 200,
) -> HttpResponse:
    """Return the page for typing a board's cards."""
    context = {
        "section": place.section,
        "table": place.table,
        "place": place,
        "phones": place.phones,
        "board": board,
        "form": form,
    }
    return render(request, "tables/type_cards.html", context, status=status)
