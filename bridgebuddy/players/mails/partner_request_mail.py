"""Partner requests by e-mail, sent once to players with a confirmed address.

Other players read the request on their own page or at the entrance. An answer stores the partner
that was mailed, so naming the same partner again sends nothing. The number of mails to one address
and from one player is limited.
"""

from __future__ import annotations

from django.core.mail import EmailMessage
from django.utils import translation
from django.utils.translation import gettext as _

from bridgebuddy.clubs.club_locale import in_club_formats
from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.sign_in.limits import AttemptLimit
from bridgebuddy.jobs.kinds import job_kind
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
from bridgebuddy.registration.own_sessions import session_facts
from bridgebuddy.registration.registering import ASKED
from bridgebuddy.registration.registrations import Registrations, is_registration_open
from bridgebuddy.scoring.rules.files.lines import visible_text

from .plan_sentences import plan_sentences

DAY = 24 * 3600
TO_ONE = AttemptLimit("letters to one address that somebody asks for company", 4, DAY)
OF_ONE = AttemptLimit("letters that one player asks for company", 8, DAY)


@job_kind(ASKED, tries=8, seconds=60)
def mail_partner_request(key: str) -> None:
    """Background job: mail a partner request to the partner, unless it was answered or mailed before.

    Raises `MailServerUnavailable`.
    """
    named = Registration.objects.select_related("partner", "person__club", "session__event__club")
    answer = named.filter(pk=int(key), says=Registration.AnswerKind.COMES).first()
    if (
        answer is None
        or answer.partner is None
        or not can_mail()
        or not is_registration_open(answer.session)
    ):
        return
    asked = [
        asker.pk for asker in Registrations(answer.session).partner_requests_to(answer.partner.pk)
    ]
    address = open_addresses().filter(person=answer.partner).select_related("person__club").first()
    if address is None or answer.pk not in asked or answer.mailed_to_id == answer.partner.pk:
        return
    if TO_ONE.count(str(address.pk)) or OF_ONE.count(str(answer.person_id)):
        return
    club = answer.session.event.club
    with in_club_formats(club), translation.override(language_of(address)):
        letter = _request_mail(answer, address)
    _note_as_mailed(
        answer, answer.partner
    )  # stored before sending: an unrecorded mail would be sent twice
    if not send_mail(letter):
        _note_as_mailed(answer, None)
        raise MailServerUnavailable


def _note_as_mailed(answer: Registration, recipient: Person | None) -> None:
    """Record that a partner request was mailed to the person `recipient`."""
    Registration.objects.filter(pk=answer.pk).update(mailed_to=recipient)


def _request_mail(answer: Registration, address: ResultsSubscription) -> EmailMessage:
    """Return the mail that asks a player to be somebody's partner."""
    facts = {"name": answer.person.name, **session_facts(answer.session)}
    title = _("%(name)s would like to play with you: %(event)s, %(date)s") % facts
    parts = [
        _("%(name)s would like to play with you: %(event)s, %(date)s, %(time)s.") % facts,
        *plan_sentences(answer.session, address.person),
        _(
            "Accept or decline on your own page, or tell the director. You are not registered "
            "before you accept."
        ),
    ]
    return unsubscribable_mail(address, title, [visible_text(part) for part in parts])
