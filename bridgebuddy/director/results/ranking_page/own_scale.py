"""A club's own victory-point scale: as typed, and as in a profile."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bridgebuddy.scoring.match_words import OWN

MOST_TOTAL = 200
LONGEST = 400


class OwnScaleForm(forms.Form):
    """The form fields for a club's own victory-point scale."""

    own_total = forms.IntegerField(
        label=gettext_lazy("Victory points of a match, both sides together"),
        required=False,
        min_value=2,
        max_value=MOST_TOTAL,
        help_text=gettext_lazy(
            "Leave empty for 20. In a drawn match each team gets half of the points."
        ),
    )
    own_least = forms.CharField(
        label=gettext_lazy("IMPs needed for each further point"),
        required=False,
        max_length=LONGEST,
        help_text=gettext_lazy(
            "One rising number per point: 1 4 7 11 15 means 11 points from 1 IMP, 12 from 4 …"
        ),
    )
    own_cap = forms.IntegerField(
        label=gettext_lazy("Maximum for the winner"),
        required=False,
        min_value=1,
        max_value=MOST_TOTAL,
        help_text=gettext_lazy(
            "25 where 30 are shared out and a match ends 25–4 rather than 26–4."
        ),
    )

    def clean_own_total(self) -> int:
        """Return the sum of both sides' victory points; 20 if empty."""
        total: int = self.cleaned_data["own_total"] or 20
        if total % 2:
            raise forms.ValidationError(_("Half of it must be a whole number."))
        return total

    def clean_own_least(self) -> list[int]:
        """Return the typed IMP margins in ascending order."""
        words = re.split(r"[\s,;]+", self.cleaned_data["own_least"].strip())
        if not all(word.isdecimal() and len(word) < 4 for word in words if word):
            raise forms.ValidationError(_("Only whole numbers, with spaces between."))
        numbers = [int(word) for word in words if word]
        if numbers != sorted(set(numbers)) or 0 in numbers:
            raise forms.ValidationError(_("Each number is greater than the one before it."))
        return numbers

    def clean(self) -> dict[str, Any]:
        """Refuse an own scale whose margins and points do not fit together; ignore one that is not chosen."""
        cleaned = self.cleaned_data
        if cleaned.get("vp") != OWN:  # errors in a scale that is not chosen are ignored
            for name in OwnScaleForm.base_fields:
                self.errors.pop(name, None)
            return cleaned
        total, least, cap = (
            cleaned.get("own_total"),
            cleaned.get("own_least"),
            cleaned.get("own_cap"),
        )
        if total and least and len(least) > total // 2:
            self.add_error(
                "own_least",
                _("A match has at most %(many)s points above half. Enter fewer numbers.")
                % {"many": total // 2},
            )
        if least == []:
            self.add_error("own_least", _("Enter the number of IMPs for each point."))
        if total and cap and not total // 2 < cap <= total:
            self.add_error("own_cap", _("Enter a number between half and all of the points."))
        return cleaned


def typed_scale(scale: dict[str, Any]) -> dict[str, Any]:
    """Return a profile's victory-point scale as the initial values of the form fields."""
    least = " ".join(str(number) for number in scale["least"])
    cap = scale.get("cap", scale["total"])
    return {
        "own_total": scale["total"],
        "own_least": least,
        "own_cap": cap if cap != scale["total"] else None,
    }


def scale_of(cleaned: dict[str, Any]) -> dict[str, Any]:
    """Return the victory-point scale in cleaned form values, as a scoring profile stores it."""
    total = cleaned["own_total"]
    return {
        "total": total,
        "draw": total // 2,
        "least": cleaned["own_least"],
        "cap": cleaned["own_cap"] or total,
    }
