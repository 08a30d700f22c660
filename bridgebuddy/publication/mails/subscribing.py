"""The form for an e-mail address, typed by the director or its owner, and its confirmation."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.sign_in.accounts import MAILS

from .mailing import can_mail, subscribe

log = logging.getLogger(__name__)


class EmailAddressForm(forms.Form):
    """The form for a player's e-mail address."""

    email = forms.EmailField(max_length=254)


def request_confirmation(
    request: HttpRequest,
    person: Person,
    form_data: Mapping[str, str],
    *,
    ask_for: Callable[..., object] = subscribe,
) -> None:
    """Send a confirmation mail to the typed address, and queue a message for the next page.

    `ask_for` stores the address and sends the mail; an own page has a version with a delay.
    """
    form = EmailAddressForm(form_data)
    if not can_mail():
        messages.warning(request, _("This server sends no results by e-mail."))
    elif not form.is_valid():
        messages.warning(request, _("This is no e-mail address."))
    else:
        email = form.cleaned_data["email"]
        message = _("A mail asks you to confirm the address. Until then you get no other mails.")
        reminds = form_data.get("reminds") == "1"
        send_one(request, email, lambda: ask_for(person, email, reminds=reminds), message)


def send_one(request: HttpRequest, email: str, send: Callable[[], object], message: str) -> None:
    """Send one mail with `send`, unless `email` had many lately, and queue a message for the next page."""
    if MAILS.count(email):
        messages.warning(
            request, _("Too many mails have been sent to this address. Try again in an hour.")
        )
        return
    try:
        send()
    except OSError as wrong:
        log.error("An e-mail could not be sent: %s: %s", type(wrong).__name__, wrong)
        messages.warning(request, _("The mail server does not answer. Try again later."))
    else:
        messages.success(request, message)
