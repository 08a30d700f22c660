"""The form for a session made from another one."""

from __future__ import annotations

import datetime
import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.forms import readable_name
from bridgebuddy.events.services.lifecycle.copies_of_sessions import CopiedSeating
from bridgebuddy.scoring.words import SESSIONS

from .forms import day_field, require_confirmed_day

#: each way of seating, with its explanation
SITTING = {
    CopiedSeating.SAME: (_("Same seats"), _("The same table, the same direction.")),
    CopiedSeating.TURNED: (
        _("The other direction"),
        _(
            "North-South sit East-West, and the other way round. Pairs that must stay seated keep "
            "their seats."
        ),
    ),
    CopiedSeating.EVEN: (
        _("By strength"),
        _("As balanced as possible, by the strengths on the roster."),
    ),
    CopiedSeating.TURNS: (
        _("Evenly over the weeks"),
        _("Balances sit-outs, lines and opponents with those of earlier sessions."),
    ),
    CopiedSeating.RANKING: (
        _("By the ranking"),
        _("In the order of the results: the best take the first seats."),
    ),
    CopiedSeating.BEST: (
        _("Only the best, by the ranking"),
        _(
            "Seeded in the order of the ranking, for example for a knock-out. Choose a movement "
            "afterwards."
        ),
    ),
    CopiedSeating.CONSOLATION: (
        _("A final and a consolation"),
        _(
            "The best in section A, all others in B, by the ranking. Then choose a movement for each."
        ),
    ),
    CopiedSeating.FINALS: (
        _("Two finals, by the ranking"),
        _("The upper half in section A, the lower half in B. Then choose a movement for each."),
    ),
    CopiedSeating.RANDOM: (_("Drawn by lot"), _("With a seed, so that the draw can be repeated.")),
    CopiedSeating.LINES: (
        _("Each line in a section of its own"),
        _("North-South in section A, East-West in B. Then choose a movement for each."),
    ),
    CopiedSeating.ROWS: (
        _("Each row in a section of its own"),
        _("The first row in section A, the second in B. Then choose a movement for each."),
    ),
}


class CopyForm(forms.Form):
    """The form for copying a session: its entries, their seats and the new date."""

    with_entries = forms.TypedChoiceField(
        choices=[("yes", ""), ("no", "")],
        coerce=lambda value: value == "yes",
        empty_value=None,
        initial="yes",
        required=False,
    )
    sit = forms.ChoiceField(required=False)
    best = forms.IntegerField(
        label=_("How many of the best"), min_value=2, max_value=120, required=False, initial=8
    )
    #: only for a second session
    sessions = forms.ChoiceField(
        label=_("With the sessions before it"), choices=SESSIONS, required=False
    )
    name = forms.CharField(label=_("Name"), max_length=80)
    date = day_field(_("Date"))
    starts_at = forms.TimeField(
        label=_("Start"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    #: a new one each time the page is shown
    key = forms.CharField(widget=forms.HiddenInput, required=False, initial=secrets.token_urlsafe)

    def __init__(self, ways: Sequence[str], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        self.ways = [(str(way), *SITTING[CopiedSeating(way)]) for way in ways]
        self["sit"].field.choices = [(way, title) for way, title, _said in self.ways]  # type: ignore[attr-defined]

    @property
    def chosen_way(self) -> str:
        """Return the value of the chosen way of seating, else of the first in the list."""
        return self["sit"].value() or (self.ways[0][0] if self.ways else "")

    @property
    def is_empty_chosen(self) -> bool:
        """Return whether the copy is to have no entries."""
        return bool(self["with_entries"].value() == "no")

    def clean_with_entries(self) -> bool:
        """Return whether the entries are copied; they are by default."""
        return self.cleaned_data["with_entries"] is not False

    def clean_date(self) -> datetime.date:
        """Return the date; an unusual one must be confirmed."""
        return require_confirmed_day(self.cleaned_data["date"], self.data.get("sure_of", ""))

    def clean_name(self) -> str:
        """Return the session's name in its stored form."""
        return readable_name(self.cleaned_data["name"])

    @property
    def asks_how_many(self) -> bool:
        """Return whether the form can ask how many of the best entries are copied."""
        return any(way == CopiedSeating.BEST for way, _title, _said in self.ways)

    def clean_best(self) -> int:
        """Return how many of the best entries are copied; 0 for all."""
        return self.cleaned_data["best"] or 0

    def clean_sit(self) -> str:
        """Return the chosen way of seating; the same seats as in the copied session if nothing is chosen."""
        return self.cleaned_data["sit"] or CopiedSeating.SAME

    def clean(self) -> dict[str, Any]:
        """Refuse a copy of the best entries without their number; add `once`, which identifies a second press."""
        cleaned = super().clean() or {}
        if cleaned.get("sit") in (
            CopiedSeating.BEST,
            CopiedSeating.CONSOLATION,
        ) and not cleaned.get("best"):
            self.add_error("best", _("How many of the best play on?"))
        assert isinstance(self.data, QueryDict)
        rows = repr(sorted(self.data.lists()))
        cleaned["once"] = (
            hashlib.sha256(rows.encode()).hexdigest() if cleaned.pop("key", "") else ""
        )
        return cleaned
