"""Who played at a club for the first time."""

from __future__ import annotations

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Session
from bridgebuddy.events.queries.players import past_evenings, seats_in_earnest


def newcomers(session: Session) -> list[Person]:
    """Return whose first evening a session was, by name; nobody where it was everybody’s. Three queries."""
    club = session.event.club
    people = club.known_people.filter(
        pk__in=seats_in_earnest().filter(section__session=session).values("person")
    )
    tonight = {person.pk: person for person in people}
    earlier = seats_in_earnest().filter(person__in=tonight, section__session__date__lt=session.date)
    past = past_evenings().filter(person__in=tonight, line__past__session__date__lt=session.date)
    known = {*earlier.values_list("person", flat=True), *past.values_list("person", flat=True)}
    found = [newcomer for key, newcomer in tonight.items() if key not in known]
    return sorted(found, key=lambda one: one.search) if known else []
