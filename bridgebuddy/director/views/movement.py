"""Choosing the movement."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import FEWEST_PAIRS, Section
from bridgebuddy.events.services.movement import choose_movement
from movements.engine.errors import MovementError
from movements.engine.offers import Offer, offers

from ..access import section_for_director
from ..forms import MovementForm, size_value
from ..refusals import change_refused, movement_refused

MOST_OFFERS = 12


@require_http_methods(["GET", "POST"])
def choose(request: HttpRequest, code: str) -> HttpResponse:
    """Show what the pairs on the list can play, and take the director's choice."""
    section = section_for_director(request, code)
    pairs = section.entries.count()
    line = request.POST.get("line") or request.GET.get("line") or section.missing_line
    line = line if line in ("ns", "ew") else "ew"
    offered: tuple[Offer, ...] = ()
    if pairs >= FEWEST_PAIRS and not section.is_started:
        session = section.session
        offered = offers(pairs, session.fewest_boards, session.most_boards, line)[:MOST_OFFERS]
    problem = ""
    if request.method == "POST":
        form = MovementForm(request.POST, offered)
        if section.is_started:
            problem = _("The session has begun; its movement cannot be chosen again.")
        elif form.is_valid():
            problem = _take(request, section, form.cleaned_data, line)
            if not problem:
                return redirect("entries", code=section.code)
        else:
            problem = " ".join(form.non_field_errors()) or _("Choose one of these movements.")
    context = {
        "section": section,
        "tab": "movement",
        "pairs": pairs,
        "line": line,
        "fewest_pairs": FEWEST_PAIRS,
        "offers": [_card(section, offer) for offer in offered],
        "problem": problem,
    }
    status = 422 if problem else 200
    return render(request, "director/movement.html", context, status=status)


def _take(request: HttpRequest, section: Section, chosen: dict, line: str) -> str:
    """Choose the movement; return why it was refused, or nothing."""
    size = chosen["size"]
    try:
        choose_movement(
            section,
            chosen["family"],
            rounds=size.rounds,
            boards_per_round=None if size.total else size.boards_per_round,
            total_boards=size.total,
            options=chosen["options"],
            missing_line=line,
            by=request.user,
        )
    except MovementError as error:
        return movement_refused(error)
    except ChangeRefused as error:
        return change_refused(error)
    messages.success(request, _("The movement is chosen and everybody has a seat."))
    return ""


def _card(section: Section, offer: Offer) -> dict:
    """What a card says of an offer: facts only."""
    fewest, most = offer.boards_played
    return {
        "offer": offer,
        "movement": offer.movement,
        "full_tables": offer.movement.tables - _half(offer),
        "has_half_table": bool(_half(offer)),
        "sizes": [(size_value(size), size) for size in offer.sizes[:8]],
        "fewest_played": fewest,
        "most_played": most,
        "ends_at": _ends_at(section, offer),
        "stationary": len(offer.movement.stationary),
        "is_chosen": section.movement is not None and section.movement.family == offer.family.name,
    }


def _half(offer: Offer) -> int:
    """Whether one table has a missing pair."""
    return int(any(not seating.is_played for seating in offer.movement.in_round(1)))


def _ends_at(section: Section, offer: Offer) -> datetime:
    session = section.session
    boards = offer.size.rounds * offer.size.boards_per_round
    return datetime.combine(session.date, session.starts_at) + timedelta(
        minutes=boards * session.minutes_per_board
    )
