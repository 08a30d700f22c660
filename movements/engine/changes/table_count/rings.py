"""Quick exclusion of continuations from a round.

In a ring all contestants of a line move equally far. The history rules out some shifts of one line against another. A
continuation is impossible as soon as it needs one of these. A few numbers decide this before any seating is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from movements.engine.model import Side

from ..lines import LineSteps, RoundLines, shift_with_skip

Done = tuple[set[tuple[Side, Side]], set[tuple[Side, str]]]
"""The meetings, and the sets played by each contestant."""


@dataclass(frozen=True, slots=True)
class LineShift:
    """The possible shifts of two rows of a ring (N-S, E-W, board sets) against each other, as bit sets.

    `meets`: North-South against East-West; `ns` and `ew`: that line against the board sets.
    """

    meets: int
    ns: int
    ew: int


def ring_continuations(
    tables: int, fixed_rounds: int, rounds: int, steps: LineSteps
) -> dict[int, LineShift]:
    """Return the ways to continue round a ring of tables, by the round after which E-W skip (0: none).

    Without a skip first, then the latest. Continuations with equal shifts are left out.
    """
    turns = {}
    for skip in (0, *range(rounds - 1, fixed_rounds - 1, -1)):
        up = down = 0
        shifts = []
        for round in range(fixed_rounds + 1, rounds + 1):
            up += shift_with_skip(steps.up) if round - 1 == skip else steps.up
            down += steps.boards
            shifts.append((up % tables, down % tables, (up - down) % tables))
        apart = [set(line) for line in zip(*shifts, strict=True)] or [set(), set(), set()]
        if all(len(line) == len(shifts) for line in apart):
            turns[skip] = LineShift(*(sum(1 << shift for shift in line) for line in apart))
    return turns


def promising_continuations(
    rings: Sequence[RoundLines], ways: Mapping[int, LineShift], history: Done
) -> Iterator[tuple[int, RoundLines]]:
    """Yield ways to continue, each with the ring orders for which it may be lawful.

    All others are certainly unlawful. The rings consist of the same people and sets.
    """
    met, played = history
    dealt = {(name, side) for side, name in played}
    ew_half, ns_half = rings[0].ew.count(None), rings[0].ns.count(None)
    meets = _value_by_line(
        rings, lambda ring: ring.ew, lambda ring: _repeating_shifts(met, ring.ns, ring.ew)
    )
    ns = _value_by_line(
        rings,
        lambda ring: ring.sets,
        lambda ring: _repeating_shifts(played, ring.ns, ring.sets, half_full=ew_half),
    )
    ew: dict[int, int] = {}
    for skip, way in ways.items():
        for index, ring in enumerate(rings):
            if way.meets & meets[index] or way.ns & ns[index]:
                continue
            if index not in ew:
                ew[index] = _repeating_shifts(dealt, ring.sets, ring.ew, half_full=ns_half)
            if not way.ew & ew[index]:
                yield skip, ring


def _value_by_line(
    rings: Sequence[RoundLines],
    line: Callable[[RoundLines], tuple[object, ...]],
    count: Callable[[RoundLines], int],
) -> list[int]:
    """Return a value for every ring that depends on one of its rows only, computed once for equal rows."""
    counts: dict[tuple[object, ...], int] = {}
    found = []
    for ring in rings:
        if line(ring) not in counts:
            counts[line(ring)] = count(ring)
        found.append(counts[line(ring)])
    return found


def _repeating_shifts(
    history: Set[tuple[Side, Side]] | Set[tuple[Side, str]] | Set[tuple[str, Side]],
    first: Sequence[object],
    second: Sequence[object],
    half_full: int = 0,
) -> int:
    """Return, as bits, the shifts of two rows at which a meeting or a board set would repeat.

    Half tables are not played, so as many conflicts are allowed as there are half tables.
    """
    here, there = _positions_in_line(first), _positions_in_line(second)
    again = Counter(
        (here[a] - there[b]) % len(first) for a, b in history if a in here and b in there
    )
    return sum(1 << shift for shift, times in again.items() if times > half_full)


def _positions_in_line(line: Sequence[object]) -> dict[object, int]:
    """Return the position of each contestant, or of each board set, in a row of the ring."""
    return {
        item: index
        for index, place in enumerate(line)
        for item in (place if isinstance(place, tuple) else (place,))
        if item is not None
    }
