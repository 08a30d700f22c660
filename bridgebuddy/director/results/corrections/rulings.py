"""Rulings on fouled boards, and penalties for contestants.

Each is shown before it is given. If the ruling differs from the one shown, it is shown again.
"""

from __future__ import annotations

from collections.abc import Callable

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
    document_with_penalty,
    effect_of_other_document,
)
from bridgebuddy.scoring.models import FouledBoard, Penalty
from bridgebuddy.scoring.results.team_sheets import score_sheet_of
from bridgebuddy.scoring.rules.model import ContestantKey
from bridgebuddy.scoring.services import rulings
from bridgebuddy.scoring.snapshot.ruled import penalty_of
from bridgebuddy.scoring.templatetags.teams import board_address
from bridgebuddy.web.folds import redirect_with_part_open

from ..context import ResultsPageData
from .boards import board_page, round_to_show
from .fouled import fingerprint, fingerprint_of
from .penalty_forms import FouledForm, PenaltyForm

ASKED, REFUSED = 200, 422


def is_confirmed(request: UserRequest, previewed: str, current: str) -> bool:
    """Return whether the button was pressed for exactly the ruling that the page had previewed."""
    return request.POST.get("do") == "give" and previewed == current


def _give_with_message(request: UserRequest, give: Callable[[], object]) -> None:
    """Give a ruling with the service `give`; add a message with the outcome or the refusal."""
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
    """Rule a board fouled from a round on, or at some tables. The form is on the board's page."""
    with one_snapshot(request):
        read = ResultsPageData(request, code)
        lines = [
            line for line in read.tonight.lines_of_board(read.section, board) if line.has_begun
        ]
        if not lines:
            raise Http404("nobody has played it")
        round = round_to_show(read, lines, request.GET.get("round", ""))
        lines = [line for line in lines if round in (0, line.round)]
        if hidden := read.page_hiding_unplayed_boards(lines):
            return hidden
        if request.method != "POST":
            asked = {"round": round} if round else {}
            return redirect_with_part_open(
                "cards", "board-results", read.section.code, board, **asked
            )
        form = FouledForm(lines, request.POST, in_round=round)
        shown_print = fingerprint_of(form) if form.is_valid() else ""
        if not shown_print or not is_confirmed(request, form.cleaned_data["shown"], shown_print):
            return board_page(request, read, board, fouled=form)
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


@require_POST
def withdraw_fouled_board(request: UserRequest, code: str, fouled: int) -> HttpResponse:
    """Take back the ruling that a board was fouled."""
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
            return page.render_page()
    given = page.form.service_arguments
    _give_with_message(
        request,
        lambda: rulings.give_penalty(
            page.read.section,
            page.contestant.entry,
            **given,
            reason=page.form.cleaned_data["reason"],
            by=request.user,
        ),
    )
    return redirect("score-sheet", code=page.read.section.code, label=label)


class _SheetPage:
    """The page with a contestant's score sheet and the form for a penalty, for one request."""

    def __init__(self, request: UserRequest, code: str, label: str) -> None:
        self.request = request
        self.read = ResultsPageData(request, code)
        contestant = self.read.tonight.find(self.read.section, label)
        if contestant is None:
            raise Http404("nobody has this label")
        self.contestant = contestant
        self.sheet = score_sheet_of(self.read.scored, self.read.section, contestant)
        boards = sorted(
            {entry.board for stage in self.sheet.begun_stages for entry in stage.entries}
        )
        self.on = request.GET.get("board", "")
        sent = request.POST if request.method == "POST" else None
        rounds = sorted(
            {
                match.round
                for match in self.read.scored.document.session.matches
                if match.away and (self.read.section.name, contestant.slug) in match.sides
            }
        )
        self.form = PenaltyForm(self.read.scored, boards, sent, board=self.on, rounds=rounds)
        self.is_given = self.form.is_valid() and is_confirmed(
            request, self.form.cleaned_data["shown"], fingerprint(**self.form.service_arguments)
        )

    def render_page(self) -> HttpResponse:
        """Render the score sheet, and the effect of a penalty in the form."""
        read = self.read
        directions = {entry.sits for stage in self.sheet.begun_stages for entry in stage.entries}
        has_both = len(directions) > 1
        columns = 4 + has_both + read.scored.is_per_cent
        context = read.context(
            "ranking",
            sheet=self.sheet,
            has_both_directions=has_both,
            column_count=columns,
            columns_before_value=columns - 1,
            stages=[
                (
                    stage,
                    [
                        (entry, read.explain_score(entry.line, entry.side, entry.sits))
                        for entry in stage.entries
                    ],
                )
                for stage in self.sheet.begun_stages
            ],
            form=self.form,
            is_asked=bool(self.on),
        )
        if self.form.is_valid():
            contestant = ContestantKey(read.section.name, self.contestant.slug)
            penalty = penalty_of(Penalty(**self.form.service_arguments), contestant)
            document = document_with_penalty(read.tonight, penalty)
            context |= {
                "effect": effect_of_other_document(read.scored, document, [], [self.contestant]),
                "shown": fingerprint(**self.form.service_arguments),
            }
        status = REFUSED if self.form.errors else ASKED
        return render(self.request, "director/results/score_sheet.html", context, status=status)


@require_POST
def withdraw_penalty(request: UserRequest, code: str, penalty: int) -> HttpResponse:
    """Take back a penalty or bonus."""
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
    """Return the slug of the contestant with a penalty; empty if there is none."""
    contestants = SectionPlan.of(section).drawn.contestants.values()
    return next(
        (contestant.slug for contestant in contestants if contestant.entry == penalty.entry_id), ""
    )
