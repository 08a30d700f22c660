"""A result on phones: in words, and with the points of a side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.scoring.checks.result_checks import FEWEST_TRICKS, LARGE_PENALTY
from bridgebuddy.scoring.rules.contract_notation import BOOK
from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.outcomes import read_outcome
from bridgebuddy.scoring.rules.points import single_score
from bridgebuddy.scoring.words import card_html, contract_html, outcome_text, signed_score
from movements.words.sentences import CHAIRS

from .keypad import NEXT
from .queries.at_table import TableBoard


@dataclass(frozen=True)
class ResultWords:
    """A board's result as text and HTML for the phone's pages."""

    board: TableBoard
    outcome: Mapping[str, Any]

    @property
    def has_contract(self) -> bool:
        """Return whether the outcome is a contract."""
        return "contract" in self.outcome

    @property
    def contract(self) -> SafeString:
        """Return the contract as HTML with the suit's symbol."""
        return contract_html(self.outcome["contract"])

    @property
    def text(self) -> str:
        """Return a result without a contract in words: "passed", "not played"."""
        return outcome_text(self.outcome)

    @property
    def declarer(self) -> str:
        """Return declarer's direction."""
        return str(CHAIRS[self.outcome["declarer"].lower()])

    @property
    def name(self) -> str:
        """Return declarer's name."""
        return self.board.names[self.outcome["declarer"]]

    @property
    def over(self) -> int:
        """Return declarer's overtricks; negative for undertricks."""
        tricks: int = self.outcome["tricks"]
        return tricks - BOOK - int(self.outcome["contract"][0])

    @property
    def tricks_text(self) -> str:
        """Return the tricks in words: "1 over, 10 tricks", "2 down, 8 tricks"."""
        tricks = ngettext("%(tricks)s trick", "%(tricks)s tricks", self.outcome["tricks"])
        counted = tricks % {"tricks": self.outcome["tricks"]}
        if not self.over:
            return _("just made, %(tricks)s") % {"tricks": counted}
        if self.over > 0:
            return _("%(over)s over, %(tricks)s") % {"over": self.over, "tricks": counted}
        return _("%(under)s down, %(tricks)s") % {"under": -self.over, "tricks": counted}

    @property
    def rare_result_warning(self) -> str:
        """Return a warning about an unusual result; it reveals nothing about other tables."""
        if not self.has_contract:
            return ""
        if self.outcome["contract"].endswith("xx"):
            return _("Redoubled: look once more, both sides.")
        if self.outcome["tricks"] <= FEWEST_TRICKS:
            return _("So few tricks: look once more, both sides.")
        if self.over < 0 and abs(self.score or 0) >= LARGE_PENALTY:
            return _("So large a penalty: look once more, both sides.")
        return ""

    @property
    def lead(self) -> SafeString | str:
        """Return the card of the opening lead; empty without one."""
        card = self.outcome.get("lead")
        return card_html(card) if card else ""

    @property
    def leader(self) -> str:
        """Return the direction of the opening leader."""
        return str(CHAIRS[NEXT[self.outcome["declarer"]].lower()])

    @property
    def score(self) -> int | None:
        """Return the score of North-South, or None."""
        try:
            return single_score(self.board.board, read_outcome(self.outcome, self.board.board))
        except ScoringError:
            return None

    def points(self, side: str) -> str:
        """Return the score of a side with its sign."""
        score = self.score
        return "" if score is None else signed_score(score if side == "ns" else -score)
