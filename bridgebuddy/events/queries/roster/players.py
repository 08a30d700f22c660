"""The club's players: their partners, last session and number of sessions, and possible duplicates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from difflib import SequenceMatcher
from itertools import combinations
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from bridgebuddy.clubs.models import Club, DistinctPeople, Person, searchable
from bridgebuddy.clubs.people.names import split_name, surname_first
from bridgebuddy.events.models import EntryPerson, PastPlayer
from movements.engine.contest import Contest

from .person_search import THEIRS, partner_condition, search_words

LATELY = timedelta(days=92)
#: least similarity of two names, from 0 to 1, that may be one person's
ALIKE = 0.85
MOST_TWINS = 3
#: most people of one first name that are compared with each other
MOST_COMPARED = 80
SPELT_OUT = (("ae", "a"), ("oe", "o"), ("ue", "u"))


class DuplicateReason:
    """The reason why two roster entries may be the same person."""

    ORDER = "order"  # the same words in another order
    INITIAL = "initial"
    SPELT_ALIKE = "alike"


@dataclass(frozen=True)
class RosterPlayer:
    """A person on the roster, with how often and when they have played."""

    person: Person
    listed: str  # "Müller, Hans"
    evenings: int = 0
    last_played: date | None = None
    usually_plays_with: str = ""


@dataclass(frozen=True)
class PossibleDuplicates:
    """Two roster entries that may be the same person; the one in `one` was added first."""

    one: Person
    other: Person
    reason: str


def find_people(club: Club, text: str) -> list[Person]:
    """Return people on the club's roster whose name or number has a word that begins as typed, by surname."""
    typed_words = searchable(text).split()
    people = Person.objects.filter(club=club, anonymous_since=None)
    for word in typed_words:
        people = people.filter(
            Q(search__contains=word)
            | Q(national_number__icontains=word)
            | Q(member_number__icontains=word)
        )
    matching = [
        person
        for person in people
        if all(
            any(word_of_name.startswith(word) for word_of_name in _name_words(person))
            for word in typed_words
        )
    ]
    return sorted(matching, key=lambda person: searchable(surname_first(person.name)))


def _name_words(person: Person) -> list[str]:
    """Return the words of a person's name, and the parts of hyphenated words."""
    return [part for word in search_words(person) for part in (word, *word.split("-"))]


def playing_records(people: Sequence[Person]) -> list[RosterPlayer]:
    """Return each person with how often and when they played, in the order given. Three queries."""
    links = seats_in_earnest().filter(person__in=people).order_by()
    played: dict[int, dict[str, Any]] = {
        row["person_id"]: dict(row)
        for row in links.values("person_id").annotate(
            last=Max("section__session__date"), evenings=Count("section__session", distinct=True)
        )
    }
    past = past_session_lines().filter(person__in=people).values("person_id")
    for row in past.annotate(
        last=Max("line__past__session__date"), evenings=Count("line__past", distinct=True)
    ):
        here = played.setdefault(row["person_id"], {"last": row["last"], "evenings": 0})
        here["last"] = max(here["last"], row["last"])
        here["evenings"] += row["evenings"]
    name = "entry__entry_people__person__name"
    partners: dict[int, str] = {}
    named = {f"{THEIRS}__person__anonymous_since": None}
    with_whom = links.filter(partner_condition(), **named).values("person_id", name)
    times = with_whom.annotate(times=Count("entry", distinct=True)).order_by("-times", name)
    for row in times:
        partners.setdefault(row["person_id"], row[name])
    return [
        RosterPlayer(
            person,
            surname_first(person.name),
            evenings=played.get(person.pk, {}).get("evenings", 0),
            last_played=played.get(person.pk, {}).get("last"),
            usually_plays_with=partners.get(person.pk, ""),
        )
        for person in people
    ]


def count_recent_players(club: Club, today: date) -> int:
    """Return how many people have played in the last three months."""
    links = seats_in_earnest().filter(person__club=club, section__session__date__gte=today - LATELY)
    past = past_session_lines().filter(
        person__club=club, line__past__session__date__gte=today - LATELY
    )
    here = links.order_by().values("person_id")
    return here.union(past.values("person_id")).count()


def seats_in_earnest() -> QuerySet[EntryPerson]:
    """Return the `EntryPerson` rows of played sessions, without rehearsals, deleted sessions and reserves."""
    return EntryPerson.objects.filter(
        position__lte=Contest.TEAMS.people,
        section__round__gt=0,
        section__session__deleted_at=None,
        section__session__rehearsal_until=None,
    )


def past_session_lines() -> QuerySet[PastPlayer]:
    """Return the people's rows in ranking lists that another program scored."""
    return PastPlayer.objects.filter(line__past__session__deleted_at=None).order_by()


def possible_duplicates(club: Club) -> list[PossibleDuplicates]:
    """Return a few pairs of people on the roster that may be the same person, with the reason.

    Pairs that once played in the same section, or that a director marked as different, are left out.
    """
    people = list(Person.objects.filter(club=club, anonymous_since=None).order_by("pk"))
    apart = set(DistinctPeople.objects.filter(one__club=club).values_list("one_id", "other_id"))
    twins: list[PossibleDuplicates] = []
    for person, other, reason in _similar_pairs(people):
        if (person.pk, other.pk) in apart or _have_met(person, other):
            continue
        twins.append(PossibleDuplicates(person, other, reason))
        if len(twins) == MOST_TWINS:
            break
    return twins


def _similar_pairs(people: Sequence[Person]) -> Iterable[tuple[Person, Person, str]]:
    """Yield each two people with similar names, and the kind of similarity."""
    by_words: defaultdict[str, list[Person]] = defaultdict(list)
    by_surname: defaultdict[str, list[Person]] = defaultdict(list)
    by_forename: defaultdict[str, list[Person]] = defaultdict(list)
    for person in people:
        forename, surname = split_name(person.name)
        by_words[" ".join(sorted(_comparable_name(person.name).split()))].append(person)
        by_surname[_comparable_name(surname)].append(person)
        by_forename[_comparable_name(forename)].append(person)
    pairs_seen: set[tuple[int, int]] = set()
    checks = (
        (by_words, lambda item, other: True, DuplicateReason.ORDER),
        (by_surname, _is_initial_of, DuplicateReason.INITIAL),
        (by_surname, _are_names_similar, DuplicateReason.SPELT_ALIKE),
        (by_forename, _are_names_similar, DuplicateReason.SPELT_ALIKE),
    )
    for groups, fits, reason in checks:
        for group in groups.values():
            for candidate, other in combinations(group[:MOST_COMPARED], 2):
                if (candidate.pk, other.pk) not in pairs_seen and fits(candidate, other):
                    pairs_seen.add((candidate.pk, other.pk))
                    yield candidate, other, reason


def _comparable_name(name: str) -> str:
    """Return a name in a form that is equal for different spellings: "Mueller" and "Müller"."""
    plain = searchable(name).replace("-", " ").replace(".", "")
    for spelt_out, letter in SPELT_OUT:
        plain = plain.replace(spelt_out, letter)
    return plain


def _is_initial_of(person: Person, other_person: Person) -> bool:
    """Return whether the first name of one person is the initial of the other's."""
    first, second = (
        _comparable_name(split_name(named.name)[0]) for named in (person, other_person)
    )
    return bool(first and second) and 1 in (len(first), len(second)) and first[0] == second[0]


def _are_names_similar(person: Person, other_person: Person) -> bool:
    """Return whether two people's names are similar: equal in most letters, without digits, nearly equally long."""
    first, second = _comparable_name(person.name), _comparable_name(other_person.name)
    if abs(len(first) - len(second)) > 2 or any(c.isdigit() for c in first + second):
        return False
    return SequenceMatcher(None, first, second).ratio() >= ALIKE


def _have_met(first: Person, second: Person) -> bool:
    """Return whether two people played in the same section, or in the same imported session."""
    links = EntryPerson.objects.filter(person=first)
    theirs = EntryPerson.objects.filter(person=second, section__in=links.values("section"))
    return theirs.exists() or shared_past_lines(first, second).exists()


def shared_past_lines(first: Person, second: Person) -> QuerySet[PastPlayer]:
    """Return the ranking rows of person `first` in imported sessions that also list person `second`."""
    theirs = PastPlayer.objects.filter(person=second).values("line__past")
    return PastPlayer.objects.filter(person=first, line__past__in=theirs)
