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
    """Return the labels of a contestant on pages, in print and in addresses."""
    return {
        "label": label_of(labels, number),
        "short": short_label(labels, number),
        "slug": labels.label(number).replace(" ", ""),
        "field": labels.field_of(number).name,
    }


def names_of_people(people: Sequence[Person], shorts: Mapping[str, str]) -> dict[str, Any]:
    """Return the names of people in the forms that pages use."""
    names = [person.name for person in people]
    short = unique_short_names(names, shorts)
    return {
        "names": joined_names(names),
        "surnames": joined_names(names, short),
        "shorts": tuple(short),
        "players": tuple(names),
    }


def unique_short_names(names: Sequence[str], shorts: Mapping[str, str]) -> list[str]:
    """Return the short names of people shown together, each unique in the whole room."""
    beside = dict(zip(names, short_names(names), strict=True))
    return [shorts.get(name, beside[name]) for name in names]


def team_fields(entry: Entry, round: int, shorts: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of a team that other contestants do not have."""
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


def read_people(entries: Sequence[Entry]) -> None:
    """Read the people of entries in one query, unless they have been read."""
    people = EntryPerson.objects.select_related("person", "plays_for")
    prefetch_related_objects(entries, Prefetch("entry_people", people, to_attr="links_read"))
