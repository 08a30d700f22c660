"""What is typed about clubs and people, checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import get_language_info, ngettext
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from .logos import MOST_BYTES, NotALogo, TooManyPixels, prepared_logo
from .models import Club, Membership, Role, User, folded
from .names import as_written


class ClubForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """What a club is asked when it is founded; everything else has a usual answer."""

    class Meta:
        model = Club
        fields = ["name", "paper", "language", "time_zone"]
        widgets = {"time_zone": forms.HiddenInput(attrs={"data-time-zone": ""})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"] = forms.ChoiceField(
            label=self.fields["language"].label,
            choices=_languages(_("The language of whoever looks or prints"), settings.LANGUAGES),
            required=False,
        )

    def clean_name(self) -> str:
        return readable_name(self.cleaned_data["name"])

    def clean_time_zone(self) -> str:
        """Return the zone that the browser is in; the server's where it names none that there is."""
        said = str(self.cleaned_data["time_zone"])
        return said if said in available_timezones() else ""


def readable_name(typed: str) -> str:
    """Return a name as it is kept; refuse what nobody sees."""
    name = " ".join(as_written(typed).split())
    if not folded(name):
        raise forms.ValidationError(_("Nobody can read this name. Type letters."))
    return name


#: after how many months names may be forgotten, and what is proposed to a club that is founded
MONTHS, USUAL_MONTHS = (6, 12, 24, 36, 60, 120), 24


def kept_for_field() -> forms.TypedChoiceField:
    """Return the question after how many months somebody who no longer plays loses their name."""
    after = [
        (
            count,
            ngettext("after %(count)s month", "after %(count)s months", count) % {"count": count},
        )
        for count in MONTHS
    ]
    return forms.TypedChoiceField(
        label=_("Names of players who no longer play are forgotten"),
        choices=[("", _("never")), *after],
        coerce=int,
        empty_value=None,
        required=False,
    )


class NewClubForm(ClubForm):
    """What a club is asked when it is founded: how long names are kept, too."""

    class Meta(ClubForm.Meta):
        fields = [*ClubForm.Meta.fields, "names_kept_for"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("names_kept_for", USUAL_MONTHS)
        self.fields["names_kept_for"] = kept_for_field()
        self.fields["names_kept_for"].help_text = _("The results stay, and say N.N.")


class OwnLanguageForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """The language in which BridgeBuddy speaks to a director, on every device."""

    class Meta:
        model = User
        fields = ["language"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        whole = [one for one in settings.LANGUAGES if one[0] not in settings.PARTIAL_LANGUAGES]
        self.fields["language"] = forms.ChoiceField(
            label=_("Language"),
            choices=_languages(_("As the browser asks for"), whole),
            required=False,
        )


def _languages(nothing: str, offered: Iterable[tuple[str, Any]]) -> list[tuple[str, str]]:
    """Every language under its own name, as whoever speaks it looks for it."""
    named = [(code, get_language_info(code)["name_local"].capitalize()) for code, _name in offered]
    return [("", nothing), *named]


def _zones() -> list[tuple[str, str]]:
    """Every place whose name says a zone, and the server's own."""
    places = sorted(one for one in available_timezones() if "/" in one and one[:4] != "Etc/")
    usual = _("The server’s: %(zone)s") % {"zone": settings.TIME_ZONE}
    return [("", usual), *((one, one.replace("_", " ")) for one in places)]


class ClubSettingsForm(ClubForm):
    """A club's settings, those included that nobody asks for when it is founded."""

    class Meta(ClubForm.Meta):
        fields = [
            *ClubForm.Meta.fields,
            "stand_word",
            "numbers_in_hundreds",
            "phones_show_names",
            "phones_show_later_rounds",
            "codes_end",
            "room_sounds",
        ]
        widgets = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"] = forms.ChoiceField(
            label=self.fields["time_zone"].label, choices=_zones, required=False
        )
        self.fields["codes_end"].required = False  # what is not said stays as it is

    def clean_codes_end(self) -> str:
        return str(self.cleaned_data["codes_end"] or self.instance.codes_end)


class LogoForm(forms.Form):
    """A picture for the club's cards: PNG or JPEG, at most 500 kB."""

    logo = forms.FileField(
        label=_lazy("Logo on the printed cards"),
        help_text=_lazy("PNG or JPEG, at most 500 kB."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg"}),
        error_messages={
            "required": _lazy("Choose a picture first."),
            "empty": _lazy("This file is empty. Choose another."),
        },
    )

    def clean_logo(self) -> tuple[bytes, str]:
        """Return the picture as it is kept, and its type."""
        file = self.cleaned_data["logo"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(_("This picture is larger than 500 kB. Make it smaller."))
        try:
            return prepared_logo(file.read())
        except TooManyPixels:
            raise forms.ValidationError(
                _("This picture is too wide and high. Make it smaller.")
            ) from None
        except NotALogo:
            raise forms.ValidationError(
                _("This is no PNG or JPEG picture. Choose another, or save it as one of these.")
            ) from None


class InvitationForm(forms.Form):
    """Somebody who is to belong to a club, whether they have an account or not."""

    email = forms.EmailField(label=_lazy("E-mail address"), max_length=254)
    role = forms.ChoiceField(label=_lazy("Role"), choices=Role.choices, initial=Role.DIRECTOR)

    def __init__(self, club: Club, data: Any = None) -> None:
        super().__init__(data)
        self.club = club

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].lower()
        if Membership.objects.filter(club=self.club, user__email__iexact=email).exists():
            raise forms.ValidationError(_("This address is on the list already."))
        return email


class RoleForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """What a member may do."""

    class Meta:
        model = Membership
        fields = ["role"]


class PasswordForm(forms.Form):
    """The password of a new account."""

    password = forms.CharField(
        label=_lazy("Choose a password"),
        strip=False,
        max_length=4096,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_password(self) -> str:
        validate_password(self.cleaned_data["password"])
        return str(self.cleaned_data["password"])
