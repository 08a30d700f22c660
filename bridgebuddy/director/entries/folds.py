"""Folds of the entries: how strong the players are, and which boards teams' matches have."""

from __future__ import annotations

from typing import Any

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening

from ..match_boards import MatchBoardsForm, chosen_match_boards, form_values, preparation_notes
from .seats_forms import StrengthsForm


def people_of(evening: SessionEvening) -> list[Person]:
    """Return the players in all entries of a session."""
    return [person for entry in evening.entries for person in entry.players]


def opened_fold(
    request: UserRequest,
    section: Section,
    evening: SessionEvening,
    strengths_form: StrengthsForm | None,
    boards_form: MatchBoardsForm | None,
) -> dict[str, Any]:
    """Return the template context of the open part of the entries page: strengths, or boards of matches."""
    opened = request.GET.get("open")
    if strengths_form or opened == "strengths":
        form = strengths_form or StrengthsForm(people_of(evening))
        return {
            "form": form,
            "strengths_form": form,
            "strength_fields": [
                [
                    form[f"strength-{player.pk}"]
                    for player in entry.players
                    if f"strength-{player.pk}" in form.fields  # an entry may have come meanwhile
                ]
                for entry in evening.entries
            ],
        }
    if (boards_form or opened == "boards") and (boards := chosen_match_boards(section)):
        boards_asked = boards_form or MatchBoardsForm(form_values(boards))
        prepared = preparation_notes(boards, section.stored.movement)
        return {"form": boards_asked, "boards_form": boards_asked, "prepared": prepared}
    return {}
