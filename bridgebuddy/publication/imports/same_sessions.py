"""Recognition of repeated sessions, such as a file before and after its correction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import combinations

from bridgebuddy.clubs.models import Club, searchable
from bridgebuddy.events.models import EntryPerson, PastPlayer, PastSession
from bridgebuddy.scoring.rules.past import model as past

#: the people of a line or an entry, by their names
Pairs = frozenset[frozenset[str]]


def pairs_of_session(session: past.PastSession) -> Pairs:
    """Return the pairs of an imported session as sets of people's names."""
    lines = [line for ranking in session.rankings for line in ranking.lines]
    named = ({searchable(player.name) for player in line.players} for line in lines)
    joined = ({searchable(line.joined)} for line in lines if line.joined)
    return frozenset(frozenset(names) for names in (*named, *joined) if names)


def have_same_pairs(pairs: Pairs, *others: Pairs) -> bool:
    """Return whether a session shares more than half of its pairs with one of `others`."""
    return any(2 * len(pairs & other) > max(len(pairs), len(other)) for other in others)


def alike_sessions(sessions: Sequence[past.PastSession], pairs: Sequence[Pairs]) -> dict[int, str]:
    """Find imported sessions that seem to be duplicates; return "alike" (first copy) or "later" by index.

    Two sessions of a day (or one without a day) are alike if title, identifier or most pairs are
    equal. Those without an exact copy before them are "alike"; later ones of the same session are
    "later".
    """
    by_day: defaultdict[date | None, list[int]] = defaultdict(list)
    for index, session in enumerate(sessions):
        by_day[session.date].append(index)
    kinds: dict[int, str] = {}
    for day, indexes in by_day.items():
        candidates = indexes if day is None else sorted([*indexes, *by_day.get(None, ())])
        for first, second in combinations(candidates, 2):
            if _are_alike(sessions, pairs, first, second):
                kinds.setdefault(first, "alike")
                kinds[second] = "later"
    return kinds


def _are_alike(
    sessions: Sequence[past.PastSession], pairs: Sequence[Pairs], first: int, second: int
) -> bool:
    """Return whether two imported sessions are probably the same session."""
    session, other = sessions[first], sessions[second]
    if _comparable_content(session) == _comparable_content(other):
        return False  # an exact copy: the first is imported
    has_title = session.date is not None and session.date == other.date and bool(session.name)
    return (
        (has_title and searchable(session.name) == searchable(other.name))
        or (bool(session.identifier) and session.identifier == other.identifier)
        or have_same_pairs(pairs[first], pairs[second])
    )


def _comparable_content(session: past.PastSession) -> tuple[object, ...]:
    """Return the parts of an imported session that are equal in an exact copy."""
    return session.date, searchable(session.name), session.rankings


def pairs_by_day(club: Club, days: Iterable[date]) -> Mapping[date | None, list[Pairs]]:
    """Return the pairs of each session that the club has on the given dates, by date.

    Makes two queries.
    """
    wanted = list(days)
    entries = EntryPerson.objects.filter(
        section__session__event__club=club,
        section__session__date__in=wanted,
        section__session__deleted_at=None,
        section__session__rehearsal_until=None,
    ).values_list("section__session__date", "section__session", "entry", "person__name")
    lines = PastPlayer.objects.filter(
        line__past__session__event__club=club,
        line__past__session__date__in=wanted,
        line__past__session__deleted_at=None,
    ).values_list("line__past__session__date", "line__past__session", "line", "person__name")
    names: defaultdict[tuple[date, int], defaultdict[int, set[str]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for rows in (entries, lines):
        for day, session, key, name in rows:
            names[day, session][key].add(searchable(name))
    by_day: defaultdict[date | None, list[Pairs]] = defaultdict(list)
    for (day, _session), groups in names.items():
        by_day[day].append(frozenset(map(frozenset, groups.values())))
    return by_day


def identifiers_by_day(club: Club) -> set[tuple[date, str]]:
    """Return the identifiers of the sessions that the club has imported, each with its date.

    Some programs repeat an identifier on other days. Makes one query.
    """
    imported = PastSession.objects.filter(session__event__club=club, session__deleted_at=None)
    rows = imported.exclude(identifier="").values_list("session__date", "identifier")
    return set(rows)
