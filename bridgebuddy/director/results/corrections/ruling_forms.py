"""Forms for rulings: weighted and split scores, averages, fouled boards, penalties."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from bridgebuddy.scoring.models import FouledBoard, Penalty
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.contract_notation import ENGLISH, LETTERS, NoSlip, read_slip
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
        return bool(self.result.value() or self.share.value())


@dataclass(frozen=True)
class WeightedResultRows:
    """The form rows for a side's weighted score: those shown at once, and those that a button reveals."""

    side: str
    rows: Sequence[WeightedResult]
    visible_count: int

    @property
    def visible_rows(self) -> Sequence[WeightedResult]:
        return self.rows[: self.visible_count]

    @property
    def hidden_rows(self) -> Sequence[WeightedResult]:
        return self.rows[self.visible_count :]

    @property
    def is_open(self) -> bool:
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
        """Return the form fields of a side's weighted score: results and weights."""
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
        """Return the rows of both sides' weighted scores."""
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

    def _read_result(self, typed: str | None) -> TypedResult:
        return read_line(typed, self.line.board) if typed else TypedResult()

    def clean(self) -> dict[str, Any]:
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

    def _score_of_text(self, typed: str) -> int | None:
        """Return the score of a typed contract or number; None if it cannot be read."""
        if typed.strip() == "0":
            return 0
        letters = LETTERS.get((get_language() or "en")[:2], ENGLISH)
        try:
            outcome = read_outcome(read_slip(typed, letters), self.line.board)
        except (NoSlip, ScoringError):
            return None
        return single_score(self.line.board, outcome)

    def _average_awards(self, cleaned: dict[str, Any]) -> dict[str, Any]:
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


def _parse_share(typed: str) -> int | float | str | None:
    typed = typed.replace("%", "").replace(",", ".").strip()
    if _FRACTION.fullmatch(typed):
        return typed
    try:
        share = Decimal(typed)
    except ArithmeticError:
        return None
    return _plain_number(share) if share.is_finite() and 0 < share <= 100 else None


def _plain_number(amount: Decimal) -> int | float:
    return int(amount) if amount == int(amount) else float(amount)


class FouledForm(forms.Form):
    """The form for a fouled board: the rounds or tables in which it had other cards."""

    where = forms.ChoiceField(
        choices={"round": gettext_lazy("from a round on"), "tables": gettext_lazy("at tables")},
        widget=forms.RadioSelect,
        initial="round",
    )
    from_round = forms.TypedChoiceField(
        label=gettext_lazy("From round"), coerce=int, empty_value=None, required=False
    )
    tables = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Tables"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    reason = forms.CharField(label=gettext_lazy("Why"), max_length=200, required=False)
    shown = forms.CharField(widget=forms.HiddenInput, required=False, max_length=2000)

    def __init__(self, lines: list[PlayLine], data: Any = None, *, in_round: int = 0) -> None:
        """Create the form for a board; with `in_round`, only for the tables of drawn matches."""
        super().__init__(data)
        self.in_round = in_round
        if in_round:
            del self.fields["where"], self.fields["from_round"]
        rounds = sorted({line.round for line in lines})
        tables = sorted({line.table for line in lines})
        for name, numbers in (("from_round", rounds), ("tables", tables)):
            field = self.fields.get(name)
            if field is None:
                continue
            assert isinstance(field, forms.ChoiceField)
            field.choices = [(number, str(number)) for number in numbers]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.in_round or cleaned.get("where") == "tables":
            cleaned["from_round"] = self.in_round or None
            if not cleaned.get("tables") and "tables" not in self.errors:
                self.add_error("tables", _("Which tables?"))
        elif cleaned.get("where") == "round":
            cleaned["tables"] = []
            if cleaned.get("from_round") is None and "from_round" not in self.errors:
                self.add_error("from_round", _("From which round on?"))
        return cleaned

    def unsaved_ruling(self, line: PlayLine) -> FouledBoard:
        """Return the unsaved `FouledBoard` for the form."""
        cleaned = self.cleaned_data
        return FouledBoard(
            section=line.section,
            board=line.board,
            from_round=cleaned["from_round"],
            tables=cleaned["tables"],
        )


#: the form takes per cent of a top
OF_A_TOP = 100


class PenaltyForm(forms.Form):
    """The form for a penalty or bonus of a contestant."""

    kind = forms.ChoiceField(label=gettext_lazy("What for"), choices=Penalty.Kind)
    amount = forms.DecimalField(
        label=gettext_lazy("How much"), min_value=Decimal("0.1"), max_value=1000, decimal_places=1
    )
    unit = forms.ChoiceField(label=gettext_lazy("Unit"))
    board = forms.TypedChoiceField(
        label=gettext_lazy("On board"), coerce=int, empty_value=None, required=False
    )
    round = forms.TypedChoiceField(
        label=gettext_lazy("In the match of round"), coerce=int, empty_value=None, required=False
    )
    reason = forms.CharField(label=gettext_lazy("Why"), max_length=200, required=False)
    shown = forms.CharField(widget=forms.HiddenInput, required=False, max_length=2000)

    def __init__(
        self,
        scored: ScoredSession,
        boards: list[int],
        data: Any = None,
        board: str = "",
        rounds: Sequence[int] = (),
    ) -> None:
        """Take the boards, and for matches the rounds, to which a penalty may apply."""
        units = penalty_units(scored)
        self.has_vps = scored.is_per_cent and "vps" in dict(units)
        first = {"unit": units[0][0], "amount": 10 if units[0][0] == "top" else 1, "board": board}
        super().__init__(data, initial=first)
        unit, on = self.fields["unit"], self.fields["board"]
        assert isinstance(unit, forms.ChoiceField)
        assert isinstance(on, forms.ChoiceField)
        unit.choices = units
        if rounds:
            of = self.fields["round"]
            assert isinstance(of, forms.ChoiceField)
            of.choices = [
                ("", _("none in particular")),
                *((number, str(number)) for number in rounds),
            ]
            del self.fields["board"]
        else:
            del self.fields["round"]
        on.choices = [("", _("none in particular")), *((board, str(board)) for board in boards)]
        self.fields["amount"].widget.attrs["inputmode"] = "decimal"

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        unit = cleaned.get("unit")
        # if matches give victory points, only these can be taken from the total
        is_of_match = unit == "imps" or (self.has_vps and unit != "vps")
        if "round" in self.fields and is_of_match and cleaned.get("round") is None:
            self.add_error(
                "round", _("The penalty counts in a match. Enter the round of that match.")
            )
        return cleaned

    @property
    def service_arguments(self) -> dict[str, Any]:
        """Return the values as keyword arguments for the service."""
        cleaned = self.cleaned_data
        named = {name: cleaned.get(name) for name in ("unit", "kind", "board", "round")}
        return {**named, "amount": self.stored_amount}

    @property
    def stored_amount(self) -> Decimal:
        """Return the amount as stored: a penalty is negative, and a whole top is 1."""
        cleaned = self.cleaned_data
        amount: Decimal = cleaned["amount"]
        if cleaned["unit"] == "top":
            amount /= OF_A_TOP
        return amount if cleaned["kind"] == Penalty.Kind.BONUS else -amount


def penalty_units(scored: ScoredSession) -> list[tuple[str, Any]]:
    """Return the units in which penalties can be given in this session."""
    if scored.method in ("matchpoints", "bam"):
        units = ["top", "percent", "matchpoints"]
    elif scored.method in ("cross-imps", "butler", "team-imps"):
        units = ["imps"]
    else:
        units = ["matchpoints"]
    if scored.is_in_victory_points:
        units.append("vps")
    words = {
        "top": _("per cent of a top"),
        "percent": _("percentage points"),
        "matchpoints": _("matchpoints") if scored.is_per_cent else _("points"),
        "imps": _("IMPs"),
        "vps": _("victory points"),
    }
    return [(word, words[word]) for word in units]
