"""Slow pairs, for the club's directors only."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import read_in_one_snapshot
from bridgebuddy.scoring.rules.rounding import rounded_number
from bridgebuddy.scoring.words import number_text
from bridgebuddy.seasons.queries.pace import slow_pairs
from bridgebuddy.seasons.rules.pace import FEWEST_EVENINGS


@require_safe
@read_in_one_snapshot
def pace(request: UserRequest, pk: int) -> HttpResponse:
    """Show the pairs that take more minutes a board than others, with the uncertainty."""
    club = club_for_secretary(request, pk)
    pairs, evenings = slow_pairs(club)
    context = {
        "club": club,
        "tab": "players",
        "pairs": [
            {
                "names": slow_pair.names,
                "more": number_text(rounded_number(slow_pair.slow.minutes, 1), 1),
                "take": number_text(rounded_number(slow_pair.slow.give_or_take, 1), 1),
                "evenings": slow_pair.slow.evenings,
            }
            for slow_pair in pairs
        ],
        "evenings": evenings,
        "fewest": FEWEST_EVENINGS,
        "is_known": evenings >= FEWEST_EVENINGS,
    }
    return render(request, "director/season/pace.html", context)
