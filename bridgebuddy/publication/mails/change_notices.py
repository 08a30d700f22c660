"""Mails about changes asked for on an own page: to the old address and the club's directors.

Anybody with the page's address can ask for these changes. So the owner and the club are told of
each, and can stop it.
"""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.translation import gettext as _

from bridgebuddy.clubs.club_locale import in_club_formats
from bridgebuddy.clubs.models import Person
from bridgebuddy.jobs.kinds import job_kind
from bridgebuddy.scoring.rules.files.lines import visible_text

from ..models import ResultsSubscription
from ..waiting_changes import ANOTHER_ADDRESS, FORGET, NO_MAILS, TELL
from .mailing import MailServerUnavailable, can_mail, confirmation_link, mail_to_person, send_mail


@job_kind(TELL, tries=8, seconds=120)
def mail_change_notices(key: str) -> None:
    """Background job: mail the requested change of an e-mail address to the old address and to the directors.

    Raises `MailServerUnavailable`.
    """
    change, _space, person_key = key.partition(" ")
    person = Person.objects.select_related("club").filter(pk=int(person_key)).first()
    if person is None or person.anonymous_since is not None or not can_mail():
        return
    club = person.club
    with in_club_formats(club):
        address = ResultsSubscription.objects.filter(
            person=person, confirmed_at__isnull=False, gone_since=None
        ).first()
        letters = [_owner_notice(address, change)] if address else []
        directors = club.memberships.filter(is_director=True).select_related("user")
        mails = [member.user.email for member in directors.order_by("pk") if member.user.email]
        letters += [_director_notice(email, person, change) for email in mails]
    sent = [send_mail(letter) for letter in letters]
    if sent and not any(sent):  # repeated only if no recipient has received it
        raise MailServerUnavailable


def _owner_notice(address: ResultsSubscription, change: str) -> EmailMessage:
    """Return the mail that asks the owner of an address whether they requested a change of it."""
    club = {"club": address.person.club.name}
    subject = _("%(club)s: was it you?") % club
    what = {
        ANOTHER_ADDRESS: _(
            "Your own page received a request: send the results to another e-mail address from "
            "tomorrow."
        ),
        NO_MAILS: _("Your own page received a request: send no more results."),
        FORGET: _(
            "Your own page received a request: forget your name. From tomorrow your name is hidden."
        ),
    }[change]
    words = _("If it was you, do nothing. If not, press “It was not me” here and tell the club:")
    return mail_to_person(
        address, visible_text(subject), f"{what}\n\n{words}\n\n{confirmation_link(address)}"
    )


def _director_notice(email: str, person: Person, change: str) -> EmailMessage:
    """Return the mail that tells a director of a player's request to change or stop mails."""
    facts = {"club": person.club.name, "name": person.name}
    what = {
        ANOTHER_ADDRESS: _(
            "On %(name)s’s own page, somebody asked for another e-mail address. It takes effect tomorrow."
        ),
        NO_MAILS: _("On %(name)s’s own page, somebody asked to send no more results."),
        FORGET: _("On %(name)s’s own page, somebody asked to forget the name."),
    }[change] % facts
    page = reverse("edit-player", args=[person.club_id, person.pk])
    where = str(settings.PUBLIC_URL).rstrip("/") + page
    words = _("If the player did not make this request, you can stop it here:")
    return EmailMessage(
        visible_text(_("%(club)s: %(name)s’s own page") % facts),
        f"{what}\n\n{words}\n\n{where}",
        to=[email],
    )
