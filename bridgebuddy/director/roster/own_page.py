"""The address of a player's own page: given, renewed and ended by the director."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.queries.roster.players import LATELY, seats_in_earnest
from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.publication.mails.mailing import can_mail, mail_own_page, open_addresses
from bridgebuddy.publication.mails.subscribing import send_one
from bridgebuddy.publication.models import PlayerPage
from bridgebuddy.publication.own import links
from bridgebuddy.registration.blocked_requests import close_report, open_reports
from bridgebuddy.web.qr_codes import qr_svg

from ..refusals import change_refused


@require_POST
def player_own_page(request: UserRequest, pk: int, person: int) -> HttpResponse:
    """Create, show, mail or end the secret address of a player's personal page (own page).

    The requests are to be forgotten, and messages to the club.
    """
    club = club_for_secretary(request, pk)
    player = get_object_or_404(club.known_people, pk=person)
    page = PlayerPage.objects.filter(person=player).select_related("person__club").first()
    match request.POST.get("do"):
        case "give":
            return _address_page(request, links.give_address(player, by=request.user))
        case "show" if page and not page.ended_at:
            return _address_page(request, page)
        case "mail" if page and not page.ended_at:
            _send_page_address(request, player, page)
        case "end" if page:
            links.end_address(page, by=request.user)
        case "seen-to":
            for told in open_reports(club).filter(person=player):
                close_report(told, by=request.user)
            return redirect("players", pk=club.pk)
        case "keep" if page:
            try:
                links.cancel_deletion(page, by=request.user)
            except ChangeRefused as refused:
                messages.warning(request, change_refused(refused))
    return redirect("edit-player", pk=club.pk, person=player.pk)


@require_POST
def players_own_pages(request: UserRequest, pk: int) -> HttpResponse:
    """Show slips to print with the secret addresses of recent players' personal pages; create missing ones.

    The browser prints them, because files made by the server are kept for hours.
    """
    club = club_for_secretary(request, pk)
    lately = seats_in_earnest().filter(section__session__date__gte=club.today - LATELY)
    people = club.known_people.filter(pk__in=lately.order_by().values("person"))
    for person in people.filter(own_page=None):
        links.give_first_address(person, PlayerPage.Way.CLUB, by=request.user)
    pages = PlayerPage.objects.filter(person__in=people, ended_at=None).order_by("person__search")
    return _slips_page(request, club, list(pages.select_related("person__club")), "own_pages")


def _address_page(request: UserRequest, page: PlayerPage) -> HttpResponse:
    """Render the secret address of one player's personal page with its QR code."""
    return _slips_page(request, page.person.club, [page], "own_page")


def _slips_page(
    request: UserRequest, club: Club, pages: list[PlayerPage], template: str
) -> HttpResponse:
    """Render printable slips, each with the secret address of a player's personal page."""
    base = phone_base(request)
    context = {
        "club": club,
        "tab": "players",
        "person": pages[0].person if pages else None,
        "slips": [_slip_context(base, page) for page in pages],
    }
    response = render(request, f"director/{template}.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _slip_context(base: str, page: PlayerPage) -> dict[str, object]:
    """Return the name, address, code and QR code of a player's personal page, for a printed slip."""
    address, code = base + links.page_address(page), links.page_code(page)
    return {
        "name": page.person.name,
        "address": address,
        "code": " ".join(code[at : at + 4] for at in range(0, len(code), 4)),
        "where": base.partition("//")[2] + reverse("own-code"),
        "square": qr_svg(address, _("Address of the player’s own page")),
    }


def _send_page_address(request: UserRequest, person: Person, page: PlayerPage) -> None:
    """Mail a player the secret address of the player's personal page, if an e-mail address is confirmed."""
    mail = open_addresses().filter(person=person).first()
    if mail is None or not can_mail():
        messages.warning(request, _("There is no confirmed address."))
        return
    send_one(request, mail.email, lambda: mail_own_page(mail, page), _("Sent."))
