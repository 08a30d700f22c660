"""Views to divide a session into sections, and of the desk for all sections."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.desk.section_tabs import (
    SectionTab,
    joined_letters,
    letters_phrase,
    usual_sections_button,
)
from bridgebuddy.events.access import read_in_one_snapshot, section_for_director
from bridgebuddy.events.errors import AlreadyStarted, ChangeRefused
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.sessions.sections import sections_of_session, session_version
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import sections as service
from movements.words.sentences import contestant_count_text

from ..desk.session_end import ranking_response
from ..desk.views import render_desk
from ..entries.dividing import MOST_TABLES, DivisionMethod, SectionDivision, proposed_count
from ..refusals import change_refused
from ..wording import contestant_words
from .forms import DividingForm, NextRoundForm

UNCHANGED = 204


@never_cache
@require_http_methods(["GET", "POST"])
def divide(request: UserRequest, code: str) -> HttpResponse:
    """Show the proposed division of the entries into sections, and store it."""
    if request.method == "GET":
        return _dividing_page(request, code)
    section = section_for_director(request, code)
    form = DividingForm(request.POST, maximum=service.MOST_SECTIONS, defaults={})
    if not form.is_valid():
        return _dividing_page(request, code)
    try:
        divided = service.divide_entries(
            section,
            form.entry_keys_by_section(),
            same_deals=form.cleaned_data["deals"] == "same",
            by=request.user,
        )
    except ChangeRefused as refused:
        return _dividing_page(request, code, change_refused(refused), 409)
    if len(divided) == 1:
        return redirect("entries", code=divided[0].code)
    return redirect("all-sections", code=divided[0].code)


@read_in_one_snapshot
def _dividing_page(
    request: UserRequest, code: str, problem: str = "", status: int = 200
) -> HttpResponse:
    """Render the page that divides the entries into sections."""
    section = section_for_director(request, code)
    together = sections_of_session(section)
    if any(other.is_started for other in together):
        messages.warning(request, problem or change_refused(AlreadyStarted()))
        return redirect("all-sections" if section.letter else "entries", code=section.code)
    entries: list[Entry] = [entry for other in together for entry in SessionEvening(other).entries]
    usual = {
        "sections": len(together)
        if section.letter
        else _default_section_count(section, len(entries)),
        "how": DivisionMethod.HAND if section.letter else DivisionMethod.NUMBER,
        "deals": "same" if section.session.same_deals else "different",
    }
    sent = request.POST if request.method == "POST" else request.GET
    most = len(entries) // section.fewest_entries
    form = DividingForm(sent, maximum=max(most, len(together)), defaults=usual)
    if not form.is_valid():
        status = 422
        form = DividingForm(
            type(sent)(), maximum=max(most, len(together)), defaults={**usual, "sections": 1}
        )
        form.is_valid()
        problem = problem or _("There are too few entries for this number of sections.")
    answers = form.cleaned_data
    dividing = SectionDivision(
        together, entries, answers["sections"], answers["how"], form.chosen_letters(entries)
    )
    context = {
        "section": section,
        "tab": "entries",
        "form": form,
        "dividing": dividing,
        "letters": [part.letter for part in dividing.parts],
        "read_out": joined_letters([part.letter for part in dividing.parts]),
        "problem": problem,
        "is_large": dividing.table_count > MOST_TABLES,
    }
    template = "director/sections/divide.html"
    if request.htmx and request.method == "GET":
        template += "#dividing"
    return render(request, template, context, status=status)


def _default_section_count(section: Section, entries: int) -> int:
    """Return the default number of sections; at least two, if there are enough entries."""
    enough = entries // section.fewest_entries
    return max(min(max(proposed_count(section.contest, entries), 2), enough), 1)


@never_cache
@require_safe
def all_sections(request: UserRequest, code: str) -> HttpResponse:
    """Show the desk of all sections of a session; answer a poll with 204 if the page is current."""
    version = request.GET.get("v")
    if version and version == session_version(code):
        return HttpResponse(status=UNCHANGED)
    return _all_sections_page(request, code)


@require_POST
def start(request: UserRequest, code: str) -> HttpResponse:
    """Start the next round of all chosen sections, or end them; if one is refused, none changes."""
    section = section_for_director(request, code)
    form = NextRoundForm(request.POST, sections_of_session(section))
    problem = ""
    is_end = request.POST.get("do") == "finish"
    if not form.is_valid() or not form.chosen_rounds:
        problem = _("The page you used was out of date. This is the current state.")
    else:
        act = rounds.finish_sections if is_end else rounds.start_rounds
        try:
            act(section, form.chosen_rounds, by=request.user)
        except ChangeRefused as refused:
            problem = change_refused(refused)
    if is_end and not problem and (answer := ranking_response(request, section)):
        return answer
    is_desk = request.POST.get("at") == "desk"
    if request.htmx:
        return (render_desk if is_desk else _all_sections_page)(request, code, problem)
    if problem:
        messages.warning(request, problem)
    return redirect("desk" if is_desk else "all-sections", code=code)


@require_POST
def clocks(request: UserRequest, code: str) -> HttpResponse:
    """Store whether all sections share one round clock or each has its own."""
    section = section_for_director(request, code)
    rounds.set_clocks(section, common=request.POST.get("clocks") == "one", by=request.user)
    return (
        _all_sections_page(request, code) if request.htmx else redirect("all-sections", code=code)
    )


@require_POST
def copy_movement(request: UserRequest, code: str) -> HttpResponse:
    """Copy a movement from another section to this one, or from this one to all without a movement."""
    section = section_for_director(request, code)
    letter = request.POST.get("as", "")[:4]
    other = next(
        (
            other_section
            for other_section in sections_of_session(section)
            if other_section.name == letter
        ),
        None,
    )
    try:
        if "all" in request.POST:
            service.copy_movement_to_all_sections(section, by=request.user)
        elif other is not None:
            service.copy_section_movement(section, other, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect("all-sections", code=code)


def _common_round_minutes(sections: list[Section]) -> int:
    """Return how long a round takes on a common clock (the longest of all); 0 if all take equally long."""
    boards = {
        other.boards_per_round for other in sections if other.movement and not other.is_finished
    }
    most = max((each or 0 for each in boards), default=0)
    return most * sections[0].session.minutes_per_board if len(boards) > 1 else 0


@read_in_one_snapshot
def _all_sections_page(request: UserRequest, code: str, problem: str = "") -> HttpResponse:
    """Render the desk of all sections."""
    section = section_for_director(request, code)
    if not section.letter:
        return redirect("desk", code=section.code)
    tabs = [SectionTab(other_section) for other_section in sections_of_session(section)]
    ticked = request.GET.getlist("start") if "ticks" in request.GET else None
    press = usual_sections_button(tabs, ticked=ticked)
    chosen = next(
        (tab.section for tab in tabs if tab.section.movement),
        None,
    )
    without = [tab for tab in tabs if tab.section.movement is None and tab.entry_count]
    context = {
        "section": section,
        "tab": "desk",
        "whole": True,
        "found": tabs,
        "press": press,
        "ticked": [start.letter for start in press.starts] if press else [],
        "ticks": ticked,
        "chosen": chosen,
        "without": letters_phrase(without) if chosen else "",
        "counted": contestant_count_text(section.contest, sum(tab.entry_count for tab in tabs)),
        "running": next(
            (tab.section for tab in tabs if tab.section.is_running),
            None,
        ),
        "words": contestant_words(section),
        "has_begun": any(tab.section.is_started for tab in tabs),
        "longest": _common_round_minutes([tab.section for tab in tabs]),
        "can_start": any(tab.can_start for tab in tabs),
        "version": session_version(section.code),
        "problem": problem,
    }
    template = "director/sections/all.html#live" if request.htmx else "director/sections/all.html"
    return render(request, template, context)
