"""Views of a table's boards: keypad, result, confirmation; and calls."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import NoReturn

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django_htmx.http import HttpResponseClientRefresh

from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Play
from bridgebuddy.scoring.errors import ImpossibleResult, NoPlay, ResultChanged
from bridgebuddy.scoring.results.arriving_results import is_outcome_known
from bridgebuddy.scoring.results.dealing import may_players_type_hands
from bridgebuddy.scoring.rules.contract_notation import MOST_TRICKS
from bridgebuddy.web.http import HtmxRequest

from .. import submissions
from ..access import answer_poll, table_form, table_page
from ..keypad import CARDS, DOUBLED, LEVELS, SEATS, STRAINS, SUITS, ResultKeypad, count_tricks_text
from ..models import DirectorCall
from ..place import NOT_FOUND, RefusalPage, TablePlace
from ..queries.at_table import (
    ACROSS,
    AGREED,
    DIFFER,
    HELD,
    MISSING,
    OF_TABLE,
    STORED,
    UNCHECKED,
    TableBoard,
    current_table_of,
)
from ..services import calls, claims
from ..services.claims import NewClaim
from .context import page_context, redirect_to_table
from .feedback import confirming_side, feedback_on, may_be_another_board
from .forms import CallForm, ClaimForm, ConfirmForm, MoveForm, VersionForm
from .round_page import _is_open, _next_seats

STALE, GONE, WRONG = 409, 410, 422


@csrf_exempt  # say checks it
def board(request: HtmxRequest, code: str, table: int, play: int) -> HttpResponse:
    """Show the keypad for a board's result (GET), or store the result (POST)."""
    view: Callable[..., HttpResponse] = (
        store_table_claim if request.method == "POST" else show_keypad
    )
    return view(request, code, table, play=play)


@table_page
def show_keypad(request: HttpRequest, place: TablePlace, play: int) -> HttpResponse:
    """Show the keypad for a board; if it has a result, show what may be changed."""
    return _render_keypad(request, place, place.board(play))


@table_page
def send_keypads(request: HttpRequest, place: TablePlace) -> HttpResponse:
    """Return the keypads of the phone's boards as JSON, so that it can show them without a network."""
    pages = {}
    for board in sorted(place.boards, key=lambda board: not _is_open(place, board)):
        rest = [place.section.code, place.table, board.play.pk]
        keys = _render_keypad(request, place, board, is_anew=True)
        pages[reverse("table-board", args=rest)] = keys.content.decode()
    for board in place.boards_of_next_round:
        pages[_coming_board_address(place, board)] = _render_keypad(
            request, place, board
        ).content.decode()
    return JsonResponse({"pads": pages, "coming": _coming_boards_html(request, place)})


def _coming_board_address(place: TablePlace, board: TableBoard) -> str:
    """Return the address for a board of the next round, whose play is not stored yet."""
    rest = [place.section.code, place.table, board.play.round, board.board]
    return reverse("table-coming", args=rest)


def _coming_boards_html(request: HttpRequest, place: TablePlace) -> str:
    """Return the next round's boards as HTML for the round's page, for times without a network."""
    boards = [(_coming_board_address(place, board), board) for board in place.boards_of_next_round]
    if not boards:
        return ""
    side = boards[0][1].side_of(place.entry_key)
    return render_to_string(
        "tables/coming.html", page_context(place, boards=boards, side=side), request
    )


@csrf_exempt  # claim_early_result checks it
def store_early_result(
    request: HtmxRequest, code: str, table: int, round: int, number: int
) -> HttpResponse:
    """Store a result that a phone entered without a network connection before the round had begun."""
    view: Callable[..., HttpResponse] = (
        claim_early_result if request.method == "POST" else show_coming_keypad
    )
    return view(request, code, table, round=round, number=number)


@table_page
def show_coming_keypad(
    request: HttpRequest, place: TablePlace, round: int, number: int
) -> HttpResponse:
    """Show the keypad for a board of the next round; once that has begun, redirect to its usual page."""
    if play := place.play_of_round(round, number):
        return redirect("table-board", place.section.code, place.table, play.pk)
    same = (
        board_there
        for board_there in place.boards_of_next_round
        if (board_there.play.round, board_there.board) == (round, number)
    )
    board = next(same, None)
    return _render_keypad(request, place, board) if board else redirect_to_table(place)


@table_form
def claim_early_result(
    request: HttpRequest, place: TablePlace, round: int, number: int
) -> HttpResponse:
    """Store one side's entry, made offline before its round began, for the play that has begun meanwhile."""
    if play := place.play_of_round(round, number):
        return _submit_result(request, place, play.pk)
    section = place.section
    if section.is_finished:
        words = _("The session is over: tell the director.")
        raise RefusalPage(HttpResponse(status=GONE), words)
    if section.round < round <= section.rounds:
        _refuse_early(round)
    raise RefusalPage(HttpResponse(status=NOT_FOUND), place.foreign_board_reason())


def _refuse_early(round: int) -> NoReturn:
    """Raise `RefusalPage`: the round of the board has not begun."""
    words = _("Round %(round)s has not begun yet.") % {"round": round}
    raise RefusalPage(HttpResponse(status=submissions.TOO_EARLY), words)


def _render_keypad(
    request: HttpRequest,
    place: TablePlace,
    board: TableBoard,
    problem: str = "",
    status: int = 200,
    *,
    is_anew: bool = False,
) -> HttpResponse:
    """Return the page with the keypad for a board's result; `is_anew` ignores the present result."""
    mine = board.side_of(place.entry_key)
    asked_side = request.GET.get("side", mine)
    side = asked_side if asked_side in ACROSS else mine
    has_tapped = is_anew or any(
        name in request.GET for name in ("level", "strain", "by", "new", "unplayed")
    )
    keypad = ResultKeypad.read(
        board.board, request.GET, asks_lead=place.phones.asks_lead, side=side
    )
    is_seen = is_outcome_known(board.outcome) and place.may_show_claims(board)
    context = page_context(
        place,
        board=board,
        action=(
            reverse("table-board", args=[place.section.code, place.table, board.play.pk])
            if board.play.pk
            else _coming_board_address(place, board)
        ),
        pad=keypad,
        side=side,
        problem=problem,
        key=secrets.token_hex(16),
        others=[
            other_board for other_board in place.boards if other_board.play.pk != board.play.pk
        ],
        is_over=board.is_over(place.section),
        levels=LEVELS,
        strains=STRAINS,
        doubled=DOUBLED,
        chairs=SEATS,
        suits=SUITS,
        cards=CARDS,
        asked_chair=mark_safe("<span data-chair-asked></span>"),
        every_tricks=[(tricks, count_tricks_text(tricks)) for tricks in range(MOST_TRICKS + 1)],
    )
    template = "tables/pad.html"
    if "unplayed" in request.GET:
        template = "tables/unplayed.html"
    elif is_seen and not has_tapped:
        template = "tables/change.html"
        context["beside"] = place.other_boards_in_round(board)
    return render(request, template, context, status=status)


@table_form
def store_table_claim(request: HttpRequest, place: TablePlace, play: int) -> HttpResponse:
    """Store the result of a board that one side of the table has entered."""
    return _submit_result(request, place, play)


def _submit_result(request: HttpRequest, place: TablePlace, play: int) -> HttpResponse:
    """Store the result in the request's form, and return its outcome; raise `RefusalPage` if it is refused."""
    sent = place.play_of_form(play, or_gone=True)
    form = ClaimForm(request.POST)
    if not form.is_valid():
        words = _form_error_text(form)
        raise RefusalPage(
            _render_keypad(request, place, _board_of_play(place, sent), words, WRONG), words
        )
    cleaned = form.cleaned_data
    saying = NewClaim(
        play,
        cleaned["side"],
        form.outcome,
        cleaned["after"],
        cleaned["key"],
        place.phone.name,
        cleaned["late"],
    )
    try:
        came = claims.submit_claim(place.section, saying)
    except ChangeRefused as refused:
        status = STALE if isinstance(refused, ResultChanged) else WRONG
        words = _refusal_text(refused)
        raise RefusalPage(
            _render_keypad(request, place, _board_of_play(place, sent), words, status), words
        ) from refused
    if cleaned["unplayed"] == "broken":
        broken = DirectorCall.Why.BROKEN
        calls.call_director(
            place.section, place.table, why=broken, board=sent.board, entry=place.entry_key
        )
    if came == claims.LOST:
        return redirect_to_table(place)
    return redirect("table-check", place.section.code, place.table, play, came)


@table_form
def exchange_boards(request: HttpRequest, place: TablePlace, play: int) -> HttpResponse:
    """Move a result that was entered for the wrong board to another board of the table and round."""
    board = place.read_board(play)
    form = MoveForm(request.POST)
    beside = {other.play.pk for other in place.other_boards_in_round(board)}
    if not form.is_valid() or form.other_play[0] not in beside or not place.may_show_claims(board):
        return redirect("table-board", place.section.code, place.table, play)
    cleaned, name = form.cleaned_data, place.phone.name
    saying = NewClaim(
        play, cleaned["side"], {}, cleaned["after"], cleaned["key"], name, cleaned["late"]
    )
    try:
        came = claims.move_result(place.section, saying, *form.other_play)
    except ChangeRefused as refused:
        status = STALE if isinstance(refused, ResultChanged) else WRONG
        words = _refusal_text(refused)
        now = TablePlace(place.section, place.table, place.phones, place.phone)
        raise RefusalPage(
            _render_keypad(request, now, now.read_board(play), words, status), words
        ) from refused
    return redirect("table-check", place.section.code, place.table, play, came)


def _board_of_play(place: TablePlace, play: Play) -> TableBoard:
    """Return the board of the play in the form, even if a change of the movement has cancelled the play."""
    return TableBoard(play, place.phones) if play.taken_back_at else place.read_board(play.pk)


def _form_error_text(form: ClaimForm) -> str:
    errors = [str(error) for error in form.non_field_errors()]
    return " ".join(errors) or _("Your entry did not arrive completely. Tap it again.")


def _refusal_text(refusal: ChangeRefused) -> str:
    """Return the sentence that explains to the phone's user why a result was refused."""
    match refusal:
        case ResultChanged():
            return _("Another player has entered this board meanwhile. This is the current result.")
        case ImpossibleResult():
            return _("This result is impossible on this board. Check it again.")
        case NoPlay():
            return _("This board is not played at this table any more. Ask the director.")
    return _("Results cannot be entered from phones now. Ask the director.")


@csrf_exempt  # store_confirmation checks it
def check_with_other_side(
    request: HtmxRequest, code: str, table: int, play: int, came: str = ""
) -> HttpResponse:
    """Show a board's result to the other side for confirmation (GET), or store the confirmation (POST)."""
    view: Callable[..., HttpResponse] = (
        store_confirmation if request.method == "POST" else show_claims
    )
    return view(request, code, table, play=play, came=came)


@answer_poll
@table_page
def show_claims(request: HtmxRequest, place: TablePlace, play: int, came: str) -> HttpResponse:
    """Show what both sides have entered for a board; a page that waits for the other side learns of its answer."""
    board = place.board(play)
    if request.htmx and "v" in request.GET:
        is_as_shown = request.headers.get("Result-Number") == str(board.result_number)
        if board.state != UNCHECKED or not is_as_shown:
            return HttpResponseClientRefresh()
        context = page_context(place, board=board, came=came)
        return render(request, "tables/check.html#answer", context)
    return _check_page(request, place, board, came)


def _check_page(
    request: HttpRequest,
    place: TablePlace,
    board: TableBoard,
    came: str,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return the page on which both sides see and confirm a board's result."""
    mine = board.side_of(place.entry_key)
    if not place.may_show_claims(board) and board.state != MISSING and came != claims.ASKED:
        return redirect("table-board", place.section.code, place.table, board.play.pk)
    boards = place.boards
    context = page_context(
        place,
        board=board,
        mine=mine,
        apart=0 if "here" in request.GET else _current_table_of_asked_side(place, board),
        came=came,
        problem=problem,
        is_own=board.asked_side == mine and place.entry_key != OF_TABLE,
        is_over=board.is_over(place.section),
        next=next((board for board in boards if _is_open(place, board)), None),
    )
    if came == claims.ASKED:
        return render(request, "tables/asked.html", context, status=status)
    if board.state in (AGREED, STORED):
        context["feedback"] = feedback_on(place, board)
        context["may_type"] = bool(context["feedback"]) and may_players_type_hands(
            place.tonight, place.section, board.board
        )
        context["asks_number"] = "sure" not in request.GET and may_be_another_board(place, board)
        context["going"] = [] if context["next"] else _next_seats(place)
        context["confirmed_by"] = confirming_side(place, board, came)
        return render(request, "tables/stored.html", context, status=status)
    template = {
        UNCHECKED: "tables/check.html",
        HELD: "tables/held.html",
        DIFFER: "tables/differ.html",
    }.get(board.state)
    if template is None:
        return redirect("table-board", place.section.code, place.table, board.play.pk)
    return render(request, template, context, status=status)


def _current_table_of_asked_side(place: TablePlace, board: TableBoard) -> int:
    """Return the table number where the side that must confirm a board sits now; 0 if it sits here."""
    is_now = board.play.round == place.section.round
    if is_now or board.state != UNCHECKED or board.asked_side == board.side_of(place.entry_key):
        return 0
    table = current_table_of(place.section, getattr(board.play, f"{board.asked_side}_id"))
    return 0 if table == place.table else table


@table_form
def store_confirmation(
    request: HttpRequest, place: TablePlace, play: int, came: str
) -> HttpResponse:
    """Store the other side's confirmation of a result."""
    may_agree = _may_agree(place, play)
    form = ConfirmForm(request.POST)
    if not form.is_valid() or not may_agree:
        return redirect("table-board", place.section.code, place.table, play)
    cleaned = form.cleaned_data
    try:
        claims.confirm_result(
            place.section, play, cleaned["side"], after=cleaned["after"], phone=place.phone.name
        )
    except ChangeRefused as refused:
        now, words = (
            TablePlace(place.section, place.table, place.phones, place.phone),
            _refusal_text(refused),
        )
        raise RefusalPage(
            _check_page(request, now, now.board(play), "", words, STALE), words
        ) from refused
    return redirect("table-check", place.section.code, place.table, play, claims.AGREED)


def _may_agree(place: TablePlace, play: int) -> bool:
    """Return whether the phone may see and confirm the result of a board.

    Raises `RefusalPage` (404) for other boards.
    """
    if place.may_see_all_results:
        return bool(place.play_of_form(play))
    return place.may_show_claims(place.read_board(play))


@table_form
def choose_version(request: HttpRequest, place: TablePlace, play: int) -> HttpResponse:
    """Store which of the two sides' different results is right: the other side's entry is changed to it."""
    board = place.board(play)
    form = VersionForm(request.POST)
    if form.is_valid() and board.state == DIFFER and place.may_show_claims(board):
        version, after = form.cleaned_data["version"], form.cleaned_data["after"]
        speaks = ACROSS[version] if place.entry_key == OF_TABLE else board.side_of(place.entry_key)
        outcome = board.held[version].outcome
        saying = NewClaim(play, speaks, outcome, after, phone=place.phone.name)
        try:
            claims.submit_claim(place.section, saying)
        except ChangeRefused as refused:
            words = _refusal_text(refused)
            raise RefusalPage(
                _check_page(request, place, board, "", words, STALE), words
            ) from refused
    return redirect("table-yes", place.section.code, place.table, play)


# ── the director ──


@table_form
def call_director(request: HttpRequest, place: TablePlace) -> HttpResponse:
    """Store a table's call for the director, or withdraw it."""
    key = submissions.submission_key(request)
    if request.POST.get("do") == "back":
        submissions.run_once(
            place.section, key, lambda: calls.withdraw_call(place.section, place.table)
        )
        return redirect_to_table(place)
    form = CallForm(request.POST)
    if not form.is_valid():
        return redirect_to_table(place)
    round, why, board = (form.cleaned_data[name] for name in ("round", "why", "board"))
    if round and round > place.section.round:
        _refuse_early(round)
    if round in (None, place.section.round):
        facts = {"why": why, "board": board, "entry": place.entry_key}
        submissions.run_once(
            place.section, key, lambda: calls.call_director(place.section, place.table, **facts)
        )
    return redirect_to_table(place)
