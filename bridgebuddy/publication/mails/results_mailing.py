"""Results by e-mail: the player's score sheet and the ranking, to confirmed addresses.

A mail is sent once for a final ranking, and again only if the reader's own row or sheet has changed.
If the mail server is unavailable, the job is repeated. An address that the server refuses is not tried again.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from bridgebuddy.clubs.club_locale import in_club_formats
from bridgebuddy.clubs.people.public_names import use_public_names
from bridgebuddy.events.models import EntryPerson, Section, Session
from bridgebuddy.events.queries.sessions.sections import sections_with_session
from bridgebuddy.jobs.kinds import RetryLater, job_kind
from bridgebuddy.scoring.files.exports import exported_session
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.files.exported import ExportedSession
from bridgebuddy.scoring.rules.files.lines import ResultLine, visible_text
from bridgebuddy.scoring.rules.reports.results import SideResult
from bridgebuddy.scoring.services.recording import MAIL
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.templatetags.results import percent, points

from ..models import ResultsMail, ResultsSubscription
from ..own import links
from ..queries import next_sessions
from .mailing import (
    MailServerUnavailable,
    can_mail,
    confirmation_link,
    is_refused_for_good,
    language_of,
    mail_to_person,
    open_addresses,
    unsubscribe_headers,
)
from .result_mail import ResultMailReader, mail_html, next_session_text


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
        """Return the session's results as exported data, from which the mails are written."""
        return exported_session(ScoredSession(self._snapshot))

    @cached_property
    def _snapshot(self) -> SessionSnapshot:
        """Return all plays and results of the session, read once (a snapshot)."""
        return SessionSnapshot(self.section)

    @cached_property
    def _labels_by_entry(self) -> dict[int, tuple[str, str]]:
        """Return the section and label of each entry, by primary key."""
        return {contestant.entry: key for key, contestant in self._snapshot.contestants.items()}

    @cached_property
    def _next_session(self) -> Session | None:
        """Return the club's next session, which each mail announces; None without one."""
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
        """Send the results mail to one player if its contents are new; return False if it must be tried again."""
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
                connection, letter, entry, changed_boards=changed, is_corrected=is_again
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
        changed_boards: tuple[int, ...] | None,
        is_corrected: bool,
    ) -> EmailMessage:
        """Return the results mail to an address."""
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
            changed=changed_boards,
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
            headers=unsubscribe_headers(stop),
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


def _short_hash(text: str) -> str:
    """Return a short hash of a text."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _changed_boards(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[int, ...] | None:
    """Return the boards that differ from the mail before, in order; None if that mail stored none."""
    if not old:
        return None
    keys = old.keys() | new.keys()
    return tuple(sorted(int(key) for key in keys if old.get(key) != new.get(key)))


def _board_line(line: ResultLine, side: SideResult) -> str:
    """Return a board's contract, score and result for a side as a line of text."""
    words = [line.contract, line.known_contract.declarer, line.known_contract.tricks, line.score]
    worth = points(side.value) if side.percent is None else f"{percent(side.percent, 0)} %"
    return f"{line.board:>2}  " + "  ".join(
        str(word) for word in (*words, worth) if word not in (None, "")
    )
