"""The codes of own pages on printed score sheets, if the club wants them."""

from __future__ import annotations

from bridgebuddy.clubs.models import Person, User
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.roster.players import seats_in_earnest
from bridgebuddy.publication.models import PlayerPage
from movements.engine.contest import Contest

from .links import give_first_address


def are_codes_printed(section: Section) -> bool:
    """Return whether a section's printed score sheets carry the QR codes of players' personal pages."""
    is_wanted = section.club.own_pages_on_sheets and not section.session.is_rehearsal
    return is_wanted and section.contest != Contest.TEAMS


def give_addresses(section: Section, *, by: User) -> None:
    """Give own-page addresses to a session's players without one, if its score sheets print them.

    Repeated calls change nothing.
    """
    if not are_codes_printed(section):
        return
    there = seats_in_earnest().filter(section__session=section.session_id)
    people = Person.objects.filter(pk__in=there.values("person"), anonymous_since=None)
    for person in people.filter(own_page=None).select_related("club"):
        give_first_address(person, PlayerPage.Way.CLUB, by=by)
