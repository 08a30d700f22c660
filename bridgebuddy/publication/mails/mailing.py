"""Results by e-mail: the own score sheet and the ranking, to confirmed addresses.

A mail is sent once for a final list, and again only if the reader's own line or sheet has changed.
If the mail server is away, the job is repeated. An address that the server refuses is not tried
again.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.db import transaction
from django.db.models import Count, QuerySet
from django.db.models.signals import post_save
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from bridgebuddy.clubs.club_locale import in_club_formats
from bridgebuddy.clubs.models import Person, User
from bridgebuddy.clubs.people.public_names import use_public_names
from bridgebuddy.clubs.sign_in.accounts import MAILS
from bridgebuddy.events.models import EntryPerson, Section, Session
from bridgebuddy.events.queries.sessions.sections import sections_with_session
from bridgebuddy.jobs.kinds import RetryLater, job_kind
from bridgebuddy.jobs.services import request_job
from bridgebuddy.scoring.files.exports import exported_session
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.files.exported import ExportedSession
from bridgebuddy.scoring.rules.files.lines import ResultLine, visible_text
from bridgebuddy.scoring.rules.reports.results import SideResult
from bridgebuddy.scoring.services.recording import MAIL
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.templatetags.results import percent, points

from ..models import PlayerPage, ResultsMail, ResultsSubscription
from ..own import links
from ..queries import next_sessions
from . import bounces
from .result_mail import ResultMailReader, mail_html, next_session_text

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
    """Return an automatic mail to a player, with a link to the own page and to unsubscribe (RFC 8058).

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
        headers=_unsubscribe_headers(stop),
    )


def _unsubscribe_headers(stop: str) -> dict[str, str]:
    """Return the mail headers for unsubscribing with one press (RFC 8058)."""
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
    """Return a sentence with the link to a player's own page."""
    address = str(settings.PUBLIC_URL).rstrip("/") + links.page_address(page)
    return _("Your own page, for you alone: %(page)s") % {"page": address}


def mail_own_page(address: ResultsSubscription, page: PlayerPage) -> None:
    """Mail a player the link to their own page.

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
    """Background job: mail a player the link to their own page, if their address is confirmed.

    Raises `OSError`.
    """
    address = open_addresses().filter(person=int(key)).select_related("person__club").first()
    if address is None or not can_mail():
        return
    if page := links.page_to_mail(address.person):
        mail_own_page(address, page)


@job_kind(MAIL, tries=8, seconds=240)
def mail_results(key: str) -> None:
    """Background job: mail a session's results to the players that do not have them yet."""
    section = sections_with_session().filter(session=int(key)).order_by("pk").first()
    scoring = ScoringSettings.objects.filter(session=int(key)).first()
    if section is None or scoring is None or not scoring.is_final or not can_mail():
        return
    if scoring.is_embargoed and scoring.embargo_until:
        raise RetryLater(scoring.embargo_until - timezone.now())
    with in_club_formats(section.club), use_public_names(section.club):
        ResultsMailing(section, scoring).send()


@dataclass
class ResultsMailing:
    """Sends the results mails of one session."""

    section: Section
    scoring: ScoringSettings

    @cached_property
    def exported(self) -> ExportedSession:
        return exported_session(ScoredSession(self._snapshot))

    @cached_property
    def _snapshot(self) -> SessionSnapshot:
        return SessionSnapshot(self.section)

    @cached_property
    def _labels_by_entry(self) -> dict[int, tuple[str, str]]:
        """Return the section and label of each entry, by primary key."""
        return {contestant.entry: key for key, contestant in self._snapshot.contestants.items()}

    @cached_property
    def _next_session(self) -> Session | None:
        return next(iter(next_sessions(self.section.club, 1)), None)

    def send(self) -> None:
        """Send all results mails; raise `MailServerUnavailable` if some must wait.

        Entries without a seat get no mail.
        """
        there = EntryPerson.objects.filter(section__session=self.section.session_id)
        wanted = open_addresses()
        places = there.order_by("from_round").values_list("person", "entry")
        entries = {person: entry for person, entry in places if entry in self._labels_by_entry}
        connection = get_connection()
        away = False
        for address in wanted.filter(person__in=entries).select_related("person"):
            away = not self._send_one(connection, address, entries[address.person_id]) or away
        connection.close()
        if away:
            raise MailServerUnavailable

    def _send_one(self, connection: Any, address: ResultsSubscription, entry: int) -> bool:
        """Send a player's results mail if its contents are new; return False if it must be tried again."""
        if not self._may_read(address):
            return True
        own = list(self._own_result_texts(entry))
        says = _short_hash(json.dumps(own))
        boards = self._board_hashes(entry)
        letter, is_first = ResultsMail.objects.get_or_create(
            session_id=self.section.session_id, address=address, defaults={"says": says}
        )
        is_told = letter.says == says and letter.state != ResultsMail.State.WAITS
        if is_told or letter.state == ResultsMail.State.REFUSED:
            return True
        is_again = not is_first and letter.says != says
        changed = _changed_boards(letter.boards, boards)
        with translation.override(language_of(address)):
            message = self._message(
                connection, letter, entry, changed=changed, is_corrected=is_again
            )
        letter.says, letter.boards, letter.state = says, boards, ResultsMail.State.SENT
        letter.save()  # stored before sending: an unrecorded mail would be sent twice
        try:
            message.send()
        except (OSError, SMTPException) as wrong:
            is_never = is_refused_for_good(wrong)
            letter.state = ResultsMail.State.REFUSED if is_never else ResultsMail.State.WAITS
            letter.save()
            return is_never
        return True

    def _may_read(self, address: ResultsSubscription) -> bool:
        """Return whether the address may get the results: confirmed before the ranking became public."""
        times = (self.scoring.first_final_at or self.scoring.final_at, self.scoring.embargo_until)
        readable = max((time for time in times if time), default=None)
        confirmed = address.confirmed_at
        return readable is None or (confirmed is not None and confirmed <= readable)

    def _message(
        self,
        connection: Any,
        letter: ResultsMail,
        entry: int,
        *,
        changed: tuple[int, ...] | None,
        is_corrected: bool,
    ) -> EmailMessage:
        address, base = letter.address, str(settings.PUBLIC_URL).rstrip("/")
        results = reverse("public-results", args=[self.scoring.token])
        stop = confirmation_link(address)
        addresses = [(_("No more of these mails"), stop)]
        if page := links.page_to_mail(address.person):
            own_page = _("Your own page, for you alone")
            addresses.insert(0, (own_page, base + links.page_address(page)))
        mail = ResultMailReader(
            self.exported, self._labels_by_entry[entry], address.person.name
        ).read_mail(
            is_corrected=is_corrected,
            changed=changed,
            results_address=base + results if self.scoring.is_published else "",
            next_session=next_session_text(self._next_session, base),
            links=tuple(addresses),
        )
        return mail_to_person(
            address,
            mail.subject,
            mail.text(),
            html=mail_html(mail),
            letter=letter,
            connection=connection,
            headers=_unsubscribe_headers(stop),
        )

    def _board_hashes(self, entry: int) -> dict[str, str]:
        """Return a short hash of each of a player's boards by number, to find corrected ones later."""
        section, label = self._labels_by_entry[entry]
        lines: defaultdict[str, str] = defaultdict(str)
        for line in self.exported.lines:
            for side in ("ns", "ew"):
                if line.section == section and label in line.sitting(side):
                    lines[str(line.board)] += _board_line(line, line.side(side))
        return {board: _short_hash(text)[:8] for board, text in lines.items()}

    def _own_result_texts(self, entry: int) -> Iterator[str]:
        """Yield a player's place and result, and a text for each board; a change means a new mail."""
        section, label = self._labels_by_entry[entry]
        row = self.exported.rows.get((section, label))
        yield visible_text(self.exported.contestant_name((section, label)))
        if row:
            has = points(row.total) if row.percent is None else f"{percent(row.percent)} %"
            yield _("Place %(place)s, %(has)s") % {"place": row.place or "–", "has": has}
        for line in self.exported.lines:
            for side in ("ns", "ew"):
                if line.section == section and label in line.sitting(side):
                    yield _board_line(line, line.side(side))


def language_of(address: ResultsSubscription) -> str:
    """Return the language of mails to an address: that of the person's account, else of the club.

    Makes one query.
    """
    club = address.person.club
    own = User.objects.filter(memberships__person=address.person).values_list("language", flat=True)
    return own.first() or club.language or settings.LANGUAGE_CODE


def _short_hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _changed_boards(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[int, ...] | None:
    """Return the boards that differ from the mail before, in order; None if that mail stored none."""
    if not before:
        return None
    keys = before.keys() | now.keys()
    return tuple(sorted(int(key) for key in keys if before.get(key) != now.get(key)))


def _board_line(line: ResultLine, side: SideResult) -> str:
    """Return a board's contract, score and result for a side as a line of text."""
    words = [line.contract, line.known_contract.declarer, line.known_contract.tricks, line.score]
    worth = points(side.value) if side.percent is None else f"{percent(side.percent, 0)} %"
    return f"{line.board:>2}  " + "  ".join(
        str(word) for word in (*words, worth) if word not in (None, "")
    )


def send_mail(message: EmailMessage) -> bool:
    """Send a mail; return False if the mail server is unavailable and it must be tried again."""
    try:
        message.send()
    except (OSError, SMTPException) as wrong:
        return is_refused_for_good(wrong)
    return True


def is_refused_for_good(wrong: Exception) -> bool:
    """Return whether the mail server refuses a mail permanently."""
    if isinstance(wrong, SMTPRecipientsRefused):
        return all(code >= NEVER for code, _words in wrong.recipients.values())
    return isinstance(wrong, SMTPResponseException) and wrong.smtp_code >= NEVER
