"""Views to open and edit a session."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.club_locale import use_club_formats
from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.rules import KEEP_MEMBERS
from bridgebuddy.director.club.session_defaults import apply_default_settings, initial_answers
from bridgebuddy.events.access import one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.listing import RosterNames, read_list
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.queries.sessions.club_sessions import real_sessions
from bridgebuddy.events.services.codes import renew_code
from bridgebuddy.events.services.lifecycle.sessions import change_session, open_session
from bridgebuddy.money.queries.sessions import paid_people_count
from bridgebuddy.registration.reminders import request_reminder_of_moved_session
from bridgebuddy.seasons.queries.ledger import is_reported

from ..entries.views import show_list_preview
from ..refusals import change_refused
from .forms import NewSessionForm, SessionForm
from .home import chosen_club, create_club_first, planned_clubs


@login_required
@require_http_methods(["GET", "POST"])
def new_session(request: UserRequest) -> HttpResponse:
    """Create a session, with entries or without; the last session's values are the defaults.

    A secretary plans it without entries, and returns to the coming weeks.
    """
    clubs = planned_clubs(request.user)
    if not clubs:
        return create_club_first(request.user)
    club = chosen_club(request, clubs)
    use_club_formats(club)
    form = NewSessionForm(request.POST or None, initial=initial_answers(club))
    if form.data.get("pairs", "").strip() and not club.rights.run_sessions:
        form.add_error("pairs", _only_planned_text(club))
    if request.method == "POST" and form.is_valid():
        answers = form.cleaned_data
        come = answers.pop("results_come") or form.initial["results_come"]
        roster = RosterNames(list(club.known_people.values_list("name", flat=True)))
        text = form.data.get("pairs", "")
        listing = read_list(text, answers["contest"].people, roster)
        is_shown = bool(listing.doubtful or listing.has_teams)
        answers["pairs"] = [] if is_shown else [line.names for line in listing.entries]
        try:
            with transaction.atomic():
                section = open_session(club, **answers, by=request.user)
                apply_default_settings(section, come, by=request.user)
            if not club.rights.run_sessions:
                messages.success(request, _("The session is planned."))
                return redirect("coming-weeks", pk=club.pk)
            if is_shown and not section.entries.exists():
                messages.success(request, _("The session is open."))
                return show_list_preview(request, section.code, text)
            return redirect("entries", code=section.code)
        except ChangeRefused as refused:
            form.add_refusal(refused)
    context = {
        "tab": "home",
        "club": club,
        "clubs": clubs,
        "form": form,
        "names": _event_names(club),
    }
    return render(request, "director/session_form.html", context, status=_form_status(form))


@require_http_methods(["GET", "POST"])
def edit_session(request: UserRequest, code: str) -> HttpResponse:
    """Store the date, name, boards or minutes of a session."""
    with one_snapshot(request):
        section = _section_to_plan(request, code)
        session = section.session
        form = SessionForm(request.POST or None, initial=_initial_answers(session))
        if request.method == "GET" or not form.is_valid():
            return session_page(request, section, form)
    is_planning = not request.rights.run_sessions
    try:
        answers = form.cleaned_data
        changed = change_session(section, **answers, only_planned=is_planning, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
        return redirect("coming-weeks", pk=section.club.pk)
    if changed.session.date != form.initial["date"]:
        request_reminder_of_moved_session(changed.session)
    if is_planning:
        messages.success(request, _("Saved."))
        return redirect("coming-weeks", pk=section.club.pk)
    return redirect("entries", code=section.code)


def _only_planned_text(club: Club) -> str:
    """Return the refusal of an entry list from a user who plans sessions without entries."""
    return _("At %(club)s you plan sessions without entries. Take the list away.") % {
        "club": club.name
    }


def session_page(
    request: UserRequest,
    section: Section,
    form: SessionForm | None = None,
    deletion_errors: dict[str, Any] | None = None,
) -> HttpResponse:
    """Render the page that changes a session; `deletion_errors` is a refused deletion with its errors."""
    session = section.session
    form = form or SessionForm(initial=_initial_answers(session))
    context = {"section": section, "tab": "entries", "form": form}
    context["names"] = _event_names(section.club)
    may_delete = request.rights.direct and not session.is_rehearsal
    if deletion_errors is not None or (may_delete and _has_begun(session)):
        context["deletion"] = {
            "is_reported": is_reported(session),
            "paid": paid_people_count(session),
        }
        context["refused"] = deletion_errors
    status = _form_status(form) if deletion_errors is None else 422
    return render(request, "director/session_form.html", context, status=status)


def _initial_answers(session: Session) -> dict[str, Any]:
    """Return a session's values as the form's initial values."""
    fields = [name for name in SessionForm.base_fields if name != "name"]
    return {"name": session.event.name, **{name: getattr(session, name) for name in fields}}


def _section_to_plan(request: UserRequest, code: str) -> Section:
    """Return the section for a user who runs its session, or who plans it before the start.

    Raises `NotSignedIn`, `SessionDeleted`, and `Http404` for all other users.
    """
    try:
        return section_for_director(request, code)
    except Http404:
        section = section_for_director(request, code, may=KEEP_MEMBERS)
    if section.session.date < section.club.today or _has_begun(section.session):
        raise Http404("the session has begun")
    return section


def _has_begun(session: Session) -> bool:
    """Return whether round 1 has begun in a section of a session. One query."""
    return session.sections.filter(round__gt=0).exists()


@require_POST
def new_code(request: UserRequest, code: str) -> HttpResponse:
    """Replace a section's code by a new one; the old one no longer works on phones."""
    section = renew_code(section_for_director(request, code), by=request.user)
    messages.success(request, _("The new code is %(code)s.") % {"code": section.spaced_code})
    return redirect("edit-session", code=section.code)


def _form_status(form: SessionForm) -> int:
    """Return the HTTP status of a page with this form: 422 if it has errors."""
    return 422 if form.errors else 200


def _event_names(club: Club) -> list[str]:
    """Return the names of a club's events, as suggestions."""
    names = real_sessions(club).order_by("event__name").values_list("event__name", flat=True)
    return list(names.distinct()[:50])
