"""What was to be expected of an evening: of each pair against whom it met, compared with those it was compared with.

On a board a pair is expected to have what the two sides differ by in strength, less the mean of what they differ by at
the other tables where the board was played. Over all its boards that is a sum of strengths, each taken so often; the
rating says how large it is, and how far from it what comes of so many boards may be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Met:
    """Two pairs at a board; who has the same `board` is compared."""

    board: str
    ns: str
    ew: str


@dataclass(frozen=True, slots=True)
class Share:
    """How often everybody's strength counts in what a pair is expected to have, over so many boards."""

    weights: Weights
    boards: int


def shares(plays: Iterable[Met]) -> dict[str, Share]:
    """Return of each pair how often whose strength counts; a board that nobody else played says nothing.

    >>> found = shares([Met("1", "A", "B"), Met("1", "C", "D"), Met("2", "A", "D"), Met("2", "C", "B")])
    >>> sorted(found["A"].weights.items()), found["A"].boards
    ([('A', 1.0), ('B', 0.0), ('C', -1.0), ('D', 0.0)], 2)
    """
    tables: defaultdict[str, list[Met]] = defaultdict(list)
    for one in plays:
        tables[one.board].append(one)
    added: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    boards: defaultdict[str, int] = defaultdict(int)
    for there in tables.values():
        if len(there) < 2:
            continue
        others = 1 / (len(there) - 1)
        for one in there:
            for who, sign in ((one.ns, 1.0), (one.ew, -1.0)):
                boards[who] += 1
                for other in there:
                    weight = sign if other is one else -sign * others
                    added[who][other.ns] += weight
                    added[who][other.ew] -= weight
    return {
        who: Share({other: sum_ / boards[who] for other, sum_ in sums.items()}, boards[who])
        for who, sums in added.items()
    }
