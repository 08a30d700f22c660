"""The desk: the round in progress and the director's possible actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import read_in_one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.events.services.play import rounds
from bridgebuddy.planning.prepared_starts import can_prepare
from bridgebuddy.registration.late_arrivals import late_pairs
from bridgebuddy.scoring.results.arriving_results import ArrivingResults, has_scoring_begun
from bridgebuddy.scoring.winners import missing_count_text
from bridgebuddy.table_phones.queries.conflicting_results import conflicting_boards
from bridgebuddy.table_phones.queries.missing_submissions import tables_with_missing_submissions
from bridgebuddy.table_phones.queries.one_phone import tables_of_one_phone
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.queries.silent_tables import (
    shows_silence,
    silent_tables,
    version_with_silence,
)
from bridgebuddy.table_phones.secrets import digits_of
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import read_number

from ..refusals import change_refused
from .break_form import BreakForm
from .break_words import break_cost_sentence
from .folds import DeskFold, fold_response, history_fold, is_from_desk_dialog, playing_fold
from .forms import SeenVersionForm, ShownRoundForm, UndoRoundForm
from .guide import KNOWN, LASTS, guide_steps
from .news import late_tables
from .page import FIRST_VERSION, DeskPage
from .round_grid import RoundGrid
from .section_tabs import SectionTab, usual_sections_button

UNCHANGED = 204
#: makes the fold that is opened, for a section and the reason why its form was refused
OpenFold = Callable[[UserRequest, Section, str], DeskFold | None]


@never_cache
@require_safe
def desk(request: UserRequest, code: str) -> HttpResponse:
    """Show the director's desk of a section; answer a poll with 204 if the page is current.

    `?open=break` opens a fold of it: in the sheet if that asks, else below the desk.
    """
    version = request.GET.get("v")
    if version and shows_silence(section_for_director(request, code), version):
        return HttpResponse(status=UNCHANGED)
    return render_desk(request, code, fold=FOLDS.get(request.GET.get("open", "")))


@require_safe
@read_in_one_snapshot
def all_rounds(request: UserRequest, code: str) -> HttpResponse:
    """Show the whole movement round by round, in the present or an earlier version."""
    section = section_for_director(request, code)
    if section.movement is None:
        return redirect("choose-movement", code=section.code)
    version = None
    if asked := read_number(request.GET.get("version"), 5):
        version = section.movements.select_related("movement").filter(version=asked).first()
    desk = DeskPage(section, SessionEvening(section, version=version))
    context = {"section": section, "tab": "desk", "grid": RoundGrid(desk), "version": version}
    return render(request, "director/all_rounds.html", context)


@require_POST
def next_round(request: UserRequest, code: str) -> HttpResponse:
    """Start the next round, if the page showed the current one."""
    return _change_round(
        request,
        code,
        lambda section, said: rounds.start_next_round(
            section, after=said["after"], by=request.user
        ),
    )


@require_POST
def undo_round_start_or_session_end(request: UserRequest, code: str) -> HttpResponse:
    """Undo the start of the current round, or the end of the session."""
    form = UndoRoundForm(request.POST)
    if "reason" in form.errors:
        return render_desk(request, code, why=form, section_letter="back")
    return _change_round(
        request,
        code,
        lambda section, said: rounds.take_back_round(
            section, round=said["after"], by=request.user, reason=form.cleaned_data["reason"]
        ),
    )


CLOCK = {
    "pause": rounds.pause_clock,
    "resume": rounds.resume_clock,
    "minute": rounds.add_minute,
}


@require_POST
def clock(request: UserRequest, code: str) -> HttpResponse:
    """Pause or resume the round clock, or add a minute."""
    section = section_for_director(request, code)
    change = CLOCK.get(request.POST.get("do", ""))
    problem = ""
    if change:
        try:
            change(section, by=request.user)
        except ChangeRefused as error:
            problem = change_refused(error)
    return desk_response(request, code, problem)


@never_cache
@require_http_methods(["GET", "POST"])
def plan_break(request: UserRequest, code: str) -> HttpResponse:
    """Store a planned break. The form is on the desk."""
    section = section_for_director(request, code)
    if request.method == "GET":
        return redirect_with_part_open("break", "desk", section.code)
    form = BreakForm(section, request.POST)
    if not form.is_valid():
        return render_desk(request, code, fold=_break_fold)
    answers = form.cleaned_data
    try:
        section = rounds.set_break(
            section, after_round=answers["after"], minutes=answers["minutes"], by=request.user
        )
    except ChangeRefused as refused:
        return render_desk(request, code, change_refused(refused), fold=_break_fold)
    if cost := break_cost_sentence(section):
        messages.warning(request, cost)
    return desk_response(request, code, "")


def _break_fold(request: UserRequest, section: Section, problem: str) -> DeskFold | None:
    """Return the expandable part with the form for a break; None if no break is possible any more."""
    if section.is_finished:
        return None
    form = BreakForm(section, request.POST if request.method == "POST" else None)
    if problem and form.is_valid():
        form.add_error("after", problem)
    return DeskFold("break", _("A break between two rounds"), "director/break.html", {"form": form})


#: the folds of the desk that its address opens
FOLDS: dict[str, OpenFold] = {
    "break": _break_fold,
    "i-play": lambda request, section, _problem: playing_fold(request, section),
    "history": lambda _request, section, _problem: history_fold(section),
}


@require_POST
def mark_version_seen(request: UserRequest, code: str) -> HttpResponse:
    """Store that the director has seen a version of the movement, so that its news disappear."""
    section = section_for_director(request, code)
    form = SeenVersionForm(request.POST)
    if form.is_valid() and section.movements.filter(version=form.cleaned_data["version"]).exists():
        request.session[_seen_key(section)] = form.cleaned_data["version"]
    return desk_response(request, code, "")


def _seen_key(section: Section) -> str:
    """Return the browser session's key for the version of a section's movement that the director has seen."""
    return f"seen-{section.pk}"


def _change_round(
    request: UserRequest, code: str, change: Callable[[Section, dict[str, Any]], Section]
) -> HttpResponse:
    """Start, take back or end a round with the service `change`, and show the desk."""
    section = section_for_director(request, code)
    form = ShownRoundForm(request.POST)
    if not form.is_valid():
        return desk_response(
            request, code, _("The page you used was out of date. This is the current state.")
        )
    try:
        change(section, form.cleaned_data)
    except ChangeRefused as error:
        return desk_response(request, code, change_refused(error))
    return desk_response(request, code, "")


def desk_response(request: UserRequest, code: str, problem: str) -> HttpResponse:
    """Return the current desk: as a fragment for htmx, else as a page or redirect."""
    if request.htmx and not is_from_desk_dialog(request):
        return render_desk(request, code, problem)
    if problem:
        messages.warning(request, problem)
    address = reverse("desk", args=[code])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


@read_in_one_snapshot
def render_desk(
    request: UserRequest,
    code: str,
    problem: str = "",
    *,
    why: Form | None = None,
    section_letter: str = "",
    fold: OpenFold | None = None,
) -> HttpResponse:
    """Render the current desk.

    `why` is a refused form with a reason, typed where "undo", "redo" or "back" is pressed; `fold` makes what is opened.
    """
    section = section_for_director(request, code)
    if section.movement is None:  # also from a sheet or a poll of a page that is still open
        address = reverse("entries", args=[section.code])
        return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
    opened = fold(request, section, problem) if fold else None
    if opened and opened.is_refused:
        problem = ""  # the fold says it
    if opened and is_from_desk_dialog(request):
        return fold_response(request, section, opened)
    if is_from_desk_dialog(request):
        return desk_response(request, code, problem)
    template = "director/desk.html#live" if request.htmx else "director/desk.html"
    seen = request.session.get(_seen_key(section), FIRST_VERSION)
    table = read_number(request.GET.get("table")) or 0
    desk = DeskPage(section, seen_version=seen, open_table=table)
    context = {"section": section, "tab": "desk", "desk": desk, "problem": problem}
    beside = _context_apart_from_round(section)
    context |= {"why": why, "whose": section_letter, **beside}
    if opened:
        context |= {"fold": opened, **opened.context}
    if table and (chosen := phone_settings_of(section)).need_secret:
        context["digits"] = digits_of(section, table, chosen)
    if table and section.is_started:
        context["of_one_phone"] = tables_of_one_phone(section, section.round)
    context["at_door"] = not section.is_started and can_prepare(section)
    late = late_pairs(section, desk.waiting if section.is_started else ())
    waits = next((late_comer for late_comer in late if late_comer.waits), None)
    context |= {"late": late, "half_for": waits if waits and desk.has_half_table else None}
    context["late_tables"] = list(late_tables(desk.plan))
    context["guide"] = guide_steps(request, section, beside["results_in"])
    is_refused = (why and not request.htmx) or (opened and opened.is_refused)
    status = 422 if is_refused else 200  # htmx ignores refused responses
    return render(request, template, context, status=status)


@require_POST
def hide_guide(request: UserRequest, code: str) -> HttpResponse:
    """Hide the guide for first sessions on this device."""
    section = section_for_director(request, code)
    response = redirect("desk", code=section.code)
    response.set_cookie(
        *(KNOWN, "1"),
        max_age=LASTS,
        path="/s/",
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response


def _missing_results_text(missing: Mapping[int, int]) -> str:
    """Return the number of missing results as text, with their round if it is one; empty without any."""
    count = sum(missing.values())
    if not count:
        return ""
    if len(missing) > 1:
        return missing_count_text(count)
    words = ngettext(
        "%(count)s result of round %(round)s is still missing",
        "%(count)s results of round %(round)s are still missing",
        count,
    )
    return words % {"count": count, "round": next(iter(missing))}


def _context_apart_from_round(section: Section) -> dict[str, Any]:
    """Return the part of the desk's template context that is not about the round: results, sections, version."""
    playing = sections_of_session(section) if section.letter else [section]
    coming = ArrivingResults(playing)
    silent = silent_tables(section, coming)
    context: dict[str, Any] = {
        "version": version_with_silence(section, silent),
        "results_in": coming.arrivals_in(section),
        "differing": conflicting_boards(section),
        "silent": silent,
        "is_scored": has_scoring_begun(section),
        "missing": _missing_results_text(coming.missing_by_round([section])),
    }
    ends = [
        section_playing
        for section_playing in playing
        if section_playing.is_finished or section_playing.is_last_round
    ]
    if section in ends:
        context["owing"] = tables_with_missing_submissions(ends)
    if len(playing) == 1:
        return context
    press = usual_sections_button(
        [SectionTab(section_playing) for section_playing in playing], section=section
    )
    if press and section.pk in {start.section.pk for start in press.starts}:
        context["press"] = press
        if press.is_of_several:
            started = [start.section for start in press.starts]
            context["missing"] = _missing_results_text(coming.missing_by_round(started))
    return context
