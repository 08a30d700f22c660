"""Forms of the desk's buttons: they carry the round or version that the page showed."""

from __future__ import annotations

from django import forms


class RoundForm(forms.Form):
    """The round that the page showed when the button was pressed."""

    after = forms.IntegerField(min_value=0, max_value=200)


class UndoRoundForm(RoundForm):
    """The round whose start or end is undone, and the reason."""

    reason = forms.CharField(max_length=200, required=False)


class SeenForm(forms.Form):
    """The version of the movement that the director has seen."""

    version = forms.IntegerField(min_value=1, max_value=2**31 - 1)


class DecisionForm(forms.Form):
    """The decision on a live change: the section's plan, the chosen way and the reason."""

    plan = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    way = forms.CharField(max_length=20, required=False)
    reason = forms.CharField(max_length=200, required=False)
