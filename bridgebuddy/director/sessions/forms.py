"""Forms of a session: date, name, boards and contest."""

from __future__ import annotations

import datetime
import hashlib
import secrets
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.clubs.forms import readable_name
from bridgebuddy.clubs.models import ResultEntryMethod
from bridgebuddy.events.models import CONTESTS
from bridgebuddy.events.names import MOST_TEXT
from movements.engine.contest import Contest

from ..entries.forms import PairsText
from .calendar import FIRST_DAY, LAST_DAY

#: a session planned further ahead is probably a typing error
FAR_AHEAD = 3


def require_calendar_date(day: datetime.date) -> None:
    """Raise `ValidationError` for a date outside the years of the calendar, which is a typing error."""
    day = day.date() if isinstance(day, datetime.datetime) else day
    if not FIRST_DAY <= day <= LAST_DAY:
        raise forms.ValidationError(
            _("A session is between the years %(first)s and %(last)s.")
            % {"first": FIRST_DAY.year, "last": LAST_DAY.year}
        )


def require_confirmed_day(day: datetime.date, sure_of: str) -> datetime.date:
    """Return a date; raise `ValidationError` if it is years ahead and the user has not confirmed it."""
    if day.year > timezone.localdate().year + FAR_AHEAD and sure_of != day.isoformat():
        raise forms.ValidationError(
            _("Is the year %(year)s correct? If it is, press the button again.")
            % {"year": day.year}
        )
    return day


def day_field_widget() -> forms.DateInput:
    """Return the widget of a date field."""
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


def day_field(label: Any, *, required: bool = True) -> forms.DateField:
    """Return a form field for the date of a session."""
    return forms.DateField(
        label=label,
        widget=day_field_widget(),
        required=required,
        validators=[require_calendar_date],
    )


class SessionForm(forms.Form):
    """The form for a session: date, name, boards and minutes."""

    name = forms.CharField(label=_lazy("Name"), max_length=80)
    date = day_field(_lazy("Date"))
    starts_at = forms.TimeField(
        label=_lazy("Start"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    fewest_boards = forms.IntegerField(label=_lazy("Boards, at least"))
    most_boards = forms.IntegerField(label=_lazy("Boards, at most"))
    minutes_per_board = forms.IntegerField(label=_lazy("Minutes per board"))

    def clean_date(self) -> datetime.date:
        """Return the date; an unusual one must be confirmed."""
        return require_confirmed_day(self.cleaned_data["date"], self.data.get("sure_of", ""))

    def clean_name(self) -> str:
        """Return the session's name in its stored form."""
        return readable_name(self.cleaned_data["name"])

    def clean_fewest_boards(self) -> int:
        """Return the smallest number of boards; refuse one outside the range."""
        return self._require_range("fewest_boards", 1, 120, _("Play 1 to 120 boards."))

    def clean_most_boards(self) -> int:
        """Return the largest number of boards; refuse one outside the range."""
        return self._require_range("most_boards", 1, 120, _("Play 1 to 120 boards."))

    def clean_minutes_per_board(self) -> int:
        """Return the minutes for a board; refuse a number outside the range."""
        return self._require_range("minutes_per_board", 3, 15, _("Give a board 3 to 15 minutes."))

    def _require_range(self, name: str, minimum: int, maximum: int, sentence: str) -> int:
        """Return a number from the form; raise `ValidationError` outside the range."""
        value: int = self.cleaned_data[name]
        if not minimum <= value <= maximum:
            raise forms.ValidationError(sentence)
        return value

    def clean(self) -> dict[str, Any]:
        """Refuse a smallest number of boards above the largest."""
        cleaned = super().clean() or {}
        fewest, most = cleaned.get("fewest_boards"), cleaned.get("most_boards")
        if fewest and most and fewest > most:
            self.add_error(
                "most_boards",
                _(
                    "The maximum is smaller than the minimum. Enter at "
                    "least the minimum number of boards."
                ),
            )
        return cleaned


class NewSessionForm(PairsText, SessionForm):
    """The form for a new session: its contest, and the entries known so far."""

    contest = forms.ChoiceField(
        label=_lazy("Who plays?"), choices=CONTESTS, initial=Contest.PAIRS, required=False
    )
    pairs = forms.CharField(
        label=_lazy(
            "List of entries (optional): one pair, player or team per line, with all names"
        ),
        widget=forms.Textarea(attrs={"rows": 12}),
        required=False,
        max_length=MOST_TEXT,
        strip=False,
    )
    results_come = forms.ChoiceField(
        label=_lazy("Results come"),
        choices=ResultEntryMethod.choices,
        widget=forms.RadioSelect,
        required=False,
    )
    #: a new one each time the page is shown
    key = forms.CharField(widget=forms.HiddenInput, required=False, initial=secrets.token_urlsafe)

    def clean(self) -> dict[str, Any]:
        """Read the typed entries, and add a hash by which a second press of the button is recognized."""
        cleaned = super().clean()
        cleaned["once"] = self._repeat_key() if cleaned.pop("key", "") else ""
        cleaned["contest"] = Contest(cleaned.get("contest") or Contest.PAIRS)
        self.read(cleaned.get("pairs", ""), cleaned["contest"].people)
        cleaned["pairs"] = self.reading.pairs
        return cleaned

    def _repeat_key(self) -> str:
        """Return a hash of the sent form, by which a second press of the same button is recognized."""
        assert isinstance(self.data, QueryDict)
        return hashlib.sha256(repr(sorted(self.data.lists())).encode()).hexdigest()
