"""The table's pages: which boards are played, what came of them, the other side's yes, and a call."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from bridgebuddy.events.code_limits import too_many_tries
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Play
from bridgebuddy.http import HtmxRequest
from bridgebuddy.scoring.errors import Impossible, NoPlay, ResultChanged
from bridgebuddy.scoring.rules.slips import MOST_TRICKS

from .access import (
    UNCHANGED,
    Place,
    ask_for_digits,
    count_wrong_digits,
    may_try_digits,
    open_page,
    polled,
    table_form,
    table_page,
)
from .feedback import feedback_on
from .forms import CallForm, ChooseForm, SayForm, YesForm
from .models import Call
from .pad import CARDS, DOUBLED, LEVELS, SEATS, STRAINS, SUITS, Pad, counted
from .queries.at_table import (
    ACROSS,
    AGREED,
    DIFFER,
    HELD,
    MISSING,
    OF_TABLE,
    STORED,
    UNCHECKED,
    Board,
)
from .secrets import are_digits, is_secret, secret_of
from .services import calls, claims
from .services import seats as swapping
from .services.claims import Saying

STALE, WRONG = 409, 422


# ── joining ──


@require_safe
@open_page
def join(request: HttpRequest, place: Place, key: str) -> HttpResponse:
    """Let a phone in that has scanned the table's card."""
    if not place.phones.need_secret or is_secret(key, place.section, place.table, place.phones):
        return _let_in(request, place)
    if not may_try_digits(request, place):
        return too_many_tries(request)
    count_wrong_digits(request, place)
    return ask_for_digits(request, place)


@require_POST
@open_page
def digits(request: HttpRequest, place: Place) -> HttpResponse:
    """Let a phone in whose owner has typed the four digits of the table; wrong ones are counted."""
    if not may_try_digits(request, place):
        return too_many_tries(request)
    typed = "".join(request.POST.get("digits", "").split())
    if are_digits(typed, place.section, place.table, place.phones):
        return _let_in(request, place)
    count_wrong_digits(request, place)
    return ask_for_digits(request, place, are_wrong=True)


def _let_in(request: HttpRequest, place: Place) -> HttpResponse:
    there = {entry for entry, *_rest in place.people}
    secret = secret_of(place.section, place.table, place.phones)
    asks = place.who not in {*there, OF_TABLE}
    place.phone.learn(place.section, place.table, secret, asks=asks)
    if asks:
        _belongs(place, request.POST.get("who", ""))
    return _to_table(place)


def _belongs(place: Place, said: str) -> bool:
    """Keep whose phone it is, if it may be said now and they play here."""
    there = {str(entry): entry for entry, *_rest in place.people} | {str(OF_TABLE): OF_TABLE}
    if said not in there or not place.may_say_whose:
        return False
    place.phone.belongs(place.section, there[said])
    return True


@table_form
def who(request: HttpRequest, place: Place) -> HttpResponse:
    """Keep whose phone it is."""
    _belongs(place, request.POST.get("who", ""))
    return _to_table(place)


# ── the round ──


@polled
@table_page
def table(request: HtmxRequest, place: Place) -> HttpResponse:
    """Show this round's boards, and what each of them waits for."""
    said = request.GET.get("who", "")
    if said and said != str(place.who):
        _belongs(place, said)
    if request.htmx and request.GET.get("v") == place.version:
        return HttpResponse(status=UNCHANGED)
    if place.who is None or (place.may_say_whose and not place.boards and not place.elsewhere):
        if request.htmx:
            return HttpResponseClientRefresh()
        return render(request, "tables/who.html", _context(place))
    template = "tables/table.html#live" if request.htmx else "tables/table.html"
    return render(request, template, _context(place, **_round(place)))


def _round(place: Place) -> dict[str, Any]:
    """What the page of the round says."""
    boards, seats = place.boards, _seats(place)
    to_check = [one for one in boards if _waits_for(place, one)]
    return {
        "boards": boards,
        "next": next((one for one in boards if _is_open(place, one)), None),
        "open_boards": [one for one in boards if _is_open(place, one)],
        "to_check": to_check[0] if to_check else None,
        "differ": next((one for one in boards if one.state == DIFFER), None),
        "seats": seats,
        "call": Call.objects.filter(
            section=place.section, table=place.table, taken_at=None
        ).first(),
        "poll": place.section.is_running,
        "mine": seats.side_of(place.who) if seats else "ns",
        "chairs": SEATS,
        "seen": {one.play.pk for one in boards if place.sees(one)},
        "can_swap": bool(seats and place.who and seats.play.ns2_id is None),
    }


def _is_open(place: Place, board: Board) -> bool:
    """Whether whoever has the phone may enter a board now."""
    is_theirs = board.has_said(board.side_of(place.who))
    return board.state == MISSING or (board.state == HELD and not is_theirs)


def _waits_for(place: Place, board: Board) -> bool:
    """Whether a board waits for the yes of whoever has the phone, and may be shown them."""
    mine = board.side_of(place.who)
    is_asked = board.state == UNCHECKED and board.asked == mine
    return is_asked and place.who != OF_TABLE and place.sees(board)


def _seats(place: Place) -> Board | None:
    """A board that says who sits where now."""
    mine = [one for one in place.at.boards if one.side_of(place.who)]
    open_ones = [one for one in mine if one.state == MISSING]
    return next(iter(open_ones or mine), None)


# ── a board ──


def board(request: HtmxRequest, code: str, table: int, play: int) -> HttpResponse:
    """Ask what came of a board; taken down is what is tapped."""
    view: Callable[..., HttpResponse] = say if request.method == "POST" else pad
    return view(request, code, table, play=play)


@table_page
def pad(request: HttpRequest, place: Place, play: int) -> HttpResponse:
    """Show the keys for a board; of one that is stored, what can be changed."""
    return _pad(request, place, place.board(play))


def _pad(
    request: HttpRequest, place: Place, board: Board, problem: str = "", status: int = 200
) -> HttpResponse:
    mine = board.side_of(place.who)
    said = request.GET.get("side", mine)
    side = said if said in ACROSS else mine
    has_tapped = any(name in request.GET for name in ("level", "strain", "by", "new", "unplayed"))
    found = Pad.read(board.board, request.GET, asks_lead=place.phones.asks_lead, side=side)
    is_seen = board.outcome is not None and place.sees(board)
    context = _context(
        place,
        board=board,
        pad=found,
        side=side,
        problem=problem,
        key=secrets.token_hex(16),
        others=[one for one in place.boards if one.play.pk != board.play.pk],
        is_over=board.is_over(place.section),
        levels=LEVELS,
        strains=STRAINS,
        doubled=DOUBLED,
        chairs=SEATS,
        suits=SUITS,
        cards=CARDS,
        asked_chair=mark_safe("<span data-chair-asked></span>"),
        every_tricks=[(tricks, counted(tricks)) for tricks in range(MOST_TRICKS + 1)],
    )
    template = "tables/pad.html"
    if "unplayed" in request.GET:
        template = "tables/unplayed.html"
    elif is_seen and not has_tapped:
        template = "tables/change.html"
    return render(request, template, context, status=status)


@table_form
def say(request: HttpRequest, place: Place, play: int) -> HttpResponse:
    """Take down what a side says came of a board."""
    sent = place.sent(play, or_gone=True)
    form = SayForm(request.POST)
    if not form.is_valid():
        return _pad(request, place, _board_of(place, sent), _unread(form), WRONG)
    said = form.cleaned_data
    saying = Saying(
        play,
        said["side"],
        form.outcome,
        said["after"],
        said["key"],
        place.phone.name,
        said["late"],
    )
    try:
        came = claims.say(place.section, saying)
    except ChangeRefused as refused:
        status = STALE if isinstance(refused, ResultChanged) else WRONG
        return _pad(request, place, _board_of(place, sent), _refused(refused), status)
    if said["unplayed"] == "broken":
        calls.call(place.section, place.table, why=Call.Why.BROKEN, board=sent.board)
    if came == claims.LOST:
        return _to_table(place)
    return redirect("table-check", place.section.code, place.table, play, came)


def _board_of(place: Place, sent: Play) -> Board:
    """Return the board a form is about, also one that a change has taken back while it was on its way."""
    return Board(sent, place.phones) if sent.taken_back_at else place.only(sent.pk)


def _unread(form: SayForm) -> str:
    said = [str(one) for one in form.non_field_errors()]
    return " ".join(said) or _("That did not get through whole. Tap it again.")


def _refused(refused: ChangeRefused) -> str:
    match refused:
        case ResultChanged():
            return _("Somebody else has entered this board meanwhile. Here is what stands now.")
        case Impossible():
            return _("No table can have had this result on this board. Look again.")
        case NoPlay():
            return _("This board is not played at this table any more. Ask the director.")
    return _("Phones cannot enter results now. Ask the director.")


def checked(request: HtmxRequest, code: str, table: int, play: int, came: str = "") -> HttpResponse:
    """Show what was said of a board and ask the other side; taken down is their yes."""
    view: Callable[..., HttpResponse] = say_yes if request.method == "POST" else check
    return view(request, code, table, play=play, came=came)


@table_page
def check(request: HttpRequest, place: Place, play: int, came: str) -> HttpResponse:
    """Show what was said of a board, and what it waits for."""
    return _check(request, place, place.board(play), came)


def _check(
    request: HttpRequest,
    place: Place,
    board: Board,
    came: str,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    mine = board.side_of(place.who)
    if not place.sees(board) and board.state != MISSING and came != claims.ASKED:
        return redirect("table-board", place.section.code, place.table, board.play.pk)
    boards = place.boards
    context = _context(
        place,
        board=board,
        mine=mine,
        came=came,
        problem=problem,
        is_own=board.asked == mine and place.who != OF_TABLE,
        is_over=board.is_over(place.section),
        next=next((one for one in boards if _is_open(place, one)), None),
    )
    if came == claims.ASKED:
        return render(request, "tables/asked.html", context, status=status)
    if board.state in (AGREED, STORED):
        context["feedback"] = feedback_on(place, board)
        return render(request, "tables/stored.html", context, status=status)
    template = {
        UNCHECKED: "tables/check.html",
        HELD: "tables/held.html",
        DIFFER: "tables/differ.html",
    }.get(board.state)
    if template is None:
        return redirect("table-board", place.section.code, place.table, board.play.pk)
    return render(request, template, context, status=status)


@table_form
def say_yes(request: HttpRequest, place: Place, play: int, came: str) -> HttpResponse:
    """Take down the other side's yes."""
    may_agree = _may_agree(place, play)
    form = YesForm(request.POST)
    if not form.is_valid() or not may_agree:
        return redirect("table-board", place.section.code, place.table, play)
    said = form.cleaned_data
    try:
        claims.agree(place.section, play, said["side"], after=said["after"], phone=place.phone.name)
    except ChangeRefused as refused:
        now = Place(place.section, place.table, place.phones, place.phone)
        return _check(request, now, now.board(play), "", _refused(refused), STALE)
    return redirect("table-check", place.section.code, place.table, play, claims.AGREED)


def _may_agree(place: Place, play: int) -> bool:
    """Whether the phone may be shown what it says yes to. Answers 404 where it is no board of theirs."""
    if place.phones.need_secret:  # so that it sees whatever is theirs
        return bool(place.sent(play))
    return place.sees(place.only(play))


@table_form
def choose(request: HttpRequest, place: Place, play: int) -> HttpResponse:
    """Take down which of two versions is right: whoever has said the other one gives way."""
    board = place.board(play)
    form = ChooseForm(request.POST)
    if form.is_valid() and board.state == DIFFER and place.sees(board):
        version, after = form.cleaned_data["version"], form.cleaned_data["after"]
        speaks = ACROSS[version] if place.who == OF_TABLE else board.side_of(place.who)
        outcome = board.held[version].outcome
        saying = Saying(play, speaks, outcome, after, phone=place.phone.name)
        try:
            claims.say(place.section, saying)
        except ChangeRefused as refused:
            return _check(request, place, board, "", _refused(refused), STALE)
    return redirect("table-yes", place.section.code, place.table, play)


# ── the director, and the chairs ──


@table_form
def call(request: HttpRequest, place: Place) -> HttpResponse:
    """Call the director, or say that nobody needs to come."""
    if request.POST.get("do") == "back":
        calls.take_back(place.section, place.table)
        return _to_table(place)
    form = CallForm(request.POST)
    if form.is_valid():
        calls.call(
            place.section,
            place.table,
            why=form.cleaned_data["why"],
            board=form.cleaned_data["board"],
        )
    return _to_table(place)


@table_form
def swap(request: HttpRequest, place: Place) -> HttpResponse:
    """Name the two of a pair in each other's chair."""
    there = {entry for entry, *_rest in place.people}
    if place.who and place.who in there:
        swapping.swap(place.section, place.who)
    return _to_table(place)


def _to_table(place: Place) -> HttpResponse:
    return redirect("table", place.section.code, place.table)


def _context(place: Place, **more: Any) -> dict[str, Any]:
    return {
        "section": place.section,
        "table": place.table,
        "place": place,
        "phones": place.phones,
        **more,
    }
