"""The form for a fouled board: the two groups of tables and the effect of the ruling, before it is given."""

from __future__ import annotations

import json
from typing import Any

from bridgebuddy.scoring.checks.effects import document_with_fouled_board, result_effect
from bridgebuddy.scoring.snapshot.lines import PlayLine

from ..context import ResultsPageData
from .penalty_forms import FouledForm


def fingerprint(**said: Any) -> str:
    """Return values as one text, by which a sent form is compared with what its page had shown."""
    return json.dumps(said, sort_keys=True, default=str)


def fingerprint_of(form: FouledForm) -> str:
    """Return the ruling of a valid form as text, to see whether the same one was previewed."""
    cleaned = form.cleaned_data
    return fingerprint(from_round=cleaned["from_round"], tables=cleaned["tables"])


def fouled_context(
    results_context: ResultsPageData, lines: list[PlayLine], form: FouledForm
) -> dict[str, Any]:
    """Return the template context for ruling a board fouled; a valid form is shown with its effect."""
    board = lines[0].board
    context: dict[str, Any] = {
        "form": form,
        "fouled_form": form,
        "known": [
            fouled_board
            for fouled_board in results_context.tonight.fouled
            if (fouled_board.section_id, fouled_board.board) == (results_context.section.pk, board)
            and (not form.in_round or fouled_board.from_round == form.in_round)
        ],
    }
    if not form.is_bound or not form.is_valid():
        return context
    proposed = form.unsaved_ruling(lines[0])
    return context | {
        "effect": result_effect(
            results_context.scored,
            document_with_fouled_board(results_context.tonight, proposed),
            lines,
        ),
        "shown": fingerprint_of(form),
        "others": [line for line in lines if proposed.holds(line.round, line.table)],
        "as_dealt": [line for line in lines if not proposed.holds(line.round, line.table)],
    }
