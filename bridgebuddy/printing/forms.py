"""Choosing what to print."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import Paper
from bridgebuddy.events.models import SectionMovement
from bridgebuddy.events.queries.differences import Outdated, outdated_since
from bridgebuddy.events.queries.plan import Plan
from movements.engine.contest import Contest

from .offers import is_of, is_usual_for
from .selection import Selection
from .sheets import LAID_OUT, Sheet
from .times import FIRST_VERSION, Time

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

#: how the field for one contestant is called, and the choice of all of them, by the contest
WHO = {
    Contest.PAIRS: (_("Which pairs"), _("All pairs")),
    Contest.TEAMS: (_("Which teams"), _("All teams")),
    Contest.INDIVIDUAL: (_("Which players"), _("All players")),
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
        plan: Plan,
        *,
        printed: int | None = None,
        ticks: list[str] | None = None,
    ) -> None:
        """Read what was chosen; the club's paper, everybody and the fitting time where nothing was.

        `printed` is the version whose sheets lie on the tables: whoever opens the page is shown what is
        no longer right of them. `ticks` are those of the evening before.
        """
        section, everyone = plan.section, plan.evening.contestants.values()
        data = data.copy()
        data.setdefault("paper", section.club.paper)
        self.plan, self.kept_ticks = plan, ticks
        self.is_outdated = bool(self._newly(printed))
        self.time = self._time(data, opens=printed is not None)
        if self.time == Time.CHANGED and not data.get("since") and self.is_outdated:
            data["since"] = str(self._known(printed))
        elif self.time != Time.CHANGED:
            data.pop("since", None)
        super().__init__(data)
        self.numbers = {contestant.slug: contestant.number for contestant in everyone}
        tables = plan.tables if section.movement else 0
        self._offer(
            "table",
            _("All tables"),
            [
                (number, gettext("Table %(table)s") % {"table": number})
                for number in range(1, tables + 1)
            ],
        )
        label, everybody = WHO[section.contest]
        self.fields["contestant"].label = label
        self._offer(
            "contestant",
            everybody,
            [
                (contestant.slug, f"{contestant.label} · {contestant.names}")
                for contestant in everyone
            ],
        )
        earlier = self._earlier()
        self.has_versions = bool(earlier)
        since = self.fields["since"]
        assert isinstance(since, forms.ChoiceField)
        since.choices = [
            (version_before.version, _changed_since(version_before)) for version_before in earlier
        ]

    def _time(self, data: QueryDict, *, opens: bool) -> Time:
        """Return for when sheets are wanted; on opening the page, for when they are likely to be."""
        if data.get("since"):
            return Time.CHANGED
        if (asked := str(data.get("time"))) in Time.values:
            return Time(asked)
        if opens and "asked" not in data:
            if self.plan.section.is_finished:
                return Time.AFTER
            if self.is_outdated:
                return Time.CHANGED
        return Time.BEFORE

    def _known(self, printed: int | None) -> int:
        """Return the version whose sheets are out, if there has been such a one."""
        versions = [version.version for version in self.plan.versions]
        return printed if printed in versions else FIRST_VERSION

    def _newly(self, printed: int | None) -> Outdated:
        """Return whose sheets are not right any more of those that are out."""
        if printed is None or self.plan.section.movement is None or len(self.plan.versions) < 2:
            return Outdated()
        return outdated_since(self.plan, self._known(printed))

    def _offer(
        self, name: str, everything: StrOrPromise, choices: Iterable[tuple[str | int, str]]
    ) -> None:
        """Let a field choose everything, which comes first, or one of what there is."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", everything), *choices]

    def _earlier(self) -> list[SectionMovement]:
        """The versions of the movement before the present one, newest first."""
        return list(reversed(self.plan.versions[:-1]))

    def clean_contestant(self) -> int | None:
        """Return the contestant's number in the movement, not the label."""
        return self.numbers.get(self.cleaned_data["contestant"])

    def clean(self) -> dict[str, Any]:
        """Find whose cards changed, once it is known that there is such a version."""
        self.outdated: Outdated | None = None
        if (version := self.cleaned_data.get("since")) is not None:
            self.outdated = outdated_since(self.plan, version)
            if not self.outdated:
                self.add_error(
                    "since", gettext("No card has changed since then. Print everything.")
                )
        return self.cleaned_data

    @property
    def is_for_all(self) -> bool:
        return bool(self.cleaned_data.get("sections")) and bool(self.plan.section.letter)

    @property
    def newest_version(self) -> int:
        """The version of the movement that is printed."""
        return self.plan.versions[-1].version if self.plan.versions else FIRST_VERSION

    @property
    def is_for_everybody(self) -> bool:
        """Whether nobody and no table was singled out."""
        return self.selection.table is None and self.selection.number is None

    @property
    def is_particular(self) -> bool:
        """Whether something other than usual was chosen among what folds away."""
        names = ("table", "contestant", "cards", "poster", "sections")
        return any(self.data.get(name) for name in names)

    @property
    def ticked(self) -> list[str] | None:
        """The sheets that were ticked; None where nobody has been asked, or all the usual ones are wanted."""
        if "asked" in self.data and "all" not in self.data:
            return list(self.cleaned_data["sheet"])
        return self.kept_ticks if self.time == Time.BEFORE else None

    def sheets_for(self, plan: Plan) -> list[Sheet]:
        """What of a section goes into one file, in laying-out order."""
        if (ticked := self.ticked) is not None:
            return [sheet for sheet in LAID_OUT if sheet.name in ticked]
        time = self.time
        return [
            sheet for sheet in LAID_OUT if is_of(sheet, time) and is_usual_for(sheet, time, plan)
        ]

    @property
    def selection(self) -> Selection:
        """What is wanted; of all sections everybody's sheets."""
        if self.is_for_all:
            return Selection(
                per_sheet=self.cleaned_data["cards"] or 0,
                is_double=bool(self.cleaned_data["poster"]),
                is_for_all=True,
            )
        return Selection(
            table=self.cleaned_data["table"],
            number=self.cleaned_data["contestant"],
            outdated=self.outdated,
            per_sheet=self.cleaned_data["cards"] or 0,
            is_double=bool(self.cleaned_data["poster"]),
        )


def _changed_since(version: SectionMovement) -> str:
    """Name a version as the sheets printed of it do."""
    time = time_format(timezone.localtime(version.at), "H:i")
    return gettext("Changed since version %(number)s, %(time)s") % {
        "number": version.version,
        "time": time,
    }
