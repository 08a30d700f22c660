"""How strong a club's players are now, from its final lists of three years."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.models import Session
from bridgebuddy.events.queries.kept import Memory
from bridgebuddy.events.queries.roster import roster_of

from ..models import ClubRating
from ..rules.handicap import months_before
from ..rules.rating import Played, Rating, Ratings
from .club_rules import MONTHS
from .final_lists import (
    BOARDS,
    LIST,
    PERCENTAGE,
    PLACE,
    SAT,
    SEATS,
    Kept,
    finals,
    keep,
    lines_of,
)

memory = Memory(10)
#: boards of a session whose file does not say how many
USUAL = 24


def ratings_of(club: Club) -> Mapping[str, Rating]:
    """Return everybody's rating by their key, worked out once for the same final lists."""
    known = finals(club, months_before(club.today, MONTHS))
    state = repr([roster_of(club), [(one.session, one.state) for one in known]])

    def work_out() -> Mapping[str, Rating]:
        kept = lines_of(known)
        return Ratings(field for one in known for field in fields_of(kept[one.session])).all()

    return memory.value((club.pk,), state, "ratings", work_out)


def ratings_before(session: Session) -> RatingsBefore | None:
    """Return the ratings as they were the day before a session, where its club has switched them on. One query."""
    club = session.event.club
    return RatingsBefore(session) if ClubRating.objects.filter(club=club).exists() else None


class RatingsBefore:
    """Everybody's rating as it was the day before a session: what was played then or later says nothing of it. Two
    queries."""

    def __init__(self, session: Session) -> None:
        club, day = session.event.club, session.date
        self._known = [
            one for one in finals(club, months_before(day, MONTHS), day) if one.date < day
        ]
        self.state = repr([roster_of(club), [(one.session, one.state) for one in self._known]])

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings, worked out once. Nothing is written: a page that is of one moment may ask."""
        kept = lines_of(self._known, keeps=False)
        return Ratings(field for one in self._known for field in fields_of(kept[one.session]))

    def keep_lists(self) -> None:
        """Work out the lists that nobody has asked for yet: they are written, before a page's moment."""
        keep(self._known)


def fields_of(lines: Iterable[Kept]) -> Iterator[list[Played]]:
    """Yield those of a session who were compared with each other.

    A file of another program may have several sections one after another: a list ends where places begin anew.
    """
    field: list[Played] = []
    before = (0, 0)
    for line in lines:
        if line[PERCENTAGE] is None:
            continue
        number = line[LIST] if len(line) > LIST else 0  # it was kept before lists had a number
        here = number, line[PLACE] or (before[1] if number == before[0] else 0)
        if field and (number != before[0] or here < before):
            yield field
            field = []
        before = here
        who = line[SAT] or line[SEATS]
        field.append(
            Played(
                tuple(map(str, who)),
                float(Fraction(line[PERCENTAGE])),
                max(1, USUAL if line[BOARDS] is None else line[BOARDS]),
            )
        )
    if field:
        yield field


def rated(club: Club) -> list[tuple[Person, Rating, str]]:
    """Return who on the roster has a rating, the strongest first; and the name of whom they alone played with."""
    people = club.known_people.in_bulk()
    found = [
        (people[int(who)], rating, _name(people, rating.only_with))
        for who, rating in ratings_of(club).items()
        if int(who) in people
    ]
    return sorted(found, key=lambda one: (-one[1].percentage, one[0].search))


def _name(people: Mapping[int, Person], key: str) -> str:
    found = people.get(int(key)) if key else None
    return found.name if found else ""
