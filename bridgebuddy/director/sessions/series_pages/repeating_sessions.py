"""The coming weeks: series, and each session's director, host for single players, and price."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.models import Club, Membership, searchable
from bridgebuddy.events.models import Session
from bridgebuddy.planning.calendar import (
    SessionPlanInput,
    coming_sessions,
    repeatable_sessions,
    session_plan_input,
    store_plans,
)
from bridgebuddy.planning.models import SessionPlan
from bridgebuddy.planning.series import series_of_club

from .series_forms import series_with_titles

REFUSED = 422
LONGEST_PRICE = SessionPlan._meta.get_field("price").max_length


@dataclass(frozen=True)
class SeriesRow:
    """A session to come with its director, host and price, as stored or typed.

    `was` holds the values that the page showed.
    """

    session: Session
    said: SessionPlanInput
    host: str
    was: str
    problem: str = ""
    is_typed: bool = False

    @property
    def has_begun(self) -> bool:
        """Return whether round 1 has begun in a section of the session."""
        return any(section.is_started for section in self.session.sections.all())


@require_http_methods(["GET", "POST"])
def plan_coming_sessions(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the sessions of the coming weeks, and store director, host and price of each."""
    club = club_for_secretary(request, pk)
    directors = _directors_by_key(club)
    rows = [_series_row(session_row, directors) for session_row in coming_sessions(club)]
    if request.method == "POST":
        rows = _typed_rows(request, club, rows, directors)
        if not any(row.problem for row in rows):
            store_plans({row.session: row.said for row in rows if row.is_typed})
            messages.success(request, _("Saved."))
            return redirect("coming-weeks", pk=club.pk)
    is_refused = any(row.problem for row in rows)
    context = {
        "club": club,
        "tab": "home",
        "rows": rows,
        "series": series_with_titles(series_of_club(club)),
        "has_sessions": bool(repeatable_sessions(club)),
        "without": sum(row.said.directs is None for row in rows),
        "directors": directors.values(),
        "names": [person.name for person in club.known_people.order_by("search")] if rows else [],
        "longest_price": LONGEST_PRICE,
    }
    status = REFUSED if is_refused else 200
    return render(request, "director/weeks.html", context, status=status)


def _directors_by_key(club: Club) -> dict[str, Any]:
    """Return the names of a club's directors by primary key."""
    memberships = Membership.objects.filter(club=club, is_director=True).select_related("user")
    return {
        str(directorship.user_id): directorship.user for directorship in memberships.order_by("pk")
    }


def _series_row(session: Session, directors: dict[str, Any]) -> SeriesRow:
    """Return the row of a session; a director who has lost that role is left out."""
    plan = session_plan_input(session)
    directs = str(plan.directs.pk) if plan.directs else ""
    if directs not in directors:
        directs, plan = "", replace(plan, directs=None)
    host = plan.host.name if plan.host else ""
    return SeriesRow(session, plan, host, _serialized_row(directs, host, plan.price))


def _serialized_row(*fields: str) -> str:
    """Return a row's values as text, to compare them later with what the user has sent."""
    return json.dumps(fields, ensure_ascii=False)


def _parsed_row(text: str) -> list[str | None]:
    """Return the values that a row had when its page was shown; None for unknown ones."""
    with suppress(ValueError):
        match json.loads(text):
            case [str(directs), str(host), str(price)]:
                return [directs, host, price]
    return [None, None, None]


def _typed_rows(
    request: HttpRequest, club: Club, rows: list[SeriesRow], directors: dict[str, Any]
) -> list[SeriesRow]:
    """Return the rows with the typed values; rows that were not on the page stay unchanged."""
    people = {person.search: person for person in club.known_people}
    typed_rows = []
    for row in rows:
        key = row.session.pk
        if f"price-{key}" not in request.POST:
            typed_rows.append(row)
            continue
        sent = [request.POST.get(f"{name}-{key}", "") for name in ("directs", "host", "price")]
        sent = [text.replace("\0", "").strip() for text in sent]
        fields = zip(
            sent, _parsed_row(request.POST.get(f"was-{key}", "")), _parsed_row(row.was), strict=True
        )
        directs, called, price = (
            now or "" if value == was else value for value, was, now in fields
        )
        price = price[:LONGEST_PRICE]
        if row.was == _serialized_row(directs, called, price):
            typed_rows.append(row)
            continue
        host = people.get(searchable(called))
        problem = "" if host or not called else _("Nobody on the roster has this name.")
        plan = SessionPlanInput(directors.get(directs), host, price)
        typed_rows.append(SeriesRow(row.session, plan, called, row.was, problem, is_typed=True))
    return typed_rows
