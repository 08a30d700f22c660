"""The current strength of a club's players, from its final lists of three years.

For a small club it is calculated in the request. For a large one that takes seconds. So a job does it
(`services/ratings.py`), and pages show the last ratings with their date.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import date
from functools import cached_property

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.models import EntryPerson, Session
from bridgebuddy.events.queries.roster.person_search import roster_state
from bridgebuddy.events.queries.states import state_digest
from bridgebuddy.operations.caching import cached

from ..models import RatingBefore, RatingSettings
from ..rules.handicap import months_before
from ..rules.rating import FieldResult, Rating, RatingExcerpt, Ratings
from .club_rules import MONTHS
from .final_lists import (
    BOARDS,
    LIST,
    PERCENTAGE,
    PLACE,
    SAT,
    SEATS,
    Kept,
    final_lists_state,
    final_results,
    fraction_parts,
    lines_by_session,
    store_lists,
)

#: boards of a session whose file does not give the number
USUAL = 24
#: most work during a request, about a tenth of a second: the cost grows with the cube of the people
FEW_SESSIONS, FEW_PEOPLE = 40, 200


class RatingInput:
    """The sessions with a final ranking from which a club's ratings on a day are calculated. Two queries."""

    def __init__(self, club: Club, day: date, *, is_before: bool = False) -> None:
        self.club = club
        final_sessions = final_results(club, months_before(day, MONTHS), day if is_before else None)
        self.finals = (
            [final_session for final_session in final_sessions if final_session.date < day]
            if is_before
            else final_sessions
        )
        self._people = roster_state(club)

    @property
    def is_small(self) -> bool:
        """Return whether the sessions are so few that ratings can be calculated within a request."""
        return len(self.finals) <= FEW_SESSIONS and self._people[0] <= FEW_PEOPLE

    @property
    def until(self) -> date | None:
        """Return the day of the last session that the ratings include."""
        return self.finals[-1].date if self.finals else None

    @cached_property
    def state(self) -> str:
        """Return a digest that changes with the sessions' results."""
        return state_digest([self._people, final_lists_state(self.finals)])

    def compute_ratings(self, *, keeps: bool = True) -> Ratings:
        """Return the ratings computed from these sessions."""
        lines = lines_by_session(self.finals, keeps=keeps)
        return Ratings(
            field for final in self.finals for field in compared_groups(lines[final.session])
        )


@dataclass(frozen=True)
class LastRating:
    """A club's latest ratings, the last day they include, and whether new ones are being calculated."""

    ratings: Mapping[str, Rating]
    until: date | None
    is_old: bool = False


def latest_ratings(club: Club) -> LastRating:
    """Return the latest ratings of a club. Three queries."""
    to_rate = RatingInput(club, club.today)
    if to_rate.is_small:
        ratings = cached(
            ("ratings", club.pk), to_rate.state, lambda: to_rate.compute_ratings().all()
        )
        return LastRating(ratings, to_rate.until)
    rating = RatingSettings.objects.filter(club=club).first()
    if rating is None:
        return LastRating({}, None)
    return LastRating(read_ratings(rating.ratings), rating.until, rating.state != to_rate.state)


def ratings_by_person(club: Club) -> Mapping[str, Rating]:
    """Return all known ratings of a club by the person's key."""
    return latest_ratings(club).ratings


def read_ratings(stored: Mapping[str, Sequence[object]]) -> dict[str, Rating]:
    """Return ratings from their stored JSON."""
    return {person: Rating(*has) for person, has in stored.items()}  # type: ignore[arg-type]  # as it was written


def stored_ratings(club: Club, ratings: Mapping[str, Rating]) -> dict[str, Sequence[object]]:
    """Return ratings as JSON to store, only of people on the roster."""
    roster = set(map(str, club.known_people.values_list("pk", flat=True)))
    return {person: astuple(rating) for person, rating in ratings.items() if person in roster}


def ratings_before(session: Session) -> RatingsBefore | None:
    """Return the ratings of the day before a session, if its club uses ratings. One query."""
    club = session.event.club
    return RatingsBefore(session) if RatingSettings.objects.filter(club=club).exists() else None


class RatingsBefore:
    """The ratings of a session's players as they were on the day before the session.

    Two queries, and for a large club two more for the stored ratings.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.wanted = RatingInput(session.event.club, session.date, is_before=True)
        self.state = self.wanted.state

    @cached_property
    def whole_state(self) -> str:
        """Return a digest that changes with the earlier results and with the session's people."""
        return state_digest([self.state, self._session_people])

    @cached_property
    def _stored_excerpt(self) -> RatingExcerpt | None:
        """Return the stored ratings of the day before the session; None if they are missing or out of date."""
        stored = RatingBefore.objects.filter(session=self._session, state=self.whole_state).first()
        return RatingExcerpt(**stored.known) if stored else None

    @property
    def are_missing(self) -> bool:
        """Return whether the ratings are still missing, because a background job must calculate them."""
        return not self.wanted.is_small and self._stored_excerpt is None

    @cached_property
    def ratings(self) -> RatingExcerpt:
        """Return the ratings before the session, calculated at most once and not stored."""
        stored = None if self.wanted.is_small else self._stored_excerpt
        return stored or self.compute_excerpt(keeps=False)

    def compute_excerpt(self, *, keeps: bool = True) -> RatingExcerpt:
        """Return the ratings before the session, computed anew."""
        return self.wanted.compute_ratings(keeps=keeps).excerpt(self._session_people)

    @cached_property
    def _session_people(self) -> list[str]:
        """Return the keys of the people in the session."""
        there = EntryPerson.objects.filter(section__session=self._session)
        return sorted({str(key_value) for key_value in there.values_list("person", flat=True)})

    def store_missing_lists(self) -> None:
        """Calculate and store the missing final lists before a page's read transaction."""
        store_lists(self.wanted.finals)


def compared_groups(lines: Iterable[Kept]) -> Iterator[list[FieldResult]]:
    """Yield the contestants of a session that were compared with each other, group by group, as stored rows.

    A file of another program may hold several sections in sequence. A new list begins where the places start again.
    """
    field: list[FieldResult] = []
    before = (0, 0)
    for line in lines:
        if line[PERCENTAGE] is None:
            continue
        number = line[LIST] if len(line) > LIST else 0  # stored before lists had a number
        here = number, line[PLACE] or (before[1] if number == before[0] else 0)
        if field and (number != before[0] or here < before):
            yield field
            field = []
        before = here
        person = line[SAT] or line[SEATS]
        above, below = fraction_parts(line[PERCENTAGE])
        field.append(
            FieldResult(
                tuple(map(str, person)),
                above / below,
                max(1, USUAL if line[BOARDS] is None else line[BOARDS]),
            )
        )
    if field:
        yield field


def rated_people(
    club: Club, last_rating: LastRating | None = None
) -> list[tuple[Person, Rating, str]]:
    """Return the rated people of the roster, strongest first, with the partner's name if they had only one."""
    people = club.known_people.in_bulk()
    rows = [
        (people[int(person)], rating, _name_of_key(people, rating.only_with))
        for person, rating in (last_rating or latest_ratings(club)).ratings.items()
        if int(person) in people
    ]
    return sorted(rows, key=lambda row: (-row[1].percentage, row[0].search))


def _name_of_key(people: Mapping[int, Person], key: str) -> str:
    """Return the name of the person with a key; empty if they are not on the roster."""
    person = people.get(int(key)) if key else None
    return person.name if person else ""
