"""Rulings: what a director gives instead of a result, on a fouled board, or takes from somebody.

Each is shown before it is given. What is given is what the page has shown, or it is shown again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.events.access import one_moment, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.games import Contestant
from bridgebuddy.events.queries.plan import Plan
from bridgebuddy.http import UserRequest
from bridgebuddy.scoring.models import FouledBoard, Penalty, Source
from bridgebuddy.scoring.queries.effects import (
    Effect,
    effect,
    effect_for,
    with_fouled,
    with_penalty,
)
from bridgebuddy.scoring.queries.scored import with_outcome
from bridgebuddy.scoring.queries.sheets import ScoreSheet
from bridgebuddy.scoring.services import results, rulings

from ..refusals import change_refused
from .context import Read
from .ruling_forms import FouledForm, PenaltyForm, RulingForm

ASKED, REFUSED, CHANGED = 200, 422, 409


def is_given(request: UserRequest, shown: str, now: str) -> bool:
    """Whether the button was pressed that gives exactly what the page has shown."""
    return request.POST.get("do") == "give" and shown == now


def fingerprint(**said: Any) -> str:
    """Write down what a page shows, to know it again."""
    return json.dumps(said, sort_keys=True, default=str)


# ── a result ──


@never_cache
@require_http_methods(["GET", "POST"])
def ruling(request: UserRequest, code: str, play: int) -> HttpResponse:
    """Rule on what came of a board at a table: first what it would do, then it is given."""
    read = Read(request, code)
    line = read.line(play)
    form = RulingForm(line, request.POST or None)
    context = read.context(
        "boards",
        line=line,
        form=form,
        board=line.board,
        why_ns=read.why(line, read.scored.side(line, "ns")),
        why_ew=read.why(line, read.scored.side(line, "ew")),
        score=read.scored.score(line),
    )
    if request.method == "GET":
        return _asked(request, context, ASKED)
    if not form.is_valid():
        return _asked(request, context, REFUSED)
    said = form.cleaned_data
    shown = fingerprint(outcome=said["outcome"])
    if is_given(request, said["shown"], shown):
        try:
            results.enter(
                read.section,
                play,
                said["outcome"],
                after=said["after"],
                source=Source.RULING,
                reason=said["reason"],
                by=request.user,
            )
        except ChangeRefused as refused:
            return _asked(request, context | {"problem": change_refused(refused)}, CHANGED)
        messages.success(request, _("The ruling was given."))
        return redirect("board-results", code=read.section.code, board=line.board)
    document = with_outcome(read.tonight.document, [line.index], said["outcome"])
    found = effect(read.scored, document, [line])
    return _asked(
        request, context | {"effect": found, "shown": shown, "given": said["outcome"]}, ASKED
    )


def _asked(request: UserRequest, context: dict[str, Any], status: int) -> HttpResponse:
    return render(request, "director/results/ruling.html", context, status=status)


# ── a fouled board ──


@never_cache
@require_http_methods(["GET", "POST"])
def fouled(request: UserRequest, code: str, board: int) -> HttpResponse:
    """Rule that a board had other cards from a round on, or at some tables."""
    read = Read(request, code)
    lines = [one for one in read.tonight.of_board(read.section, board) if one.has_begun]
    if not lines:
        raise Http404("nobody has played it")
    form = FouledForm(lines, request.POST or None)
    known = [
        one
        for one in read.tonight.fouled
        if (one.section_id, one.board) == (read.section.pk, board)
    ]
    context = read.context("boards", board=board, form=form, known=known)
    status = ASKED
    if request.method == "POST":
        if form.is_valid():
            said = form.cleaned_data
            shown = fingerprint(from_round=said["from_round"], tables=said["tables"])
            if is_given(request, said["shown"], shown):
                answer = _give(request, read.section, lambda: _foul(request, read, board, said))
                return answer or redirect("board-results", code=read.section.code, board=board)
            proposed = form.ruling(lines[0])
            document = with_fouled(read.tonight, proposed)
            context |= {
                "effect": effect(read.scored, document, lines),
                "shown": shown,
                "others": [one for one in lines if proposed.holds(one.round, one.table)],
                "as_dealt": [one for one in lines if not proposed.holds(one.round, one.table)],
            }
        else:
            status = REFUSED
    return render(request, "director/results/fouled.html", context, status=status)


def _foul(request: UserRequest, read: Read, board: int, said: dict[str, Any]) -> FouledBoard:
    return rulings.foul_board(
        read.section,
        board,
        from_round=said["from_round"],
        tables=said["tables"],
        reason=said["reason"],
        by=request.user,
    )


def _give(
    request: UserRequest, section: Section, give: Callable[[], object]
) -> HttpResponse | None:
    """Give a ruling; a refusal is told on the page that follows."""
    try:
        give()
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    else:
        messages.success(request, _("The ruling was given."))
    return None


@require_POST
def unfoul(request: UserRequest, code: str, fouled: int) -> HttpResponse:
    """Take the ruling on a fouled board back."""
    with one_moment(request):
        section = section_for_director(request, code)
        found = FouledBoard.objects.filter(section=section, pk=fouled).first()
    if found is None:
        raise Http404("no such ruling")
    try:
        rulings.unfoul_board(section, fouled, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect("board-results", code=section.code, board=found.board)


# ── a contestant's score sheet, and penalties ──


@never_cache
@require_http_methods(["GET", "POST"])
def score_sheet(request: UserRequest, code: str, label: str) -> HttpResponse:
    """Show all a contestant has played, how each number came about, and take or give something."""
    read = Read(request, code)
    who = read.tonight.find(read.section, label)
    if who is None:
        raise Http404("nobody has this label")
    sheet = ScoreSheet(read.scored, read.section, who)
    boards = sorted({one.board for stage in sheet.stages for one in stage.entries})
    on = request.GET.get("board", "")
    form = PenaltyForm(read.scored, boards, request.POST or None, board=on)
    context = read.context(
        "ranking",
        sheet=sheet,
        stages=[
            (stage, [(one, read.why(one.line, one.side)) for one in stage.entries])
            for stage in sheet.stages
        ],
        form=form,
        is_asked=bool(on),
    )
    status = ASKED
    if request.method == "POST":
        if form.is_valid():
            answer, found = _penalty(request, read, who, form)
            if answer:
                return answer
            context |= found
        else:
            status = REFUSED
    return render(request, "director/results/score_sheet.html", context, status=status)


def _penalty(
    request: UserRequest, read: Read, who: Contestant, form: PenaltyForm
) -> tuple[HttpResponse | None, dict[str, Any]]:
    """Give a penalty that was shown; else say what it would do."""
    said = form.cleaned_data
    given: dict[str, Any] = {
        "unit": said["unit"],
        "amount": form.kept,
        "kind": said["kind"],
        "board": said["board"],
    }
    shown = fingerprint(**given)
    if is_given(request, said["shown"], shown):
        give = lambda: rulings.give_penalty(  # noqa: E731
            read.section, who.entry, **given, reason=said["reason"], by=request.user
        )
        _give(request, read.section, give)
        return redirect("score-sheet", code=read.section.code, label=who.slug), {}
    penalty = {
        **given,
        "section": read.section.name,
        "contestant": who.slug,
        "amount": float(form.kept),
        "reason": "",
        "by": "",
    }
    found: Effect = effect_for(read.scored, with_penalty(read.tonight, penalty), [], [who])
    return None, {"effect": found, "shown": shown}


@require_POST
def penalty_back(request: UserRequest, code: str, penalty: int) -> HttpResponse:
    """Take a penalty back."""
    with one_moment(request):
        section = section_for_director(request, code)
        given = Penalty.objects.filter(entry__section=section, pk=penalty)
        found = given.select_related("entry").first()
        label = _label(section, found) if found else ""
    if found is None:
        raise Http404("no such penalty")
    try:
        rulings.take_back_penalty(section, penalty, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect("score-sheet", code=section.code, label=label)


def _label(section: Section, penalty: Penalty) -> str:
    contestants = Plan.of(section).drawn.contestants.values()
    return next(one.slug for one in contestants if one.entry == penalty.entry_id)
