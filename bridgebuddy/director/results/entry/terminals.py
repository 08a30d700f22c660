"""Results from a .bws file of scoring terminals: read, previewed, and imported."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_scorer
from bridgebuddy.events.errors import ChangeRefused, SectionChanged
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.access_tables import CannotRead, can_read_databases, read_tables
from bridgebuddy.scoring.files.terminals import TerminalFile, TerminalLine
from bridgebuddy.scoring.models import Result, TerminalImport
from bridgebuddy.scoring.rules.files.terminals import (
    RESULTS,
    SECTIONS,
    NoResults,
    ReceivedFile,
    ReceivedLine,
    read_received,
)
from bridgebuddy.scoring.services.terminals import import_terminal_results, undo_terminal_import
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.table_phones.queries.playing_directors import DirectorUnplayedBoards
from bridgebuddy.web.template_tags import long_date

from ..pages import pages_of
from .table_rows import side_of

MOST_SHOWN = 200  # lines of each kind
WHY_NOT = {
    "unknown": gettext_lazy("This is no file of Bridgemate terminals, or it is damaged."),
    "large": gettext_lazy("This file is too large for the results of a session."),
    "many": gettext_lazy("These are more results than a session has."),
    "program": gettext_lazy(
        "This server cannot read .bws files, because mdb-export is missing. The server’s "
        "administrator can install it (mdbtools)."
    ),
}


class TerminalsForm(forms.Form):
    """The form for uploading a results file of scoring terminals."""

    file = forms.FileField(
        label=gettext_lazy("File of the terminals"),
        help_text=gettext_lazy(
            "The .bws file written by Bridgemate’s control program. You see the contents "
            "before anything is saved."
        ),
        widget=forms.FileInput(attrs={"accept": ".bws,.mdb"}),
        error_messages={"required": gettext_lazy("Choose a file.")},
    )

    def clean_file(self) -> ReceivedFile:
        """Return the results in the uploaded file; refuse an unreadable one with a reason."""
        file: Any = self.cleaned_data["file"]
        self.name = str(file.name or "")[-100:]
        try:
            results, sections = read_tables(file.read(), RESULTS, SECTIONS)
            return read_received(results, sections)
        except (CannotRead, NoResults) as none:
            raise forms.ValidationError(WHY_NOT[none.why]) from none


class TerminalPreview:
    """The preview of a terminals' results file, compared with the session as it is now."""

    def __init__(
        self,
        unplayed_boards: DirectorUnplayedBoards,
        file: ReceivedFile,
        name: str,
        *,
        by_place: bool = False,
    ) -> None:
        self.terminals = TerminalFile(unplayed_boards.tonight, file, by_place=by_place)
        self.before, self.name = unplayed_boards, name
        self.token = signing.dumps(
            {"name": name, "by_place": by_place, "file": asdict(file)},
            salt=_signing_salt(unplayed_boards.tonight),
            compress=True,
        )

    @property
    def days(self) -> list[str]:
        """Return the dates in the terminals' file, in the reader's format."""
        return [_format_day(day) for day in self.terminals.file.days]

    @property
    def doubts(self) -> list[tuple[TerminalLine, str]]:
        """Return the doubtful results of the file, each with the reason."""
        return [
            (doubtful_result, doubt_reason_text(doubtful_result))
            for doubtful_result in self.terminals.doubtful[:MOST_SHOWN]
        ]

    @property
    def new(self) -> list[TerminalLine]:
        """Return the new results of the file, at most as many as the page shows."""
        return self.terminals.new[:MOST_SHOWN]

    @property
    def differing(self) -> list[TerminalLine]:
        """Return the results that differ from stored ones, at most as many as the page shows."""
        return self.terminals.differing[:MOST_SHOWN]

    @property
    def hidden(self) -> set[int]:
        """Return the keys of the plays whose results stay hidden, as the director has still to play the boards."""
        tonight = self.before.tonight
        lines = (
            received_result.line
            for received_result in self.terminals.lines
            if received_result.line and self.before.cards
        )
        return {line.play for line in lines if tonight.cards_of(line) in self.before.cards}


def restored_preview(
    unplayed_boards: DirectorUnplayedBoards, token: str, *, by_place: bool = False
) -> TerminalPreview | None:
    """Return the preview of a results file from `token`, a signed copy of the file; None if it is not valid here."""
    try:
        told = signing.loads(token, salt=_signing_salt(unplayed_boards.tonight))
    except signing.BadSignature:
        return None
    file = told["file"]
    lines = tuple(ReceivedLine(**line_data) for line_data in file["lines"])
    file_read = ReceivedFile(lines, tuple(file["days"]), file["erased"])
    return TerminalPreview(
        unplayed_boards, file_read, told["name"], by_place=by_place or told["by_place"]
    )


def _format_day(text: str) -> str:
    """Return a date of a file ("2024-03-12") in the reader's format; other text stays unchanged."""
    try:
        return long_date(date.fromisoformat(text))
    except ValueError:
        return text


def _unplayed_boards_of_director(request: UserRequest, section: Section) -> DirectorUnplayedBoards:
    """Return the boards that the director has still to play."""
    return DirectorUnplayedBoards(SessionSnapshot(section), request.user)


def _signing_salt(tonight: SessionSnapshot) -> str:
    """Return the salt with which a file's token is signed for one session."""
    return f"terminals-{tonight.session.pk}"


def doubt_reason_text(terminal_line: TerminalLine) -> str:
    """Return the sentence that says why a result in the terminals' file is doubtful."""
    received, line = terminal_line.said, terminal_line.line
    words = {
        "section": received.section,
        "table": received.table,
        "round": received.round,
        "board": received.board,
    }
    match terminal_line.why:
        case "section":
            return _("There is no section %(section)s here.") % words
        case "round":
            return _("Round %(round)s has not begun here.") % words
        case "table":
            return _("Nobody played at table %(table)s in round %(round)s.") % words
        case "board":
            return (
                _("Board %(board)s was not played at table %(table)s in round %(round)s.") % words
            )
        case "pairs" | "turned" if line:
            both = {
                "ns": received.ns,
                "ew": received.ew,
                "our_ns": side_of(line, "ns")[0].sitting.contestant.label,
                "our_ew": side_of(line, "ew")[0].sitting.contestant.label,
            }
            if terminal_line.why == "turned":
                return (
                    _("The other way round: %(ns)s N-S there, here %(our_ns)s against %(our_ew)s.")
                    % both
                )
            return _("Other pairs: %(ns)s and %(ew)s there, here %(our_ns)s and %(our_ew)s.") % both
        case "twice":
            return _("It came twice, with different results.")
        case "contract":
            return _("The contract and the result do not fit together.")
        case "declarer":
            return _("The declarer is missing or belongs to the other pair.")
        case "remark":
            return _("A ruling was entered on the terminal. Enter it on the board’s page.")
    return _("This result is impossible on this board.")


@never_cache
@require_http_methods(["GET", "POST"])
def terminals(request: UserRequest, code: str) -> HttpResponse:
    """Show the preview of a terminals' results file, and import it after confirmation."""
    if request.method != "POST":
        return _terminals_page(request, code, TerminalsForm())
    if "seen" in request.POST:
        return _import_shown_results(request, code)
    with one_snapshot(request):
        section = section_for_scorer(request, code)
    form = TerminalsForm(request.POST, request.FILES)
    understood = not refusal_reason(section) and form.is_valid()
    return _terminals_page(request, code, form, form.cleaned_data["file"] if understood else None)


def refusal_reason(section: Section) -> str:
    """Return why a session accepts no results file; empty if it does."""
    if not can_read_databases():
        return str(WHY_NOT["program"])
    if section.contest.plays_alone:
        return _("Results of single players are not read from terminals. Enter them from slips.")
    return "" if section.is_started else _("Nothing has been played yet.")


def _import_shown_results(request: UserRequest, code: str) -> HttpResponse:
    """Import the previewed results if nothing has changed; else show the preview again."""
    by_place = request.POST.get("do") == "by-place"
    with one_snapshot(request):
        section = section_for_scorer(request, code)
        preview = restored_preview(
            _unplayed_boards_of_director(request, section), request.POST["seen"], by_place=by_place
        )
    if preview is None:
        return redirect("terminals", code=section.code)
    if by_place:
        return _preview_page(request, code, preview)
    if preview.terminals.key != request.POST.get("key"):
        return _preview_page(request, code, preview, change_refused(SectionChanged()))
    chosen = preview.terminals.lines_to_store(request.POST.getlist("instead"))
    try:
        if chosen:
            import_terminal_results(section, chosen, file=preview.name, by=request.user)
    except ChangeRefused as refused:
        return _preview_page(request, code, preview, change_refused(refused))
    messages.success(
        request,
        ngettext("%(count)s result saved.", "%(count)s results saved.", len(chosen))
        % {"count": len(chosen)},
    )
    return redirect("terminals", code=section.code)


@read_in_one_snapshot
def _preview_page(
    request: UserRequest, code: str, preview: TerminalPreview, problem: str = ""
) -> HttpResponse:
    """Render the preview of a results file for the session as it is now."""
    section = section_for_scorer(request, code)
    again = restored_preview(_unplayed_boards_of_director(request, section), preview.token)
    context = {"preview": again, "problem": problem}
    return _render_terminals(request, section, context, status=422 if problem else 200)


@read_in_one_snapshot
def _terminals_page(
    request: UserRequest, code: str, form: TerminalsForm, file: ReceivedFile | None = None
) -> HttpResponse:
    """Return the page for uploading results files of scoring terminals."""
    section = section_for_scorer(request, code)
    if file is not None:
        return _render_terminals(
            request,
            section,
            {
                "preview": TerminalPreview(
                    _unplayed_boards_of_director(request, section), file, form.name
                )
            },
        )
    context = {
        "form": form,
        "why_not": refusal_reason(section),
        "taken": [
            (
                readout,
                Result.objects.filter(readout=readout, stands=True).exclude(outcome=None).count(),
            )
            for readout in TerminalImport.objects.filter(
                session=section.session_id, taken_back_at=None
            )
        ],
    }
    return _render_terminals(request, section, context, status=422 if form.is_bound else 200)


def _render_terminals(
    request: UserRequest, section: Section, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """Render a page of the results files of scoring terminals."""
    base = {"section": section, "tab": "results", "page": "phones", "pages": pages_of(section)}
    return render(request, "director/results/terminals.html", base | context, status=status)


@require_POST
def remove_terminal_results(request: UserRequest, code: str, readout: int) -> HttpResponse:
    """Remove all results that were imported from a file."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
    try:
        count = undo_terminal_import(section, readout, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    else:
        messages.success(
            request,
            ngettext(
                "%(count)s result was taken back.", "%(count)s results were taken back.", count
            )
            % {"count": count},
        )
    return redirect("terminals", code=section.code)
