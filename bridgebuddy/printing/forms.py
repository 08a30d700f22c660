"""Choosing what to print."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import Paper
from bridgebuddy.events.queries.evening import Evening

from .sheets import Choice


class PrintForm(forms.Form):
    """The paper, and whose cards: everybody's, one table's, one contestant's."""

    paper = forms.ChoiceField(
        label=_("Paper"),
        choices=Paper.choices,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose A4 or US Letter.")},
    )
    table = forms.TypedChoiceField(
        label=_("Which tables"),
        required=False,
        coerce=int,
        empty_value=None,
        error_messages={"invalid_choice": _("There is no such table tonight. Choose one.")},
    )
    pair = forms.ChoiceField(
        label=_("Which pairs"),
        required=False,
        error_messages={"invalid_choice": _("There is no such pair tonight. Choose one.")},
    )

    def __init__(self, data: QueryDict, evening: Evening, tables: int, paper: str) -> None:
        """Read what was chosen; the club's paper and everybody where nothing was."""
        data = data.copy()
        data.setdefault("paper", paper)
        super().__init__(data)
        self.numbers = {one.slug: one.number for one in evening.contestants.values()}
        self.fields["table"].choices = [
            ("", _("All tables")),
            *(
                (number, _("Table %(table)s") % {"table": number})
                for number in range(1, tables + 1)
            ),
        ]
        self.fields["pair"].choices = [
            ("", _("All pairs")),
            *((one.slug, f"{one.label} · {one.names}") for one in evening.contestants.values()),
        ]

    def clean_pair(self) -> int | None:
        """Return the contestant's number in the movement, not the label."""
        return self.numbers.get(self.cleaned_data["pair"])

    @property
    def choice(self) -> Choice:
        return Choice(table=self.cleaned_data["table"], number=self.cleaned_data["pair"])
