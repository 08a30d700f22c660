"""Changes of a confirmed e-mail address, asked for on an own page, with a delay of a day.

The page's address may be in other hands than its owner's. So the old address stays valid for a day
and is told of the change. The club's directors are told too, and both can revert it.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.club_locale import in_club_formats
from bridgebuddy.clubs.models import Person, User
from bridgebuddy.jobs.kinds import job_kind
from bridgebuddy.jobs.services import request_job
from bridgebuddy.scoring.rules.files.lines import visible_text

from ..models import ResultsSubscription, new_token
from ..waiting_changes import ANOTHER_ADDRESS, NO_MAILS, TELL, WAIT
from .mailing import confirmation_link, mail_to_person, subscribe

CHANGE = "change-mail-addresses"
#: after this time an unconfirmed new address is deleted
CONFIRMED_WITHIN = timedelta(days=30)
NOTHING_NEXT = {"next_email": "", "next_token": None, "next_since": None, "next_confirmed_at": None}


def request_address_change(person: Person, email: str, *, reminds: bool = False) -> bool:
    """Send a confirmation mail to a player's new address; return whether the change must wait.

    Raises `OSError`. Without a confirmed old address the change does not wait.
    """
    with transaction.atomic():
        address = ResultsSubscription.objects.select_for_update().filter(person=person).first()
        if address is not None and address.confirmed_at is not None:
            _store_next_address(address, email)
    if address is None or address.confirmed_at is None:
        subscribe(person, email, reminds=reminds)
        return False
    if not address.next_email:
        return False
    club = person.club
    with in_club_formats(club):
        subject = _("Results of %(club)s by e-mail?") % {"club": club.name}
        words = _(
            "%(club)s would like to send your results to this address. To agree, open this "
            "page and confirm. Otherwise you get no mails.\n\n%(page)s"
        ) % {"club": club.name, "page": confirmation_link(address, is_next=True)}
        letter = mail_to_person(address, visible_text(subject), words)
    letter.to = [address.next_email]
    letter.send()
    return True


def _store_next_address(address: ResultsSubscription, email: str) -> None:
    """Store the address that shall replace the present one; the present one cancels the change."""
    if email.casefold() == address.email.casefold():
        ResultsSubscription.objects.filter(pk=address.pk).update(stopped_at=None, **NOTHING_NEXT)
        address.next_email = ""
        return
    address.next_email, address.next_token = email, new_token()
    address.next_since, address.next_confirmed_at = timezone.now(), None
    address.save()
    add_record("club.mail_change_asked", address.person.club, by=None, name=address.person.name)
    request_job(TELL, f"{ANOTHER_ADDRESS} {address.person_id}")
    request_job(CHANGE, wait=WAIT)


@transaction.atomic
def stop_mails(person: Person) -> None:
    """Stop all mails to a person; a confirmed address is deleted a day later unless the owner keeps it."""
    addresses = ResultsSubscription.objects.select_for_update().filter(person=person)
    addresses.filter(confirmed_at=None).delete()
    if addresses.filter(stopped_at=None).update(stopped_at=timezone.now()):
        request_job(TELL, f"{NO_MAILS} {person.pk}")
        request_job(CHANGE, wait=WAIT)


@transaction.atomic
def keep_address(address: ResultsSubscription, *, by: User | None) -> None:
    """Keep an e-mail address, and cancel a requested change or deletion of it."""
    waiting = ResultsSubscription.objects.filter(pk=address.pk)
    waiting = waiting.filter(Q(next_since__isnull=False) | Q(stopped_at__isnull=False))
    if waiting.update(stopped_at=None, **NOTHING_NEXT):
        add_record("club.mail_change_refused", address.person.club, by=by, name=address.person.name)


@transaction.atomic
def confirm_next(address: ResultsSubscription) -> None:
    """Mark a player's new address as confirmed; it replaces the old one after the delay."""
    asked = ResultsSubscription.objects.filter(pk=address.pk, next_token=address.next_token)
    asked.filter(next_confirmed_at=None).update(next_confirmed_at=timezone.now())
    change_addresses("")


def cancel_next_address(address: ResultsSubscription) -> None:
    """Cancel the new address of a player, because its owner refuses mails."""
    ResultsSubscription.objects.filter(pk=address.pk).update(**NOTHING_NEXT)


@job_kind(CHANGE, nightly=True)
@transaction.atomic
def change_addresses(_key: str = "") -> None:
    """Background job: replace addresses whose delay is over, and delete those that were stopped."""
    now = timezone.now()
    asked = ResultsSubscription.objects.select_for_update().filter(next_since__lte=now - WAIT)
    for address in asked.filter(next_confirmed_at__isnull=False):
        ResultsSubscription.objects.filter(pk=address.pk).update(
            email=address.next_email,
            token=address.next_token,
            confirmed_at=address.next_confirmed_at,
            gone_since=None,
            stopped_at=None,
            **NOTHING_NEXT,
        )
    asked.filter(next_since__lte=now - CONFIRMED_WITHIN).update(**NOTHING_NEXT)
    ResultsSubscription.objects.filter(stopped_at__lte=now - WAIT).delete()
