"""The people of a championship, found by the keys under which its ranking is cached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.clubs.people.names import joined_names

from ..rules.model import People

#: most keys in a query
MANY = 500


def people_of(club: Club, keys: Iterable[str]) -> dict[str, Person]:
    """Return the club's people with these keys, by key. One query."""
    wanted = {int(key) for key in keys}
    people = Person.objects.filter(club=club)
    if len(wanted) < MANY:
        people = people.filter(pk__in=wanted)
    return {str(person.pk): person for person in people if person.pk in wanted}


def line_names(names: Mapping[str, str], people: People) -> str:
    """Return the names of a contestant's people as text: "Ruth & Otto Klein"."""
    return joined_names(sorted(names.get(key, "?") for key in people))
