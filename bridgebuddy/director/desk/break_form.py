"""The form for a break between two rounds."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.setup.breaks import USUAL_BREAK

from .break_words import break_choice_label


class BreakForm(forms.Form):
    """The form for a planned break: the round before it, and its length in minutes."""

    after = forms.TypedChoiceField(
        label=_lazy("A break after round"), coerce=int, empty_value=None, required=False
    )
    minutes = forms.IntegerField(label=_lazy("Minutes"), min_value=1, max_value=180)

    def __init__(self, section: Section, data: Any = None) -> None:
        initial = {"after": section.break_after, "minutes": section.break_minutes or USUAL_BREAK}
        super().__init__(data, initial=initial)
        rounds = section.movement.rounds if section.movement else 0
        after = self.fields["after"]
        assert isinstance(after, forms.ChoiceField)
        after.choices = [
            ("", _("no break")),
            *(
                (str(n), break_choice_label(section, n))
                for n in range(max(section.round, 1), rounds)
            ),
        ]
        after.error_messages["invalid_choice"] = _("This round is over. Choose from the list.")
        for name in ("required", "invalid", "min_value", "max_value"):
            self.fields["minutes"].error_messages[name] = _("Give the break 1 to 180 minutes.")
