"""Choosing what to print."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import Paper
from bridgebuddy.events.queries.differences import Outdated
from bridgebuddy.events.queries.plan import Plan

from .selection import Selection

#: how the field for one contestant is called, and the choice of all of them, by the contest
WHO = {
    "pairs": (_("Which pairs"), _("All pairs")),
    "teams": (_("Which teams"), _("All teams")),
    "individual": (_("Which players"), _("All players")),
}


class PrintForm(forms.Form):
    """The paper, and whose sheets: everybody's, one table's, one contestant's, the changed ones."""

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
    contestant = forms.ChoiceField(
        label=_("Which pairs"),
        required=False,
        error_messages={"invalid_choice": _("There is no such pair tonight. Choose one.")},
    )
    since = forms.TypedChoiceField(
        label=_("Only what changed"),
        required=False,
        coerce=int,
        empty_value=None,
        error_messages={"invalid_choice": _("There is no such version. Choose one.")},
    )
    cards = forms.TypedChoiceField(
        label=_("Cards on a sheet"),
        required=False,
        coerce=int,
        empty_value=0,
        choices=[
            ("", _("As many as can be read")),
            ("4", _("Four")),
            ("2", _("Two")),
            ("1", _("One, in large type")),
        ],
        error_messages={"invalid_choice": _("Choose one, two or four.")},
    )
    poster = forms.ChoiceField(
        label=_("Size of the poster"),
        required=False,
        choices=[("", _("One sheet")), ("double", _("Twice the paper (A3, 11 × 17 in)"))],
        error_messages={"invalid_choice": _("Choose one of the two sizes.")},
    )

    def __init__(self, data: QueryDict, plan: Plan) -> None:
        """Read what was chosen; the club's paper and everybody where nothing was."""
        section, everyone = plan.section, plan.evening.contestants.values()
        data = data.copy()
        data.setdefault("paper", section.club.paper)
        super().__init__(data)
        self.plan = plan
        self.numbers = {one.slug: one.number for one in everyone}
        tables = plan.tables if section.movement else 0
        self.fields["table"].choices = [
            ("", _("All tables")),
            *(
                (number, _now("Table %(table)s") % {"table": number})
                for number in range(1, tables + 1)
            ),
        ]
        label, everybody = WHO[section.movement.contest if section.movement else "pairs"]
        self.fields["contestant"].label = label
        self.fields["contestant"].choices = [
            ("", everybody),
            *((one.slug, f"{one.label} · {one.names}") for one in everyone),
        ]
        self.fields["since"].choices = [
            ("", _("Everything")),
            *(
                (number, _now("Changed since version %(number)s") % {"number": number})
                for number in self._earlier()
            ),
        ]

    def _earlier(self) -> list[int]:
        """The versions of the movement before the present one, newest first."""
        return [one.version for one in reversed(self.plan.versions[:-1])]

    @property
    def has_versions(self) -> bool:
        return len(self.fields["since"].choices) > 1

    def clean_contestant(self) -> int | None:
        """Return the contestant's number in the movement, not the label."""
        return self.numbers.get(self.cleaned_data["contestant"])

    def clean(self) -> dict[str, Any]:
        """Find whose cards changed, once it is known that there is such a version."""
        self.outdated: Outdated | None = None
        if (version := self.cleaned_data.get("since")) is not None:
            self.outdated = self.plan.outdated_since(version)
            if not self.outdated:
                self.add_error("since", _now("No card has changed since then. Print everything."))
        return self.cleaned_data

    @property
    def selection(self) -> Selection:
        return Selection(
            table=self.cleaned_data["table"],
            number=self.cleaned_data["contestant"],
            outdated=self.outdated,
            per_sheet=self.cleaned_data["cards"],
            is_double=bool(self.cleaned_data["poster"]),
        )
