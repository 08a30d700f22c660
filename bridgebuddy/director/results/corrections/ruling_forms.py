"""The form for rulings on a result: weighted and split scores, averages, boards not played."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from bridgebuddy.scoring.rules.contract_notation import (
    ENGLISH,
    LETTERS,
    InvalidResultText,
    parse_result_text,
)
from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.outcomes import read_outcome
from bridgebuddy.scoring.rules.points import single_score
from bridgebuddy.scoring.snapshot.lines import PlayLine

from ..entry.typed_results import TypedResult, read_line

MOST_PARTS = 5
#: the lines of North-South and of East-West that are visible at first
FIRST_PARTS = (2, 1)
SIDES = ("ns", "ew")
KINDS = {
    "average": gettext_lazy("Average"),
    "weighted": gettext_lazy("Weighted"),
    "split": gettext_lazy("Split"),
    "not_played": gettext_lazy("Not played"),
}
AWARDS = {
    "AVE+": gettext_lazy("average plus (60 %)"),
    "AVE": gettext_lazy("average (50 %)"),
    "AVE-": gettext_lazy("average minus (40 %)"),
    "fixed": gettext_lazy("a fixed number"),
    "none": gettext_lazy("no score"),
}
WHY_NOT = {
    "cancelled": gettext_lazy("cancelled for both sides"),
    "time": gettext_lazy("no time left"),
    "skipped": gettext_lazy("left out"),
    "missing-ns": gettext_lazy("North-South were not there"),
    "missing-ew": gettext_lazy("East-West were not there"),
    "later": gettext_lazy("will be played later"),
}
NO_RESULT = gettext_lazy("Type it like 4hs= or like +420.")
_FRACTION = re.compile(r"\d{1,3}/\d{1,3}")


@dataclass(frozen=True)
class WeightedResult:
    """A row of a weighted score: a result as typed and as read, and its weight."""

    result: forms.BoundField
    share: forms.BoundField
    reading: TypedResult

    @property
    def is_filled(self) -> bool:
        """Return whether a result or a weight is filled in."""
        return bool(self.result.value() or self.share.value())


@dataclass(frozen=True)
class WeightedResultRows:
    """The form rows for a side's weighted score: those shown at once, and those that a button reveals."""

    side: str
    rows: Sequence[WeightedResult]
    visible_count: int

    @property
    def visible_rows(self) -> Sequence[WeightedResult]:
        """Return the rows that are shown at once."""
        return self.rows[: self.visible_count]

    @property
    def hidden_rows(self) -> Sequence[WeightedResult]:
        """Return the rows that a button reveals."""
        return self.rows[self.visible_count :]

    @property
    def is_open(self) -> bool:
        """Return whether one of the hidden rows is filled, so that they must be shown."""
        return any(field.is_filled for field in self.hidden_rows)


class RulingForm(forms.Form):
    """The form for a director's ruling on a play: weighted, average, split or not played."""

    kind = forms.ChoiceField(choices=KINDS, widget=forms.RadioSelect)
    reason = forms.CharField(label=gettext_lazy("Why"), max_length=200, required=False, strip=True)
    after = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=32767)
    #: the outcome whose effect the page has shown
    shown = forms.CharField(widget=forms.HiddenInput, required=False, max_length=2000)
    award_ns = forms.ChoiceField(
        label=gettext_lazy("North-South"), choices=AWARDS, required=False, widget=forms.RadioSelect
    )
    award_ew = forms.ChoiceField(
        label=gettext_lazy("East-West"), choices=AWARDS, required=False, widget=forms.RadioSelect
    )
    fixed_ns = forms.DecimalField(label=gettext_lazy("Amount for N-S"), required=False)
    fixed_ew = forms.DecimalField(label=gettext_lazy("Amount for E-W"), required=False)
    outside = forms.BooleanField(label=gettext_lazy("neither side is at fault"), required=False)
    why_not = forms.ChoiceField(
        label=gettext_lazy("Why was it not played?"),
        choices=WHY_NOT,
        required=False,
        widget=forms.RadioSelect,
    )

    until = forms.TimeField(
        label=gettext_lazy("Until"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )

    def __init__(self, line: PlayLine, data: Any = None, **suggested: str) -> None:
        self.line = line
        super().__init__(data, initial=self._initial_values(line) | suggested)
        for side in SIDES:
            for part in range(1, MOST_PARTS + 1):
                self.fields[f"result_{side}_{part}"] = forms.CharField(
                    max_length=20, required=False
                )
                self.fields[f"share_{side}_{part}"] = forms.CharField(max_length=8, required=False)
        for name in ("fixed_ns", "fixed_ew"):
            self.fields[name].widget.attrs["inputmode"] = "decimal"

    def _initial_values(self, line: PlayLine) -> dict[str, Any]:
        """Return the form's initial values from the present result."""
        first: dict[str, Any] = {
            "after": line.number,
            "reason": line.ruling_reason,
            "award_ns": "AVE+",
            "award_ew": "AVE-",
            "kind": "average",
            "why_not": "cancelled",
        }
        match line.outcome:
            case {"assigned": {"ns": ns, **rest}}:
                both = {"ns": ns, "ew": rest.get("ew") or ns}
                first["kind"] = "split" if both["ew"] != ns else "weighted"
                for side, parts in both.items():
                    for part, (share, score) in enumerate(parts, start=1):
                        first[f"result_{side}_{part}"] = f"{score:+d}" if score else "0"
                        first[f"share_{side}_{part}"] = str(share)
            case {"artificial": {"ns": ns, "ew": ew}, **rest}:
                first |= {"kind": "average", "outside": rest.get("outside", False)}
                for side, award in (("ns", ns), ("ew", ew)):
                    is_named = award in ("AVE+", "AVE", "AVE-")
                    first[f"award_{side}"] = award if is_named else "fixed" if award else "none"
                    if not is_named and award is not None:
                        first[f"award_{side}"], first[f"fixed_{side}"] = "fixed", award
            case {"not_played": reason, **rest}:
                first["kind"] = "not_played"
                first["why_not"] = f"{reason}-{rest.get('side')}" if reason == "missing" else reason
            case {"pending": True}:
                first |= {"kind": "not_played", "why_not": "later"}
        return first

    def rows(self, side: str) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """Return the pairs of form fields (result and weight) of a side's weighted score."""
        return [
            (self[f"result_{side}_{part}"], self[f"share_{side}_{part}"])
            for part in range(1, MOST_PARTS + 1)
        ]

    @property
    def awards(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """Return the fields of each side's artificial score: its kind, and its percentage."""
        return [(self[f"award_{side}"], self[f"fixed_{side}"]) for side in SIDES]

    @property
    def parts(self) -> list[WeightedResultRows]:
        """Return both sides' weighted scores as form rows, each row with its result as read."""
        return [
            WeightedResultRows(
                side,
                [
                    WeightedResult(result, share, self._read_result(result.value()))
                    for result, share in self.rows(side)
                ],
                visible,
            )
            for side, visible in zip(SIDES, FIRST_PARTS, strict=True)
        ]

    @property
    def replaced_selectors(self) -> str:
        """Return the CSS selectors of the elements that htmx replaces while a ruling is typed."""
        names = [f"#reads-result_{side}_{n}" for side in SIDES for n in range(1, MOST_PARTS + 1)]
        return ",".join(["#store", *names])

    def _read_result(self, text: str | None) -> TypedResult:
        """Return a typed contract or score as `TypedResult`, with its score or an error."""
        return read_line(text, self.line.board) if text else TypedResult()

    def clean(self) -> dict[str, Any]:
        """Read the ruling; refuse one that is impossible on the board."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        is_later = (cleaned["kind"], cleaned["why_not"]) == ("not_played", "later")
        if is_later and (until := cleaned["until"]):
            by_when = _("You have until %(time)s.") % {"time": f"{until:%H:%M}"}
            cleaned["reason"] = f"{by_when} {cleaned['reason']}".strip()
        outcome = self._outcome_of(cleaned)
        if outcome is not None and not self.errors:
            try:
                read_outcome(outcome, self.line.board)
            except ScoringError:
                self.add_error(None, _("This result is impossible on this board."))
        cleaned["outcome"] = outcome
        return cleaned

    def _outcome_of(self, cleaned: dict[str, Any]) -> dict[str, Any] | None:
        """Return the ruling in the form in which plays store it; None without one."""
        match cleaned["kind"]:
            case "weighted":
                return {"assigned": {"ns": self._weighted_parts("ns", cleaned)}}
            case "split":
                return {"assigned": {side: self._weighted_parts(side, cleaned) for side in SIDES}}
            case "average":
                return self._average_awards(cleaned)
            case "not_played":
                reason, _dash, side = (cleaned["why_not"] or "cancelled").partition("-")
                if reason == "later":
                    return {"pending": True}
                return {"not_played": reason} | ({"side": side} if side else {})
        return None

    def _weighted_parts(self, side: str, cleaned: dict[str, Any]) -> list[list[Any]]:
        """Return a side's results with their weights; add errors for wrong ones."""
        parts: list[list[Any]] = []
        for part in range(1, MOST_PARTS + 1):
            result, share = (cleaned[f"{name}_{side}_{part}"] for name in ("result", "share"))
            if not result and not share:
                continue
            score, weight = self._score_of_text(result), _parse_share(share)
            if score is None:
                self.add_error(f"result_{side}_{part}", str(NO_RESULT))
            elif share and weight is None:
                self.add_error(f"share_{side}_{part}", _("A share is a number like 60, or 1/3."))
            else:
                parts.append([weight, score])
        if self.errors:
            return []
        if not parts:
            self.add_error(f"result_{side}_1", str(NO_RESULT))
            return []
        if len(parts) == 1 and parts[0][0] is None:
            parts[0][0] = 100
        try:
            read_outcome({"assigned": {"ns": [[w, 0] for w, _score in parts]}}, self.line.board)
        except ScoringError:
            self.add_error(f"share_{side}_1", _("The shares of a side add to 100 %."))
        return parts

    def _score_of_text(self, text: str) -> int | None:
        """Return the score of a typed contract or number; None if it cannot be read."""
        if text.strip() == "0":
            return 0
        letters = LETTERS.get((get_language() or "en")[:2], ENGLISH)
        try:
            outcome = read_outcome(parse_result_text(text, letters), self.line.board)
        except (InvalidResultText, ScoringError):
            return None
        return single_score(self.line.board, outcome)

    def _average_awards(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """Return both sides' artificial scores; add errors for wrong ones."""
        given: dict[str, Any] = {}
        for side in SIDES:
            award = cleaned[f"award_{side}"] or "AVE"
            if award == "fixed":
                amount = cleaned[f"fixed_{side}"]
                if amount is None or abs(amount) > 100:
                    self.add_error(f"fixed_{side}", _("Enter an amount of at most 100."))
                    continue
                given[side] = _plain_number(amount)
            else:
                given[side] = None if award == "none" else award
        return {"artificial": given} | ({"outside": True} if cleaned["outside"] else {})


def _parse_share(text: str) -> int | float | str | None:
    """Return a typed weight, in per cent or as a fraction; None if it is neither."""
    text = text.replace("%", "").replace(",", ".").strip()
    if _FRACTION.fullmatch(text):
        return text
    try:
        share = Decimal(text)
    except ArithmeticError:
        return None
    return _plain_number(share) if share.is_finite() and 0 < share <= 100 else None


def _plain_number(amount: Decimal) -> int | float:
    """Return an amount as an integer, or as a float if it has decimals."""
    return int(amount) if amount == int(amount) else float(amount)
