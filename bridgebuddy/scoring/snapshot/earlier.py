"""Results carried over from earlier sessions of an event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from bridgebuddy.events.models import Entry, Section, Session
from bridgebuddy.events.services.lifecycle.copies_of_sessions import entries_with_people
from movements.engine.contest import Contest

from ..rules.errors import ScoringError
from ..rules.model import Earlier, InPercent, InPoints
from ..rules.profile import Profile, profile_of
from ..rules.reports import results
from .counted import CountedResults
from .document import session_document
from .drawn_matches import apply_default_scale
from .kinds import has_matches
from .play_snapshot import PlayedSession

People = frozenset[int]
#: most sessions of an event
MOST_SESSIONS = 20
#: ways of combining sessions that need points and tops, not percentages
BY_POINTS = ("sum", "carry-forward")


def earlier_results(played_session: PlayedSession) -> Mapping[int, list[Earlier]]:
    """Return the results of each entry (by key) in earlier sessions of the event that count in this one.

    They are counted if the session's profile says how, and for contestants of the same people. Sessions in points are
    not combined with sessions in per cent.
    """
    has_way = played_session.scoring.profile.get("sessions")
    sessions: dict[People, list[Earlier]] = {}
    chain = sessions_before(played_session.session) if has_way else []
    if not chain:
        return {}
    try:
        now = profile_of(played_session.scoring.profile, played_session.contest)
    except ScoringError:
        return {}  # the session's own page reports the problem
    is_in_points = not now.is_per_cent or _uses_victory_points(played_session)
    for session in chain:
        _add_earlier_values(session, now, sessions, is_in_points)
    if not sessions:
        return {}
    here = {
        e.pk: regular_people(e)
        for section in played_session.sections
        for e in entries_with_people(section)
    }
    return {
        entry: sessions[then]
        for entry, people in here.items()
        if (then := _earlier_group_of_people(people, sessions)) is not None
    }


def sessions_before(session: Session) -> list[Session]:
    """Return the earlier sessions that this session continues, oldest first. One query for each."""
    chain: list[Session] = []
    before = session.follows
    while before is not None and len(chain) < MOST_SESSIONS:
        chain.insert(0, before)
        before = before.follows
    return chain


def _earlier_group_of_people(people: People, earlier_groups: Iterable[People]) -> People | None:
    """Return the line-up under which an entry played before: the same, or a team with members more or less."""
    earlier = set(earlier_groups)
    if people in earlier:
        return people
    alike = [
        people_group for people_group in earlier if people_group < people or people < people_group
    ]
    is_team = all(len(group) >= Contest.TEAMS.people for group in (people, *alike))
    return alike[0] if is_team and len(alike) == 1 else None


def regular_people(entry: Entry) -> People:
    """Return the regular people of an entry, without substitutes."""
    return frozenset(link.owner.pk for link in entry.links_in(1))


def _add_earlier_values(
    session: Session,
    profile: Profile,
    values_by_people: dict[People, list[Earlier]],
    is_in_points: bool,
) -> None:
    """Add the values of an earlier session to `values_by_people`, if it was scored in the same unit as this one."""
    section = Section.objects.filter(session=session).select_related(
        "session__event__club", "movement"
    )
    first = section.order_by("pk").first()
    if first is None:
        return
    then = PlayedSession(first)
    counted = CountedResults(then, session_document(then))
    if counted.is_in_points != is_in_points:
        return
    people = {
        e.pk: regular_people(e) for section in then.sections for e in entries_with_people(section)
    }
    for ranking in counted.main_lists:
        for standing in ranking.standings:
            earlier_values = _carried_over_value(counted, standing.row, profile)
            if earlier_values is not None:
                contestant = people[standing.contestant.entry]
                values_by_people.setdefault(
                    _earlier_group_of_people(contestant, values_by_people) or contestant, []
                ).append(earlier_values)


def _uses_victory_points(played_session: PlayedSession) -> bool:
    """Return whether a session's contestants play matches for victory points."""
    profile = apply_default_scale(played_session.sections, played_session.scoring.profile)
    return bool(profile.get("vp")) and any(map(has_matches, played_session.sections))


def _carried_over_value(
    counted_results: CountedResults, row: results.RankedLine, profile: Profile
) -> Earlier | None:
    """Return a ranked contestant's exact result in the form in which a later session counts it."""
    if row.exact_total is None:
        return None
    if counted_results.is_in_points:
        return InPoints(row.exact_total)
    if not row.boards or row.exact is None:
        return None
    if profile.sessions not in BY_POINTS:
        return InPercent(row.exact, Fraction(row.boards), Fraction(100 * row.boards))
    # penalties in per cent are part of the percentage only; tops are on this session's scale
    top = Fraction(str(row.top)) * (2 if counted_results.document.profile.half else 1)
    return InPercent(row.exact, Fraction(row.boards), top / (2 if profile.half else 1))
