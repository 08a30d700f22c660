"""The expected result of each pair, from its opponents and the pairs it was compared with.

On a board, a pair is expected to score the difference in strength between the two sides, less the mean difference at
the other tables. Over all boards this is a weighted sum of strengths. The rating gives its size, and the range for so
many boards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class BoardMeeting:
    """Two pairs that play a board; meetings with the same `board` are compared."""

    board: str
    ns: str
    ew: str


@dataclass(frozen=True, slots=True)
class StrengthShare:
    """The weight of each contestant's strength in a pair's expected result, and the number of boards."""

    weights: Weights
    boards: int


def strength_shares(plays: Iterable[BoardMeeting]) -> dict[str, StrengthShare]:
    """Return for each pair how much every contestant's strength counts in its result.

    >>> met = (("1", "A", "B"), ("1", "C", "D"), ("2", "A", "D"), ("2", "C", "B"))
    >>> found = strength_shares([BoardMeeting(*meeting) for meeting in met])
    >>> sorted(found["A"].weights.items()), found["A"].boards
    ([('A', 1.0), ('B', 0.0), ('C', -1.0), ('D', 0.0)], 2)
    """
    tables: defaultdict[str, list[BoardMeeting]] = defaultdict(list)
    for meeting in plays:
        tables[meeting.board].append(meeting)
    added: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    boards: defaultdict[str, int] = defaultdict(int)
    for there in tables.values():
        if len(there) < 2:
            continue
        others = 1 / (len(there) - 1)
        for meeting in there:
            for person, sign in ((meeting.ns, 1.0), (meeting.ew, -1.0)):
                boards[person] += 1
                for other in there:
                    weight = sign if other is meeting else -sign * others
                    added[person][other.ns] += weight
                    added[person][other.ew] -= weight
    return {
        person: StrengthShare(
            {other: sum_ / boards[person] for other, sum_ in sums.items()}, boards[person]
        )
        for person, sums in added.items()
    }
