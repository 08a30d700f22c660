"""How strong a club's players are now, from its final lists of three years."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.queries.kept import Memory
from bridgebuddy.events.queries.roster import roster_of

from ..rules.handicap import months_before
from ..rules.rating import Played, Rating, Ratings
from .championships import MONTHS
from .final_lists import BOARDS, PERCENTAGE, PLACE, SAT, SEATS, Kept, finals, lines_of

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


def fields_of(lines: Iterable[Kept]) -> Iterator[list[Played]]:
    """Yield those of a session who were compared with each other: a list ends where the next begins with its first."""
    field: list[Played] = []
    before = 0
    for line in lines:
        if line[PERCENTAGE] is None:
            continue
        if line[PLACE] is not None:
            if line[PLACE] < before:
                yield field
                field = []
            before = line[PLACE]
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
