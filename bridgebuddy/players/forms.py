"""Forms on the players' pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from bridgebuddy.events.code_limits import clean_code
from bridgebuddy.events.models import CODE_ALPHABET, CODE_LENGTH, Section

NEVER_IN_A_CODE = "0O1I"


class CodeForm(forms.Form):
    """The form for the code of a section, as printed on the table card."""

    code = forms.CharField(
        label=_("Session code"),
        max_length=40,
        error_messages={
            "required": _("Type the code that is printed on the card on your table."),
            "max_length": _("A code has 6 letters and digits. Look at the card on your table."),
        },
        widget=forms.TextInput(
            attrs={
                "class": "code-in",
                "autocapitalize": "characters",
                "autocomplete": "off",
                "spellcheck": "false",
                "enterkeyhint": "go",
            }
        ),
    )

    def clean_code(self) -> str:
        """Return the code in its stored form; refuse an impossible code."""
        code = clean_code(self.cleaned_data["code"])
        if any(letter in NEVER_IN_A_CODE for letter in code):
            raise ValidationError(
                _("A code never has 0, O, 1 or I in it. Look at the card on your table again.")
            )
        if len(code) != CODE_LENGTH or not set(code) <= set(CODE_ALPHABET):
            raise ValidationError(
                _("A code has 6 letters and digits. Look at the card on your table.")
            )
        return code

    def add_unknown_code(self) -> None:
        """Add the error that no session has this code."""
        self.add_error(
            "code",
            ValidationError(
                _(
                    "No session has the code %(code)s. Look at the card on your table again, "
                    "or ask the director."
                ),
                params={"code": self.cleaned_data["code"]},
            ),
        )


class SeenNoticeForm(forms.Form):
    """The form that says which version of the movement a contestant has seen; both fields are primary keys."""

    entry = forms.IntegerField()
    movement = forms.IntegerField()

    def __init__(self, section: Section, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.section = section

    def clean_entry(self) -> int:
        """Return the primary key of an entry of the section."""
        return self._known_key(self.cleaned_data["entry"], self.section.entries.values_list("pk"))

    def clean_movement(self) -> int:
        """Return the primary key of a version of the section's movement."""
        had = self.section.movements.values_list("movement_id")
        return self._known_key(self.cleaned_data["movement"], had)

    def _known_key(self, key: int, keys: Iterable[tuple[int]]) -> int:
        """Return `key` if it is one of `keys`; refuse it otherwise."""
        if (key,) not in keys:
            raise ValidationError(_("This page is no longer up to date. Look again."))
        return key
