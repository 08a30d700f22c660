"""Attendance statistics, for the club's directors only."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import of_one_moment
from bridgebuddy.seasons.queries.attendance import ClubAttendance

HEIGHT = 100


@require_safe
@of_one_moment
def attendance(request: UserRequest, pk: int) -> HttpResponse:
    """Show how often players came, who stopped coming, new players, and the size of sessions."""
    club = club_for_secretary(request, pk)
    statistics = ClubAttendance(club, club.today)
    most = max((evening.people for evening in statistics.evenings), default=1)
    context = {
        "club": club,
        "tab": "season",
        "found": statistics,
        "most": most,
        "width": 10 * len(statistics.evenings),
        "bars": [
            (10 * at + 1, HEIGHT - round(HEIGHT * evening.people / most), evening)
            for at, evening in enumerate(statistics.evenings)
        ],
    }
    return render(request, "director/season/attendance.html", context)
