"""Choosing what to print."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import Paper
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.evening import Evening
from bridgebuddy.events.queries.home_tables import tables_of

from .changes import Changes, changed_since
from .choice import Choice

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

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
        empty_value=None,
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

    def __init__(self, data: QueryDict, section: Section, evening: Evening) -> None:
        """Read what was chosen; the club's paper and everybody where nothing was."""
        data = data.copy()
        data.setdefault("paper", section.club.paper)
        super().__init__(data)
        self.section = section
        self.numbers = {one.slug: one.number for one in evening.contestants.values()}
        tables = tables_of(section.movement) if section.movement else 0
        self._offer(
            "table",
            _("All tables"),
            [
                (number, _now("Table %(table)s") % {"table": number})
                for number in range(1, tables + 1)
            ],
        )
        label, everybody = WHO[section.movement.contest if section.movement else "pairs"]
        self.fields["contestant"].label = label
        self._offer(
            "contestant",
            everybody,
            [(one.slug, f"{one.label} · {one.names}") for one in evening.contestants.values()],
        )
        earlier = self._earlier()
        self.has_versions = bool(earlier)
        self._offer(
            "since",
            _("Everything"),
            [
                (number, _now("Changed since version %(number)s") % {"number": number})
                for number in earlier
            ],
        )

    def _offer(
        self, name: str, everything: StrOrPromise, choices: Iterable[tuple[str | int, str]]
    ) -> None:
        """Let a field choose everything, which comes first, or one of what there is."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", everything), *choices]

    def _earlier(self) -> list[int]:
        """The versions of the movement before the present one, newest first."""
        versions = self.section.movements.order_by("-version").values_list("version", flat=True)
        return list(versions)[1:]

    def clean_contestant(self) -> int | None:
        """Return the contestant's number in the movement, not the label."""
        return self.numbers.get(self.cleaned_data["contestant"])

    def clean(self) -> dict[str, Any]:
        """Find whose cards changed, once it is known that there is such a version."""
        self.changes: Changes | None = None
        if (version := self.cleaned_data.get("since")) is not None:
            self.changes = changed_since(self.section, version)
            if not self.changes:
                self.add_error("since", _now("No card has changed since then. Print everything."))
        return self.cleaned_data

    @property
    def choice(self) -> Choice:
        return Choice(
            table=self.cleaned_data["table"],
            number=self.cleaned_data["contestant"],
            changes=self.changes,
            per_sheet=self.cleaned_data["cards"] or 0,
            is_double=bool(self.cleaned_data["poster"]),
        )
