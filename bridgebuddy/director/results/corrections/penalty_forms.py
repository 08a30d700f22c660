"""Forms for fouled boards, and for penalties and bonuses."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bridgebuddy.scoring.models import FouledBoard, Penalty
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.lines import PlayLine


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
        """Refuse a form without the tables or the round that it is about."""
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
        """Return the ruling that the board was fouled, as an unsaved `FouledBoard`."""
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
        """Refuse a penalty that counts in a match without the round of that match."""
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
        """Return the penalty's values as keyword arguments for the function that stores it."""
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
