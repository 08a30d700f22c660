"""Forms of phones: a board's result, and the number of the result on the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from bridgebuddy.events.queries.plan.games import LINES

from ..keypad import DOUBLED, LEVELS, SEATS, STRAINS
from ..models import KEY_LENGTH, DirectorCall

#: the reasons on phones why a board was not played; the director decides on the consequence
UNPLAYED = {"time": "time", "broken": "skipped", "director": "cancelled"}
#: a pattern: a list of all contracts would be copied for every form
CONTRACT = rf"^(?:{'|'.join(map(str, LEVELS))})(?:{'|'.join(STRAINS)})(?:{'|'.join(DOUBLED)})\Z"


class ClaimForm(forms.Form):
    """The form with which one side enters a board's result: contract and tricks, passed out, or not played."""

    side = forms.ChoiceField(choices=[(line, line) for line in LINES])
    after = forms.IntegerField(min_value=0, max_value=32767)
    key = forms.RegexField(r"^[A-Za-z0-9-]*$", max_length=KEY_LENGTH, required=False)
    contract = forms.RegexField(CONTRACT, strip=False, required=False)
    declarer = forms.ChoiceField(choices=[(seat, seat) for seat in SEATS], required=False)
    tricks = forms.IntegerField(min_value=0, max_value=13, required=False)
    lead = forms.RegexField(r"^[CDHS][2-9TJQKA]$", required=False)
    passed = forms.BooleanField(required=False)
    unplayed = forms.ChoiceField(
        choices=[(outcome_value, outcome_value) for outcome_value in UNPLAYED], required=False
    )
    late = forms.BooleanField(required=False)  # it waited on the phone without a network

    def clean(self) -> dict[str, Any]:
        """Refuse a result of which a part is missing."""
        cleaned: dict[str, Any] = self.cleaned_data
        is_whole = (
            cleaned.get("contract")
            and cleaned.get("declarer")
            and cleaned.get("tricks") is not None
        )
        if not self.errors and not (is_whole or cleaned.get("passed") or cleaned.get("unplayed")):
            raise ValidationError(_("Tap the contract, the declarer and the tricks."))
        return cleaned

    @property
    def outcome(self) -> Mapping[str, Any]:
        """Return the result of a valid form, as plays store it."""
        cleaned = self.cleaned_data
        if cleaned["passed"]:
            return {"passed": True}
        if cleaned["unplayed"]:
            return {"not_played": UNPLAYED[cleaned["unplayed"]]}
        contract = {name: cleaned[name] for name in ("contract", "declarer", "tricks")}
        return contract | ({"lead": cleaned["lead"]} if cleaned["lead"] else {})


class MoveForm(forms.Form):
    """The form that moves a result to another board: the key of that board's play, and its result's number."""

    side = forms.ChoiceField(choices=[(line, line) for line in LINES])
    after = forms.IntegerField(min_value=1, max_value=32767)
    key = forms.RegexField(r"^[A-Za-z0-9-]*$", max_length=KEY_LENGTH, required=False)
    other = forms.RegexField(r"^\d{1,18}-\d{1,5}\Z")
    late = forms.BooleanField(required=False)

    @property
    def other_play(self) -> tuple[int, int]:
        """Return the key of the other play, and the number of its result that the page showed."""
        play, after = self.cleaned_data["other"].split("-")
        return int(play), int(after)


class ConfirmForm(forms.Form):
    """The form with which the other side confirms the displayed result."""

    side = forms.ChoiceField(choices=[(line, line) for line in LINES])
    after = forms.IntegerField(min_value=0, max_value=32767)


class VersionForm(forms.Form):
    """The form that chooses which side's entry of a board's result is right."""

    version = forms.ChoiceField(choices=[(line, line) for line in LINES])
    after = forms.IntegerField(min_value=0, max_value=32767)


class CallForm(forms.Form):
    """The form that calls the director: reason, board and round."""

    why = forms.ChoiceField(choices=DirectorCall.Why.choices)
    round = forms.IntegerField(min_value=0, max_value=999, required=False)
    board = forms.IntegerField(min_value=1, max_value=999, required=False)
