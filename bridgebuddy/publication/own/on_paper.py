"""Own pages on printed score sheets: where a club wants their codes there, all who have played get an address."""

from __future__ import annotations

from bridgebuddy.clubs.models import Person, User
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.players import seats_in_earnest
from movements.engine.contest import Contest

from ..models import OwnPage
from .links import given_once


def are_printed(section: Section) -> bool:
    """Whether a section's score sheets have the codes of own pages: a team has one sheet, and has none."""
    is_wanted = section.club.own_pages_on_sheets and not section.session.is_rehearsal
    return is_wanted and section.contest != Contest.TEAMS


def give_addresses(section: Section, *, by: User) -> None:
    """Give an address to all of a session who never had one, where its sheets have them; again it changes nothing."""
    if not are_printed(section):
        return
    there = seats_in_earnest().filter(section__session=section.session_id)
    people = Person.objects.filter(pk__in=there.values("person"), anonymous_since=None)
    for person in people.filter(own_page=None).select_related("club"):
        given_once(person, OwnPage.Way.CLUB, by=by)
