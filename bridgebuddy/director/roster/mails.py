"""A player's address for results: typed by the director, confirmed by the player."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.publication.mails.mail_changes import keep_address
from bridgebuddy.publication.mails.mailing import can_mail, store_unconfirmed
from bridgebuddy.publication.mails.subscribing import EmailAddressForm, request_confirmation
from bridgebuddy.publication.models import ResultsSubscription

LONGEST_SHOWN = 80


@require_POST
def player_mail(request: UserRequest, pk: int, person: int) -> HttpResponse:
    """Ask a player by mail whether results may be sent to an address; or delete or keep the address."""
    club = club_for_secretary(request, pk)
    player = get_object_or_404(club.known_people, pk=person)
    if request.POST.get("do") == "forget":
        ResultsSubscription.objects.filter(person=player).delete()
    elif request.POST.get("do") == "keep":
        for address in ResultsSubscription.objects.filter(person=player).select_related(
            "person__club"
        ):
            keep_address(address, by=request.user)
    elif not can_mail():
        _store_address(request, player)
    else:
        request_confirmation(request, player, request.POST)
    return redirect("edit-player", pk=club.pk, person=player.pk)


def _store_address(request: UserRequest, player: Person) -> None:
    """Store the typed address, unconfirmed: this server sends no mail that could ask for it."""
    form = EmailAddressForm(request.POST)
    if not form.is_valid():
        text = request.POST.get("email", "").strip()[:LONGEST_SHOWN]
        messages.warning(
            request,
            _("This is no e-mail address: %(text)s.") % {"text": text}
            if text
            else _("This is no e-mail address."),
        )
    elif store_unconfirmed(player, form.cleaned_data["email"], asks=False):
        messages.success(request, _("Saved."))
    else:
        messages.warning(
            request, _("Another address is already stored. Forget it first, then type the new one.")
        )
