"""A table's page of the round: boards, their states, and the next places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django_htmx.http import HttpResponseClientRefresh

from bridgebuddy.events import code_limits
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.events.queries.plan_cache import kept_plan
from bridgebuddy.web.http import HtmxRequest

from ..access import LET_IN, UNCHANGED, View, answer_poll, find_place, table_page
from ..keypad import SEATS
from ..models import DirectorCall
from ..place import RefusalPage, TablePlace
from ..queries.at_table import DIFFER, HELD, MISSING, OF_TABLE, UNCHECKED, TableBoard
from ..queries.next_seats import NextSeat, next_seats_of
from .context import page_context, redirect_to_table
from .joining import remember_holder

#: the time for which a table reads that the director is coming
COMING = timedelta(minutes=10)


def _with_holder_stored(page: View) -> View:
    """Decorator that stores whose phone this is, as given in the address, before the page is made.

    The page's snapshot cannot write.
    """

    @wraps(page)
    def page_with_holder(request: HttpRequest, code: str, table: int) -> HttpResponse:
        """Answer after storing whose phone it is."""
        contestant = request.GET.get("who", "")
        if contestant and code_limits.has_opened_before(request, code_limits.clean_code(code)):
            with suppress(RefusalPage):  # the page shows the error
                place = find_place(request, code, table)
                if place.may_open and place.entry_key is None:
                    remember_holder(place, contestant)
        return page(request, code, table)

    return page_with_holder


@answer_poll
@_with_holder_stored
@table_page
def table(request: HtmxRequest, place: TablePlace) -> HttpResponse:
    """Show a table's page of the current round: the boards, and whether their results are entered and confirmed."""
    if LET_IN in request.GET:
        return redirect_to_table(place)
    if request.htmx and request.GET.get("v") == place.version:
        return HttpResponse(status=UNCHANGED)
    if place.entry_key is None or "whose" in request.GET:
        if request.htmx:
            return HttpResponseClientRefresh()
        return render(request, "tables/who.html", page_context(place))
    if "before" in request.GET:
        boards = place.earlier_boards
        context = {"boards": boards, "seen": {board.play.pk for board in boards}, "is_before": True}
        return render(request, "tables/before.html", page_context(place, **context))
    template = "tables/table.html#live" if request.htmx else "tables/table.html"
    return render(request, template, page_context(place, **_round_context(place)))


def _round_context(place: TablePlace) -> dict[str, Any]:
    """Return the template context of the round's page."""
    boards, seats = place.boards, _board_with_seats(place)
    to_check = [asked for asked in place.boards_to_confirm if waits_for_confirmation(place, asked)]
    open_boards = [board for board in boards if _is_open(place, board)]
    return {
        "boards": boards,
        "next": next(iter(open_boards), None),
        "missing_by_round": _missing_by_round(open_boards),
        "round_boards": board_text(sorted({board.board for board in place.boards_at_table.boards})),
        "open_boards": open_boards,
        "later": [board for board in open_boards if board.is_for_later],
        "to_check": to_check[0] if to_check else None,
        "differ": next((board for board in boards if board.state == DIFFER), None),
        "seats": seats,
        "call": _current_call(place),
        "due": next(
            (board.board for board in open_boards if board in place.boards_at_table.boards), ""
        ),
        "going": [] if open_boards and seats else _next_seats(place),
        "poll": place.section.is_running,
        "mine": seats.side_of(place.entry_key) if seats else "ns",
        "chairs": SEATS,
        "turned": _turned_boards_text(place) if seats else "",
        "shares_with": _sharing_tables(place) if seats else [],
        "seen": {board.play.pk for board in boards if place.may_show_claims(board)},
        "can_swap": bool(seats and place.entry_key and seats.play.ns2_id is None),
    }


def _missing_by_round(open_boards: list[TableBoard]) -> Mapping[int, int]:
    """Return how many boards are missing by round, without those that are played later."""
    return Counter(board.play.round for board in open_boards if not board.is_for_later)


def _next_seats(place: TablePlace) -> list[NextSeat]:
    """Return the next seat of the phone's contestant; for a table's own phone, of everybody at the table."""
    return next_seats_of(
        place.section,
        {place.entry_key} if place.entry_key else place.boards_at_table.present_entries,
    )


def _turned_boards_text(place: TablePlace) -> str:
    """Return the arrow-switched boards at the table, where North-South hold the cards of East-West."""
    moving = kept_plan(place.section).plan_of_moves
    games = moving.evening.games.get(place.section.round, ())
    here = [game for game in games if game.table == place.table]
    return board_text(sorted({board for game in here for board in moving.turned_boards(game)}))


def _sharing_tables(place: TablePlace) -> list[int]:
    """Return the tables that share their boards with this one in the round."""
    moving = kept_plan(place.section).plan_of_moves
    games = moving.evening.games.get(place.section.round, ())
    here = [game for game in games if game.table == place.table]
    return sorted({table for game in here for table in moving.boards.tables_sharing_with(game)})


def _current_call(place: TablePlace) -> DirectorCall | None:
    """Return the table's call for the director, if it is open or was taken recently in this round."""
    call = place.last_call
    if call is None or call.taken_at is None:
        return call
    is_fresh = call.round == place.section.round and call.taken_at > timezone.now() - COMING
    return call if is_fresh else None


def _is_open(place: TablePlace, board: TableBoard) -> bool:
    """Return whether the phone may enter the result of a board now, because its side has not done so yet.

    A board of a final list may not be entered again after a correction was sent.
    """
    if board.is_requested:
        return False
    is_theirs = board.has_claim_of(board.side_of(place.entry_key))
    return board.state == MISSING or (board.state == HELD and not is_theirs)


def waits_for_confirmation(place: TablePlace, board: TableBoard) -> bool:
    """Return whether a board's result waits for confirmation by this phone, and may be shown to it."""
    mine = board.side_of(place.entry_key)
    is_asked = board.state == UNCHECKED and board.asked_side == mine
    return is_asked and place.entry_key != OF_TABLE and place.may_show_claims(board)


def _board_with_seats(place: TablePlace) -> TableBoard | None:
    """Return the board by which the page shows the seats: the first of this round without a result."""
    mine = [board for board in place.boards_at_table.boards if board.side_of(place.entry_key)]
    open_ones = [board_entry for board_entry in mine if board_entry.state == MISSING]
    return next(iter(open_ones or mine), None)
