"""Slow pairs, for the club's directors only."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.scoring.rules.rounding import rounded_number
from bridgebuddy.scoring.words import number_text
from bridgebuddy.seasons.queries.pace import slow_pairs
from bridgebuddy.seasons.rules.pace import FEWEST_EVENINGS
from bridgebuddy.web.folds import redirect_with_part_open


@require_safe
def pace(request: UserRequest, pk: int) -> HttpResponse:
    """Redirect the former address of the list of slow pairs to the members."""
    return redirect_with_part_open("pace", "players", club_for_secretary(request, pk).pk)


def pace_of_pairs(club: Club) -> dict[str, Any]:
    """Return the pairs that take more minutes a board than others, with the uncertainty."""
    pairs, evenings = slow_pairs(club)
    return {
        "pairs": [
            {
                "names": slow_pair.names,
                "more": number_text(rounded_number(slow_pair.slow.minutes, 1), 1),
                "take": number_text(rounded_number(slow_pair.slow.give_or_take, 1), 1),
                "evenings": slow_pair.slow.evenings,
            }
            for slow_pair in pairs
        ],
        "count": evenings,
        "fewest": FEWEST_EVENINGS,
        "is_known": evenings >= FEWEST_EVENINGS,
    }
