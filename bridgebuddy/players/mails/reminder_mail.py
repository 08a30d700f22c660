"""Reminders by e-mail on the day before a session, for players who want them.

A session that is moved is announced again. Players who register on the last day get no reminder.
"""

from __future__ import annotations

from typing import Any

from django.core.mail import get_connection
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from bridgebuddy.clubs.club_locale import in_club_formats
from bridgebuddy.events.models import Session
from bridgebuddy.jobs.kinds import RetryLater, job_kind
from bridgebuddy.publication.mails.mailing import (
    MailServerUnavailable,
    can_mail,
    language_of,
    open_addresses,
    send_mail,
    unsubscribable_mail,
)
from bridgebuddy.publication.models import ResultsSubscription
from bridgebuddy.registration.models import Registration
from bridgebuddy.registration.own_sessions import partner_name, session_facts
from bridgebuddy.registration.registrations import (
    AnswerKind,
    Registrations,
    is_registration_closed,
    needs_partner,
)
from bridgebuddy.registration.reminders import REMIND, reminder_time, request_all_reminder_jobs
from bridgebuddy.scoring.rules.files.lines import visible_text

from .plan_sentences import plan_sentences


@job_kind(REMIND, tries=8, seconds=240, nightly=True)
def mail_reminders(key: str) -> None:
    """Background job: mail the reminders of a session; without a key, queue those of all coming sessions.

    Raises `MailServerUnavailable`.
    """
    if not key:
        request_all_reminder_jobs()
        return
    session = Session.objects.select_related("event__club").filter(pk=int(key)).first()
    if session is None or not can_mail() or is_registration_closed(session):
        return
    wait = reminder_time(session) - timezone.now()
    if wait.total_seconds() > 0:
        raise RetryLater(wait)
    if session.date > session.event.club.today:
        _send_reminders(session)


def _send_reminders(session: Session) -> None:
    """Mail the reminders of a session to the registered players."""
    registrations = Registrations(session)
    wanted = [answer for answer in registrations.answers.values() if _is_to_be_reminded(answer)]
    requests = {request.person_id: request for request in wanted}
    addresses = open_addresses().filter(reminds=True, person__in=requests)
    connection, away = get_connection(), False
    with in_club_formats(session.event.club):
        for address in addresses.select_related("person__club").order_by("pk"):
            answer = requests[address.person_id]
            with translation.override(language_of(address)):
                away = not _send_one(connection, address, answer, registrations) or away
    connection.close()
    if away:
        raise MailServerUnavailable


def _is_to_be_reminded(answer: Registration) -> bool:
    """Return whether a registered person has had no reminder of the session's present date."""
    session = answer.session
    is_new = answer.reminded_of != session.date and answer.since < reminder_time(session)
    return answer.says != AnswerKind.NOT and is_new


def _send_one(
    connection: Any,
    address: ResultsSubscription,
    answer: Registration,
    registrations: Registrations,
) -> bool:
    """Mail a reminder to one player; return False if it must be tried again."""
    session, facts = registrations.session, session_facts(registrations.session)
    parts = [
        _("Tomorrow: %(event)s, %(date)s, %(time)s.") % facts,
        *plan_sentences(session, answer.person),
        *_partner_sentences(answer, registrations),
        _("If you cannot come, cancel on your own page or tell the director."),
    ]
    title = _("Tomorrow: %(event)s, %(date)s, %(time)s") % facts
    own_answer = Registration.objects.filter(pk=answer.pk)
    before = answer.reminded_of
    # stored before sending: an unrecorded mail would be sent twice
    own_answer.update(reminded_of=session.date)
    message = unsubscribable_mail(
        address, title, [visible_text(part) for part in parts], connection=connection
    )
    if send_mail(message):
        return True
    own_answer.update(reminded_of=before)
    return False


def _partner_sentences(answer: Registration, registrations: Registrations) -> list[str]:
    """Return the sentences of a reminder about partner and waiting list, as far as the reader may know."""
    if needs_partner(answer):
        return [_("You have no partner yet.")]
    pair = registrations.pair_of(answer.person_id)
    theirs = registrations.answers.get(answer.partner_id or 0)
    name = partner_name(answer.partner, theirs, answer.person) if answer.partner else ""
    sentences = []
    if pair and pair.asked:
        asked = _("Your partner has not answered yet: %(name)s.") % {"name": name}
        sentences.append(asked if name else _("Your partner has not answered yet."))
    elif name:
        sentences.append(_("You are coming with %(name)s.") % {"name": name})
    place = registrations.waiting_place_of(pair) if pair else 0
    if place:
        sentences.append(_("You are number %(place)s on the waiting list.") % {"place": place})
    return sentences
