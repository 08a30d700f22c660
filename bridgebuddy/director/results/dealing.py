"""Pages for deals that BridgeBuddy makes: publish the fingerprint, add the players' words, download the files.

The fingerprint (a hash of the secret) is published before the words are known, so the deals can be verified later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.rules import RUN_SESSIONS
from bridgebuddy.deals.rules.making import parse_board_ranges
from bridgebuddy.deals.rules.reading import HIGHEST, MOST_BOARDS
from bridgebuddy.deals.rules.writing import FORMATS
from bridgebuddy.events.access import (
    one_snapshot,
    read_in_one_snapshot,
    section_for_director,
    section_for_scorer,
)
from bridgebuddy.events.errors import AlreadyStarted, ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.added_words import WordForm
from bridgebuddy.scoring.results.dealing import (
    are_boards_in_play,
    deal_origin_of,
    valid_hands_by_board,
)
from bridgebuddy.scoring.services.cards.dealing import (
    add_word,
    begin_dealing,
    deal_boards,
    deal_without_witnesses,
)
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot

from ..refusals import change_refused
from .context import ResultsPageData, hidden_results_page

BOARDS_DEALT = gettext_lazy("The boards are dealt. No one has seen any cards.")


class DealBoardsForm(forms.Form):
    """The form for the boards for which deals are to be made."""

    boards = forms.CharField(
        label=gettext_lazy("Boards"),
        max_length=200,
        help_text=gettext_lazy("Such as 1-24, or 1-8, 17-24."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )

    def clean_boards(self) -> list[int]:
        """Return the typed board numbers."""
        numbers = parse_board_ranges(self.cleaned_data["boards"], HIGHEST, MOST_BOARDS)
        if numbers is None:
            raise forms.ValidationError(
                _("Enter boards like 1-8, 17-24, each only once, up to number %(most)s.")
                % {"most": MOST_BOARDS}
            )
        return numbers


@require_POST
def draw_deal_secret(request: UserRequest, code: str) -> HttpResponse:
    """Make random deals; with witnesses, only draw the secret from which they are made, and show its fingerprint."""
    form = DealBoardsForm(request.POST)
    has_witnesses = "witnesses" in request.POST
    deal = begin_dealing if has_witnesses else deal_without_witnesses
    return run_action(
        request,
        code,
        lambda section: deal(
            _require_unplayed_boards(section), form.cleaned_data["boards"], by=request.user
        ),
        form=form,
        message="" if has_witnesses else str(BOARDS_DEALT),
    )


@require_POST
def add_directors_deal_word(request: UserRequest, code: str) -> HttpResponse:
    """Add the director's word to the seed from which the computer makes the deals."""
    form = WordForm(request.POST)
    return run_action(
        request,
        code,
        lambda section: add_word(section, form.cleaned_data["word"], by=request.user),
        form=form,
    )


@require_POST
def close_dealing(request: UserRequest, code: str) -> HttpResponse:
    """Make the deals from secret and words; later words are refused."""
    return run_action(
        request,
        code,
        lambda section: deal_boards(_require_unplayed_boards(section), by=request.user),
        message=str(BOARDS_DEALT),
    )


def _require_unplayed_boards(section: Section) -> Section:
    """Return `section`; raise `AlreadyStarted` if its boards are already in play."""
    if are_boards_in_play(section):
        raise AlreadyStarted()
    return section


def run_action(
    request: UserRequest,
    code: str,
    service: Callable[[Section], object],
    *,
    form: forms.Form | None = None,
    message: str = "",
) -> HttpResponse:
    """Run `service` for a button of the deals page, and redirect there with a message."""
    with one_snapshot(request):
        section = section_for_director(request, code)
    if form is not None and not form.is_valid():
        messages.warning(request, " ".join(_form_errors(form)))
        return redirect("deals", code=section.code)
    try:
        service(section)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    else:
        if message:
            messages.success(request, message)
    return redirect("deals", code=section.code)


@never_cache
@require_safe
@read_in_one_snapshot
def deals_file(request: UserRequest, code: str, format: str) -> HttpResponse:
    """Send the deals made here as a file for a dealing machine, in `format`.

    A director who will play these boards cannot load it after the start.
    """
    read = ResultsPageData(request, code, may=RUN_SESSIONS)
    honest = deal_origin_of(read.tonight, read.section)
    if honest is None or not honest.is_closed or format not in FORMATS:
        return redirect("deals", code=read.section.code)
    if read.before.cards and read.section.is_started:
        return hidden_results_page(request, read.section, read.before.boards)
    try:
        written = FORMATS[format](valid_hands_by_board(honest.dealing.deals))
    except ValueError:
        messages.warning(
            request,
            _("A DUP file cannot leave out board numbers. Use PBN, or deal in two steps."),
        )
        return redirect("deals", code=read.section.code)
    response = HttpResponse(written, content_type="application/octet-stream")
    session = read.section.session
    name = f"{session.date:%Y-%m-%d}-{slugify(session.event.name) or 'deals'}.{format}"
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    return response


def _form_errors(form: forms.Form) -> list[str]:
    """Return all error messages of a form."""
    errors_by_field: Any = form.errors
    return [str(error) for errors in errors_by_field.values() for error in errors]


def section_of_board(request: UserRequest, code: str, board: int) -> Section:
    """Return the section `code` if it plays `board` and its deals can be told apart by number alone.

    Raises `Http404`.
    """
    section = section_for_scorer(request, code)
    tonight = SessionSnapshot(section)
    if board not in {line.board for line in tonight.lines_of_section(section)}:
        raise Http404("nobody plays this board")
    if not tonight.knows_cards_by_number(section):
        raise Http404("every match has its own")
    return section
