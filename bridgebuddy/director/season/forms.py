"""Forms of championships and handicaps."""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from datetime import date
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.clubs.models import Club, Person, Weekday
from bridgebuddy.clubs.people import categories
from bridgebuddy.clubs.single_rows import SingleRowForm
from bridgebuddy.events.models import Event
from bridgebuddy.seasons.models import Championship, HandicapRule, ManualHandicap
from bridgebuddy.seasons.queries.final_lists import FinalSession
from bridgebuddy.seasons.rules.totals import RULES

from ..sessions.forms import day_field_widget

#: weekdays that are offered side by side
MOST_DAYS = 3
ALL, BY_HAND = "all", "hand"
BEGINS, ENDS = (9, 1), (8, 31)
BEST, LEAST = 8, 6
#: for these a mean makes no sense
ADDED_UP = {
    Championship.Counts.WINS,
    Championship.Counts.EVENINGS,
    Championship.Counts.MASTERPOINTS,
}
#: conditions on the players of a line
LIMITS = ("most_strength", "category", "has_members_only")


class ChampionshipForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """The form for a championship's rules: five questions with defaults, and rarer ones."""

    which = forms.ChoiceField(label=_lazy("Which sessions"), widget=forms.RadioSelect)
    #: a new one each time the page is shown
    key = forms.CharField(widget=forms.HiddenInput, required=False, initial=secrets.token_urlsafe)

    #: the folded fields
    RARE = (
        *("since", "until", "planned", "event", "rule", "each", "fewest_boards"),
        *("has_handicap", "is_frozen", "ties", "then", "whose"),
        *LIMITS,
    )

    class Meta:
        model = Championship
        fields = (
            *("name", "of", "counts", "best", "least", "since", "until", "planned", "event"),
            *("rule", "each", "fewest_boards", "has_handicap", "is_frozen", "ties", "then"),
            *("whose", *LIMITS),
        )
        widgets = {  # Django's own format
            "of": forms.RadioSelect,
            "since": day_field_widget(),
            "until": day_field_widget(),
        }
        labels = {
            "best": _lazy("Number of results that count"),
            "least": _lazy("At least"),
            "each": _lazy("Drop the lowest of every … sessions"),
            "event": _lazy("Only sessions of"),
        }

    def __init__(
        self, club: Club, finals: list[FinalSession], data: Any = None, **rest: Any
    ) -> None:
        championship: Championship | None = rest.get("instance")
        days = _usual_weekdays(club, finals, championship)
        if championship is None:
            rest["instance"] = Championship(club=club)
            rest["initial"] = _new_championship_defaults(club, days[0])
        super().__init__(data, **rest)
        self.fields["which"].choices = [  # type: ignore[attr-defined]  # it is a choice
            *((str(day), _weekday_name(day)) for day in days),
            (ALL, _("all")),
            (BY_HAND, _("ticked by hand")),
        ]
        if championship is not None:
            is_of_a_day = championship.weekday is not None
            which = (
                BY_HAND
                if championship.is_by_hand
                else str(championship.weekday)
                if is_of_a_day
                else ALL
            )
            self.initial["which"] = which
        self.fields["event"].queryset = Event.objects.filter(club=club).order_by("name")  # type: ignore[attr-defined]
        self.fields["event"].empty_label = _("any event")  # type: ignore[attr-defined]
        self.fields["category"] = _category_field(club, championship)

    @property
    def main_fields(self) -> list[forms.BoundField]:
        """Return the fields that are always visible."""
        return [self["of"], self["which"]]

    @property
    def folded_fields(self) -> list[forms.BoundField]:
        """Return the fields that are hidden at first."""
        return [self[name] for name in self.RARE]

    @property
    def has_rare_errors(self) -> bool:
        """Return whether a field that is hidden at first has an error."""
        return any(name in self.errors for name in self.RARE)

    def clean(self) -> dict[str, Any]:
        """Refuse rules that contradict each other."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and until < since:
            self.add_error("until", _("The championship ends before it begins."))
        planned, least = cleaned.get("planned"), cleaned.get("least")
        if planned and least and least > planned:
            self.add_error(
                "least",
                _("Only %(planned)s sessions are planned. Enter a smaller number.")
                % {"planned": planned},
            )
        if planned and (best := cleaned.get("best")) and best > planned:
            self.add_error(
                "best",
                _("Only %(planned)s sessions are planned. Enter a smaller number.")
                % {"planned": planned},
            )
        if cleaned.get("has_handicap") and cleaned.get("counts") != Championship.Counts.PERCENTAGE:
            self.add_error("has_handicap", _("A handicap is possible with percentages only."))
        if cleaned.get("has_handicap") and cleaned.get("is_frozen") and not since:
            self.add_error(
                "since", _("Handicaps stay as they were at the start. Enter the first day.")
            )
        return cleaned

    @property
    def once(self) -> str:
        """Return a hash of the sent form, by which a second press of the same button is recognized; or ""."""
        if not self.cleaned_data.get("key"):
            return ""
        assert isinstance(self.data, QueryDict)
        return hashlib.sha256(repr(sorted(self.data.lists())).encode()).hexdigest()

    def championship(self) -> Championship:
        """Return the unsaved championship that the valid form describes."""
        changed: Championship = self.save(commit=False)
        which = self.cleaned_data["which"]
        if changed.counts in ADDED_UP:
            changed.rule = RULES[changed.rule].when_counted or changed.rule
        changed.is_by_hand = which == BY_HAND
        if "of" in self.changed_data:  # groups of pairs are not groups of players
            changed.groups, changed.gone = [], []
        if not set(LIMITS).isdisjoint(self.changed_data):
            # without data on the deleted players the conditions cannot be checked
            changed.nameless = []
        changed.weekday = int(which) if which not in (ALL, BY_HAND) else None
        return changed


def _category_field(club: Club, championship: Championship | None) -> forms.ChoiceField:
    """Return a form field for one of the player categories of the roster."""
    texts = club.known_people.exclude(categories="").values_list("categories", flat=True)
    words = categories.category_list(
        ",".join([championship.category if championship else "", *texts])
    )
    known_categories = sorted(words, key=str.casefold)
    return forms.ChoiceField(
        label=_("Only players of the category"),
        choices=[("", _("all players")), *((word, word) for word in known_categories)],
        required=False,
        help_text=""
        if known_categories
        else _("Enter the categories on the players’ pages, for example juniors, women."),
    )


def _weekday_name(day: int) -> str:
    """Return the name of a weekday in the plural."""
    return {
        0: _("Mondays"),
        1: _("Tuesdays"),
        2: _("Wednesdays"),
        3: _("Thursdays"),
        4: _("Fridays"),
        5: _("Saturdays"),
        6: _("Sundays"),
    }[day]


def _usual_weekdays(
    club: Club, finals: list[FinalSession], championship: Championship | None
) -> list[int]:
    """Return the weekdays on which a club plays, the most frequent first."""
    often = Counter(final.date.weekday() for final in finals[-100:])
    days = [day for day, _ in often.most_common(MOST_DAYS)]
    if club.usual_day is not None:
        days = [club.usual_day, *(day for day in days if day != club.usual_day)][:MOST_DAYS]
    if (
        championship is not None
        and championship.weekday is not None
        and championship.weekday not in days
    ):
        days.append(championship.weekday)
    return days or [Weekday.TUESDAY]


def _new_championship_defaults(club: Club, day: int) -> dict[str, Any]:
    """Return the initial values of a new championship: weekday, season and name."""
    today = club.today
    year = today.year if (today.month, today.day) >= BEGINS else today.year - 1
    years = {"years": f"{year}/{(year + 1) % 100:02}", "day": Weekday(day).label}
    return {
        "name": _("%(day)s championship %(years)s") % years,
        "of": Championship.Of.PAIR,
        "counts": Championship.Counts.PERCENTAGE,
        "which": str(day),
        "best": BEST,
        "least": LEAST,
        "ties": Championship.Ties.NEXT,
        "since": date(year, *BEGINS),
        "until": date(year + 1, *ENDS),
    }


class HandicapRuleForm(SingleRowForm):
    """The form for the rule by which a club's handicaps are computed."""

    class Meta:
        model = HandicapRule
        fields = ("last", "months", "least", "times", "band", "most", "new")


class ManualHandicapForm(SingleRowForm):
    """The form for a player's handicap set by hand; an empty one is computed again."""

    class Meta:
        model = ManualHandicap
        fields = ("handicap", "since", "reason")
        widgets = {"since": day_field_widget()}

    def __init__(self, person: Person, data: Any = None) -> None:
        stored = ManualHandicap.objects.filter(person=person).first()
        new = ManualHandicap(person=person, since=person.club.today)
        super().__init__(data, instance=stored or new)
        self.person = person
        self.fields["handicap"].required = False
