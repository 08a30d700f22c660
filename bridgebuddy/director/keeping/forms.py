"""How long names are kept."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.clubs.models import Club

MONTHS = (6, 12, 24, 36, 60, 120)


class KeepingForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """After how many months somebody who no longer plays loses their name."""

    class Meta:
        model = Club
        fields = ["names_kept_for"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        after = [
            (
                count,
                ngettext("after %(count)s month", "after %(count)s months", count)
                % {"count": count},
            )
            for count in MONTHS
        ]
        self.fields["names_kept_for"] = forms.TypedChoiceField(
            label=_("Names of players who no longer play are forgotten"),
            choices=[("", _("never")), *after],
            coerce=int,
            empty_value=None,
            required=False,
        )
