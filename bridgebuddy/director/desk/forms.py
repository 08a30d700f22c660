"""What was pressed at the desk: which round or version the page showed."""

from __future__ import annotations

from django import forms


class RoundForm(forms.Form):
    """Which round the page showed when the button was pressed."""

    after = forms.IntegerField(min_value=0, max_value=200)


class BackForm(RoundForm):
    """The round whose start, or end, is taken back, and why."""

    reason = forms.CharField(max_length=200, required=False)


class SeenForm(forms.Form):
    """Which version of the movement the director has looked at."""

    version = forms.IntegerField(min_value=1, max_value=2**31 - 1)


class DecisionForm(forms.Form):
    """What a live change is decided on: the section's plan, the way chosen, and why."""

    plan = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    way = forms.CharField(max_length=20, required=False)
    reason = forms.CharField(max_length=200, required=False)
