"""What a director prints: a page to choose, and every sheet as PDF or to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.models import ClubLogo
from bridgebuddy.events.access import of_one_moment, one_moment, section_for_director
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan import Plan
from bridgebuddy.events.queries.sections import sections_of_session
from bridgebuddy.language import speak
from bridgebuddy.network import phone_base
from movements.words.sentences import counted

from .cache import cached_pdf
from .context import Job, logo_rule, movement_line
from .forms import PrintForm
from .selection import Selection
from .sheets import GROUPS, SHEETS, NothingToPrint, Sheet, sheet_html

Answer = TypeVar("Answer")
private = cache_control(private=True, no_cache=True)


@require_safe
@private
@of_one_moment
def choose(request: HttpRequest, code: str) -> HttpResponse:
    """Show what can be printed; before there is a movement, what to do first."""
    section = section_for_director(request, code)
    return _choose(request, section, _form(request, Plan.of(section)))


@require_safe
@private
def pdf(request: HttpRequest, code: str, name: str) -> HttpResponse:
    """Return a sheet as PDF, to be shown in the browser: read at once, then drawn at leisure."""

    def answer(
        section: Section, sheet: Sheet, job: Job, selection: Selection
    ) -> tuple[str, list[str]]:
        if selection.is_for_all:
            return file_name(section, sheet, "all"), list(_everywhere(sheet, job, selection))
        return file_name(section, sheet, section.letter), [sheet_html(sheet, job, selection)]

    with one_moment(request):
        found = _sheet(request, code, name, answer)
    if isinstance(found, HttpResponse):
        return found
    name_of_file, sheets = found
    response = HttpResponse(cached_pdf(*sheets), content_type="application/pdf")
    shown = content_disposition_header(as_attachment=False, filename=name_of_file)
    response["Content-Disposition"] = shown or "inline"
    return response


@require_safe
@private
@of_one_moment
def preview(request: HttpRequest, code: str, name: str) -> HttpResponse:
    """Show on the screen what the PDF has on paper."""

    def answer(section: Section, sheet: Sheet, job: Job, selection: Selection) -> HttpResponse:
        if selection.is_for_all:  # a screen shows one section at a time
            address = reverse("print-pdf", args=[section.code, sheet.name])
            return redirect(f"{address}?{request.GET.urlencode()}")
        return HttpResponse(sheet_html(sheet, job, selection, request=request))

    return _sheet(request, code, name, answer)


@require_safe
@private
@of_one_moment
def logo(request: HttpRequest, code: str) -> HttpResponse:
    """Return the style rule of the club's logo: previews may not carry rules of their own."""
    section = section_for_director(request, code)
    return HttpResponse(
        logo_rule(get_object_or_404(ClubLogo, club=section.club)), content_type="text/css"
    )


def _sheet(
    request: HttpRequest,
    code: str,
    name: str,
    answer: Callable[[Section, Sheet, Job, Selection], Answer],
) -> HttpResponse | Answer:
    """Read a sheet and answer with it, or with the page to choose where there is none."""
    section = section_for_director(request, code)
    if name not in SHEETS:
        raise Http404("no such sheet")
    if section.movement is None:
        return redirect("print", code=section.code)
    speak(request, section.club.language)
    plan = Plan.of(section)
    form = _form(request, plan)
    if not form.is_valid():
        return _choose(request, section, form)
    job = Job(plan, form.cleaned_data["paper"], phone_base(request))
    try:
        return answer(section, SHEETS[name], job, form.selection)
    except NothingToPrint:
        form.add_error(
            None,
            _("%(sheet)s: there is nothing to print for whom you chose.")
            % {"sheet": SHEETS[name].title},
        )
        return _choose(request, section, form)


def _form(request: HttpRequest, plan: Plan) -> PrintForm:
    return PrintForm(request.GET, plan)


def _choose(request: HttpRequest, section: Section, form: PrintForm) -> HttpResponse:
    context = {
        "section": section,
        "tab": "print",
        "form": form,
        "groups": GROUPS,
        "movement_line": movement_line(section) if section.movement else "",
        "phones": phone_base(request),
        "pairs": section.entries.count() if section.movement is None else 0,
        "fewest": counted(section.contest, section.fewest_entries),
    }
    return render(request, "printing/choose.html", context, status=200 if form.is_valid() else 422)


def _everywhere(sheet: Sheet, job: Job, selection: Selection) -> Iterator[str]:
    """A sheet of every section that has a movement, as far as it has something to say there.

    Raises `NothingToPrint` where it has nowhere.
    """
    found = 0
    for one in sections_of_session(job.section):
        if one.movement is None:
            continue
        with suppress(NothingToPrint):
            yield sheet_html(sheet, replace(job, plan=Plan.of(one)), selection)
            found += 1
    if not found:
        raise NothingToPrint(sheet.name)


def file_name(section: Section, sheet: Sheet, part: str = "") -> str:
    """Return what a saved sheet is called: "2026-11-24-tuesday-pairs-table-cards.pdf"."""
    event = slugify(section.session.event.name)
    parts = (f"{section.session.date:%Y-%m-%d}", event, part.lower(), sheet.name)
    return "-".join(part for part in parts if part) + ".pdf"
