"""Team names in a club's sessions, by the people of each team."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from django.db.models import IntegerField, Value

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import EntryPerson, PastPlayer
from movements.engine.contest import Contest

from ..rules.model import People

Names = Mapping[int, Mapping[People, str]]


def team_names(club: Club) -> Names:
    """Return the names of a club's teams by session and people. One query.

    Names are as entered. Callers must remove the parts that people have hidden.
    """
    here = EntryPerson.objects.filter(
        entry__section__session__event__club=club, position__lte=Contest.TEAMS.people
    ).exclude(entry__name="")
    elsewhere = PastPlayer.objects.filter(line__past__session__event__club=club).exclude(
        line__team=""
    )
    people: defaultdict[tuple[int, str, int], set[int]] = defaultdict(set)
    nobody = Value(None, output_field=IntegerField())
    rows = (
        here.order_by()
        .values_list(*("entry__section__session", "entry__name", "entry", "person", "plays_for"))
        .union(
            elsewhere.order_by().values_list(
                *("line__past__session", "line__team", "line", "person"), nobody
            ),
            all=True,
        )
    )
    for session, name, team, person, plays_for in rows:
        people[session, name, team].add(plays_for or person)
    team_names: defaultdict[int, dict[People, str]] = defaultdict(dict)
    for (session, name, _), player_keys in sorted(people.items()):
        team_names[session][tuple(map(str, sorted(player_keys)))] = name
    return team_names
