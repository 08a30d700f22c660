"""Sentences on the plan of a session in mails: place, series, host and price."""

from __future__ import annotations

from django.utils.translation import gettext as _

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Session
from bridgebuddy.planning.calendar import session_plan_input
from bridgebuddy.publication.mails.result_mail import series_weekdays_text, venue_and_time_text
from bridgebuddy.registration.own_sessions import public_name_of


def plan_sentences(session: Session, reader: Person) -> list[str]:
    """Return sentences on a session for a mail: place, series, host for single players, and price.

    Makes up to three queries.
    """
    plan, sentences = session_plan_input(session), []
    if place := venue_and_time_text(session):
        sentences.append(f"{session.event.club.name}: {place}")
    if days := series_weekdays_text(session):
        sentences.append(_("Series: every %(days)s.") % {"days": days})
    if plan.host and (name := public_name_of(plan.host, reader)):
        sentences.append(_("Host for single players: %(name)s.") % {"name": name})
    if plan.price:
        sentences.append(_("Price: %(price)s.") % {"price": plan.price})
    return sentences
