"""What players type."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from bridgebuddy.events.models import CODE_ALPHABET, CODE_LENGTH

NEVER_IN_A_CODE = "0O1I"


def clean_code(typed: str) -> str:
    """Return a code without the spaces and hyphens people put in, in capitals.

    >>> clean_code(" lmd-42x ")
    'LMD42X'
    """
    return "".join(c for c in typed.upper() if c.isascii() and c.isalnum())


class CodeForm(forms.Form):
    """The code of a session, as it stands on the table card."""

    code = forms.CharField(
        label=_("Session code"),
        max_length=40,
        error_messages={
            "required": _("Type the code that stands on the card on your table."),
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
        """Return the code; say what a code never looks like, and nothing about other codes."""
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

    def refuse(self) -> None:
        """Say that no session has this code."""
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
