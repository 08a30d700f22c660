"""Search for people while a director types their names."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, F, Max, Q

from bridgebuddy.clubs.models import Club, Person, searchable
from bridgebuddy.events.models import EntryPerson, Section

MOST_SUGGESTIONS = 6


@dataclass(frozen=True)
class RosterSuggestion:
    """A person of the roster suggested while a name is being typed."""

    name: str
    usually_plays_with: str = ""  # the partner typed with them
    is_entered: bool = False  # in this section, and still playing


def suggest_people(
    club: Club, section: Section, text: str, partner: str = ""
) -> list[RosterSuggestion]:
    """Return people of the club's roster whose name or number begins as typed, frequent partners of `partner` first.

    The usual partner comes first. With nothing typed, only usual partners are offered. At most three queries.
    """
    begins, partner = searchable(text), partner.strip()
    partners = _count_partners(club, partner) if searchable(partner) else Counter()
    people = Person.objects.filter(club=club, anonymous_since=None)
    if begins:
        matches = [
            person
            for person in people.filter(
                Q(search__contains=begins)
                | Q(national_number__istartswith=begins)
                | Q(member_number__istartswith=begins)
            )
            if any(word.startswith(begins.split()[0]) for word in search_words(person))
        ]
    else:
        matches = list(people.filter(pk__in=partners))
    here = EntryPerson.objects.filter(section=section, person__in=matches)
    still = here.filter(Q(until_round=None) | Q(until_round__gte=section.shown_round))
    entered = set(still.values_list("person_id", flat=True))
    matches.sort(key=lambda p: (p.pk in entered, -partners[p.pk], p.search))
    return [
        RosterSuggestion(
            name=person.name,
            usually_plays_with=partner if partners[person.pk] else "",
            is_entered=person.pk in entered,
        )
        for person in matches[:MOST_SUGGESTIONS]
    ]


def search_words(person: Person) -> list[str]:
    """Return the words of a person's name in searchable form, and their member numbers."""
    numbers = f"{person.national_number} {person.member_number}"
    return [*person.search.split(), *numbers.casefold().split()]


def _count_partners(club: Club, name: str) -> Counter[int]:
    """Return how often each person has partnered the person of this name, without rehearsals."""
    whose = {f"{THEIRS}__person__club": club, f"{THEIRS}__person__search": searchable(name)}
    links = EntryPerson.objects.filter(
        partner_condition(),
        section__session__deleted_at=None,
        section__session__rehearsal_until=None,
        **whose,
    )
    times = links.order_by().values("person_id").annotate(times=Count("entry", distinct=True))
    return Counter({time["person_id"]: time["times"] for time in times})


#: from a person's link to those of the people in the same entry
THEIRS = "entry__entry_people"


def partner_condition() -> Q:
    """Return a database condition for two partners of an entry, excluding a substitute and the replaced player."""
    return (
        (Q(position__lt=F(f"{THEIRS}__position")) | Q(position__gt=F(f"{THEIRS}__position")))
        & (Q(until_round=None) | Q(until_round__gte=F(f"{THEIRS}__from_round")))
        & (Q(**{f"{THEIRS}__until_round": None}) | Q(from_round__lte=F(f"{THEIRS}__until_round")))
    )


def roster_state(club: Club) -> tuple[int, int]:
    """Return the number of people of a club and the newest key, which change with the roster. One query.

    The two values change with the roster. Cached data of sessions refers to people by key. If two people are merged,
    the session keeps its state, although the data has an obsolete key.
    """
    figures = Person.objects.filter(club=club).aggregate(count=Count("pk"), newest=Max("pk"))
    return figures["count"], figures["newest"] or 0
