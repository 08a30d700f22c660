"""The forms of a series: when it is played, who comes, price and points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any

from django import forms
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.clubs.models import Club, Person, User, searchable
from bridgebuddy.clubs.people.names import one_line
from bridgebuddy.director.club.forms import two_way_switch
from bridgebuddy.events.models import MOST_PAIRS
from bridgebuddy.planning.models import Series
from bridgebuddy.planning.series import SeriesInput, series_dates
from bridgebuddy.scoring.match_words import masterpoint_choices

from ..forms import day_field

LONGEST_PRICE = Series._meta.get_field("price").max_length
LONGEST_HOSTS = 400
#: registration opens at most this many days before the session
EARLIEST = 90


def directors_of(club: Club) -> list[User]:
    """Return the directors of a club. One query."""
    memberships = club.memberships.filter(is_director=True).select_related("user")
    return [membership.user for membership in memberships.order_by("pk")]


class SeriesSettingsForm(forms.Form):
    """The form for the common settings of a series' sessions, without their dates."""

    starts_at = forms.TimeField(
        label=_lazy("Starts at"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    until = day_field(_lazy("Until"))
    pause = day_field(_lazy("No sessions from"), required=False)
    resume = day_field(_lazy("No sessions until"), required=False)
    has_registration = two_way_switch(_lazy("Registration"), yes=_lazy("On"), no=_lazy("Off"))
    opens_before = forms.IntegerField(
        label=_lazy("Registration opens (days before)"),
        min_value=0,
        max_value=EARLIEST,
        required=False,
    )
    most = forms.IntegerField(
        label=_lazy("Maximum number of pairs"), min_value=1, max_value=MOST_PAIRS, required=False
    )
    hosts = forms.CharField(
        label=_lazy("Host for single players"),
        help_text=_lazy("Several hosts take turns. Put commas between their names."),
        max_length=LONGEST_HOSTS,
        required=False,
    )
    directs = forms.ChoiceField(label=_lazy("Director"), required=False)
    price = forms.CharField(label=_lazy("Price"), max_length=LONGEST_PRICE, required=False)
    masterpoints = forms.ChoiceField(
        label=_lazy("Scale of points"), choices=masterpoint_choices, required=False
    )

    def __init__(
        self, data: Any, club: Club, directors: Sequence[User], *, is_for_pairs: bool, **rest: Any
    ) -> None:
        super().__init__(data, **rest)
        self.club = club
        self.directors = {str(user.pk): user for user in directors}
        names = [(key, str(user)) for key, user in self.directors.items()]
        self["directs"].field.choices = [("", _("no director yet")), *names]  # type: ignore[attr-defined]
        if not is_for_pairs:  # players register for pairs only
            for name in ("has_registration", "opens_before", "most"):
                del self.fields[name]

    def clean_price(self) -> str:
        """Return the price as typed, on one line."""
        return one_line(self.cleaned_data["price"])

    def clean_hosts(self) -> tuple[Person, ...]:
        """Return the people of the roster with the names typed as hosts."""
        typed = [one_line(name) for name in self.cleaned_data["hosts"].split(",")]
        people = {person.search: person for person in self.club.known_people}
        hosts: dict[int, Person] = {}
        for name in filter(None, typed):
            host = people.get(searchable(name))
            if host is None:
                raise forms.ValidationError(_("“%(name)s” is not on the roster.") % {"name": name})
            hosts[host.pk] = host
        return tuple(hosts.values())

    def clean(self) -> dict[str, Any]:
        """Refuse a pause without one of its ends, or with its end before its beginning."""
        cleaned = super().clean() or {}
        pause, resume = cleaned.get("pause"), cleaned.get("resume")
        if not self.errors and (bool(pause) != bool(resume) or (pause and pause > resume)):
            self.add_error("resume", _("Enter the first and the last day without a session."))
        return cleaned

    @property
    def days_of_pause(self) -> set[date]:
        """Return the dates of the pause, on which the series has no sessions."""
        pause, resume = self.cleaned_data["pause"], self.cleaned_data["resume"]
        length = (resume - pause).days + 1 if pause else 0
        return {pause + timedelta(days=after) for after in range(length)}

    def typed_settings(self, days: frozenset[int]) -> SeriesInput:
        """Return the settings of a valid form for a series on weekdays `days`."""
        typed = self.cleaned_data
        return SeriesInput(
            days=days,
            starts_at=typed["starts_at"],
            until=typed["until"],
            has_registration=typed.get("has_registration", False),
            most=typed.get("most"),
            opens_before=typed.get("opens_before"),
            hosts=typed["hosts"],
            directs=self.directors.get(typed["directs"]),
            price=typed["price"],
            masterpoints=typed["masterpoints"],
        )


class NewSeriesForm(SeriesSettingsForm):
    """The form for a new series: weekdays, period and common settings."""

    days = forms.TypedMultipleChoiceField(
        label=_lazy("Days"), coerce=int, widget=forms.CheckboxSelectMultiple
    )
    first = day_field(_lazy("From"))
    field_order = ("days", "starts_at", "first", "until", "pause", "resume")

    def __init__(self, *args: Any, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self["days"].field.choices = [(day + 1, WEEKDAYS_ABBR[day]) for day in range(7)]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Refuse a series without any session."""
        cleaned = super().clean()
        if not self.errors and not self.session_dates():
            self.add_error("until", _("No session lies between these days."))
        return cleaned

    def session_dates(self) -> list[date]:
        """Return the dates of the new sessions, without past ones."""
        typed = self.cleaned_data
        first = max(typed["first"], self.club.today)
        return series_dates(set(typed["days"]), first, typed["until"], self.days_of_pause)


def series_with_titles(rows: Iterable[Series]) -> list[tuple[Series, str]]:
    """Return each series with a title of its weekdays: "Every Tuesday"."""
    return [(row, days_title(frozenset(map(int, row.days)))) for row in rows]


def days_title(days: frozenset[int]) -> str:
    """Return the weekdays of a series as a heading: "Every Tuesday"."""
    names = ", ".join(str(WEEKDAYS[day - 1]) for day in sorted(days))
    return _("Every %(days)s") % {"days": names}
