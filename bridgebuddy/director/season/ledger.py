"""Masterpoints: those to report, earlier reports, and each player's ledger."""

from __future__ import annotations

import csv
import io
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.scoring.match_words import masterpoint_scale_name
from bridgebuddy.seasons.models import MasterpointReport
from bridgebuddy.seasons.queries.ledger import due_points, reported_points, reported_totals
from bridgebuddy.seasons.services.ledger import report_points
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import MOST_DIGITS_OF_A_KEY, read_number

#: characters that begin a spreadsheet's formula
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def last_of_month_before(day: date) -> date:
    """Return the last day of the month before `day`, up to which masterpoints are reported."""
    return day.replace(day=1) - timedelta(days=1)


@require_http_methods(["GET", "POST"])
def masterpoints(request: UserRequest, pk: int) -> HttpResponse:
    """Show the masterpoints due until the end of last month and earlier reports; make a report.

    `?open=ledger&person=5` adds the ledger of a player.
    """
    club = club_for_secretary(request, pk)
    until = last_of_month_before(club.today)
    if request.method == "POST":
        report = report_points(club, until, by=request.user)
        if report is None:
            messages.info(request, _("No masterpoints are due."))
        return redirect("masterpoints", pk=club.pk)
    points_due = due_points(club, until)
    people = Person.objects.in_bulk({person.person for person in points_due})
    evenings = [
        (day, name, [(people[row.person], row) for row in rows])
        for (day, name, _session), rows in groupby(
            points_due, lambda point: (point.day, point.name, point.session)
        )
    ]
    context = {
        "club": club,
        "tab": "season",
        "until": until,
        "evenings": evenings,
        "reports": MasterpointReport.objects.filter(club=club),
        "totals": reported_totals(club),
    }
    if request.GET.get("open") == "ledger":
        person = read_number(request.GET.get("person"), MOST_DIGITS_OF_A_KEY)
        context |= _ledger_of(get_object_or_404(club.people, pk=person))
    return render(request, "director/season/masterpoints.html", context)


@require_safe
def ledger(request: UserRequest, pk: int, person: int) -> HttpResponse:
    """Redirect the former address of a player's masterpoints to the page of all."""
    club = club_for_secretary(request, pk)
    player = get_object_or_404(club.people, pk=person)
    return redirect_with_part_open("ledger", "masterpoints", club.pk, person=player.pk)


def _ledger_of(player: Person) -> dict[str, Any]:
    """Return a player's masterpoints as reported, with corrections as separate entries.

    Deleted players keep theirs under their replacement name, because reports stay unchanged.
    """
    entries = reported_points(player).select_related("report")
    return {
        "person": player,
        "entries": [(entry, _scale_title(entry.scale)) for entry in entries],
        "sum": sum(entry.points for entry in entries),
    }


def _scale_title(name: str) -> str:
    """Return the title of a masterpoint scale from its stored name; empty without one."""
    return masterpoint_scale_name(name) if name else ""


@require_safe
def points_file(request: UserRequest, pk: int, report: int) -> HttpResponse:
    """Send a report of masterpoints as a file for the federation."""
    club = club_for_secretary(request, pk)
    stored = get_object_or_404(MasterpointReport, club=club, pk=report)
    answer = HttpResponse(_report_csv(club, stored), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="masterpoints-{stored.until}.csv"'
    return answer


def _report_csv(club: Club, report: MasterpointReport) -> str:
    """Return a report of masterpoints as CSV."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["date", "event", "player", "number", "place", "scale", "points", "correction"])
    for entry in report.entries.select_related("person"):
        person = entry.person
        row = [entry.day, entry.name, person.name, person.national_number, entry.place, entry.scale]
        writer.writerow(
            [*map(_escape_formula, row), entry.points, "yes" if entry.is_correction else ""]
        )
    return "\ufeff" + text.getvalue()


def _escape_formula(value: object) -> object:
    """Return a value for a CSV cell; a text that a spreadsheet would compute begins with an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value
