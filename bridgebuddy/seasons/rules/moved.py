"""A rating after one session more: from how little was known of everybody together before it, which that session changes.

To work out a large club's equations anew takes their inverse, whose cost grows with the cube of the people. What a few
fields of play change in it costs as much for each of them as the inverse has numbers (`linear.change`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from operator import mul

from .linear import Matrix, change
from .rating import LEAST_LUCK, PAIR, STIFFNESS, FieldOfPlay, Ratings, Strengths


@dataclass(frozen=True, slots=True)
class Together:
    """How little is known of some people, each together with each: the inverse of a rating's equations."""

    people: Sequence[str]
    inverse: Matrix

    def of(self, people: Sequence[str]) -> Together:
        """Return the same of these people: of who is new nothing is known, and who is gone is left out."""
        place = {who: at for at, who in enumerate(self.people)}
        known = [place.get(who) for who in people]
        found = []
        for at, mine in enumerate(known):
            if mine is None:
                row = [0.0] * len(people)
                row[at] = 1 / STIFFNESS
            else:
                line = self.inverse[mine]
                row = [0.0 if other is None else line[other] for other in known]
            found.append(row)
        return Together(people, found)

    def moved(self, come: Iterable[FieldOfPlay], gone: Iterable[FieldOfPlay]) -> Together:
        """Return it with some fields more, and without others that were in it."""
        both = [(field, 1) for field in come if len(field) > 1]
        both += [(field, -1) for field in gone if len(field) > 1]
        people = {who for field, _ in both for row in field for who in row.who}
        found = self.of(sorted(people.union(self.people)))
        place = {who: at for at, who in enumerate(found.people)}
        for field, sign in both:
            here, rows = _rows(field)
            change(found.inverse, [place[who] for who in here], rows, sign)
        return found


def _rows(field: FieldOfPlay) -> tuple[list[str], list[list[float]]]:
    """Return who is in a field, and of each row what they bring to it, as often as its boards say."""
    others = 1 / (len(field) - 1)
    times: defaultdict[str, float] = defaultdict(float)
    for row in field:
        for who in row.who:
            times[who] += PAIR / len(row.who)
    rows = []
    for row in field:
        share = (1 + others) * PAIR / len(row.who)
        often = sqrt(row.boards)
        rows.append(
            [often * (share * (who in row.who) - others * many) for who, many in times.items()]
        )
    return list(times), rows


class Moved(Strengths):
    """The same ratings as of these fields from the beginning, from what is known of everybody together."""

    def __init__(self, fields: Iterable[FieldOfPlay], together: Together) -> None:
        super().__init__(fields, STIFFNESS, LEAST_LUCK)
        self.together = together.of(self.people)
        right = self._right()
        self._strength = [sum(map(mul, line, right)) for line in self.together.inverse]
        self.luck = self._luck()

    def _unknown(self) -> list[float]:
        return [line[at] for at, line in enumerate(self.together.inverse)]


def together(fields: Iterable[FieldOfPlay]) -> Together:
    """Return how little is known of everybody together, worked out from nothing."""
    whole = Ratings(fields)
    return Together(whole.people, whole.inverse())
