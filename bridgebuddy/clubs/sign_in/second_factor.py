"""An optional second factor: allauth's module with our texts and limits.

Secrets are stored in the database like password hashes. A thief of a backup and a password has both.
"""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.web.qr_codes import qr_svg

from ..models import User
from .limits import AttemptLimit
from .security import EventKind, store_event_in_users_clubs

#: the password was right already, so attempts are counted by account
CODES = AttemptLimit("wrong codes from a phone", 10, 600)


class SecondFactor(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """The adapter that gives django-allauth's second factor our issuer name and QR code."""

    def get_totp_issuer(self) -> str:
        """Return the name under which authenticator apps list this account."""
        return "BridgeBuddy"

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code with the secret for an authenticator app, as SVG."""
        return qr_svg(url)


def _code_field() -> forms.CharField:
    """Return the form field for a code of the authenticator app or a recovery code."""
    attrs = {"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}
    label = _lazy("Code from the app, or one from your sheet")
    return forms.CharField(label=label, max_length=20, widget=forms.TextInput(attrs=attrs))


class _LimitedCodeForm:
    """Mixin for forms that ask for a code, with a limit of tries."""

    user: User

    def clean_code(self) -> str:
        """Check a code; refuse it after too many wrong ones."""
        client = str(self.user.pk)
        if CODES.count(client):
            raise get_adapter().validation_error("too_many_login_attempts")
        code: str = super().clean_code()  # type: ignore[misc]  # the form it is mixed into
        CODES.uncount_attempt(client)
        return code


class SignInCodeForm(_LimitedCodeForm, AuthenticateForm):  # type: ignore[misc]  # allauth has no types
    """The form for the second factor's code, after the password."""

    code = _code_field()


class ConfirmCodeForm(_LimitedCodeForm, ReauthenticateForm):  # type: ignore[misc]  # allauth has no types
    """The form that asks for a code before the second factor is changed."""

    code = _code_field()


class FirstCodeForm(ActivateTOTPForm):  # type: ignore[misc]  # allauth has no types
    """The form for the first code of a newly connected authenticator app, which shows that it works."""

    code = _code_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _lazy("The six digits that the app shows now")

    @property
    def spaced_secret(self) -> str:
        """Return the app's secret for typing: capitals in groups of four."""
        return " ".join(self.secret[at : at + 4] for at in range(0, len(self.secret), 4))


def remove_second_factor(user: User) -> bool:
    """Remove a user's second factor after a loss of phone and recovery codes. Return whether there was one."""
    authenticators = Authenticator.objects.filter(user=user)
    had: bool = authenticators.filter(type=Authenticator.Type.TOTP).exists()
    authenticators.delete()
    if had:
        store_event_in_users_clubs(user, EventKind.NO_FACTOR, by=None)
    return had


@receiver([authenticator_added, authenticator_removed])
def _note_changed_factor(
    signal: object, user: User, authenticator: Authenticator, **rest: Any
) -> None:
    """Store a security event when a second factor is turned on or off."""
    if authenticator.type == Authenticator.Type.TOTP:
        is_new = signal is authenticator_added
        store_event_in_users_clubs(
            user, EventKind.FACTOR if is_new else EventKind.NO_FACTOR, by=user
        )


@receiver(authentication_failed)
def _note_wrong_code(user: User, **rest: Any) -> None:
    """Store a security event for a wrong password or code of `user`."""
    store_event_in_users_clubs(user, EventKind.FAILED, by=None)
