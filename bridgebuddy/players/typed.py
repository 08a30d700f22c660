"""Typed names of players without their own page, which a director confirms."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext as _

from bridgebuddy.clubs.people.names import one_line
from bridgebuddy.clubs.sign_in.limits import AttemptLimit, network_of
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Session
from bridgebuddy.events.names import problem_of_name
from bridgebuddy.registration.registering import note_typed_names


@dataclass(frozen=True)
class TypedNames:
    """The names that a visitor has typed, and the error if they are refused."""

    name: str
    partner: str
    problem: str = ""


def store_typed_names(request: HttpRequest, session: Session, limit: AttemptLimit) -> TypedNames:
    """Store names that a visitor has typed for the director, within the limits of the visitor's network."""
    sent = (request.POST.get(field, "").replace("\0", "") for field in ("name", "partner"))
    name, partner = map(one_line, sent)
    if problem_of_name(name) or (partner and problem_of_name(partner)):
        return TypedNames(name, partner, _("Type your first name and surname, at most 60 letters."))
    if limit.count(network_of(request)):
        return TypedNames(
            name, partner, _("Too many names have been entered from here. Ask the director.")
        )
    try:
        note_typed_names(session, name, partner)
    except ChangeRefused:
        return TypedNames(name, partner, _("No more names are taken here now. Ask the director."))
    return TypedNames(name, partner)
