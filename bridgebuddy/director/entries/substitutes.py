"""Views of substitutes: the person replaced, and the rounds."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused, NotEntered, NotSeated, SectionChanged
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.substitutes import SubstituteRounds, substitute_rounds
from bridgebuddy.events.services.play import people
from bridgebuddy.web.http import read_number

from ..refusals import change_refused
from .substitute_forms import SUBSTITUTE, StintForm, SubstituteForm

MOST_DIGITS = 15


@require_http_methods(["GET", "POST"])
def substitutes(request: UserRequest, code: str) -> HttpResponse:
    """Show the substitutes of a section, and store a new one."""
    if request.method == "GET":
        return _substitutes_page(request, code)
    with one_snapshot(request):
        section = section_for_director(request, code)
        form = SubstituteForm(section, SessionEvening(section), request.POST)
        is_valid = form.is_valid()
        entry = place = shown_link = 0
        if is_valid:
            entry, place, shown_link = form.cleaned_data["who"]
        found_entry = section.entries.filter(pk=entry).first()
    if not is_valid:
        return _substitutes_page(request, code)
    try:
        if found_entry is None:
            raise NotEntered()
        name = form.cleaned_data[SUBSTITUTE]
        people.add_substitute(
            found_entry, place, name, shown=shown_link, by=request.user, **form.answers
        )
    except ChangeRefused as refused:
        return _substitutes_page(request, code, refused)
    return _redirect_to_previous_page(section)


@read_in_one_snapshot
def _substitutes_page(
    request: UserRequest, code: str, refusal: ChangeRefused | None = None
) -> HttpResponse:
    """Render the page of substitutes; `?entry=` limits the choices to one entry's people.

    `?link=` opens the form that corrects a substitute.

    A refused form is shown again with current choices.
    """
    section = section_for_director(request, code)
    if section.movement is None:
        messages.warning(request, change_refused(NotSeated()))
        return redirect("entries", code=section.code)
    evening = SessionEvening(section)
    asked = request.GET.get("entry", "")
    entry = next((entry for entry in evening.entries if str(entry.pk) == asked), None)
    sent = request.POST if request.method == "POST" else None
    form = SubstituteForm(section, evening, sent, entry=entry)
    if refusal and form.is_valid():
        form.add_refusal(refusal)
    context = _substitutes_context(section, evening, form)
    link = read_number(request.GET.get("link"), MOST_DIGITS)
    stint = _substitute_rounds(section, link) if link is not None and sent is None else None
    if stint is not None:
        context |= {"stint": stint, "stint_form": StintForm(section, None, stint=stint)}
    status = 422 if form.errors else 200
    return render(request, "director/substitutes.html", context, status=status)


def _substitutes_context(
    section: Section, evening: SessionEvening, form: SubstituteForm
) -> dict[str, Any]:
    """Return the template context of the page of substitutes."""
    return {
        "section": section,
        "tab": "desk" if section.is_started else "entries",
        "form": form,
        "stints": [stint for entry in evening.entries for stint in substitute_rounds(entry)],
    }


@require_http_methods(["GET", "POST"])
def correct(request: UserRequest, code: str, link: int) -> HttpResponse:
    """Correct a substitute's name or rounds. The form is on the page of substitutes."""
    if request.method == "GET":
        return _redirect_to_stint(request, code, link)
    section = section_for_director(request, code)
    form = StintForm(section, request.POST)
    if not form.is_valid():
        return _stint_page(request, code, link)
    try:
        name = form.cleaned_data[SUBSTITUTE]
        people.correct_substitute(section, link, name, by=request.user, **form.answers)
    except SectionChanged as refused:
        return _redirect_after_refusal(request, section, refused)
    except ChangeRefused as refused:
        return _stint_page(request, code, link, refused)
    return _redirect_to_previous_page(section)


@read_in_one_snapshot
def _redirect_to_stint(request: UserRequest, code: str, link: int) -> HttpResponse:
    """Redirect to the form that corrects a substitute."""
    section = section_for_director(request, code)
    if _substitute_rounds(section, link) is None:
        return _redirect_after_refusal(request, section, SectionChanged())
    return redirect(f"{reverse('substitutes', args=[section.code])}?link={link}#correct")


@read_in_one_snapshot
def _stint_page(
    request: UserRequest, code: str, link: int, refusal: ChangeRefused | None = None
) -> HttpResponse:
    """Render the page of substitutes with a refused correction."""
    section = section_for_director(request, code)
    stint = _substitute_rounds(section, link)
    if stint is None or section.movement is None:
        return _redirect_after_refusal(request, section, SectionChanged())
    form = StintForm(section, request.POST, stint=stint)
    if refusal and form.is_valid():
        form.add_refusal(refusal)
    evening = SessionEvening(section)
    context = _substitutes_context(section, evening, SubstituteForm(section, evening, None))
    context |= {"stint": stint, "stint_form": form}
    return render(request, "director/substitutes.html", context, status=422)


@require_POST
def return_rounds(request: UserRequest, code: str, link: int) -> HttpResponse:
    """Give a substitute's rounds back to the replaced player."""
    section = section_for_director(request, code)
    try:
        people.take_back_substitute(section, link, by=request.user)
    except ChangeRefused as refused:
        return _redirect_after_refusal(request, section, refused)
    return _redirect_to_previous_page(section)


def _substitute_rounds(section: Section, link: int) -> SubstituteRounds | None:
    """Return a substitute's `SubstituteRounds` (person and rounds) by the key `link`; None if there is none."""
    everybody = (
        stint for entry in SessionEvening(section).entries for stint in substitute_rounds(entry)
    )
    return next((stint for stint in everybody if stint.link == link), None)


def _redirect_after_refusal(
    request: UserRequest, section: Section, refusal: ChangeRefused
) -> HttpResponse:
    """Redirect to the page of substitutes with the reason why a change was refused."""
    messages.warning(request, change_refused(refusal))
    return redirect("substitutes", code=section.code)


def _redirect_to_previous_page(section: Section) -> HttpResponse:
    """Redirect to the desk after the start, before it to the entries."""
    return redirect("desk" if section.is_started else "entries", code=section.code)
