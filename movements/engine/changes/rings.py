"""Which ways to move on from a round are worth laying out.

In a ring everybody of a line goes equally far. What has been played closes some shifts of one line
against another, and a way to go on is out as soon as it needs one of these. A few numbers tell, before
anybody is seated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..model import Side
from .lines import Lines, Steps, one_more

Done = tuple[set[tuple[Side, Side]], set[tuple[Side, str]]]
"""Who has met whom, and who has played which set."""


@dataclass(frozen=True, slots=True)
class Turn:
    """How far lines are shifted against each other in the rounds to come: one bit for every shift.

    `meets`: North-South against East-West; `ns` and `ew`: that line against the board sets.
    """

    meets: int
    ns: int
    ew: int


def turns(tables: int, fixed: int, rounds: int, steps: Steps) -> dict[int, Turn]:
    """Return the ways to go on from round `fixed`, by the round after which they skip (0: none).

    Without a skip first, then the latest. Those which come round to the same shift are left out.
    """
    found = {}
    for skip in (0, *range(rounds - 1, fixed - 1, -1)):
        up = down = 0
        shifts = []
        for round in range(fixed + 1, rounds + 1):
            up += one_more(steps.up) if round - 1 == skip else steps.up
            down += steps.boards
            shifts.append((up % tables, down % tables, (up - down) % tables))
        apart = [set(line) for line in zip(*shifts, strict=True)] or [set(), set(), set()]
        if all(len(line) == len(shifts) for line in apart):
            found[skip] = Turn(*(sum(1 << shift for shift in line) for line in apart))
    return found


@dataclass(slots=True)
class Closed:
    """The shifts which what has been played closes, for rings of the same people and sets."""

    done: Done
    _known: dict[Hashable, int] = field(default_factory=dict)

    def allows(self, ring: Lines, turn: Turn) -> bool:
        """Whether a way to go on may be lawful: False only where it certainly is not."""
        return not (
            turn.meets & self._once((ring.ns, ring.ew), self._meetings, ring)
            or turn.ns & self._once((ring.ns, ring.sets), self._ns_sets, ring)
            or turn.ew & self._once((ring.ew, ring.sets), self._ew_sets, ring)
        )

    def _once(self, lines: Hashable, count: Callable[[Lines], int], ring: Lines) -> int:
        """Rings differ in one or two of their lines: what these close is counted once."""
        if lines not in self._known:
            self._known[lines] = count(ring)
        return self._known[lines]

    def _meetings(self, ring: Lines) -> int:
        return _closed(self.done[0], _seats(ring.ns), _seats(ring.ew), len(ring.ns), 0)

    def _ns_sets(self, ring: Lines) -> int:
        return _closed(
            self.done[1], _seats(ring.ns), _boxes(ring.sets), len(ring.ns), ring.ew.count(None)
        )

    def _ew_sets(self, ring: Lines) -> int:
        turned = ((name, side) for side, name in self.done[1])
        return _closed(
            turned, _boxes(ring.sets), _seats(ring.ew), len(ring.ns), ring.ns.count(None)
        )


def _seats(line: Sequence[Side]) -> dict[Hashable, int]:
    return {side: index for index, side in enumerate(line) if side is not None}


def _boxes(sets: Sequence[tuple[str, ...]]) -> dict[Hashable, int]:
    return {name: index for index, names in enumerate(sets) for name in names}


def _closed(
    done: Iterable[tuple[Hashable, Hashable]],
    one: Mapping[Hashable, int],
    other: Mapping[Hashable, int],
    tables: int,
    half_full: int,
) -> int:
    """The shifts at which two things come together again that were together, as bits.

    At tables that are half full nothing is played: where no more tables would offend, it may be these.
    """
    again = Counter((one[a] - other[b]) % tables for a, b in done if a in one and b in other)
    return sum(1 << shift for shift, times in again.items() if times > half_full)
