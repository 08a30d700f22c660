"""Views for printing: a page to choose, and every sheet as a PDF or a preview."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.models import ClubLogo
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_director
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.scoring.files.exports import supported_formats
from bridgebuddy.web.language import activate_language
from movements.words.sentences import contestant_count_text

from .context import PrintJob, logo_rule, movement_line
from .forms import PrintForm
from .offers import SheetOffer, cards_to_collect, offers_of_sections, sheet_count_text
from .print_times import PrintHistory, PrintTime
from .rendering.cache import cached_pdf
from .rendering.paper import can_make_pdf, sheets_response
from .rendering.print_process import render_pdf
from .results.own_codes import contain_own_page_codes
from .selection import SheetSelection
from .sheets import SHEETS, TOGETHER, NothingToPrint, html_of_several_sheets, sheet_html

Answer = TypeVar("Answer")
private = cache_control(private=True, no_cache=True)
#: the files' names in other programs
FILES = {"usebio": "USEBIO", "pbn": "PBN", "bridgewebs": "BridgeWebs", "csv": "CSV"}


@require_safe
@private
@read_in_one_snapshot
def choose_sheets(request: HttpRequest, code: str) -> HttpResponse:
    """Show the page for choosing sheets to print; without a movement, show which steps come first."""
    section = section_for_director(request, code)
    plan, remembered = SectionPlan.of(section), PrintHistory(request, section)
    form = PrintForm(request.GET, plan, printed=remembered.version, ticks=remembered.ticked_sheets)
    return _printing_page(request, section, form)


@require_safe
@private
def pdf(request: HttpRequest, code: str, name: str) -> HttpResponse:
    """Return the sheet with this name as a PDF for the browser."""

    def printed_html(form: PrintForm, job: PrintJob) -> tuple[PrintForm, str, list[str]]:
        """Return the form, the file name and the sheets' HTML."""
        if form.selection.is_for_all:
            return (
                form,
                file_name(job.section, name, "all"),
                list(_html_of_all_sections(name, form, job)),
            )
        return form, file_name(job.section, name, job.letter), [_sheet_html(name, form, job)]

    with one_snapshot(request):
        answered = _answer_with_sheet(request, code, name, printed_html)
    if isinstance(answered, HttpResponse):
        return answered
    form, name_of_file, sheets = answered
    draw = render_pdf if contain_own_page_codes(*sheets) else cached_pdf
    address = reverse("print", args=[code])
    response = sheets_response(name_of_file, *sheets, draw=draw, back=address)
    if draw is render_pdf:
        response["Cache-Control"] = "no-store"
    if name == TOGETHER and form.is_for_everybody and form.time != PrintTime.AFTER:
        section, ticked = (
            form.plan.section,
            form.ticked_sheets if form.time == PrintTime.BEFORE else None,
        )
        PrintHistory(request, section).store_printed(response, ticked or (), form.newest_version)
    return response


@require_safe
@private
@read_in_one_snapshot
def preview_sheet(request: HttpRequest, code: str, name: str) -> HttpResponse:
    """Show the sheet with this name as a page on the screen."""

    def preview_response(form: PrintForm, job: PrintJob) -> HttpResponse:
        """Return the preview; redirect to the PDF for all sections."""
        if form.selection.is_for_all:  # a screen shows one section at a time
            address = reverse("print-pdf", args=[job.section.code, name])
            return redirect(f"{address}?{request.GET.urlencode()}")
        html = sheet_html(SHEETS[name], job, form.selection, request=request)
        response = HttpResponse(html)
        if contain_own_page_codes(html):
            response["Cache-Control"] = "no-store"
        return response

    if name == TOGETHER:
        raise Http404("is printed, not looked at")
    return _answer_with_sheet(request, code, name, preview_response)


@require_safe
@private
@read_in_one_snapshot
def logo(request: HttpRequest, code: str) -> HttpResponse:
    """Return the CSS rule with the club's logo, because previews may not contain inline styles."""
    section = section_for_director(request, code)
    return HttpResponse(
        logo_rule(get_object_or_404(ClubLogo, club=section.club)), content_type="text/css"
    )


def _answer_with_sheet(
    request: HttpRequest,
    code: str,
    name: str,
    answer: Callable[[PrintForm, PrintJob], Answer],
) -> HttpResponse | Answer:
    """Read the print form and return `answer` for its sheet; if it is empty, show the printing page."""
    section = section_for_director(request, code)
    if name not in SHEETS and name != TOGETHER:
        raise Http404("no such sheet")
    if section.movement is None:
        return redirect("print", code=section.code)
    activate_language(request, section.club.language)
    plan = SectionPlan.of(section)
    form = _print_form(request, plan)
    if not form.is_valid():
        return _printing_page(request, section, form)
    job = PrintJob(plan.on_paper, form.cleaned_data["paper"], phone_base(request))
    try:
        return answer(form, job)
    except NothingToPrint:
        title = SHEETS[name].title if name in SHEETS else _("Ticked sheets")
        form.add_error(
            None, _("%(sheet)s: there is nothing to print for your choice.") % {"sheet": title}
        )
        return _printing_page(request, section, form)


def _print_form(request: HttpRequest, plan: SectionPlan) -> PrintForm:
    """Return the form in which the director chooses the sheets to print."""
    return PrintForm(request.GET, plan)


def _printing_page(request: HttpRequest, section: Section, form: PrintForm) -> HttpResponse:
    """Return the response with the page on which the director chooses sheets."""
    is_valid = form.is_valid()
    context = {
        "section": section,
        "tab": "print",
        "form": form,
        "movement_line": movement_line(section) if section.movement else "",
        "phones": phone_base(request),
        "pairs": section.entries.count() if section.movement is None else 0,
        "fewest": contestant_count_text(section.contest, section.fewest_entries),
        "times": PrintTime,
        "can_make_pdf": section.movement is None or can_make_pdf(),
    }
    if section.movement:
        context |= _sheet_offers(request, form)
    return render(request, "printing/choose.html", context, status=200 if is_valid else 422)


def _sheet_html(name: str, form: PrintForm, job: PrintJob) -> str:
    """Return the HTML of a sheet, or of several together."""
    if name == TOGETHER:
        return html_of_several_sheets(form.sheets_for(job.plan), job, form.selection)
    return sheet_html(SHEETS[name], job, form.selection)


def _html_of_all_sections(name: str, form: PrintForm, job: PrintJob) -> Iterator[str]:
    """Yield the HTML of a sheet for every section with a movement, without empty ones.

    Raises `NothingToPrint` if it is empty for all sections.
    """
    count = 0
    for print_job in _jobs_of_all(job):
        with suppress(NothingToPrint):
            yield _sheet_html(name, form, print_job)
            count += 1
    if not count:
        raise NothingToPrint(name)


def _jobs_of_all(job: PrintJob) -> Iterator[PrintJob]:
    """Yield the same print job for every section with a movement."""
    for section in sections_of_session(job.section):
        if section.movement is not None:
            yield replace(job, plan=SectionPlan.of(section).on_paper)


def _sheet_offers(request: HttpRequest, form: PrintForm) -> dict[str, object]:
    """Return the kinds of sheet that can be printed, with their pages; an invalid form selects everything."""
    is_chosen = not form.errors
    paper = form.cleaned_data.get("paper") or form.plan.section.club.paper
    job = PrintJob(form.plan.on_paper, paper, phone_base(request))
    selection = form.selection if is_chosen else SheetSelection()
    is_changed = form.time == PrintTime.CHANGED
    offered: list[SheetOffer] = []
    if not is_changed or selection.outdated is not None:
        jobs = _jobs_of_all(job) if selection.is_for_all else [job]
        offered = offers_of_sections(
            jobs, selection, form.time, form.ticked_sheets if is_chosen else None
        )
    ticked = [sheet for sheet in offered if sheet.is_ticked]
    asked = request.GET.copy()
    asked.pop("sheet", None)
    asked["time"] = form.time
    if selection.outdated is not None:
        asked["since"] = str(form.cleaned_data["since"])
    return {
        "offers": offered,
        "ticked": ticked,
        "ticked_pages": sheet_count_text(sum(sheet.pages for sheet in ticked)),
        "is_changed": is_changed,
        "is_after": form.time == PrintTime.AFTER,
        "collect": cards_to_collect(job, selection) if selection.outdated is not None else [],
        "since": form.cleaned_data.get("since"),
        "version": job.version,
        "job": job,
        "asked": asked.urlencode(),
        "files": _result_files(job) if form.time == PrintTime.AFTER else [],
    }


def _result_files(job: PrintJob) -> list[tuple[str, str]]:
    """Return the names and titles of the result files for other programs; empty before the first result."""
    if job.scored is None:
        return []
    names = supported_formats(job.scored)
    return [(name, title) for name, title in FILES.items() if name in names]


def file_name(section: Section, name: str, part: str = "") -> str:
    """Return a sheet's file name: "2026-11-24-tuesday-pairs-table-cards.pdf"."""
    event = slugify(section.session.event.name)
    parts = (f"{section.session.date:%Y-%m-%d}", event, part.lower(), name)
    return "-".join(part for part in parts if part) + ".pdf"
