"""The boards of teams' matches: shuffled or duplicated, their numbers, and the preparation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.events.services.setup.movement import BoardsWished, number_matches
from movements.engine.boards import MatchBoards
from movements.engine.model import Movement

from ..refusals import change_refused

CARDS = {
    "duplicated": _lazy("duplicated: all tables of a round have the same deals"),
    "shuffled": _lazy("shuffled at the table: every match has cards of its own"),
}
NUMBERS = {
    "on": _lazy("go on from round to round"),
    "again": _lazy("begin again in each round"),
}
SEGMENTS = {
    "2": _lazy("two: its tables exchange their boards at half-time"),
    "4": _lazy("four: they exchange them in the middle of each half"),
    "1": _lazy("one: each of its tables has boards of its own"),
}
MOST_FIRST = 400


class BoardsForm(forms.Form):
    """The boards of teams' matches; all fields have valid defaults."""

    cards = forms.ChoiceField(
        label=_lazy("Cards"), choices=CARDS, widget=forms.RadioSelect, required=False
    )
    from_board = forms.IntegerField(
        label=_lazy("First board"), min_value=1, max_value=MOST_FIRST, required=False
    )
    numbers = forms.ChoiceField(label=_lazy("Board numbers"), choices=NUMBERS, required=False)
    segments = forms.ChoiceField(
        label=_lazy("Segments of a match"), choices=SEGMENTS, required=False
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("cards") == "shuffled" and cleaned.get("segments") == "1":
            self.add_error(
                "segments",
                _("Boards shuffled at one table must also be played at the other table."),
            )
        return cleaned

    @property
    def wished(self) -> BoardsWished:
        """Return the chosen boards."""
        chosen = self.cleaned_data
        is_duplicated = chosen["cards"] != "shuffled"
        goes_on = (chosen["numbers"] or "on") == "on"
        segments = int(chosen["segments"] or 2)
        return BoardsWished(is_duplicated, chosen["from_board"] or 1, goes_on, segments)


def form_values(boards: MatchBoards | None) -> dict[str, Any]:
    """Return the form's values for the boards of a section; the defaults if none are chosen."""
    if boards is None:
        return {"cards": "duplicated", "from_board": 1, "numbers": "on", "segments": "2"}
    return {
        "cards": "duplicated" if boards.is_duplicated else "shuffled",
        "from_board": boards.first,
        "numbers": "on" if boards.goes_on else "again",
        "segments": str(boards.segments),
    }


def chosen_match_boards(section: Section) -> MatchBoards | None:
    """Return the boards of a section's matches, or None."""
    has_matches = section.movement is not None and section.movement.is_draw
    return section.boards_of_matches if has_matches else None


def preparation_notes(boards: MatchBoards, movement: Movement) -> list[str]:
    """Return sentences on the boards to prepare and the number of copies."""
    rounds, others = boards.needed(movement)
    matches = sum(match.is_played for match in movement.in_round(1))
    triangles = sum(1 in triangle.rounds for triangle in movement.triangles)
    many = matches + triangles if boards.is_duplicated else matches + 3 * triangles
    if boards.segments == 1:
        many += matches  # of which each match has its boards twice
    words = {"boards": board_text(tuple(rounds)), "count": many}
    if not boards.is_duplicated:
        return [
            ngettext(
                "Boards %(boards)s once, shuffled at the table.",
                "Boards %(boards)s, %(count)s times: each match has its own, those of a triangle three.",
                many,
            )
            % words
        ]
    if boards.segments == 1:
        sentences = [
            _("Boards %(boards)s, %(count)s times: once for each table of a match.") % words
        ]
    elif boards.segments > 2:
        sentences = [
            ngettext(
                "Boards %(boards)s once: the two tables exchange them in the middle of each half.",
                "Boards %(boards)s, %(count)s times: the two tables of a match exchange them in the"
                " middle of each half.",
                many,
            )
            % words
        ]
    else:
        sentences = [
            ngettext(
                "Boards %(boards)s once: the two tables exchange them at half-time.",
                "Boards %(boards)s, %(count)s times: the two tables of a match exchange them at half-time.",
                many,
            )
            % words
        ]
    if not boards.goes_on and movement.rounds > 1:
        sentences.append(_("They are dealt anew for each round."))
    if others:
        sentences.append(
            _("For a triangle also %(boards)s, so that nobody meets a deal twice.")
            % {"boards": board_text(tuple(others))}
        )
    return sentences


@require_http_methods(["GET", "POST"])
def match_boards(request: UserRequest, code: str) -> HttpResponse:
    """Ask for the boards of matches, and show what to prepare."""
    sent, problem = request.POST if request.method == "POST" else None, ""
    with one_snapshot(request):
        section = section_for_director(request, code)
        form = BoardsForm(form_values(chosen_match_boards(section)) if sent is None else sent)
    if sent is not None and form.is_valid():
        try:
            number_matches(section, form.wished, by=request.user)
        except ChangeRefused as refused:
            problem = change_refused(refused)
        else:
            messages.success(request, _("The boards are chosen."))
            beside = sections_of_session(section)
            is_other_open = any(other.movement is None for other in beside)
            return redirect("all-sections" if is_other_open else "entries", code=code)
    with one_snapshot(request):
        section = section_for_director(request, code)
        boards = chosen_match_boards(section)
        context = {
            "section": section,
            "tab": "movement",
            "form": form,
            "problem": problem,
            "has_matches": boards is not None,
            "prepared": preparation_notes(boards, section.stored.movement) if boards else [],
        }
        status = 422 if problem or (sent is not None and form.errors) else 200
        return render(request, "director/match_boards.html", context, status=status)
