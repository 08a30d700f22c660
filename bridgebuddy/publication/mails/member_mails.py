"""Mails of a club to its members: the addressees, the limits, sending in batches, and unsubscribing.

Only confirmed addresses of the club's own members get a mail. It is stored with its addressees in one transaction, so
that a second press finds it. A job sends a batch at a time, so that other jobs run in between. An address that is
deleted takes its waiting mails along.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.db.models import Count, Q
from django.db.models.functions import Lower
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.club_locale import in_club_formats
from bridgebuddy.clubs.models import Club, Person, User
from bridgebuddy.events.models import EntryPerson, PastPlayer, Session
from bridgebuddy.events.queries.sessions.club_sessions import real_sessions, sessions_scored_here
from bridgebuddy.jobs.kinds import RetryLater, job_kind
from bridgebuddy.jobs.services import request_job
from bridgebuddy.scoring.rules.files.lines import visible_text

from ..models import MemberMail, MemberMailDelivery, ResultsSubscription
from . import bounces
from .mailing import MailServerUnavailable, can_mail, is_refused_for_good, open_addresses

#: the job that sends a batch of a mail
SEND = "member-mail"
#: mails of a batch, and the pause before the next batch
BATCH, PAUSE = 50, timedelta(seconds=10)
#: a club's limits in 24 hours: mails, and addresses of all of them together
MOST_MAILS, MOST_ADDRESSES = 3, 2000
DAY = timedelta(days=1)
ABSENT_FOR = timedelta(weeks=6)
#: within this time, the same words to the same group are the same mail
SAME_WITHIN = timedelta(hours=1)
#: coming sessions whose players can be written to
MOST_SESSIONS = 12
SIGNER = signing.Signer(salt="mails to members")
State, Audience = MemberMailDelivery.State, MemberMail.Audience


class TooManyMails(Exception):
    """Error: the club has sent as many mails today, or to as many addresses, as it may."""


class NoAddressees(Exception):
    """Error: no member of the group has an address for the club's mails."""


# ── the addressees ──


@dataclass(frozen=True)
class Addressees:
    """The members of a chosen group, with and without an address for the club's mails."""

    club: Club
    audience: str
    session: Session | None = None

    @cached_property
    def people(self) -> list[Person]:
        """Return the members of the group by name, without visitors and anonymous people."""
        members = self.club.known_people.exclude(~Q(other_club=""), member_number="")
        if self.audience == Audience.SESSION:
            members = members.filter(pk__in=_players_of(self.session))
        elif self.audience == Audience.ABSENT:
            lately = _players_since(self.club, self.club.today - ABSENT_FOR + timedelta(days=1))
            members = members.filter(pk__in=_players_since(self.club)).exclude(pk__in=lately)
        return list(members.order_by("search"))

    @cached_property
    def addresses(self) -> list[ResultsSubscription]:
        """Return the addresses of these members that get the club's mails, by name."""
        wanted = open_addresses().filter(no_member_mails_since=None, person__in=self.people)
        return list(wanted.select_related("person").order_by("person__search"))

    @cached_property
    def members_without_address(self) -> list[Person]:
        """Return the members of the group that get no mail."""
        reached = {address.person_id for address in self.addresses}
        return [person for person in self.people if person.pk not in reached]

    @property
    def count(self) -> int:
        """Return the number of mails: a shared address gets one."""
        return len({address.email.casefold() for address in self.addresses})


def sessions_to_write_to(club: Club) -> list[Session]:
    """Return the club's sessions to come whose players can be written to, today's first."""
    coming = sessions_scored_here(club).filter(date__gte=club.today).select_related("event")
    return list(coming.order_by("date", "starts_at", "pk")[:MOST_SESSIONS])


def _players_of(session: Session | None) -> set[int]:
    """Return the primary keys of the people registered or entered for a session."""
    if session is None:
        return set()
    answers = session.answers.all()
    registered = answers.exclude(says=answers.model.AnswerKind.NOT).values_list("person", flat=True)
    listed = EntryPerson.objects.filter(section__session=session)
    return {*registered, *listed.values_list("person", flat=True)}


def _players_since(club: Club, first_day: date | None = None) -> set[int]:
    """Return the primary keys of the people who have played in a club since a date, or ever."""
    sessions = real_sessions(club).filter(date__lte=club.today).order_by()
    if first_day is not None:
        sessions = sessions.filter(date__gte=first_day)
    here = EntryPerson.objects.filter(section__session__in=sessions)
    imported = PastPlayer.objects.filter(line__past__session__in=sessions)
    return {*here.values_list("person", flat=True), *imported.values_list("person", flat=True)}


# ── sending ──


@dataclass(frozen=True)
class MailDraft:
    """A mail to members as typed: subject, text, reply address, and the key of its form."""

    subject: str
    text: str
    reply_to: str
    once: str


@transaction.atomic
def send_to_members(addressees: Addressees, draft: MailDraft, *, by: User) -> MemberMail:
    """Store a mail to members with its recipients, and queue the job that sends it.

    A second press returns the same mail, and so does another secretary who sends the same words.

    Raises `NoAddressees`, and `TooManyMails` if the club would exceed its limits.
    """
    club = Club.objects.select_for_update().get(pk=addressees.club.pk)
    values = {
        "audience": addressees.audience,
        "session": addressees.session,
        "subject": visible_text(draft.subject),
        "text": draft.text,
    }
    mails = MemberMail.objects.filter(club=club)
    same = mails.filter(**values, at__gt=timezone.now() - SAME_WITHIN)
    stored = mails.filter(once=draft.once).first() or same.first()
    if stored is not None:
        return stored
    if not addressees.addresses:
        raise NoAddressees
    if exceeds_limits(club, addressees.count):
        raise TooManyMails
    mail = MemberMail.objects.create(
        club=club,
        **values,
        reply_to=draft.reply_to,
        once=draft.once,
        by=by,
    )
    MemberMailDelivery.objects.bulk_create(
        MemberMailDelivery(mail=mail, address=address) for address in addressees.addresses
    )
    add_record("club.member_mail", club, by=by, count=addressees.count)
    request_job(SEND, mail.pk)
    return mail


def exceeds_limits(club: Club, count: int) -> bool:
    """Return whether a mail to `count` addresses would exceed what a club may send in a day."""
    since = timezone.now() - DAY
    mails = MemberMail.objects.filter(club=club, at__gt=since).count()
    deliveries = MemberMailDelivery.objects.filter(mail__club=club, mail__at__gt=since)
    addresses = deliveries.values("mail", email=Lower("address__email")).distinct().count()
    return mails >= MOST_MAILS or addresses + count > MOST_ADDRESSES


@job_kind(SEND, tries=8, seconds=240)
def send_batch(key: str) -> None:
    """Background job: send the next part of a mail to members, and queue the rest.

    Raises `MailServerUnavailable` if no address is left that has not been tried.
    """
    mail = MemberMail.objects.select_related("club").filter(pk=int(key)).first()
    if mail is None or not can_mail():
        return
    began = timezone.now()
    waiting = mail.deliveries.filter(state=State.WAITS)
    batch = list(waiting.select_related("address__person").order_by("at", "pk")[:BATCH])
    connection = get_connection()
    with in_club_formats(mail.club):
        for delivery in batch:
            _deliver(mail, delivery, connection)
    connection.close()
    if waiting.filter(at__lt=began).exists():
        raise RetryLater(PAUSE)
    if waiting.exists():
        raise MailServerUnavailable


def _deliver(mail: MemberMail, delivery: MemberMailDelivery, connection: Any) -> None:
    """Send a mail to members to one address, unless that is no longer wanted or it has got it."""
    address = delivery.address
    own = MemberMailDelivery.objects.filter(pk=delivery.pk)
    tried = mail.deliveries.filter(
        state__in=(State.SENT, State.REFUSED, State.BACK), address__email__iexact=address.email
    )
    if address.no_member_mails_since or not open_addresses().filter(pk=address.pk).exists():
        state: str = State.STOPPED
    elif tried.exists():
        state = State.SHARED
    else:
        # stored before sending: an unrecorded mail would be sent twice
        own.update(state=State.SENT, at=timezone.now())
        state = _state_after_sending(
            member_message(mail, address, delivery=delivery, connection=connection)
        )
    own.update(state=state, at=timezone.now())


def _state_after_sending(message: EmailMultiAlternatives) -> str:
    """Send a mail, and return the state of its delivery: sent, refused or waiting."""
    try:
        message.send()
    except (OSError, SMTPException) as wrong:
        return State.REFUSED if is_refused_for_good(wrong) else State.WAITS
    return State.SENT


def member_message(
    mail: MemberMail,
    address: ResultsSubscription,
    *,
    delivery: MemberMailDelivery | None = None,
    connection: Any = None,
) -> EmailMultiAlternatives:
    """Return a mail to members for one address in the active language, as plain text and HTML."""
    stop = str(settings.PUBLIC_URL).rstrip("/") + unsubscribe_address(address)
    context = {"mail": mail, "club": mail.club, "stop": stop, "language": get_language()}
    message = EmailMultiAlternatives(
        f"{visible_text(mail.club.name)}: {mail.subject}",
        render_to_string("publication/member_mail.txt", context),
        from_email=bounces.envelope_sender(address, delivery),
        to=[address.email],
        reply_to=[mail.reply_to] if mail.reply_to else None,
        connection=connection,
        headers={
            "From": str(settings.DEFAULT_FROM_EMAIL),
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Precedence": "bulk",
        },
    )
    message.attach_alternative(
        render_to_string("publication/member_mail.html", context), "text/html"
    )
    return message


# ── what came back, and unsubscribing ──


def delivery_counts(mail: MemberMail) -> dict[str, int]:
    """Return how many deliveries of a mail to members are in each state."""
    rows = mail.deliveries.order_by().values_list("state").annotate(Count("pk"))
    return {str(state): count for state, count in rows}


def unsubscribe_address(address: ResultsSubscription) -> str:
    """Return the address of the page where the recipient unsubscribes from mails to members."""
    return reverse("member-mails-off", args=[SIGNER.sign(str(address.pk))])


def find_signed_address(signed: str) -> ResultsSubscription | None:
    """Return the subscription in a signed unsubscribe link; None if the link is wrong or outdated."""
    try:
        key = SIGNER.unsign(signed)
    except signing.BadSignature:
        return None
    found = ResultsSubscription.objects.filter(pk=int(key))
    return found.select_related("person__club").first()


def unsubscribe(address: ResultsSubscription, *, is_off: bool = True) -> None:
    """Stop mails to members for an e-mail address, or allow them again, for all people who share it."""
    shared = ResultsSubscription.objects.filter(
        person__club=address.person.club_id, email__iexact=address.email
    )
    shared.update(no_member_mails_since=timezone.now() if is_off else None)
