"""What teams were called in a club's sessions, by who sat in their places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import EntryPerson, PastPlayer
from movements.engine.contest import Contest

from ..rules.model import People

Names = Mapping[int, Mapping[People, str]]


def team_names(club: Club, sessions: Collection[int]) -> Names:
    """Return by session and people, as lines of its final list have them, what each team was called. Two queries.

    Names are as they were written down: whoever shows one asks what of it may be seen.
    """
    here = EntryPerson.objects.filter(
        entry__section__session__event__club=club, position__lte=Contest.TEAMS.people
    ).exclude(entry__name="")
    elsewhere = PastPlayer.objects.filter(line__past__session__event__club=club).exclude(
        line__team=""
    )
    people: defaultdict[tuple[int, str, int], set[int]] = defaultdict(set)
    for session, name, entry, person, plays_for in here.values_list(
        *("entry__section__session", "entry__name", "entry", "person", "plays_for")
    ):
        if session in sessions:
            people[session, name, entry].add(plays_for or person)
    for session, name, line, person in elsewhere.values_list(
        *("line__past__session", "line__team", "line", "person")
    ):
        if session in sessions:
            people[session, name, line].add(person)
    found: defaultdict[int, dict[People, str]] = defaultdict(dict)
    for (session, name, _), who in sorted(people.items()):
        found[session][tuple(map(str, sorted(who)))] = name
    return found
