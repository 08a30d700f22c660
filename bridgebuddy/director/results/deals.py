"""The cards of the boards: read from a file, checked, and shown when a board is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.deals.double_dummy import is_installed
from bridgebuddy.deals.rules.reading import (
    MOST_BYTES,
    BoardProblem,
    DealsFile,
    NoDeals,
    read_deals,
)
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_scorer
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.scoring.added_words import WordForm
from bridgebuddy.scoring.results.dealing import are_boards_in_play, deal_origin_of
from bridgebuddy.scoring.results.sheets import Traveller
from bridgebuddy.scoring.services.cards.deals import (
    StoredDeals,
    deals_scope,
    remove_deals,
    store_deals,
)
from bridgebuddy.scoring.snapshot.cards import BoardCards
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.typed_hands import HandsForm
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import read_number

from ..refusals import change_refused
from .context import ResultsPageData
from .dealing import DealBoardsForm, run_action, section_of_board

WHY_NOT = {
    "unknown": gettext_lazy("The file contains no deals. PBN, LIN and DUP files can be read."),
    "large": gettext_lazy("This file is too large for deals."),
    "many": gettext_lazy("The file has more boards than a session can have."),
}
#: the example on a page without cards
EXAMPLE = BoardCards(1, "N:A643.KJT8.92.AK3 2.653.QJT7.T9842 KQ97.Q9.AK54.J75 JT85.A742.863.Q6")


class DealsForm(forms.Form):
    """The form for uploading a file of deals."""

    file = forms.FileField(
        label=gettext_lazy("File with the deals"),
        help_text=gettext_lazy(
            "A PBN, LIN or DUP file from the dealing program or the dealing machine."
        ),
        widget=forms.FileInput(attrs={"accept": ".pbn,.lin,.dup,.txt"}),
        error_messages={"required": gettext_lazy("Choose a file.")},
    )
    #: asked if cards are known; a page without this question removes no cards
    how = forms.ChoiceField(
        label=gettext_lazy("Cards already saved"),
        choices=[
            ("replace", gettext_lazy("Replace them with this file")),
            ("add", gettext_lazy("Add this file to them")),
        ],
        required=False,
        initial="replace",
        widget=forms.RadioSelect,
    )

    def clean_file(self) -> DealsFile:
        """Return the deals in the uploaded file; refuse an unreadable one with a reason."""
        file: Any = self.cleaned_data["file"]
        try:
            if (file.size or 0) > MOST_BYTES:
                raise NoDeals("large")
            return read_deals(file.read())
        except NoDeals as none:
            raise forms.ValidationError(WHY_NOT[none.why]) from none


@never_cache
@require_http_methods(["GET", "POST"])
def deals(request: UserRequest, code: str) -> HttpResponse:
    """Show which boards have known deals, and store those of an uploaded file."""
    if request.method != "POST":
        return deals_page(request, code, DealsForm())
    with one_snapshot(request):
        section = section_for_scorer(request, code)
    form = DealsForm(request.POST, request.FILES)
    if not form.is_valid():
        return deals_page(request, code, form)
    file: DealsFile = form.cleaned_data["file"]
    wrong = problem_sentences(file.problems)
    if not file.deals:
        for error in wrong:
            form.add_error("file", error)
        return deals_page(request, code, form)
    replaces = form.cleaned_data["how"] == "replace"
    try:
        stored = store_deals(section, file.deals, by=request.user, replaces=replaces)
    except ChangeRefused as refused:
        form.add_error("file", change_refused(refused))
        return deals_page(request, code, form)
    messages.success(request, " ".join(_changes_text(stored)))
    with one_snapshot(request):
        beyond = _unplayed_boards_text(SessionSnapshot(section), stored.boards)
    for error in [*wrong, *beyond]:
        messages.warning(request, error)
    return redirect("deals", code=section.code)


def _changes_text(deals: StoredDeals) -> Iterator[str]:
    """Yield sentences on what an uploaded file has changed."""
    yield ngettext(
        "The cards of %(boards)s board are saved.",
        "The cards of %(boards)s boards are saved.",
        len(deals.boards),
    ) % {"boards": len(deals.boards)}
    if deals.taken_away:
        yield _("Those of board %(boards)s were taken away.") % {
            "boards": board_text(deals.taken_away)
        }
    if deals.stay:
        yield _("Those of board %(boards)s stay as they were.") % {"boards": board_text(deals.stay)}


def _unplayed_boards_text(tonight: SessionSnapshot, boards: Iterable[int]) -> Iterator[str]:
    """Yield a sentence on the boards of a file that the movement does not play."""
    section = tonight.section
    lines = tonight.lines_of_section(section) if deals_scope(section) else tonight.lines
    played = {line.board for line in lines}
    beyond = tuple(board for board in boards if board not in played)
    if played and beyond:
        yield _("Not in the present plan, but saved: board %(boards)s of this file.") % {
            "boards": board_text(beyond)
        }


def problem_sentences(problems: Iterable[BoardProblem]) -> list[str]:
    """Return sentences on the problems with boards of a file, one for each kind."""
    words = {
        "cards": _("Not 52 cards, or not 13 in each hand: board %(boards)s."),
        "dealer": _(
            "The dealer in the file does not match the board number, which counts for scoring: "
            "board %(boards)s."
        ),
        "vulnerable": _(
            "The vulnerability in the file does not match the board number, which counts for "
            "scoring: board %(boards)s."
        ),
        "twice": _("In the file twice, with different cards: board %(boards)s."),
        "none": _("The file has no cards of board %(boards)s."),
    }
    every = list(problems)
    return [
        words[why] % {"boards": board_text(tuple(sorted({p.board for p in every if p.why == why})))}
        for why in words
        if any(problem.why == why for problem in every)
    ]


@read_in_one_snapshot
def deals_page(
    request: UserRequest,
    code: str,
    form: DealsForm,
    hands_form: tuple[int, HandsForm] | None = None,
) -> HttpResponse:
    """Render the page of deals; `hands_form` is a board whose cards are being typed, with its form."""
    read = ResultsPageData(request, code)
    planned = sorted({line.board for line in read.tonight.lines_of_section(read.section)})
    every = planned or read.tonight.boards_with_cards(
        read.section
    )  # dealt before the movement is chosen
    by_number = read.tonight.knows_cards_by_number(read.section)
    with_cards = [board for board in every if read.tonight.cards(read.section, board)]
    over = [
        board
        for board in with_cards
        if planned and Traveller(read.scored, read.section, board).is_over
    ]
    origin = deal_origin_of(read.tonight, read.section)
    is_hidden = origin is not None and origin.is_closed and not over
    context = read.context(
        "deals",
        form=form,
        boards=every,
        dealt=origin.dealing.boards if origin and is_hidden else [],
        dealt_text=board_text(origin.dealing.boards) if origin and is_hidden else "",
        known=with_cards,
        example=EXAMPLE,
        over=over,
        without=board_text(tuple(board for board in every if board not in with_cards)),
        of_nobody=read.tonight.knows_cards and not with_cards,
        by_number=by_number,
        missing=[board for board in every if board not in with_cards] if by_number else [],
        honest=origin,
        boards_form=DealBoardsForm(initial={"boards": board_text(planned) if planned else "1-24"}),
        word_form=WordForm(),
        is_in_play=are_boards_in_play(read.section),
        can_solve=is_installed(),
    )
    if not read.section.is_started:
        context["tab"] = "deals"  # boards are dealt before round 1, when there are no results
    board = read_number(request.GET.get("board")) if request.GET.get("open") == "cards" else None
    if hands_form is None and board:
        section_of_board(request, code, board)
        hands_form = board, HandsForm()
    if hands_form:
        context["typed_board"], context["hands_form"] = hands_form
    is_refused = form.errors or (hands_form and hands_form[1].errors)
    return render(
        request, "director/results/deals.html", context, status=422 if is_refused else 200
    )


@never_cache
@require_http_methods(["GET", "POST"])
def type_cards(request: UserRequest, code: str, board: int) -> HttpResponse:
    """Store the typed cards of a board that was dealt by hand."""
    with one_snapshot(request):
        section = section_of_board(request, code, board)
    if request.method != "POST":
        return redirect_with_part_open("cards", "deals", section.code, board=board)
    form = HandsForm(request.POST)
    if form.is_valid():
        try:
            store_deals(section, {board: form.cleaned_data["pbn"]}, by=request.user)
        except ChangeRefused as refused:
            form.add_error(None, change_refused(refused))
        else:
            messages.success(
                request, _("The cards of board %(board)s are saved.") % {"board": board}
            )
            return redirect("deals", code=section.code)
    return deals_page(request, code, DealsForm(), hands_form=(board, form))


@require_POST
def delete_cards(request: UserRequest, code: str) -> HttpResponse:
    """Delete the known deals of all boards of a section."""
    message = _("The cards were deleted.")
    return run_action(
        request, code, lambda section: remove_deals(section, by=request.user), message=message
    )
