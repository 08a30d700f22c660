"""Forms for people on the roster."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.clubs.models import MOST_STRENGTH, Club, Person, searchable
from bridgebuddy.clubs.people import categories
from bridgebuddy.clubs.people.categories import LENGTH as CATEGORIES_LENGTH
from bridgebuddy.clubs.people.federation_numbers import LENGTH as NUMBER_LENGTH
from bridgebuddy.clubs.people.federation_numbers import NotANumber, stored_number
from bridgebuddy.clubs.people.names import clean_text, one_line, remove_formula_start
from bridgebuddy.clubs.people.public_names import PublicName
from bridgebuddy.events.names import problem_of_name
from bridgebuddy.events.services.roster import NOTED

from ..entries.forms import PROBLEMS


class PlayerForm(forms.Form):
    """The form for a player of the roster: name, strength, numbers and categories."""

    name = forms.CharField(label=_lazy("Name"), max_length=Person.NAME_LENGTH)
    strength = forms.IntegerField(
        label=_lazy("Strength (may stay empty)"),
        required=False,
        min_value=0,
        max_value=MOST_STRENGTH,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    national_number = forms.CharField(
        label=_lazy("Federation number"), required=False, max_length=NUMBER_LENGTH
    )
    member_number = forms.CharField(
        label=_lazy("Membership number"), required=False, max_length=NUMBER_LENGTH
    )
    other_club = forms.CharField(
        label=_lazy("Other club, of a visitor"), required=False, max_length=60
    )
    categories = forms.CharField(
        label=_lazy("Categories"),
        help_text=_lazy(
            "For example juniors, women. Championships and rankings can be limited to one category."
        ),
        required=False,
        max_length=CATEGORIES_LENGTH,
    )
    public_name = forms.ChoiceField(
        label=_lazy("On pages that everybody can read"), required=False, choices=PublicName.choices
    )

    def __init__(self, club: Club, person: Person | None = None, data: Any = None) -> None:
        names = ("name", "strength", *NOTED, "public_name")
        initial = {name: getattr(person, name) for name in names} if person else {}
        super().__init__(data, initial=initial)
        usual = _("the club’s usual form: %(how)s") % {"how": club.get_public_names_display()}
        self.fields["public_name"].choices = [("", usual), *PublicName.choices]  # type: ignore[attr-defined]
        self.club, self.person = club, person
        #: the person of the same name, who may be the same
        self.namesake: Person | None = None

    def clean_name(self) -> str:
        """Return the name in its stored form; refuse an unusable one and one that is on the roster."""
        name = one_line(self.cleaned_data["name"])
        if problem := problem_of_name(name):
            raise forms.ValidationError(PROBLEMS[problem])
        same = Person.objects.filter(club=self.club, search=searchable(name))
        self.namesake = same.exclude(pk=self.person.pk if self.person else 0).first()
        if self.namesake:
            raise forms.ValidationError(
                _("There is a %(name)s on the roster already. Add something that tells them apart.")
                % {"name": name}
            )
        return name

    def clean_national_number(self) -> str:
        """Return the federation number; refuse one that another person has."""
        number = checked_number(self.cleaned_data["national_number"])
        same = self.club.known_people.filter(national_number=number).exclude(national_number="")
        others = list(same.exclude(pk=self.person.pk if self.person else 0)[:1])
        if others:
            self.namesake = others[0]
            raise forms.ValidationError(_("%(name)s has this number.") % {"name": others[0].name})
        return number

    def clean_member_number(self) -> str:
        """Return the club's member number in its stored form."""
        return checked_number(self.cleaned_data["member_number"])

    def clean_other_club(self) -> str:
        """Return the name of a visitor's own club without characters that could do harm."""
        return remove_formula_start(clean_text(self.cleaned_data["other_club"]))

    def clean_categories(self) -> str:
        """Return the categories in their stored form, each once."""
        return categories.joined_categories(self.cleaned_data["categories"])


def checked_number(text: str) -> str:
    """Return a player's number in its stored form; raise `ValidationError` if it is invalid."""
    try:
        return stored_number(text)
    except NotANumber:
        raise forms.ValidationError(_("Letters and digits, at most 20.")) from None


class MergeForm(forms.Form):
    """The form that merges two players of the roster who are the same person; the first one stays."""

    def __init__(self, club: Club, data: Any = None) -> None:
        super().__init__(data)
        for name in ("one", "other"):
            self.fields[name] = forms.ModelChoiceField(club.known_people)

    def clean(self) -> dict[str, Any]:
        """Refuse the same player twice."""
        cleaned = super().clean() or {}
        if cleaned.get("one") and cleaned.get("one") == cleaned.get("other"):
            raise forms.ValidationError(_("Tick two players."))
        return cleaned

    @property
    def both_people(self) -> tuple[Person, Person]:
        """Return two people who are the same player: the one to keep, and the one to merge into it."""
        return self.cleaned_data["one"], self.cleaned_data["other"]
