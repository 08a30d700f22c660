"""Pages of a series: repeat a session on days of the week, and change all its coming sessions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.models import Session
from bridgebuddy.planning import series as service
from bridgebuddy.planning.calendar import WEEK, repeatable_sessions, session_plan_input
from bridgebuddy.planning.models import Series
from bridgebuddy.planning.series import SeriesInput, takes_registration

from .series_forms import NewSeriesForm, SeriesSettingsForm, days_title, directors_of

REFUSED = 422
#: the days from the opening of registration to the session, unless typed otherwise
USUAL_OPENING = 7
MOST_FIRST = 5

REASONS = {
    service.ENTRIES: _lazy("has entries"),
    service.START: _lazy("another start"),
    service.DIRECTOR: _lazy("another director"),
    service.HOST: _lazy("another host"),
    service.PRICE: _lazy("another price"),
    service.REGISTRATION: _lazy("another registration"),
    service.POINTS: _lazy("another scale of points"),
}


@dataclass(frozen=True)
class FirstEvening:
    """Date and host of one of the first sessions in the preview of a new series."""

    day: date
    host: str


@require_http_methods(["GET", "POST"])
def new_series(request: UserRequest, pk: int) -> HttpResponse:
    """Preview the sessions of a new series, and create it."""
    club = club_for_secretary(request, pk)
    sessions = repeatable_sessions(club)
    if not sessions:
        messages.info(request, _("Create one session first. A series repeats it."))
        return redirect("new-session")
    like = _session_to_repeat(sessions, request)
    typed = (
        request.POST
        if request.method == "POST"
        else request.GET
        if _has_typed_settings(request)
        else None
    )
    is_for_pairs = takes_registration(like)
    presets = _initial_answers(club, like, request)
    form = NewSeriesForm(
        presets if typed is None else typed, club, directors_of(club), is_for_pairs=is_for_pairs
    )
    is_valid = form.is_valid()
    if request.method == "POST" and is_valid:
        settings = form.typed_settings(frozenset(form.cleaned_data["days"]))
        series, count = service.create_series(like, settings, form.session_dates(), by=request.user)
        message = ngettext("%(count)s session planned.", "%(count)s sessions planned.", count)
        messages.success(request, message % {"count": count})
        return redirect("series", pk=club.pk, series=series.pk)
    context = {
        **_series_context(club, form),
        "like": like,
        "sessions": sessions,
        "dates": form.session_dates() if is_valid else [],
        "first_evenings": _first_sessions(form) if is_valid else [],
        "title": days_title(frozenset(form.cleaned_data["days"])) if is_valid else "",
    }
    status = REFUSED if request.method == "POST" else 200
    return render(request, "director/series/new.html", context, status=status)


@require_http_methods(["GET", "POST"])
def change_series(request: UserRequest, pk: int, series: int) -> HttpResponse:
    """Change the coming sessions of a series; list those that keep their own settings."""
    club = club_for_secretary(request, pk)
    rows = Series.objects.select_related("event__club", "directs")
    shown = get_object_or_404(rows, pk=series, event__club=club)
    latest = _latest_session(shown)
    settings = service.settings_of_series(shown)
    form = SeriesSettingsForm(
        request.POST if request.method == "POST" else None,
        club,
        directors_of(club),
        is_for_pairs=takes_registration(latest),
        initial=_initial_values(settings),
    )
    if request.method == "POST" and form.is_valid():
        wanted = form.typed_settings(settings.days)
        count, _kept = service.change_series(shown, wanted, form.days_of_pause, by=request.user)
        message = ngettext("%(count)s session changed.", "%(count)s sessions changed.", count)
        messages.success(request, message % {"count": count})
        return redirect("series", pk=club.pk, series=shown.pk)
    kept = service.unchanged_sessions(shown)
    coming = service.coming_sessions_of_series(shown)
    context = {
        **_series_context(club, form),
        "series": shown,
        "title": days_title(settings.days),
        "kept": [
            (row.session, ", ".join(str(REASONS[reason]) for reason in row.reasons)) for row in kept
        ],
        "count": len(coming) - len(kept),
        "coming": coming,
    }
    status = REFUSED if form.is_bound else 200
    return render(request, "director/series/change.html", context, status=status)


def _series_context(club: Club, form: SeriesSettingsForm) -> dict[str, Any]:
    """Return the template context of the pages of a series."""
    return {
        "club": club,
        "tab": "home",
        "form": form,
        "names": [person.name for person in club.known_people.order_by("search")],
    }


def _has_typed_settings(request: HttpRequest) -> bool:
    """Return whether the query string holds typed settings of a series."""
    return "starts_at" in request.GET


def _session_to_repeat(sessions: list[Session], request: HttpRequest) -> Session:
    """Return the session to repeat: the one asked for, else the latest."""
    key = request.POST.get("like") or request.GET.get("like")
    return next((session for session in sessions if str(session.pk) == key), sessions[0])


def _initial_answers(club: Club, session: Session, request: UserRequest) -> dict[str, Any]:
    """Return the initial values of a new series, from the session that it repeats."""
    first = session.date + WEEK * max(1, -((session.date - club.today) // WEEK))
    plan = session_plan_input(session)
    return {
        "days": [session.date.isoweekday()],
        "starts_at": f"{session.starts_at:%H:%M}",
        "first": first.isoformat(),
        "until": service.usual_end(first).isoformat(),
        "has_registration": "True",
        "opens_before": USUAL_OPENING,
        "hosts": plan.host.name if plan.host else "",
        "directs": str((plan.directs or request.user).pk),
        "price": plan.price,
        "masterpoints": club.masterpoint_scale,
    }


def _initial_values(settings: SeriesInput) -> dict[str, Any]:
    """Return a form's initial values for the settings of a series."""
    return {
        "starts_at": settings.starts_at,
        "until": settings.until,
        "has_registration": str(settings.has_registration),
        "opens_before": settings.opens_before,
        "most": settings.most,
        "hosts": ", ".join(host.name for host in settings.hosts),
        "directs": str(settings.directs.pk) if settings.directs else "",
        "price": settings.price,
        "masterpoints": settings.masterpoints,
    }


def _first_sessions(form: NewSeriesForm) -> list[FirstEvening]:
    """Return dates and hosts of the first sessions of a new series."""
    hosts = form.cleaned_data["hosts"]
    return [
        FirstEvening(day, hosts[place % len(hosts)].name if hosts else "")
        for place, day in enumerate(form.session_dates()[:MOST_FIRST])
    ]


def _latest_session(series: Series) -> Session:
    """Return the latest session of a series. Raises `Http404` if there is none."""
    latest = series.event.sessions.filter(deleted_at=None, rehearsal_until=None)
    session = latest.order_by("date", "pk").last()
    if session is None:
        raise Http404("no session is left")
    return session
