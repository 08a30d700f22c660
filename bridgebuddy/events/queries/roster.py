"""Looking people up as a director types their names."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from bridgebuddy.clubs.models import Club, Person, folded

from ..models import EntryPerson, Section

MOST_SUGGESTIONS = 6


@dataclass(frozen=True)
class Suggestion:
    """Somebody of the roster who fits what was typed."""

    name: str
    usually_plays_with: str = ""  # the partner typed beside them
    is_entered: bool = False  # already in this section


def suggest(club: Club, section: Section, typed: str, partner: str = "") -> list[Suggestion]:
    """Return people of the roster whose name has a word that begins as typed, usual partner first.

    With nothing typed only usual partners are offered. At most three queries.
    """
    begins, partner = folded(typed), partner.strip()
    partners = _partners(club, partner) if folded(partner) else Counter()
    people = Person.objects.filter(club=club)
    if begins:
        found = [
            person
            for person in people.filter(search__contains=begins)
            if any(word.startswith(begins.split()[0]) for word in person.search.split())
        ]
    else:
        found = list(people.filter(pk__in=partners))
    entered = set(
        EntryPerson.objects.filter(section=section, person__in=found).values_list(
            "person_id", flat=True
        )
    )
    found.sort(key=lambda p: (p.pk in entered, -partners[p.pk], p.search))
    return [
        Suggestion(
            name=person.name,
            usually_plays_with=partner if partners[person.pk] else "",
            is_entered=person.pk in entered,
        )
        for person in found[:MOST_SUGGESTIONS]
    ]


def _partners(club: Club, name: str) -> Counter[int]:
    """How often each person has played with the person of this name, rehearsals apart."""
    links = EntryPerson.objects.filter(
        entry__people__club=club,
        entry__people__search=folded(name),
        section__session__deleted_at=None,
        section__session__rehearsal_until=None,
    ).exclude(person__search=folded(name))
    return Counter(links.values_list("person_id", flat=True))
