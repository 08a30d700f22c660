"""Who somebody on the list is: corrections and substitutes.

A correction says that somebody is, and always was, somebody else or spelt otherwise; a substitute has
somebody's place for some rounds. History keeps who played, so the two are never the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from django.db import transaction
from django.db.models import Q

from bridgebuddy.clubs.models import Person, User, folded

from ..errors import NoSuchRound, NotEntered, NotSeated, PersonTwice
from ..models import Entry, EntryPerson, Section
from .entries import as_it_is_now, people_named
from .locking import lock
from .movement import seat_again
from .noting import note_decision, note_shown
from .plays import amend_people

#: how alike two names are, from 0 to 1, of which one is the other misspelt
MISSPELT = 0.75
FOR_EVER = 10_000  # rounds


@transaction.atomic
def correct_names(entry: Entry, names: Sequence[str], *, must_stay_seated: bool, by: User) -> Entry:
    """Correct who an entry is, in all rounds, also those already played.

    Where there are substitutes, those who play now are meant. A misspelt name is put right in the
    club's roster if the person is known from nowhere else. A pair that asks for a stationary seat before
    the start gets one, unless the director seats by hand. Raises `PersonTwice`, and `NotEntered` when
    somebody else has taken the entry off the list meanwhile.
    """
    section = lock(entry.section)
    entry = as_it_is_now(section, entry)
    links = entry.links_in(section.shown_round)
    if len(links) != len(names):
        raise NotEntered()
    before, asks_anew = entry.names, entry.must_stay_seated != must_stay_seated
    for link, name in zip(links, names, strict=True):
        _refuse_double(section, name, besides=Q(entry=entry))
        _correct(section, link, " ".join(name.split()))
    entry.must_stay_seated = must_stay_seated
    entry.save()
    amend_people(section, entry)
    entry = as_it_is_now(section, entry)
    facts = {"before": before, "after": entry.names}
    if asks_anew:
        seat_again(section)
        note_decision(section, "section.rename", by=by, **facts)
    else:
        note_shown(section, "section.rename", by=by, **facts)
    return entry


def _correct(section: Section, link: EntryPerson, name: str) -> None:
    """Make the person of a place the one of a name, or spell theirs so."""
    person = link.person
    if person.name == name:
        return
    known = Person.objects.filter(club=section.club, search=folded(name)).first()
    if known == person or (known is None and _is_misspelt(person, name, link.entry)):
        person.name = name
        person.save()
        return
    meant = known or people_named(section.club, [name])[folded(name)]
    same = EntryPerson.objects.filter(entry=link.entry, person=person, position=link.position)
    same.update(person=meant)


def _is_misspelt(person: Person, name: str, entry: Entry) -> bool:
    """Whether a name is meant for the same person, who is known from nowhere else."""
    is_alike = SequenceMatcher(None, person.search, folded(name)).ratio() >= MISSPELT
    elsewhere = EntryPerson.objects.filter(person=person).exclude(entry=entry)
    # a rehearsal's people are those of the session it was made from
    return is_alike and not elsewhere.filter(section__session__rehearsal_until=None).exists()


@transaction.atomic
def substitute(
    entry: Entry,
    place: int,
    name: str,
    *,
    from_round: int,
    until_round: int | None = None,
    by: User,
    reason: str = "",
) -> Entry:
    """Let somebody have one person's place in an entry, from a round on, or until another one.

    `place` counts the people of an entry from 1. In rounds already played the plays say so too. Somebody
    who had the place before gets it back by being named again. Raises `NotSeated` without a movement,
    `NoSuchRound`, `NotEntered`, and `PersonTwice` where that person plays elsewhere in these rounds.
    """
    section = lock(entry.section)
    entry = as_it_is_now(section, entry)
    if section.movement is None:
        raise NotSeated()
    last = section.movement.rounds
    if not 1 <= from_round <= (until_round or last) <= last:
        raise NoSuchRound(rounds=last)
    links = [link for link in entry.entry_people.all() if link.position == place]
    if not links:
        raise NotEntered()
    ends = FOR_EVER if until_round in (None, last) else int(until_round or 0)
    _refuse_double(
        section,
        name,
        besides=Q(entry=entry, position=place),
        rounds=Q(from_round__lte=ends) & (Q(until_round=None) | Q(until_round__gte=from_round)),
    )
    out = entry.links_in(from_round)[place - 1].person
    person = people_named(section.club, [name])[folded(name)]
    spans = [(link.from_round, link.until_round or FOR_EVER, link.person) for link in links]
    EntryPerson.objects.filter(entry=entry, position=place).delete()
    EntryPerson.objects.bulk_create(
        EntryPerson(
            entry=entry,
            section=section,
            person=who,
            position=place,
            from_round=begins,
            until_round=None if stops == FOR_EVER else stops,
        )
        for begins, stops, who in _overlaid(spans, (from_round, ends, person))
    )
    amend_people(section, entry)
    note_decision(
        section,
        "section.substitute",
        by=by,
        reason=reason,
        entry=entry.pk,
        out=out.name,
        substitute=person.name,
        from_round=from_round,
        until_round=None if ends == FOR_EVER else ends,
    )
    return as_it_is_now(section, entry)


Span = tuple[int, int, Person]  # from a round, until one


def _overlaid(spans: Sequence[Span], new: Span) -> list[Span]:
    """Return who has a place when, with somebody new in some rounds; neighbours alike become one."""
    first, last, _ = new
    cut = [new]
    for begins, ends, person in spans:
        if begins < first:
            cut.append((begins, min(ends, first - 1), person))
        if ends > last:
            cut.append((max(begins, last + 1), ends, person))
    found: list[Span] = []
    for begins, ends, person in sorted(cut, key=lambda span: span[0]):
        if found and found[-1][2] == person:
            found[-1] = (found[-1][0], ends, person)
        else:
            found.append((begins, ends, person))
    return found


def _refuse_double(section: Section, name: str, *, besides: Q, rounds: Q | None = None) -> None:
    """Raise `PersonTwice` where a person of this name has another place in a section (in some rounds)."""
    there = EntryPerson.objects.filter(section=section, person__search=folded(name))
    if there.filter(rounds or Q()).exclude(besides).exists():
        raise PersonTwice(name=name)
