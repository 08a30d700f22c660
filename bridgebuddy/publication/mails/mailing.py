"""Players' e-mail addresses: confirmation, and mails to confirmed addresses."""

from __future__ import annotations

from collections.abc import Mapping
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.db import transaction
from django.db.models import Count, QuerySet
from django.db.models.signals import post_save
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from bridgebuddy.clubs.club_locale import in_club_formats
from bridgebuddy.clubs.models import Person, User
from bridgebuddy.clubs.sign_in.accounts import MAILS
from bridgebuddy.jobs.kinds import job_kind
from bridgebuddy.jobs.services import request_job
from bridgebuddy.scoring.rules.files.lines import visible_text

from ..models import PlayerPage, ResultsMail, ResultsSubscription
from ..own import links
from . import bounces

#: the job that sends a player the address of their own page
OWN_PAGE = "mail-own-page"
#: the job that asks a person to confirm their address
CONFIRM = "mail-confirmation"
#: a mail server's permanent failure
NEVER = 500


class MailServerUnavailable(Exception):
    """Error: the mail server accepts no mail now; the background job is tried again later."""


def can_mail() -> bool:
    """Return whether mails can be sent: a mail server and a public address are configured."""
    return bool(settings.HAS_MAIL and settings.PUBLIC_URL)


def connect_signals() -> None:
    """Connect the handler that deletes a person's e-mail address together with the name."""
    post_save.connect(_forget_address, sender=Person, dispatch_uid="mail addresses")


def _forget_address(instance: Person, **_sent: object) -> None:
    """Delete the e-mail address of a person who becomes anonymous."""
    if instance.anonymous_since is not None:
        ResultsSubscription.objects.filter(person=instance).delete()


def subscribe(person: Person, email: str, *, reminds: bool = False) -> ResultsSubscription:
    """Store a player's e-mail address, and send a confirmation mail to it.

    Raises `OSError`. Wishes for reminders and for no mails to members are carried over from the old address.
    """
    with transaction.atomic():
        # a second press must not create a second address
        Person.objects.select_for_update().get(pk=person.pk)
        before = ResultsSubscription.objects.filter(person=person)
        reminds = reminds or before.filter(reminds=True).exists()
        without = before.values_list("no_member_mails_since", flat=True).first()
        before.delete()
        address = ResultsSubscription.objects.create(
            person=person, email=email, reminds=reminds, no_member_mails_since=without
        )
    _ask_to_confirm(address)
    return address


def store_unconfirmed(person: Person, email: str, *, asks: bool) -> ResultsSubscription | None:
    """Store an unconfirmed e-mail address for a person; return None if the person has an address.

    A confirmation mail follows if `asks`.
    """
    address, is_new = ResultsSubscription.objects.get_or_create(
        person=person, defaults={"email": email}
    )
    if is_new and asks and can_mail():
        request_job(CONFIRM, person.pk)
    return address if is_new else None


@job_kind(CONFIRM, tries=8, seconds=60)
def mail_confirmation(key: str) -> None:
    """Background job: mail the confirmation link to an unconfirmed address, unless it had many mails lately.

    Raises `OSError`.
    """
    unconfirmed = ResultsSubscription.objects.filter(person=int(key), confirmed_at=None)
    address = unconfirmed.select_related("person__club").first()
    if address is not None and can_mail() and not MAILS.count(address.email):
        with in_club_formats(address.person.club):
            _ask_to_confirm(address)


def _ask_to_confirm(address: ResultsSubscription) -> None:
    """Send the mail with the confirmation link to an address."""
    club = address.person.club
    subject = _("Results of %(club)s by e-mail?") % {"club": club.name}
    words = _(
        "%(club)s would like to send your results to this address. To agree, open this page "
        "and confirm. Otherwise you get no mails.\n\n%(page)s"
    ) % {"club": club.name, "page": confirmation_link(address)}
    mail_to_person(address, visible_text(subject), words).send()


def mail_to_person(
    address: ResultsSubscription,
    subject: str,
    words: str,
    *,
    html: str = "",
    letter: ResultsMail | None = None,
    connection: Any = None,
    headers: Mapping[str, str] | None = None,
) -> EmailMessage:
    """Return a mail to a player's address, with an envelope sender that identifies bounces.

    With `html` it has two parts: the plain text, and the page.
    """
    message = EmailMultiAlternatives(
        subject,
        words,
        from_email=bounces.envelope_sender(address, letter),
        to=[address.email],
        connection=connection,
        headers={"From": str(settings.DEFAULT_FROM_EMAIL), **(headers or {})},
    )
    if html:
        message.attach_alternative(html, "text/html")
    return message


def unsubscribable_mail(
    address: ResultsSubscription,
    subject: str,
    parts: list[str],
    *,
    connection: Any = None,
) -> EmailMessage:
    """Return an automatic mail to a player, with links to the personal page and to unsubscribe (RFC 8058).

    It has plain text, and the same as HTML.
    """
    if page := links.page_to_mail(address.person):
        parts = [*parts, own_page_sentence(page)]
    stop = confirmation_link(address)
    club = address.person.club
    context = {"subject": visible_text(subject), "parts": parts, "club": club, "stop": stop}
    html = render_to_string("mails/short.html", context | {"language": get_language()})
    parts = [*parts, _("To stop these mails, open %(page)s") % {"page": stop}]
    return mail_to_person(
        address,
        visible_text(subject),
        "\n\n".join(parts),
        html=html,
        connection=connection,
        headers=unsubscribe_headers(stop),
    )


def unsubscribe_headers(stop: str) -> dict[str, str]:
    """Return the mail headers that let a mail program unsubscribe with one click (RFC 8058)."""
    return {
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }


def open_addresses() -> QuerySet[ResultsSubscription]:
    """Return the addresses that may receive mails: confirmed, working and not stopped."""
    return ResultsSubscription.objects.filter(
        confirmed_at__isnull=False, gone_since=None, stopped_at=None
    )


def confirmation_link(address: ResultsSubscription, *, is_next: bool = False) -> str:
    """Return the link on which an address is confirmed (or the next one), or all mails are stopped."""
    base = str(settings.PUBLIC_URL).rstrip("/")
    return base + reverse("mail-address", args=[address.next_token if is_next else address.token])


def own_page_sentence(page: PlayerPage) -> str:
    """Return a sentence with the link to a player's personal page."""
    address = str(settings.PUBLIC_URL).rstrip("/") + links.page_address(page)
    return _("Your own page, for you alone: %(page)s") % {"page": address}


def mail_own_page(address: ResultsSubscription, page: PlayerPage) -> None:
    """Mail a player the link to their personal page.

    Raises `OSError`.
    """
    club = address.person.club
    with in_club_formats(club):
        subject = _("Your own page at %(club)s") % {"club": club.name}
        mail_to_person(address, visible_text(subject), own_page_sentence(page)).send()


def mail_counts(session: int) -> dict[str, int]:
    """Return how many results mails of a session are in each state.

    Makes one query.
    """
    states = ResultsMail.objects.filter(session=session).values_list("state").annotate(Count("pk"))
    counted = dict(states.order_by())
    return (
        {str(state): counted.get(state, 0) for state in ResultsMail.State.values} if counted else {}
    )


@job_kind(OWN_PAGE, tries=8, seconds=60)
def mail_own_page_of(key: str) -> None:
    """Background job: mail a player the link to their personal page, if their address is confirmed.

    Raises `OSError`.
    """
    address = open_addresses().filter(person=int(key)).select_related("person__club").first()
    if address is None or not can_mail():
        return
    if page := links.page_to_mail(address.person):
        mail_own_page(address, page)


def language_of(address: ResultsSubscription) -> str:
    """Return the language of mails to an address: that of the person's account, else of the club.

    Makes one query.
    """
    club = address.person.club
    own = User.objects.filter(memberships__person=address.person).values_list("language", flat=True)
    return own.first() or club.language or settings.LANGUAGE_CODE


def send_mail(message: EmailMessage) -> bool:
    """Send a mail; return False if the mail server is unavailable and it must be tried again."""
    try:
        message.send()
    except (OSError, SMTPException) as wrong:
        return is_refused_for_good(wrong)
    return True


def is_refused_for_good(error: Exception) -> bool:
    """Return whether the mail server refuses a mail permanently."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= NEVER for code, _words in error.recipients.values())
    return isinstance(error, SMTPResponseException) and error.smtp_code >= NEVER
