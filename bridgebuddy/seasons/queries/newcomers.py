"""First-time players of a club."""

from __future__ import annotations

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Session
from bridgebuddy.events.queries.roster.players import past_session_lines, seats_in_earnest


def newcomers(session: Session) -> list[Person]:
    """Return the players who played their first session of the club in this one, by name. Three queries.

    Returns none if it was the first for all players.
    """
    club = session.event.club
    people = club.known_people.filter(
        pk__in=seats_in_earnest().filter(section__session=session).values("person")
    )
    tonight = {person.pk: person for person in people}
    earlier = seats_in_earnest().filter(person__in=tonight, section__session__date__lt=session.date)
    past = past_session_lines().filter(
        person__in=tonight, line__past__session__date__lt=session.date
    )
    earlier_players = {
        *earlier.values_list("person", flat=True),
        *past.values_list("person", flat=True),
    }
    new_players = [newcomer for key, newcomer in tonight.items() if key not in earlier_players]
    return sorted(new_players, key=lambda player: player.search) if earlier_players else []
