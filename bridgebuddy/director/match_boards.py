"""The boards of teams' matches: shuffled or duplicated, their numbers, and the preparation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.events.services.setup.movement import BoardsWished
from movements.engine.boards import MatchBoards
from movements.engine.model import Movement

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


class MatchBoardsForm(forms.Form):
    """The form for the boards of team matches: same deals or shuffled, first number, number of segments."""

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
        """Refuse shuffled (not duplicated) boards if a match is played in a single segment."""
        cleaned = super().clean() or {}
        if cleaned.get("cards") == "shuffled" and cleaned.get("segments") == "1":
            self.add_error(
                "segments",
                _("Boards shuffled at one table must also be played at the other table."),
            )
        return cleaned

    @property
    def wished(self) -> BoardsWished:
        """Return the chosen boards as a `BoardsWished` object for the movement engine."""
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
    """Return the boards chosen for a section's matches, or None."""
    has_matches = section.movement is not None and section.movement.is_draw
    return section.boards_of_matches if has_matches else None


def preparation_notes(boards: MatchBoards, movement: Movement) -> list[str]:
    """Return sentences on which boards to prepare for the matches, and in how many copies."""
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
