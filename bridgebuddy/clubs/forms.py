"""Forms about clubs and people."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import time
from typing import Any, ClassVar, cast
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import get_language_info, ngettext
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from .logos import MOST_BYTES, NotALogo, TooManyPixels, prepared_logo
from .models import (
    Club,
    Invitation,
    Membership,
    PaperSize,
    Person,
    ResultEntryMethod,
    User,
    Weekday,
    searchable,
)
from .people.names import one_line
from .people.public_names import PublicName
from .roles import Role, RoleHolder

USUAL_START = time(19, 0)
#: countries of America with A4 paper
A4_IN_AMERICA = (
    *("Argentina", "Buenos_Aires", "Sao_Paulo", "Bahia", "Fortaleza", "Recife", "Manaus"),
    *("Montevideo", "Asuncion", "Lima", "La_Paz", "Guayaquil"),
)


class ClubForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """The form for a new club: three questions; everything else has a default."""

    results_come = forms.ChoiceField(
        label=_lazy("Results come"),
        choices=ResultEntryMethod.choices,
        widget=forms.RadioSelect,
        required=False,
        initial=ResultEntryMethod.PHONES,
    )

    class Meta:
        model = Club
        fields = ["name", "usual_day", "usual_start", "results_come", "time_zone"]
        fields += ["names_kept_for", "public_names"]
        widgets = {
            "time_zone": forms.HiddenInput(attrs={"data-time-zone": ""}),
            "usual_start": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["usual_day"].required = self.fields["usual_start"].required = False
        self.fields["usual_start"].initial = USUAL_START
        field = self.fields["names_kept_for"] = retention_months_field()
        field.initial, field.widget.attrs["form"] = USUAL_MONTHS, "founding"
        public = self.fields["public_names"]
        public.required, public.initial = False, PublicName.INITIALS
        public.widget.attrs["form"] = "founding"
        self.fields["usual_day"].choices = [  # type: ignore[attr-defined]  # it is a choice
            ("", _("no fixed day")),
            *Weekday.choices,
        ]

    def clean_name(self) -> str:
        """Return the club's name in its stored form, or refuse a name without visible letters."""
        return readable_name(self.cleaned_data["name"])

    def clean_public_names(self) -> str:
        """Return how the club's players are named on public pages; by initials if nothing is chosen."""
        return str(self.cleaned_data["public_names"] or PublicName.INITIALS)

    def clean_results_come(self) -> str:
        """Return the way results are entered; by phones if none is chosen."""
        return str(self.cleaned_data["results_come"] or ResultEntryMethod.PHONES)

    def clean_time_zone(self) -> str:
        """Return the browser's time zone, or an empty text (the server's zone) for an unknown one."""
        name = str(self.cleaned_data["time_zone"])
        return name if name in available_timezones() else ""


def usual_paper_size(zone: str) -> PaperSize:
    """Return the usual paper size (A4 or Letter) of the country of a time zone.

    >>> usual_paper_size("America/Chicago"), usual_paper_size("Europe/Berlin"), usual_paper_size("America/Sao_Paulo")
    (PaperSize.LETTER, PaperSize.A4, PaperSize.A4)
    """
    place = zone.removeprefix("America/")
    return (
        PaperSize.LETTER if place != zone and not place.startswith(A4_IN_AMERICA) else PaperSize.A4
    )


def readable_name(raw_name: str) -> str:
    """Return a typed name in its stored form. Raises `ValidationError` if it has no visible letter."""
    name = one_line(raw_name)
    if not searchable(name):
        raise forms.ValidationError(_("Nobody can read this name. Type letters."))
    return name


#: choices of months after which names may be forgotten, and the default for a new club
MONTHS, USUAL_MONTHS = (6, 12, 24, 36, 60, 120), 24


def retention_months_field() -> forms.TypedChoiceField:
    """Return the form field for the number of months after which inactive players are made anonymous."""
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


class UserNameForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """The form for a user's own name, as the history of changes shows it."""

    first_name = forms.CharField(
        label=_lazy("Name in the history"), max_length=Person.NAME_LENGTH, required=False
    )

    class Meta:
        model = User
        fields = ["first_name"]

    def __init__(self, data: Any = None, *, instance: User) -> None:
        super().__init__(data, instance=instance, initial={"first_name": instance.get_full_name()})

    def clean_first_name(self) -> str:
        """Return the typed name in its stored form; it may be empty."""
        typed = self.cleaned_data["first_name"]
        return readable_name(typed) if typed else ""

    def save(self, commit: bool = True) -> Any:
        """Store the whole name as the first name, because the order of its parts differs by country."""
        self.instance.last_name = ""  # the order of its parts differs by country
        return super().save(commit)


class UserLanguageForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """The form for a director's language, which is used on every device."""

    class Meta:
        model = User
        fields = ["language"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        whole = [
            language
            for language in settings.LANGUAGES
            if language[0] not in settings.PARTIAL_LANGUAGES
        ]
        self.fields["language"] = forms.ChoiceField(
            label=_("Language"),
            choices=language_choices(_("As the browser asks for"), whole),
            required=False,
            widget=forms.RadioSelect,
        )


def language_choices(nothing: str, choices: Iterable[tuple[str, Any]]) -> list[tuple[str, str]]:
    """Return the choices of languages, each under its own name, with `nothing` as the empty choice."""
    named = [(code, get_language_info(code)["name_local"].capitalize()) for code, _name in choices]
    return [("", nothing), *named]


class LogoForm(forms.Form):
    """The form for a club's logo on printed cards: PNG or JPEG, at most 500 kB."""

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
        """Return the uploaded picture in its stored form, and its content type."""
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
                _("This is not a PNG or JPEG picture. Choose another picture or convert this one.")
            ) from None


class RolesForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """The roles of a member, as check boxes. Without a tick the user is a plain member."""

    class Meta:
        model: type[RoleHolder] = Membership
        fields: ClassVar[list[str]] = [*RoleHolder.ROLE_FIELDS.values()]

    @property
    def roles(self) -> set[Role]:
        """Return the ticked roles of a valid form."""
        return {role for role, field in RoleHolder.ROLE_FIELDS.items() if self.cleaned_data[field]}


class MemberForm(RolesForm):
    """The form for a member's roles, and for the player of the roster that the account belongs to."""

    person = forms.CharField(
        label=_lazy("Plays as"),
        max_length=Person.NAME_LENGTH,
        required=False,
        help_text=_lazy(
            "A name from the list of players. Empty: the confirmed e-mail address decides."
        ),
    )

    def __init__(self, member: Membership, data: Any = None) -> None:
        name = member.person.name if member.person else ""
        super().__init__(
            data, instance=member, initial={"person": name}, auto_id=f"id_{member.pk}_%s"
        )
        self.fields["person"].widget.attrs |= {"list": "people-of-the-club", "autocomplete": "off"}

    def clean_person(self) -> Person | None:
        """Return the person of the roster with the typed name, None for an empty name."""
        typed = searchable(self.cleaned_data["person"])
        if not typed:
            return None
        person = self.instance.club.known_people.filter(search=typed).first()
        if person is None:
            raise forms.ValidationError(_("The list of players has nobody of this name."))
        return cast(Person, person)

    def _post_clean(self) -> None:
        """Do not write the form's values to the membership: services do so under the club's lock."""


class InvitationForm(RolesForm):
    """The form that invites a person to a club, with or without an account."""

    email = forms.EmailField(label=_lazy("E-mail address"), max_length=254)

    class Meta(RolesForm.Meta):
        model = Invitation

    def __init__(self, club: Club, data: Any = None) -> None:
        super().__init__(data)
        self.club = club

    def clean_email(self) -> str:
        """Return the address in lower case; refuse an address that already belongs to a member."""
        email: str = self.cleaned_data["email"].lower()
        if Membership.objects.filter(club=self.club, user__email__iexact=email).exists():
            raise forms.ValidationError(_("This address is on the list already."))
        return email


class PasswordForm(forms.Form):
    """The form for the password of a new account."""

    password = forms.CharField(
        label=_lazy("Choose a password"),
        strip=False,
        max_length=4096,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_password(self) -> str:
        """Return the password if Django's password validators accept it."""
        validate_password(self.cleaned_data["password"])
        return str(self.cleaned_data["password"])


class InvitationCodeForm(forms.Form):
    """The form for the code of an invitation on paper."""

    code = forms.CharField(
        label=_lazy("Code on paper"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )


class CodeAndAccountForm(InvitationCodeForm, PasswordForm):
    """The form for the code of an invitation on paper, and a new account, where no mail can be sent."""

    email = forms.EmailField(label=_lazy("E-mail address"), max_length=254)
    field_order = ("code", "email", "password")
