"""Names and labels of a session's contestants on pages and in print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.names import joined_names, short_names
from bridgebuddy.events.models import Entry, EntryPerson
from movements.engine.model import Movement
from movements.words.sentences import label_of, short_label

from .games import TeamHalf


def labels_of_contestant(labels: Movement, number: int) -> dict[str, Any]:
    """Return a contestant's label ("3 NS"), short label, direction and address part, as fields of `Contestant`."""
    return {
        "label": label_of(labels, number),
        "short": short_label(labels, number),
        "slug": labels.label(number).replace(" ", ""),
        "field": labels.field_of(number).name,
    }


def names_of_people(people: Sequence[Person], shorts: Mapping[str, str]) -> dict[str, Any]:
    """Return the full, short and combined names of an entry's people, as fields of `Contestant`."""
    names = [person.name for person in people]
    short = unique_short_names(names, shorts)
    return {
        "names": joined_names(names),
        "surnames": joined_names(names, short),
        "shorts": tuple(short),
        "players": tuple(names),
    }


def unique_short_names(names: Sequence[str], shorts: Mapping[str, str]) -> list[str]:
    """Return a short name for each full name, with initials where people of the session share a surname."""
    beside = dict(zip(names, short_names(names), strict=True))
    return [shorts.get(name, beside[name]) for name in names]


def team_fields(entry: Entry, round: int, shorts: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of `Contestant` that only a team has: its name, pairs and reserves in a round."""
    first, then = (
        tuple(
            TeamHalf(
                tuple(person.name for person in half),
                tuple(unique_short_names([person.name for person in half], shorts)),
            )
            for half in entry.halves_in(round, number)
        )
        for number in (1, 2)
    )
    return {
        "surnames": entry.team_name,
        "is_crossed": round in entry.crossed_in,
        "halves": first,
        "then_halves": then if then != first else (),
    }


def prefetch_people(entries: Sequence[Entry]) -> None:
    """Prefetch the people of these entries in one query, unless they have been read."""
    people = EntryPerson.objects.select_related("person", "plays_for")
    prefetch_related_objects(entries, Prefetch("entry_people", people, to_attr="links_read"))
