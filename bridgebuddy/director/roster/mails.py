"""Where a player wants results sent: typed by the director, confirmed by the player."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from bridgebuddy.clubs.accounts import MAILS
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.views import club_for_director
from bridgebuddy.publication.mailing import can_mail, want
from bridgebuddy.publication.models import MailAddress

log = logging.getLogger(__name__)


class MailForm(forms.Form):
    """An address."""

    email = forms.EmailField(max_length=254)


@require_POST
def player_mail(request: UserRequest, pk: int, person: int) -> HttpResponse:
    """Ask somebody at an address whether results shall come there; or forget the address."""
    club = club_for_director(request, pk)
    found = get_object_or_404(club.known_people, pk=person)
    form = MailForm(request.POST)
    if request.POST.get("do") == "forget":
        MailAddress.objects.filter(person=found).delete()
    elif not can_mail():
        messages.warning(request, _("This server sends no results by e-mail."))
    elif not form.is_valid():
        messages.warning(request, _("This is no e-mail address."))
    else:
        email = form.cleaned_data["email"]
        said = _("A mail asks whether that is so. Nothing else comes before.")
        send_one(request, email, lambda: want(found, email), said)
    return redirect("edit-player", pk=club.pk, person=found.pk)


def send_one(request: UserRequest, email: str, send: Callable[[], object], said: str) -> None:
    """Send a mail to an address that has not had many lately, and say on the next page what came of it."""
    if MAILS.count(email):
        messages.warning(request, _("This address has had many mails. Try again in an hour."))
        return
    try:
        send()
    except OSError as wrong:
        log.error("An e-mail could not be sent: %s: %s", type(wrong).__name__, wrong)
        messages.warning(request, _("The mail server is away. Try again later."))
    else:
        messages.success(request, said)
