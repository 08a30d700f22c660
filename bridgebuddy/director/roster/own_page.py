"""The address of a player's own page: given, renewed and ended by the director."""

from __future__ import annotations

import logging

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from bridgebuddy.clubs.accounts import MAILS
from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.views import club_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.network import phone_base
from bridgebuddy.publication.mailing import can_mail, mail_own_page
from bridgebuddy.publication.models import MailAddress, OwnPage
from bridgebuddy.publication.own import links
from bridgebuddy.qr import qr_svg

from ..refusals import change_refused

log = logging.getLogger(__name__)


@require_POST
def player_own_page(request: UserRequest, pk: int, person: int) -> HttpResponse:
    """Give somebody the address of their own page, end it, or keep who asked to be forgotten."""
    club = club_for_director(request, pk)
    found = get_object_or_404(club.known_people, pk=person)
    page = OwnPage.objects.filter(person=found).select_related("person__club").first()
    match request.POST.get("do"):
        case "give":
            return _shown(request, links.give(found, by=request.user))
        case "show" if page and not page.ended_at:
            return _shown(request, page)
        case "mail" if page and not page.ended_at:
            _mail(request, found, page)
        case "end" if page:
            links.end(page, by=request.user)
        case "keep" if page:
            try:
                links.keep(page, by=request.user)
            except ChangeRefused as refused:
                messages.warning(request, change_refused(refused))
    return redirect("edit-player", pk=club.pk, person=found.pk)


def _shown(request: UserRequest, page: OwnPage) -> HttpResponse:
    """Show an address, and as a square code for a phone: nobody keeps this page."""
    address = phone_base(request) + links.address_of(page)
    code = links.code_of(page)
    context = {
        "club": page.person.club,
        "tab": "players",
        "person": page.person,
        "own_address": address,
        "code": " ".join(code[at : at + 4] for at in range(0, len(code), 4)),
        "square": qr_svg(address, _("Address of the own page")),
    }
    response = render(request, "director/own_page.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _mail(request: UserRequest, person: Person, page: OwnPage) -> None:
    mail = MailAddress.objects.filter(person=person, confirmed_at__isnull=False).first()
    if mail is None or not can_mail():
        messages.warning(request, _("There is no confirmed address."))
        return
    if MAILS.count(mail.email):
        messages.warning(request, _("This address has had many mails. Try again in an hour."))
        return
    try:
        mail_own_page(mail, page)
    except OSError as wrong:
        log.error("An e-mail could not be sent: %s: %s", type(wrong).__name__, wrong)
        messages.warning(request, _("The mail server is away. Try again later."))
    else:
        messages.success(request, _("Sent."))
