"""Results by e-mail: the own sheet and the ranking, to whoever gave an address and confirmed it.

A letter is sent once for a list that is final, and again only if the reader's own line or sheet is another now. What is
not sent because the mail server is away waits for the next try; whom the server refuses is not tried again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import Count, QuerySet
from django.db.models.signals import post_save
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.public_names import in_public
from bridgebuddy.clubs.ways import written_by
from bridgebuddy.events.models import EntryPerson, Section
from bridgebuddy.events.queries.sections import sections
from bridgebuddy.jobs.kinds import Later, does
from bridgebuddy.scoring.models import Scoring
from bridgebuddy.scoring.queries.files import exported
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.scoring.queries.tonight import Tonight
from bridgebuddy.scoring.rules.files import text
from bridgebuddy.scoring.rules.files.exported import Exported
from bridgebuddy.scoring.rules.files.lines import Line, visible
from bridgebuddy.scoring.rules.results import Side
from bridgebuddy.scoring.services.noting import MAIL
from bridgebuddy.scoring.templatetags.results import percent, points

from . import bounces
from .models import Letter, MailAddress, OwnPage
from .own import links

#: the job that sends somebody the address of their own page
OWN_PAGE = "mail-own-page"
#: an answer of a mail server that says never
NEVER = 500


class MailIsAway(Exception):
    """The mail server takes nothing now; the job is tried again."""


def can_mail() -> bool:
    """Whether results can be sent: there is a mail server, and links lead somewhere."""
    return bool(settings.HAS_MAIL and settings.PUBLIC_URL)


def listen() -> None:
    """Let an address go with its owner's name."""
    post_save.connect(_forget_address, sender=Person, dispatch_uid="mail addresses")


def _forget_address(instance: Person, **_sent: object) -> None:
    if instance.anonymous_since is not None:
        MailAddress.objects.filter(person=instance).delete()


def want(person: Person, email: str, *, reminds: bool = False) -> MailAddress:
    """Note where somebody wants results sent, and ask them there whether that is so. Raises `OSError`.

    Who was reminded at the address before is at this one.
    """
    with transaction.atomic():
        Person.objects.select_for_update().get(pk=person.pk)  # two presses make one address
        before = MailAddress.objects.filter(person=person)
        reminds = reminds or before.filter(reminds=True).exists()
        before.delete()
        address = MailAddress.objects.create(person=person, email=email, reminds=reminds)
    club = person.club
    subject = _("Results of %(club)s by e-mail?") % {"club": club.name}
    words = _(
        "%(club)s would send your results here. Open this page and say yes; otherwise nothing comes.\n\n%(page)s"
    ) % {"club": club.name, "page": page_of(address)}
    letter_to(address, visible(subject), words).send()
    return address


def letter_to(
    address: MailAddress,
    subject: str,
    words: str,
    *,
    letter: Letter | None = None,
    connection: Any = None,
    headers: Mapping[str, str] | None = None,
) -> EmailMessage:
    """Return a mail to somebody: from us, in an envelope by which we know it where it comes back."""
    return EmailMessage(
        subject,
        words,
        from_email=bounces.sender(address, letter),
        to=[address.email],
        connection=connection,
        headers={"From": str(settings.DEFAULT_FROM_EMAIL), **(headers or {})},
    )


def stoppable(
    address: MailAddress,
    subject: str,
    parts: list[str],
    *,
    letter: Letter | None = None,
    connection: Any = None,
) -> EmailMessage:
    """Return a mail that comes by itself: with the way to their own page, and to have no more of them (RFC 8058)."""
    if page := links.to_be_mailed(address.person):
        parts = [*parts, own_page_said(page)]
    stop = page_of(address)
    parts = [*parts, _("No more of these mails: %(page)s") % {"page": stop}]
    return letter_to(
        address,
        visible(subject),
        "\n\n".join(parts),
        letter=letter,
        connection=connection,
        headers={
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )


def open_addresses() -> QuerySet[MailAddress]:
    """Return to whom letters may go: who has confirmed it, and where they arrive."""
    return MailAddress.objects.filter(confirmed_at__isnull=False, gone_since=None, stopped_at=None)


def page_of(address: MailAddress, *, is_next: bool = False) -> str:
    """Return where somebody confirms an address, or the one that follows it, or stops all mails."""
    base = str(settings.PUBLIC_URL).rstrip("/")
    return base + reverse("mail-address", args=[address.next_token if is_next else address.token])


def own_page_said(page: OwnPage) -> str:
    """Say where somebody's own page is."""
    address = str(settings.PUBLIC_URL).rstrip("/") + links.address_of(page)
    return _("Your own page, for nobody else: %(page)s") % {"page": address}


def mail_own_page(address: MailAddress, page: OwnPage) -> None:
    """Send somebody the address of their own page. Raises `OSError`."""
    club = address.person.club
    with written_by(club):
        subject = _("Your own page at %(club)s") % {"club": club.name}
        letter_to(address, visible(subject), own_page_said(page)).send()


def counts(session: int) -> dict[str, int]:
    """Return how many letters of a session were sent, wait, were not taken, and came back. One query."""
    found = Letter.objects.filter(session=session).values_list("state").annotate(Count("pk"))
    known = dict(found.order_by())
    return {str(state): known.get(state, 0) for state in Letter.State.values} if known else {}


@does(OWN_PAGE, tries=8, seconds=60)
def mail_own_page_of(key: str) -> None:
    """Send somebody the address of their own page, where they have confirmed an e-mail address. Raises `OSError`."""
    address = open_addresses().filter(person=int(key)).select_related("person__club").first()
    if address is None or not can_mail():
        return
    if page := links.to_be_mailed(address.person):
        mail_own_page(address, page)


@does(MAIL, tries=8, seconds=240)
def mail_results(key: str) -> None:
    """Send what came of a session to whoever has not read it so."""
    section = sections().filter(session=int(key)).order_by("pk").first()
    scoring = Scoring.objects.filter(session=int(key)).first()
    if section is None or scoring is None or not scoring.is_final or not can_mail():
        return
    if scoring.is_embargoed and scoring.embargo_until:
        raise Later(scoring.embargo_until - timezone.now())
    with written_by(section.club), in_public(section.club):
        Mailing(section, scoring).send()


@dataclass
class Mailing:
    """The letters of a session."""

    section: Section
    scoring: Scoring

    @cached_property
    def exported(self) -> Exported:
        return exported(Scored(Tonight(self.section)))

    @cached_property
    def _labels(self) -> dict[int, tuple[str, str]]:
        """By an entry's key: its section and label, as the results have them."""
        contestants = Tonight(self.section).contestants
        return {contestant.entry: key for key, contestant in contestants.items()}

    def send(self) -> None:
        """Send all; raise `MailIsAway` where some have to wait. Who was entered and had no seat has nothing to read."""
        there = EntryPerson.objects.filter(section__session=self.section.session_id)
        wanted = open_addresses()
        places = there.order_by("from_round").values_list("person", "entry")
        entries = {person: entry for person, entry in places if entry in self._labels}
        connection = get_connection()
        away = False
        for address in wanted.filter(person__in=entries).select_related("person"):
            away = not self._send_one(connection, address, entries[address.person_id]) or away
        connection.close()
        if away:
            raise MailIsAway

    def _send_one(self, connection: Any, address: MailAddress, entry: int) -> bool:
        """Send a letter that says something new; return whether nothing has to be tried again."""
        if not self._may_read(address):
            return True
        own = list(self._own(entry))
        says = blake2b(json.dumps(own).encode(), digest_size=16).hexdigest()
        letter, is_first = Letter.objects.get_or_create(
            session_id=self.section.session_id, address=address, defaults={"says": says}
        )
        is_told = letter.says == says and letter.state != Letter.State.WAITS
        if is_told or letter.state == Letter.State.REFUSED:
            return True
        is_again = not is_first and letter.says != says
        message = self._message(connection, letter, own, is_again=is_again)
        letter.says, letter.state = says, Letter.State.SENT
        letter.save()  # before: what was sent without being noted would be sent twice
        try:
            message.send()
        except (OSError, SMTPException) as wrong:
            is_never = _is_never(wrong)
            letter.state = Letter.State.REFUSED if is_never else Letter.State.WAITS
            letter.save()
            return is_never
        return True

    def _may_read(self, address: MailAddress) -> bool:
        """Say whether the address was confirmed before the list could be read for the first time."""
        times = (self.scoring.first_final_at or self.scoring.final_at, self.scoring.embargo_until)
        readable = max((time for time in times if time), default=None)
        confirmed = address.confirmed_at
        return readable is None or (confirmed is not None and confirmed <= readable)

    def _message(
        self, connection: Any, letter: Letter, own: list[str], *, is_again: bool
    ) -> EmailMessage:
        session = self.section.session
        title = f"{session.event.name}, {session.date:%Y-%m-%d}"
        if is_again:
            title = _("%(event)s, corrected") % {"event": title}
        parts = ["\n".join(own), text.written(self.exported)]
        if self.scoring.is_published:
            results = reverse("public-results", args=[self.scoring.token])
            parts.append(str(settings.PUBLIC_URL).rstrip("/") + results)
        return stoppable(letter.address, title, parts, letter=letter, connection=connection)

    def _own(self, entry: int) -> Iterator[str]:
        """Their place and what they have, and a line for each of their boards."""
        section, label = self._labels[entry]
        row = self.exported.rows.get((section, label))
        yield visible(self.exported.called((section, label)))
        if row:
            has = points(row.total) if row.percent is None else f"{percent(row.percent)} %"
            yield _("Place %(place)s, %(has)s") % {"place": row.place or "–", "has": has}
        for line in self.exported.lines:
            for side in ("ns", "ew"):
                if line.section == section and label in line.sitting(side):
                    yield _board(line, line.side(side))


def _board(line: Line, side: Side) -> str:
    words = [line.contract, line.bid.declarer, line.bid.tricks, line.score]
    worth = points(side.value) if side.percent is None else f"{percent(side.percent, 0)} %"
    return f"{line.board:>2}  " + "  ".join(
        str(word) for word in (*words, worth) if word not in (None, "")
    )


def has_gone(message: EmailMessage) -> bool:
    """Send a mail; return whether nothing has to be tried again: it was taken, or never will be."""
    try:
        message.send()
    except (OSError, SMTPException) as wrong:
        return _is_never(wrong)
    return True


def _is_never(wrong: Exception) -> bool:
    """Whether a server says that it will never take a letter, and not only that it cannot now."""
    if isinstance(wrong, SMTPRecipientsRefused):
        return all(code >= NEVER for code, _words in wrong.recipients.values())
    return isinstance(wrong, SMTPResponseException) and wrong.smtp_code >= NEVER
