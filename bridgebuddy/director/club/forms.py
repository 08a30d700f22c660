"""Forms of a club's settings, one for each group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.clubs.forms import language_choices, place_time_zones, readable_name
from bridgebuddy.clubs.models import (
    Club,
    CodeExpiry,
    PaperSize,
    ResultEntryMethod,
    SitOutSide,
    StandTerm,
)
from bridgebuddy.director.club_data.forms import RetentionForm
from bridgebuddy.scoring.match_words import masterpoint_choices
from bridgebuddy.scoring.words import FEDERATIONS
from bridgebuddy.table_phones.models import FeedbackLevel

from ..roster.forms import checked_number
from .session_defaults import default_settings

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    Choices = Iterable[tuple[str, StrOrPromise]]

SEEN = (
    (FeedbackLevel.NOTHING.value, _lazy("nothing")),
    (FeedbackLevel.PERCENT.value, _lazy("its own result")),
    (FeedbackLevel.TRAVELLER.value, _lazy("all results")),
)


def choice_field(label: StrOrPromise, choices: Choices, **rest: Any) -> forms.ChoiceField:
    """Return a choice field whose radio buttons stand side by side."""
    return forms.ChoiceField(
        label=label, choices=choices, required=False, widget=forms.RadioSelect, **rest
    )


def two_way_switch(label: StrOrPromise, **states: StrOrPromise) -> forms.TypedChoiceField:
    """Return a form field for a boolean, shown as two buttons with the texts given as `yes` and `no`."""
    values = {"yes": "True", "no": "False"}
    return forms.TypedChoiceField(
        label=label,
        choices=[(values[name], words) for name, words in states.items()],
        coerce=lambda said: said == "True",
        required=True,  # a missing field keeps its value, and an empty one is neither state
        widget=forms.RadioSelect,
    )


class GroupForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """Base form for a group of a club's settings; fields that are not sent keep their values."""

    def __init__(self, data: Any = None, **rest: Any) -> None:
        super().__init__(data, **rest)
        if data is not None:
            self.data = self.stored_values() | {name: data[name] for name in data}

    def stored_values(self) -> dict[str, str]:
        """Return the club's stored settings of this group as the texts that the form would send."""
        values = {name: self.initial.get(name) for name in self.fields}
        return {name: "" if value is None else str(value) for name, value in values.items()}


class EveningForm(GroupForm):
    """The form for a club's defaults of new sessions."""

    results_come = choice_field(
        _lazy("Results come"),
        ResultEntryMethod.choices,
        help_text=_lazy("Decides what is printed for tonight."),
    )
    table_sees = choice_field(_lazy("After a board a table sees"), SEEN)
    half_table = choice_field(_lazy("Half a table"), SitOutSide.choices)
    numbers_in_hundreds = two_way_switch(
        _lazy("Numbers of the pairs"), no=_lazy("NS 1 · EW 1"), yes="101 · 201"
    )

    class Meta:
        model = Club
        fields = [
            *("results_come", "table_sees", "usual_boards", "usual_minutes", "usual_start"),
            *("half_table", "numbers_in_hundreds"),
        ]
        widgets = {"usual_start": forms.TimeInput(attrs={"type": "time"}, format="%H:%M")}

    def __init__(self, data: Any = None, *, instance: Club, **rest: Any) -> None:
        super().__init__(data, instance=instance, initial=default_settings(instance), **rest)


class PaperForm(GroupForm):
    """The form for a club's name, and for the appearance of its printed sheets and room display."""

    paper = choice_field(_lazy("Paper"), PaperSize.choices)
    stand_word = choice_field(_lazy("Boards wait on a"), StandTerm.choices)
    room_sounds = two_way_switch(
        _lazy("Room display"), yes=_lazy("gong and voice"), no=_lazy("silent")
    )
    own_pages_on_sheets = two_way_switch(
        _lazy("Score sheets with the code of the player’s own page"),
        no=_lazy("no"),
        yes=_lazy("yes"),
    )

    class Meta:
        model = Club
        fields = [
            *("name", "paper", "language", "stand_word", "room_sounds", "own_pages_on_sheets"),
            "time_zone",
        ]

    def __init__(self, data: Any = None, **rest: Any) -> None:
        super().__init__(data, **rest)
        reader = _("The language of the device that displays or prints")
        self.fields["language"] = forms.ChoiceField(
            label=_("Language on paper and in the room"),
            choices=language_choices(reader, settings.LANGUAGES),
            required=False,
        )
        self.fields["time_zone"] = forms.ChoiceField(
            label=_("Time zone"),
            choices=_time_zone_choices(self.instance.time_zone),
            required=False,
        )

    def clean_name(self) -> str:
        """Return the club's name in its stored form."""
        return readable_name(self.cleaned_data["name"])


class FederationForm(GroupForm):
    """The form for a club's federation: rules, masterpoint scale, and the club's number there."""

    scoring_rules = forms.ChoiceField(
        label=_lazy("By the rules of"), choices=FEDERATIONS, required=False
    )
    masterpoint_scale = forms.ChoiceField(
        label=_lazy("Masterpoints of new sessions"),
        help_text=_lazy("Earlier sessions keep their scale. Each session can have another one."),
        choices=masterpoint_choices,
        required=False,
    )

    class Meta:
        model = Club
        fields = ["scoring_rules", "masterpoint_scale", "federation_number"]

    def __init__(self, data: Any = None, **rest: Any) -> None:
        super().__init__(data, **rest)
        self.fields["federation_number"].label = _("The federation’s number of the club")

    def clean_federation_number(self) -> str:
        """Return the club's number at the federation in its stored form."""
        return checked_number(self.cleaned_data["federation_number"])


class AccountForm(forms.Form):
    """The form for a club's account at BridgeWebs; the stored password is never shown."""

    code = forms.CharField(label=_lazy("Club at BridgeWebs"), max_length=40)
    password = forms.CharField(
        label=_lazy("Password there"),
        max_length=200,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )


class PrivacyForm(GroupForm, RetentionForm):
    """The form for the visibility of names and results, and how long data are kept."""

    phones_show_names = two_way_switch(
        _lazy("Phones show opponents"), yes=_lazy("by name"), no=_lazy("by number")
    )
    phones_show_later_rounds = two_way_switch(
        _lazy("Phones show"), yes=_lazy("all later rounds"), no=_lazy("this round and the next")
    )
    codes_end = choice_field(
        _lazy("Codes for phones end"),
        [
            (CodeExpiry.SOON.value, _lazy("after 2 hours")),
            (CodeExpiry.MORNING.value, _lazy("next morning")),
            (CodeExpiry.WEEK.value, _lazy("after a week")),
        ],
    )

    shows_numbers = two_way_switch(
        _lazy("Members’ numbers"),
        no=_lazy("federation only"),
        yes=_lazy("every file"),
    )

    class Meta(RetentionForm.Meta):
        fields = [
            *("phones_show_names", "phones_show_later_rounds", "codes_end", "shows_numbers"),
            *RetentionForm.Meta.fields,
        ]

    def __init__(self, data: Any = None, **rest: Any) -> None:
        super().__init__(data, **rest)
        self.fields["names_kept_for"].label = _("Forget absent players’ names")
        self.fields["public_names"].label = _("Names on public pages")
        self.fields["public_names"].help_text = ""
        contact = self.fields["privacy_contact"]
        contact.label = _("Whom players ask")
        contact.widget.attrs["placeholder"] = _("A name with an address; everybody reads it")
        contact.help_text = ""


def _time_zone_choices(chosen: str) -> list[tuple[str, str]]:
    """Return the time zones of all places as choices, with the server's own first, and `chosen` in any case."""
    places = place_time_zones()
    if chosen and chosen not in places:
        places.insert(0, chosen)
    usual = _("The server’s: %(zone)s") % {"zone": settings.TIME_ZONE}
    return [("", usual), *((place, place.replace("_", " ")) for place in places)]
