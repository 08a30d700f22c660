"""Two-line movements scored as one field: the lines, and the places of turned boards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from .fairness.switching import Turn
from .model import Movement, Seating


@lru_cache(maxsize=64)
def straight(movement: Movement) -> tuple[Movement, tuple[Turn, ...]] | None:
    """Return a movement with fixed lines, and the turns that lead back to the given one.

    Returns None if there is nothing to undo: it has two fields, or a contestant meets pairs of both lines.

    >>> from movements.engine.families.scrambled import scrambled_mitchell
    >>> plain, turns = straight(scrambled_mitchell(7))
    >>> turns
    (Turn(round=7, tables=(), boards=()),)
    >>> plain.at(7, 1).ns
    1
    """
    if not movement.contest.fills_a_side or len(movement.fields) > 1:
        return None
    lines = _lines(movement)
    if lines is None:
        return None
    turned = [s for s in movement.seatings if s.is_played and _is_turned(s, lines)]
    if not turned:
        return None
    if len(turned) > sum(s.is_played for s in movement.seatings) / 2:
        lines = {who: not is_ns for who, is_ns in lines.items()}
        turned = [s for s in movement.seatings if s.is_played and _is_turned(s, lines)]
    plain = replace(
        movement,
        seatings=tuple(
            replace(s, ns=s.ew, ew=s.ns) if _is_turned(s, lines) else s for s in movement.seatings
        ),
    )
    return plain, tuple(_turns(movement, turned))


def _lines(movement: Movement) -> dict[int, bool] | None:
    """Return whether each sits North-South, if the meetings divide contestants into two lines; as in round 1."""
    meets: defaultdict[int, set[int]] = defaultdict(set)
    first: dict[int, bool] = {}
    for seating in sorted(movement.seatings, key=lambda s: (s.round, s.table)):
        for who, other, is_ns in ((seating.ns, seating.ew, True), (seating.ew, seating.ns, False)):
            if isinstance(who, int):
                first.setdefault(who, is_ns)
                if isinstance(other, int):
                    meets[who].add(other)
    lines: dict[int, bool] = {}
    for start in first:
        left = [start]
        lines.setdefault(start, first[start])
        while left:
            who = left.pop()
            for other in meets[who]:
                if other not in lines:
                    lines[other] = not lines[who]
                    left.append(other)
                elif lines[other] == lines[who]:
                    return None
    return lines


def _is_turned(seating: Seating, lines: dict[int, bool]) -> bool:
    if isinstance(seating.ns, int):
        return not lines[seating.ns]
    return isinstance(seating.ew, int) and lines[seating.ew]


def _turns(movement: Movement, turned: list[Seating]) -> Iterator[Turn]:
    """Yield the turned rounds, with their tables unless all are turned."""
    for round in sorted({seating.round for seating in turned}):
        tables = {seating.table for seating in turned if seating.round == round}
        everybody = {s.table for s in movement.in_round(round) if s.is_played}
        yield Turn(round, () if tables == everybody else tuple(sorted(tables)), ())
