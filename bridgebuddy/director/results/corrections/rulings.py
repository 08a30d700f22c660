"""Rulings on fouled boards, and penalties for contestants.

Each is shown before it is given. If the ruling differs from the one shown, it is shown again.
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

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot, section_for_scorer
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.scoring.checks.effects import (
    document_with_fouled_board,
    document_with_penalty,
    effect_for,
    result_effect,
)
from bridgebuddy.scoring.models import FouledBoard, Penalty
from bridgebuddy.scoring.results.team_sheets import sheet_of
from bridgebuddy.scoring.rules.model import ContestantKey
from bridgebuddy.scoring.services import rulings
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.snapshot.ruled import penalty_of
from bridgebuddy.scoring.templatetags.teams import board_address

from ..context import ResultsContext
from .boards import round_of
from .ruling_forms import FouledForm, PenaltyForm

ASKED, REFUSED = 200, 422


def is_confirmed(request: UserRequest, shown: str, now: str) -> bool:
    """Return whether the button was pressed for exactly the ruling that the page showed."""
    return request.POST.get("do") == "give" and shown == now


def fingerprint(**said: Any) -> str:
    """Serialize the values that a page shows, to compare them later."""
    return json.dumps(said, sort_keys=True, default=str)


def _give_with_message(request: UserRequest, give: Callable[[], object]) -> None:
    """Give a ruling; add a message with the outcome or the reason of a refusal."""
    try:
        give()
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    else:
        messages.success(request, _("The ruling was given."))


# ── a fouled board ──


@never_cache
@require_http_methods(["GET", "POST"])
def rule_fouled_board(request: UserRequest, code: str, board: int) -> HttpResponse:
    """Rule that a board had other cards from a round on, or at some tables."""
    with one_snapshot(request):
        read = ResultsContext(request, code)
        lines = [line for line in read.tonight.of_board(read.section, board) if line.has_begun]
        if not lines:
            raise Http404("nobody has played it")
        round = round_of(read, lines, request.GET.get("round", ""))
        lines = [line for line in lines if round in (0, line.round)]
        if hidden := read.still_to_play(lines):
            return hidden
        sent = request.POST if request.method == "POST" else None
        form = FouledForm(lines, sent, in_round=round)
        shown_print = _fingerprint_of_form(form) if form.is_valid() else ""
        if not shown_print or not is_confirmed(request, form.cleaned_data["shown"], shown_print):
            return _fouled_page(request, read, lines, form, shown_print)
    cleaned = form.cleaned_data
    _give_with_message(
        request,
        lambda: rulings.foul_board(
            read.section,
            board,
            from_round=cleaned["from_round"],
            tables=cleaned["tables"],
            reason=cleaned["reason"],
            by=request.user,
        ),
    )
    return redirect(board_address(read.section, board, round))


def _fingerprint_of_form(form: FouledForm) -> str:
    """Return the fingerprint of a form about a fouled board."""
    cleaned = form.cleaned_data
    return fingerprint(from_round=cleaned["from_round"], tables=cleaned["tables"])


def _fouled_page(
    request: UserRequest, read: ResultsContext, lines: list[PlayLine], form: FouledForm, shown: str
) -> HttpResponse:
    """Return the page of a fouled board."""
    board = lines[0].board
    earlier = [
        fouled_board
        for fouled_board in read.tonight.fouled
        if (fouled_board.section_id, fouled_board.board) == (read.section.pk, board)
        and (not form.in_round or fouled_board.from_round == form.in_round)
    ]
    context = read.context("boards", board=board, form=form, known=earlier, round=form.in_round)
    if shown:
        proposed = form.ruling(lines[0])
        context |= {
            "effect": result_effect(
                read.scored, document_with_fouled_board(read.tonight, proposed), lines
            ),
            "shown": shown,
            "others": [line for line in lines if proposed.holds(line.round, line.table)],
            "as_dealt": [line for line in lines if not proposed.holds(line.round, line.table)],
        }
    status = REFUSED if form.errors else ASKED
    return render(request, "director/results/fouled.html", context, status=status)


@require_POST
def withdraw_fouled_board(request: UserRequest, code: str, fouled: int) -> HttpResponse:
    """Take the ruling on a fouled board back."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
        ruling = FouledBoard.objects.filter(section=section, pk=fouled).first()
    if ruling is None:
        raise Http404("no such ruling")
    try:
        rulings.unfoul_board(section, fouled, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect(board_address(section, ruling.board, ruling.from_round or 1))


# ── a contestant's score sheet, and penalties ──


@never_cache
@require_http_methods(["GET", "POST"])
def score_sheet(request: UserRequest, code: str, label: str) -> HttpResponse:
    """Show a contestant's score sheet with explanations, and give a penalty or bonus."""
    with one_snapshot(request):
        page = _SheetPage(request, code, label)
        if not page.is_given:
            return page.shown()
    given = page.form.given
    _give_with_message(
        request,
        lambda: rulings.give_penalty(
            page.read.section,
            page.who.entry,
            **given,
            reason=page.form.cleaned_data["reason"],
            by=request.user,
        ),
    )
    return redirect("score-sheet", code=page.read.section.code, label=label)


class _SheetPage:
    """The page of a contestant during its request."""

    def __init__(self, request: UserRequest, code: str, label: str) -> None:
        self.request = request
        self.read = ResultsContext(request, code)
        who = self.read.tonight.find(self.read.section, label)
        if who is None:
            raise Http404("nobody has this label")
        self.who = who
        self.sheet = sheet_of(self.read.scored, self.read.section, who)
        boards = sorted({entry.board for stage in self.sheet.stages for entry in stage.entries})
        self.on = request.GET.get("board", "")
        sent = request.POST if request.method == "POST" else None
        rounds = sorted(
            {
                match.round
                for match in self.read.scored.document.session.matches
                if match.away and (self.read.section.name, who.slug) in match.sides
            }
        )
        self.form = PenaltyForm(self.read.scored, boards, sent, board=self.on, rounds=rounds)
        self.is_given = self.form.is_valid() and is_confirmed(
            request, self.form.cleaned_data["shown"], fingerprint(**self.form.given)
        )

    def shown(self) -> HttpResponse:
        """Show the score sheet and the effect of a penalty."""
        read = self.read
        context = read.context(
            "ranking",
            sheet=self.sheet,
            stages=[
                (
                    stage,
                    [
                        (entry, read.why(entry.line, entry.side, entry.sits))
                        for entry in stage.entries
                    ],
                )
                for stage in self.sheet.stages
            ],
            form=self.form,
            is_asked=bool(self.on),
        )
        if self.form.is_valid():
            who = ContestantKey(read.section.name, self.who.slug)
            penalty = penalty_of(Penalty(**self.form.given), who)
            document = document_with_penalty(read.tonight, penalty)
            context |= {
                "effect": effect_for(read.scored, document, [], [self.who]),
                "shown": fingerprint(**self.form.given),
            }
        status = REFUSED if self.form.errors else ASKED
        return render(self.request, "director/results/score_sheet.html", context, status=status)


@require_POST
def penalty_back(request: UserRequest, code: str, penalty: int) -> HttpResponse:
    """Take a penalty back."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
        given = Penalty.objects.filter(entry__section=section, pk=penalty)
        penalty_given = given.select_related("entry").first()
        label = _contestant_slug(section, penalty_given) if penalty_given else ""
    if penalty_given is None:
        raise Http404("no such penalty")
    try:
        rulings.take_back_penalty(section, penalty, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    if not label:  # the contestant is no longer on the list
        return redirect("ranking", code=section.code)
    return redirect("score-sheet", code=section.code, label=label)


def _contestant_slug(section: Section, penalty: Penalty) -> str:
    """Return the slug of the contestant whom a penalty concerns; empty if there is none."""
    contestants = SectionPlan.of(section).drawn.contestants.values()
    return next(
        (contestant.slug for contestant in contestants if contestant.entry == penalty.entry_id), ""
    )
