"""A typed result: its reading in words and points, or the error in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from bridgebuddy.scoring.rules.contract_notation import (
    ENGLISH,
    LETTERS,
    ContractLetters,
    InvalidResultText,
    format_result_text,
    parse_result_text,
)
from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.outcomes import read_outcome
from bridgebuddy.scoring.rules.points import single_score

LONGEST = 20  # most characters of a line
IMPOSSIBLE = gettext_lazy("This result is impossible on this board.")


def contract_letters() -> ContractLetters:
    """Return the letters of suits and seats in the reader's language, for typing results."""
    return LETTERS.get((get_language() or "en")[:2], ENGLISH)


def result_line(outcome: Mapping[str, Any] | None) -> str:
    """Return a result as a scorer types it, in the reader's letters; empty if that is not possible."""
    return format_result_text(outcome, contract_letters())


def outcome_with_lead(
    outcome: Mapping[str, Any] | None, before: Mapping[str, Any] | None
) -> Mapping[str, Any] | None:
    """Return a typed result with the lead of the result before it, if none was typed and the declarer is the same.

    Where only the lead was deleted, it is gone.
    """
    lead = (before or {}).get("lead")
    if not outcome or not before or not lead or "lead" in outcome:
        return outcome
    if {**outcome, "lead": lead} == before:
        return outcome
    return (
        {**outcome, "lead": lead} if outcome.get("declarer") == before.get("declarer") else outcome
    )


@dataclass(frozen=True)
class TypedResult:
    """The result read from a typed text, or the reason why it cannot be read.

    `is_unfinished`: more characters may make it a result.
    """

    outcome: Mapping[str, Any] | None = None
    points: int | None = None
    problem: str = ""
    is_unfinished: bool = False

    @property
    def is_wrong(self) -> bool:
        """Return whether the text is wrong, and not only incomplete."""
        return bool(self.problem) and not self.is_unfinished

    @property
    def declarer(self) -> str:
        """Return declarer's seat as a lower-case letter: "n"."""
        return str(self.outcome["declarer"]).lower() if self.is_contract and self.outcome else ""

    @property
    def is_contract(self) -> bool:
        """Return whether the result is a contract."""
        return self.outcome is not None and "contract" in self.outcome

    @property
    def is_score(self) -> bool:
        """Return whether only a score was typed."""
        return self.outcome is not None and "score" in self.outcome


def read_line(line: str, board: int) -> TypedResult:
    """Read a typed result on a board; an empty text gives an empty result."""
    if not line.strip():
        return TypedResult()
    try:
        outcome = parse_result_text(line[: LONGEST + 1], contract_letters())
    except InvalidResultText as wrong:
        return TypedResult(
            problem=_typing_error_text(wrong, line), is_unfinished=_is_unfinished(wrong, line)
        )
    return typed_result_of_outcome(outcome, board)


def typed_result_of_outcome(outcome: Mapping[str, Any] | None, board: int) -> TypedResult:
    """Return a stored result on a board as `TypedResult`, or an error if it is impossible."""
    if outcome is None:
        return TypedResult()
    try:
        points = single_score(board, read_outcome(outcome, board))
    except ScoringError:
        return TypedResult(problem=str(IMPOSSIBLE))
    return TypedResult(outcome, points)


def _is_unfinished(error: InvalidResultText, line: str) -> bool:
    """Return whether a wrong text may still become right by typing on."""
    is_number = error.why == "level" and line.strip().lstrip("+-−").isdigit()
    return is_number or (error.why != "level" and error.typed in ("", "+", "-"))


def _typing_error_text(error: InvalidResultText, line: str) -> str:
    """Return the sentence that says what is wrong in a typed result."""
    strains, seats = contract_letters().strains_text, contract_letters().seats_text
    typed = error.typed.replace("-", "−")
    match error.why:
        case "strain" if not typed:
            return _("Which suit? %(suits)s") % {"suits": strains}
        case "strain":
            return _("“%(typed)s” is no suit: %(suits)s") % {"typed": typed, "suits": strains}
        case "declarer" if not typed:
            return _("Who was declarer? %(seats)s") % {"seats": seats}
        case "declarer":
            return _("“%(typed)s” is no seat: %(seats)s") % {"typed": typed, "seats": seats}
        case "tricks" if error.typed in ("", "+", "-"):
            return _("How many tricks? = or +1 or −1")
        case "tricks":
            return _("“%(typed)s” is not a number of tricks: = or +1 or −1") % {"typed": typed}
        case "many-tricks":
            level = int(line.strip()[0])
            return _("Not %(typed)s tricks: at most +%(most)s, at least −%(least)s.") % {
                "typed": typed,
                "most": 7 - level,
                "least": 6 + level,
            }
        case "lead":
            return _("“%(typed)s” is no card: first the suit, then the rank (%(cards)s).") % {
                "typed": typed,
                "cards": contract_letters().cards_text,
            }
        case "score":
            return _("An average is at most 100 %%.") % {}
    return _("A line begins with 1 to 7, or is a score, p or −.")
