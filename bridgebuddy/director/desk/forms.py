"""Forms of the desk's buttons: they carry the round or version that the page showed."""

from __future__ import annotations

from django import forms


class ShownRoundForm(forms.Form):
    """The form with the round that the page showed, so that a button on an outdated page changes nothing."""

    after = forms.IntegerField(min_value=0, max_value=200)


class UndoRoundForm(ShownRoundForm):
    """The form that undoes the start or end of a round, with the reason."""

    reason = forms.CharField(max_length=200, required=False)


class SeenVersionForm(forms.Form):
    """The form with the number of the movement's version whose changes the director has seen."""

    version = forms.IntegerField(min_value=1, max_value=2**31 - 1)


class DecisionForm(forms.Form):
    """The form that makes a proposed change: proposal, reason, and `plan`, by which outdated pages are noticed."""

    plan = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    way = forms.CharField(max_length=20, required=False)
    reason = forms.CharField(max_length=200, required=False)
