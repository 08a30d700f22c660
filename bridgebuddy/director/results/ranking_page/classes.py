"""Strata, handicap, categories and masterpoints: lists beside the main ranking."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.people.categories import LENGTH, category_list, shared_categories
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.director.season.handicaps import handicaps_of_session
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_scorer
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.events.queries.sessions.strengths import strength_of
from bridgebuddy.scoring.match_words import masterpoint_choices
from bridgebuddy.scoring.services.classes import store_classes
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.seasons.queries.handicaps import ClubHandicaps

from ..pages import pages_of

MOST_STRATA, LONGEST, MOST_DIGITS = 5, 20, 5


class ClassesForm(forms.Form):
    """The form for strata, handicaps and categories: names, limits, and a row for each contestant."""

    strata = forms.CharField(
        label=gettext_lazy("Strata, the strongest first"),
        help_text=gettext_lazy(
            "For example A, B, C. Players in C also compete in B and A. Leave empty for none."
        ),
        max_length=100,
        required=False,
    )
    limits = forms.CharField(
        label=gettext_lazy("Limits between the strata, in points"),
        help_text=gettext_lazy(
            "For example 1500, 500: players with fewer than 500 points play in C. Points are the "
            "players’ strength; partners have the mean. Players without points keep their stratum."
        ),
        max_length=60,
        required=False,
    )
    min_played = forms.IntegerField(
        label=gettext_lazy("Minimum of boards played for a place (per cent)"),
        help_text=gettext_lazy("50 is usual. A planned sit-out counts as played."),
        min_value=0,
        max_value=100,
        required=False,
    )
    masterpoints = forms.ChoiceField(
        label=gettext_lazy("Masterpoints"),
        help_text=gettext_lazy(
            "The points appear in the ranking once all results are in. Uncertain scales come "
            "from an old edition or from users. Compare them with your federation’s rules "
            "before you report points. The DBV’s Clubpunkte are not available, because their "
            "figures are not public."
        ),
        choices=masterpoint_choices,
        required=False,
    )

    def __init__(self, tonight: SessionSnapshot, data: QueryDict | None = None) -> None:
        scoring, profile = tonight.scoring, tonight.scoring.profile
        first = {
            "strata": ", ".join((profile.get("strata") or {}).get("names", ())),
            "min_played": profile.get("min_played", 50),
            "masterpoints": scoring.masterpoints,
        }
        super().__init__(data, initial=first)
        self.everybody: list[Contestant] = list(tonight.contestants.values())
        for contestant in self.everybody:
            stored = scoring.classes.get(str(contestant.entry), {})
            self._add_field(
                contestant, "stratum", forms.CharField(required=False, max_length=LONGEST)
            )
            self._add_field(contestant, "handicap", _HandicapField(required=False))
            self._add_field(
                contestant, "categories", forms.CharField(required=False, max_length=LENGTH)
            )
            names = (profile.get("strata") or {}).get("names", ())
            number = stored.get("stratum", 0)
            self.initial = {
                **self.initial,
                f"stratum-{contestant.entry}": names[number - 1]
                if 0 < number <= len(names)
                else "",
                f"handicap-{contestant.entry}": stored.get("handicap", ""),
                f"categories-{contestant.entry}": ", ".join(stored.get("categories", ())),
            }

    def _add_field(self, contestant: Contestant, name: str, field: forms.Field) -> None:
        """Add the form field `name` (stratum, handicap or categories) for one contestant."""
        titles = {
            "stratum": _("Stratum"),
            "handicap": _("Handicap"),
            "categories": _("Categories"),
        }
        field.label, field.title = f"{titles[name]}, {contestant.label}", titles[name]  # type: ignore[attr-defined]
        self.fields[f"{name}-{contestant.entry}"] = field

    def clean_limits(self) -> list[int]:
        """Return the limits between strata in falling order; there is one limit fewer than strata."""
        parts = _split_list(self.cleaned_data["limits"])
        if not parts:
            return []
        if any(
            not part.isascii() or not part.isdigit() or len(part) > MOST_DIGITS for part in parts
        ):
            raise forms.ValidationError(_("Limits are whole numbers, with commas between them."))
        limits = sorted(map(int, parts), reverse=True)
        if len(set(limits)) != len(self.cleaned_data.get("strata", ())) - 1:
            raise forms.ValidationError(_("One limit fewer than there are strata, each once."))
        return limits

    def data_with_strata(self, data: QueryDict) -> QueryDict:
        """Return the sent data with strata filled in for contestants by their strength and the typed limits."""
        names, limits = self.cleaned_data["strata"], self.cleaned_data["limits"]
        sent = data.copy()
        entries = Entry.objects.in_bulk([contestant.entry for contestant in self.everybody])
        for key, entry in entries.items():
            points = strength_of(entry)
            if limits and points is not None:
                sent[f"stratum-{key}"] = names[sum(points < limit for limit in limits)]
        return sent

    def data_from_roster(self, data: QueryDict) -> QueryDict:
        """Return the sent data with categories from the roster filled in, if all players of an entry have them."""
        sent = data.copy()
        entries = Entry.objects.in_bulk([contestant.entry for contestant in self.everybody])
        for key, entry in entries.items():
            categories = [person.categories for person in entry.players]
            if categories and (words := ", ".join(shared_categories(categories))):
                sent[f"categories-{key}"] = words
        return sent

    @property
    def rows(self) -> list[tuple[Contestant, list[forms.BoundField]]]:
        """Return each contestant with its three form fields: stratum, handicap and categories."""
        names = ("stratum", "handicap", "categories")
        return [
            (contestant, [self[f"{name}-{contestant.entry}"] for name in names])
            for contestant in self.everybody
        ]

    @property
    def parts(self) -> list[list[tuple[Contestant, list[forms.BoundField]]]]:
        """Return the form's rows in two halves, which the page shows side by side."""
        half = -(-len(self.everybody) // 2)
        return [part for part in (self.rows[:half], self.rows[half:]) if part]

    @property
    def is_open(self) -> bool:
        """Return whether the page shows the fields for strata at once, because they were used or have errors."""
        first = ("strata", "limits", "min_played", "masterpoints")
        return self.data.get("do") == "fill" or any(name in self.errors for name in first)

    @property
    def summary_text(self) -> str:
        """Return the chosen strata and scale of points as text for the closed form."""
        scales = dict(self.fields["masterpoints"].choices)  # type: ignore[attr-defined]
        scale = self["masterpoints"].value()
        return " · ".join(
            filter(None, [self["strata"].value(), scale and str(scales.get(scale, ""))])
        )

    def clean_strata(self) -> list[str]:
        """Return the names of the strata in order, without repetitions."""
        names = list(dict.fromkeys(_split_list(self.cleaned_data["strata"])))
        if len(names) > MOST_STRATA or any(len(name) > LONGEST for name in names):
            raise forms.ValidationError(
                _("At most %(most)s strata, of %(letters)s letters each.")
                % {"most": MOST_STRATA, "letters": LONGEST}
            )
        return names

    def clean(self) -> dict[str, Any]:
        """Refuse a contestant's stratum that is not in the list of strata names."""
        cleaned: dict[str, Any] = self.cleaned_data
        names = [name.casefold() for name in cleaned.get("strata", ())]
        for contestant in self.everybody:
            typed = cleaned.get(f"stratum-{contestant.entry}", "").strip().casefold()
            if typed and "strata" in cleaned and typed not in names:
                self.add_error(f"stratum-{contestant.entry}", _("There is no such stratum."))
        return cleaned

    @property
    def classes(self) -> dict[int, dict[str, Any]]:
        """Return each contestant's stratum, handicap and categories by the entry's primary key."""
        cleaned = self.cleaned_data
        names = [name.casefold() for name in cleaned["strata"]]
        by_entry: dict[int, dict[str, Any]] = {}
        for contestant in self.everybody:
            stratum = cleaned[f"stratum-{contestant.entry}"].strip().casefold()
            handicap = cleaned[f"handicap-{contestant.entry}"]
            categories = category_list(cleaned[f"categories-{contestant.entry}"])
            by_entry[contestant.entry] = (
                ({"stratum": names.index(stratum) + 1} if stratum else {})
                | ({"handicap": str(handicap.normalize())} if handicap else {})
                | ({"categories": categories} if categories else {})
            )
        return by_entry


class _HandicapField(forms.DecimalField):
    """A form field for a handicap, which accepts a decimal comma."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            min_value=Decimal(-50), max_value=Decimal(50), max_digits=4, decimal_places=2, **options
        )

    def to_python(self, value: Any) -> Any:
        """Return the typed handicap as a number."""
        return super().to_python(value.replace(",", ".") if isinstance(value, str) else value)


def _split_list(text: str) -> list[str]:
    """Return the parts of a text that are separated by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


@never_cache
@require_http_methods(["GET", "POST"])
def classes(request: UserRequest, code: str) -> HttpResponse:
    """Show the strata, handicaps and categories of a session's contestants, and store them."""
    if request.method != "POST":
        found = None
        if request.GET.get("open") == "handicaps":
            section = section_for_scorer(request, code)
            # computed before the page's snapshot, because final lists may be written to the cache
            found = ClubHandicaps(section.club, section.session.date)
        return _checked_classes_page(request, code, handicaps=found)
    with one_snapshot(request):
        section = section_for_scorer(request, code)
        form = ClassesForm(SessionSnapshot(section), request.POST)
        is_valid = form.is_valid()
        if request.POST.get("do") == "roster":
            return _classes_page(request, section, form.data_from_roster(request.POST))
        if request.POST.get("do") == "fill" and not {"strata", "limits"} & form.errors.keys():
            return _classes_page(request, section, form.data_with_strata(request.POST))
    if not is_valid:
        return _checked_classes_page(request, code)
    least = form.cleaned_data["min_played"]
    try:
        store_classes(
            section,
            strata=form.cleaned_data["strata"],
            classes=form.classes,
            min_played="" if least in (None, 50) else str(least),
            masterpoints=form.cleaned_data["masterpoints"],
            by=request.user,
        )
    except ChangeRefused as refused:
        return _checked_classes_page(request, code, change_refused(refused))
    return redirect("ranking", code=section.code)


@read_in_one_snapshot
def _checked_classes_page(
    request: UserRequest, code: str, problem: str = "", handicaps: ClubHandicaps | None = None
) -> HttpResponse:
    """Return the page of strata and handicaps for a sent form."""
    section = section_for_scorer(request, code)
    sent = request.POST if request.method == "POST" else None
    return _classes_page(request, section, sent, problem, handicaps)


def _classes_page(
    request: UserRequest,
    section: Section,
    form_data: QueryDict | None,
    problem: str = "",
    handicaps: ClubHandicaps | None = None,
) -> HttpResponse:
    """Render the page of strata and handicaps; `handicaps` are the club's own handicaps."""
    tonight = SessionSnapshot(section)
    form = ClassesForm(tonight, form_data)
    context = {
        "section": tonight.section,
        "tab": "results",
        "page": "ranking",
        "pages": pages_of(tonight.section),
        "tonight": tonight,
        "form": form,
        "problem": problem,
        "given": handicaps_of_session(tonight, handicaps) if handicaps and section.movement else [],
    }
    status = 422 if form.errors or problem else 200
    return render(request, "director/results/classes.html", context, status=status)
