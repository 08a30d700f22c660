"""Sessions made from another one: a copy, a second session of its event, or a rehearsal."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import SeatingMethod, Section, Session
from bridgebuddy.events.queries.roster.sit_out_history import can_take_turns
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.events.queries.sessions.strengths import strengths_of
from bridgebuddy.events.services.lifecycle.copies_of_sessions import (
    CopiedSeating,
    copy_session,
    entries_with_people,
    has_two_lines,
    has_two_rows,
    make_rehearsal,
    returning_people,
)
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.classes import choose_usual_scale
from bridgebuddy.scoring.services.copying import copy_scoring
from bridgebuddy.scoring.services.draws.rehearsing import play_rehearsal_to_end
from bridgebuddy.scoring.services.publishing import set_scoring_profile
from bridgebuddy.scoring.services.recording import scoring_settings_of
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot, has_results

from ..refusals import change_refused
from .calendar import LAST_DAY
from .copy_form import CopyForm

A_WEEK = timedelta(days=7)


@require_http_methods(["GET", "POST"])
def copy_session_page(request: UserRequest, code: str) -> HttpResponse:
    """Create a session as a copy of another one; `?second=1` makes the second session of its event."""
    with one_snapshot(request):
        section = section_for_director(request, code)
        session = section.session
        is_second = bool(request.GET.get("second"))
        inside = sections_of_session(section)
        entries = [entry for section in inside for entry in entries_with_people(section)]
        count = len(returning_people(entries))
        places = _places_by_entry(section)
        form = CopyForm(
            _seating_choices(inside, count, is_second, has_places=bool(places)),
            request.POST or None,
            initial={
                "name": session.event.name,
                "date": _next_day(session, is_second),
                "starts_at": session.starts_at,
                "sessions": _event_method(session),
            },
        )
        context = {
            "tab": "home",
            "club": section.club,
            "source": section,
            "form": form,
            "count": count,
            "names": [section.name for section in inside] if len(inside) > 1 else [],
            "is_second": is_second,
        }
        if request.method == "GET" or not form.is_valid():
            status = 422 if form.errors else 200
            return render(request, "director/copy_session.html", context, status=status)
    together = form.cleaned_data.pop("sessions")
    best_count = form.cleaned_data.pop("best")
    try:
        with transaction.atomic():
            copied = copy_session(
                section,
                **form.cleaned_data,
                best_count=best_count,
                is_second=is_second,
                places=places,
                by=request.user,
            )
            copy_scoring(copied, section)
            if not is_second:
                choose_usual_scale(copied)
            chosen = (
                {"sessions": together or None} if is_second and "sessions" in request.POST else {}
            )
            if form.cleaned_data["sit"] == CopiedSeating.FINALS:  # each session has its own winner
                chosen["scope"] = "section"
            if chosen:
                profile = scoring_settings_of(copied).profile | chosen
                choices = {
                    name: value for name, value in profile.items() if name not in chosen or value
                }
                set_scoring_profile(copied, choices, by=request.user)
    except ChangeRefused as refused:
        form.add_error(None, change_refused(refused))
        return render(request, "director/copy_session.html", context, status=409)
    return redirect("entries", code=copied.code)


@require_POST
def start_rehearsal(request: UserRequest, code: str) -> HttpResponse:
    """Create a rehearsal of a session, and redirect to it."""
    section = section_for_director(request, code)
    with transaction.atomic():
        rehearsal = make_rehearsal(section, by=request.user)
        copy_scoring(rehearsal, section)
    return redirect("desk" if rehearsal.movement_id else "entries", code=rehearsal.code)


@require_POST
def play_rehearsal_to_its_end(request: UserRequest, code: str) -> HttpResponse:
    """Play a rehearsal to its end with invented results; real sessions are left unchanged."""
    section = section_for_director(request, code)
    if section.session.is_rehearsal:
        try:
            section = play_rehearsal_to_end(section, by=request.user)
            if section.stored.is_drawn_as_played:
                messages.success(
                    request, _("All rounds have been drawn, based on invented results.")
                )
        except ChangeRefused as refused:
            messages.warning(request, change_refused(refused))
            return redirect("entries", code=section.code)
    return redirect("desk", code=section.code)


def _event_method(session: Session) -> str:
    """Return how the results of an event's sessions are added up, as stored so far; empty if not chosen."""
    scoring = ScoringSettings.objects.filter(session=session).first()
    return str(scoring.profile.get("sessions") or "") if scoring else ""


def _places_by_entry(section: Section) -> dict[int, int]:
    """Return each entry's overall place by primary key; of two rankings the first places come first."""
    if not has_results(section):
        return {}
    scored = ScoredSession(SessionSnapshot(section))
    ordered = [
        (standing.row.order, standing.contestant.entry)
        for ranking in scored.main_lists
        for standing in ranking.standings
    ]
    return {entry: place for place, (_order, entry) in enumerate(sorted(ordered), start=1)}


def _seating_choices(
    inside: list[Section], count: int, is_second: bool, *, has_places: bool
) -> list[str]:
    """Return the possible ways of seating the copied entries, the usual one first."""
    if not count:
        return []
    ways: list[str] = []
    if any(section.movement_id for section in inside):
        ways += [CopiedSeating.SAME]
        if all(has_two_lines(section) for section in inside):
            ways += [CopiedSeating.TURNED]
        if any(strengths_of(entries_with_people(section)) for section in inside):
            ways += [CopiedSeating.EVEN]
        if not is_second and all(can_take_turns(section) for section in inside):
            is_usual = all(section.seating == SeatingMethod.TURNS for section in inside)
            ways.insert(0 if is_usual else len(ways), CopiedSeating.TURNS)
        if has_places:
            ways += [CopiedSeating.RANKING]
        ways += [CopiedSeating.RANDOM]
        if is_second and has_places:
            ways += [CopiedSeating.BEST, CopiedSeating.CONSOLATION, CopiedSeating.FINALS]
        if is_second and len(inside) == 1 and has_two_lines(inside[0]):
            ways += [CopiedSeating.LINES]
        if is_second and len(inside) == 1 and has_two_rows(inside[0]):
            ways += [CopiedSeating.ROWS]
    return ways


def _next_day(session: Session, is_second: bool) -> object:
    """Return the likely date of a copy: the same weekday, not before today.

    A second session is today.
    """
    today = timezone.localdate()
    if is_second:
        return max(session.date, today)
    day = min(session.date, LAST_DAY) + A_WEEK
    while day < today:
        day += A_WEEK
    return day
