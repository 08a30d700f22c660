"""The form for printing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import PaperSize
from bridgebuddy.events.models import SectionMovement
from bridgebuddy.events.queries.plan.differences import OutdatedSheets, outdated_since
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from movements.engine.contest import Contest

from .offers import is_printed_at, is_usual_for
from .print_times import FIRST_VERSION, PrintTime
from .selection import SheetSelection
from .sheets import LAID_OUT, SheetKind

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

#: the label of the contestant field, and its choice for all, by the contest
WHO = {
    Contest.PAIRS: (_("Which pairs"), _("All pairs")),
    Contest.TEAMS: (_("Which teams"), _("All teams")),
    Contest.INDIVIDUAL: (_("Which players"), _("All players")),
}


class PrintForm(forms.Form):
    """The form for printing: paper size, and which sheets: all, of a table, of a contestant, or changed ones."""

    paper = forms.ChoiceField(
        label=_("Paper"),
        choices=PaperSize.choices,
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
        label=_("Compared with"),
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

    sections = forms.ChoiceField(
        label=_("Which sections"),
        required=False,
        choices=[("", _("This section")), ("all", _("All sections, in one file"))],
        error_messages={"invalid_choice": _("Choose this section or all.")},
    )
    sheet = forms.MultipleChoiceField(
        required=False,
        choices=[(sheet.name, sheet.title) for sheet in LAID_OUT],
        error_messages={"invalid_choice": _("There is no such sheet. Choose from the list.")},
    )

    def __init__(
        self,
        data: QueryDict,
        plan: SectionPlan,
        *,
        printed: int | None = None,
        ticks: list[str] | None = None,
    ) -> None:
        """Read the choices; the defaults are the club's paper, all sheets and the likely time.

        `printed` is the version of the sheets on the tables, so that outdated sheets are preset.
        `ticks` are the sheets of the session before.
        """
        section, everyone = plan.section, plan.evening.contestants.values()
        data = data.copy()
        data.setdefault("paper", section.club.paper)
        self.plan, self.kept_ticks = plan, ticks
        self.is_outdated = bool(self._newly_outdated(printed))
        self.time = self._print_time(data, opens=printed is not None)
        if self.time == PrintTime.CHANGED and not data.get("since") and self.is_outdated:
            data["since"] = str(self._printed_version(printed))
        elif self.time != PrintTime.CHANGED:
            data.pop("since", None)
        super().__init__(data)
        self.numbers = {contestant.slug: contestant.number for contestant in everyone}
        tables = plan.tables if section.movement else 0
        self._set_choices(
            "table",
            _("All tables"),
            [
                (number, gettext("Table %(table)s") % {"table": number})
                for number in range(1, tables + 1)
            ],
        )
        label, everybody = WHO[section.contest]
        self.fields["contestant"].label = label
        self._set_choices(
            "contestant",
            everybody,
            [
                (contestant.slug, f"{contestant.label} · {contestant.names}")
                for contestant in everyone
            ],
        )
        earlier = self._earlier_versions()
        self.has_versions = bool(earlier)
        since = self.fields["since"]
        assert isinstance(since, forms.ChoiceField)
        since.choices = [
            (version_before.version, _version_name(version_before)) for version_before in earlier
        ]

    def _print_time(self, data: QueryDict, *, opens: bool) -> PrintTime:
        """Return the occasion of printing (before, after a change, after the session): asked for, or likeliest."""
        if data.get("since"):
            return PrintTime.CHANGED
        if (asked := str(data.get("time"))) in PrintTime.values:
            return PrintTime(asked)
        if opens and "asked" not in data:
            if self.plan.section.is_finished:
                return PrintTime.AFTER
            if self.is_outdated:
                return PrintTime.CHANGED
        return PrintTime.BEFORE

    def _printed_version(self, printed: int | None) -> int:
        """Return the version of the movement on the sheets in the room; the first one if `printed` is unknown."""
        versions = [version.version for version in self.plan.versions]
        return printed if printed in versions else FIRST_VERSION

    def _newly_outdated(self, printed: int | None) -> OutdatedSheets:
        """Return the sheets in the room that changes since version `printed` have made wrong."""
        if printed is None or self.plan.section.movement is None or len(self.plan.versions) < 2:
            return OutdatedSheets()
        return outdated_since(self.plan, self._printed_version(printed))

    def _set_choices(
        self, name: str, everything: StrOrPromise, choices: Iterable[tuple[str | int, str]]
    ) -> None:
        """Set the choices of a form field: `everything` first, then single items."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", everything), *choices]

    def _earlier_versions(self) -> list[SectionMovement]:
        """Return the earlier versions of the movement, newest first."""
        return list(reversed(self.plan.versions[:-1]))

    def clean_contestant(self) -> int | None:
        """Return the contestant's number in the movement, not the label."""
        return self.numbers.get(self.cleaned_data["contestant"])

    def clean(self) -> dict[str, Any]:
        """Find the cards changed since the chosen version; add an error if there are none."""
        self.outdated: OutdatedSheets | None = None
        if (version := self.cleaned_data.get("since")) is not None:
            self.outdated = outdated_since(self.plan, version)
            if not self.outdated:
                self.add_error(
                    "since", gettext("No card has changed since that version. Print all cards.")
                )
        return self.cleaned_data

    @property
    def is_for_all(self) -> bool:
        """Return whether the sheets of all sections are printed."""
        return bool(self.cleaned_data.get("sections")) and bool(self.plan.section.letter)

    @property
    def newest_version(self) -> int:
        """Return the number of the movement's newest version, which is printed."""
        return self.plan.versions[-1].version if self.plan.versions else FIRST_VERSION

    @property
    def is_for_everybody(self) -> bool:
        """Return whether neither a single contestant nor a table was selected."""
        return self.selection.table is None and self.selection.number is None

    @property
    def has_folded_options(self) -> bool:
        """Return whether an option in the form's collapsed part was set."""
        names = ("table", "contestant", "cards", "poster", "sections")
        return any(self.data.get(name) for name in names)

    @property
    def ticked_sheets(self) -> list[str] | None:
        """Return the names of the sheets that the director ticked; None for the usual ones."""
        if "asked" in self.data and "all" not in self.data:
            return list(self.cleaned_data["sheet"])
        return self.kept_ticks if self.time == PrintTime.BEFORE else None

    def sheets_for(self, plan: SectionPlan) -> list[SheetKind]:
        """Return the kinds of sheet to print for a section's plan, in order."""
        if (ticked := self.ticked_sheets) is not None:
            return [sheet for sheet in LAID_OUT if sheet.name in ticked]
        time = self.time
        return [
            sheet
            for sheet in LAID_OUT
            if is_printed_at(sheet, time) and is_usual_for(sheet, time, plan)
        ]

    @property
    def selection(self) -> SheetSelection:
        """Return the selected table, contestant or changed cards; for all sections no table or contestant."""
        if self.is_for_all:
            return SheetSelection(
                per_sheet=self.cleaned_data["cards"] or 0,
                is_double=bool(self.cleaned_data["poster"]),
                is_for_all=True,
            )
        return SheetSelection(
            table=self.cleaned_data["table"],
            number=self.cleaned_data["contestant"],
            outdated=self.outdated,
            per_sheet=self.cleaned_data["cards"] or 0,
            is_double=bool(self.cleaned_data["poster"]),
        )


def _version_name(version: SectionMovement) -> str:
    """Return the name of a version of the movement as the sheets print it."""
    time = time_format(timezone.localtime(version.at), "H:i")
    return gettext("Changed since version %(number)s, %(time)s") % {
        "number": version.version,
        "time": time,
    }
