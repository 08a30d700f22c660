"""What is typed about clubs and people, checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from .logos import MOST_BYTES, NotALogo, TooManyPixels, prepared_logo
from .models import Club, Membership, Role, User


class ClubForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    class Meta:
        model = Club
        fields = ["name", "paper", "stand_word", "language"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"] = forms.ChoiceField(
            label=self.fields["language"].label,
            choices=_languages(_("The language of whoever looks or prints"), settings.LANGUAGES),
            required=False,
        )


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


class ClubSettingsForm(ClubForm):
    """A club's settings, those included that nobody asks for when it is founded."""

    class Meta(ClubForm.Meta):
        fields = [
            *ClubForm.Meta.fields,
            "numbers_in_hundreds",
            "phones_show_names",
            "phones_show_later_rounds",
            "room_sounds",
        ]


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


class DirectorForm(forms.Form):
    """Somebody who has an account and is to direct as well."""

    email = forms.EmailField(label=_lazy("E-mail address of the new director"), max_length=254)

    def __init__(self, club: Club, data: Any = None) -> None:
        super().__init__(data)
        self.club = club

    def clean_email(self) -> User:
        user = User.objects.filter(email__iexact=self.cleaned_data["email"]).first()
        if user is None:
            raise forms.ValidationError(
                _("Nobody has an account with this address. Ask them to create one first.")
            )
        if Membership.objects.filter(club=self.club, user=user, role=Role.DIRECTOR).exists():
            raise forms.ValidationError(_("This director is on the list already."))
        return user
