"""The result keypad.

Its state is in the URL, so it works without JavaScript.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.scoring.rules.contract_notation import BOOK, MOST_TRICKS
from bridgebuddy.scoring.rules.model import Compass, Contract, Strain
from bridgebuddy.scoring.rules.points import declarers_score, is_vulnerable
from bridgebuddy.scoring.words import MINUS, signed_score

LEVELS = range(1, 8)
STRAINS = ("C", "D", "H", "S", "NT")
DOUBLED = ("", "x", "xx")
SEATS = ("N", "E", "S", "W")
SUITS = ("C", "D", "H", "S")
CARDS = ("A", "K", "Q", "J", "T", *"98765432")
SHOWN_DOWN = 3  # others behind a key
#: the next seat in clockwise order
NEXT = {"N": "E", "E": "S", "S": "W", "W": "N"}
SKIPPED = "-"


def count_tricks_text(tricks: int) -> str:
    """Return a number of tricks with its noun: "9 tricks"."""
    return ngettext("%(tricks)s trick", "%(tricks)s tricks", tricks) % {"tricks": tricks}


@dataclass(frozen=True)
class TrickKey:
    """A key of the result keypad: a number of tricks, with the resulting score of North-South."""

    tricks: int
    over: int
    points: int

    @property
    def text(self) -> str:
        """Return the overtricks or undertricks: "=", "+1", "−2"."""
        return (
            "=" if not self.over else f"+{self.over}" if self.over > 0 else f"{MINUS}{-self.over}"
        )

    @property
    def score(self) -> str:
        """Return the resulting score of North-South with its sign."""
        return signed_score(self.points)

    @property
    def trick_count_text(self) -> str:
        """Return the key's number of tricks with its noun: "9 tricks"."""
        return count_tricks_text(self.tricks)

    @property
    def css(self) -> str:
        """Return the key's CSS class: contract made or down."""
        return "made" if self.over >= 0 else "down"


@dataclass(frozen=True)
class ResultKeypad:
    """The result keypad's state in the URL: the parts of a board's result tapped so far."""

    board: int
    level: int = 0
    strain: str = ""
    doubled: str = ""
    declarer: str = ""
    suit: str = ""  # of the lead
    lead: str = ""
    is_edited: bool = False
    has_more: bool = False
    asks_lead: bool = False
    side: str = "ns"  # the side that enters

    @classmethod
    def read(cls, board: int, query: QueryDict, *, asks_lead: bool, side: str) -> ResultKeypad:
        """Read the keypad's state from a query string; invalid values are ignored."""
        level = query.get("level", "")
        strain, doubled = query.get("strain", ""), query.get("dbl", "")
        declarer, suit, lead = query.get("by", ""), query.get("suit", ""), query.get("lead", "")
        return cls(
            board,
            int(level) if level in map(str, LEVELS) else 0,
            strain if strain in STRAINS else "",
            doubled if doubled in DOUBLED else "",
            declarer if declarer in SEATS else "",
            suit if suit in SUITS else "",
            lead if lead == SKIPPED or (lead[:1] in SUITS and lead[1:] in CARDS) else "",
            bool(query.get("edit")),
            bool(query.get("more")),
            asks_lead,
            side,
        )

    @property
    def retry_address(self) -> str:
        """Return the address of the keypad's first step, to tap contract and declarer again."""
        return self._address(new=1, edit=1)

    @property
    def more_undertricks_address(self) -> str:
        """Return the address of the same step with keys for more undertricks."""
        return self._address(more=1, lead=self.lead)

    @property
    def unplayed_address(self) -> str:
        """Return the address of the step for a board that was not played."""
        return f"?{urlencode({'unplayed': '', 'side': self.side})}"

    def _address(self, **more: object) -> str:
        """Return the address of the keypad with the parts tapped so far."""
        tapped = {"level": self.level, "strain": self.strain, "dbl": self.doubled}
        return f"?{urlencode({**tapped, 'by': self.declarer, 'side': self.side, **more})}"

    @property
    def has_contract(self) -> bool:
        """Return whether level and strain have been tapped."""
        return bool(self.level and self.strain)

    @property
    def step(self) -> str:
        """Return the keypad's current step: contract and declarer, lead, or tricks."""
        if self.is_edited or not (self.has_contract and self.declarer):
            return "contract"
        return "lead" if self.asks_lead and not self.lead else "tricks"

    @property
    def contract_text(self) -> str:
        """Return the contract tapped so far."""
        return f"{self.level}{self.strain}{self.doubled}"

    @property
    def leader(self) -> str:
        """Return the seat of the opening leader, left of declarer."""
        return NEXT[self.declarer]

    @property
    def card(self) -> str:
        """Return the card of the opening lead; empty if it was skipped."""
        return "" if self.lead == SKIPPED else self.lead

    @property
    def _is_vulnerable(self) -> bool:
        """Return whether declarer is vulnerable."""
        seat: Compass = self.declarer  # type: ignore[assignment]
        return is_vulnerable(self.board, seat)

    def _trick_key(self, overtricks: int) -> TrickKey:
        """Return the key for a number of overtricks (negative: undertricks), with its score."""
        strain: Strain = self.strain[0]  # type: ignore[assignment]
        tricks = BOOK + self.level + overtricks
        contract = Contract(self.level, strain, len(self.doubled))
        points = declarers_score(contract, tricks, vulnerable=self._is_vulnerable)
        return TrickKey(tricks, overtricks, points if self.declarer in "NS" else -points)

    @property
    def rows(self) -> list[tuple[TrickKey | None, TrickKey | None]]:
        """Return the keys in two columns, made and down; many undertricks only on request."""
        most_down = BOOK + self.level
        down = range(1, (most_down if self.has_more else SHOWN_DOWN) + 1)
        made_keys = [self._trick_key(over) for over in range(MOST_TRICKS - BOOK - self.level + 1)]
        return list(zip_longest(made_keys, [self._trick_key(-under) for under in down]))

    @property
    def more_text(self) -> str:
        """Return the label of the key that shows more undertricks."""
        return _("−%(tricks)s or more") % {"tricks": SHOWN_DOWN + 1}
