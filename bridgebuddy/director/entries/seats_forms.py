"""Forms for strengths and for new seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.clubs.models import MOST_STRENGTH, Person


class StrengthsForm(forms.Form):
    """The form for the strength of each player of a section; empty means unknown."""

    def __init__(self, people: Sequence[Person], data: Any = None) -> None:
        super().__init__(data)
        for person in people:
            self.fields[f"strength-{person.pk}"] = forms.IntegerField(
                label=person.name,
                initial=person.strength,
                required=False,
                min_value=0,
                max_value=MOST_STRENGTH,
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
            )

    @property
    def strengths(self) -> dict[int, int | None]:
        """Return the typed strengths by the primary keys of the people."""
        return {
            int(name.removeprefix("strength-")): value for name, value in self.cleaned_data.items()
        }


class SeedForm(forms.Form):
    """The form for the seed with which a random seating can be repeated."""

    seed = forms.IntegerField(
        label=_lazy("Seed"),
        min_value=1,
        max_value=2_000_000_000,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={
            "invalid": _lazy("A seed is a number, such as 4711."),
            "required": _lazy("Type the seed of the draw to repeat."),
        },
    )


class SwapForm(forms.Form):
    """The form for two contestants that exchange seats, or one that takes a free seat."""

    one = forms.IntegerField(min_value=1, max_value=1000)
    other = forms.IntegerField(min_value=1, max_value=1000, required=False)
    table = forms.IntegerField(min_value=1, max_value=1000, required=False)
    line = forms.ChoiceField(choices=[("ns", "NS"), ("ew", "EW")], required=False)
