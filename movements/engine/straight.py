"""Movements of pairs as people sit down: where the boards are turned, and nobody changes chairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from .fairness.switching import RoundSwitch
from .model import Movement, Seating

#: rounds from which a pair that keeps its table keeps its chair too; shorter stays are usual in a Howell
ROUNDS_OF_A_STAY = 3

#: the seatings of a pair at a table in rounds one after the other, with its side in each
Stay = list[tuple[Seating, str]]


@lru_cache(maxsize=64)
def movement_as_seated(movement: Movement) -> tuple[Movement, tuple[RoundSwitch, ...]] | None:
    """Return a movement with pairs in the seats they keep, and the arrow-switches that lead to the given one.

    Pairs that meet in two lines keep their line all evening. In other movements a pair that stays at
    a table keeps its chair there: hesitations, three-quarter Howells. The seatings of the result say
    who sits where; they do not say who holds which cards. A round played in parts is left as it is.

    None where no board is turned. Source: both articles (arrow-switch: turn the boards, not the pairs).

    >>> from movements.engine.families.mitchells.scrambled import scrambled_mitchell
    >>> plain, turns = movement_as_seated(scrambled_mitchell(7))
    >>> turns
    (RoundSwitch(round=7, tables=(), boards=()),)
    >>> plain.at(7, 1).ns
    1
    >>> from movements.engine.families.mitchells.hesitation import hesitation
    >>> plain, turns = movement_as_seated(hesitation(5))
    >>> turns
    (RoundSwitch(round=6, tables=(1, 2, 3, 4), boards=()),)
    >>> plain.stationary
    (1, 2, 3, 4)
    """
    if not movement.contest.fills_a_side or len(movement.fields) > 1:
        return None
    lines = _is_ns_by_pair(movement)
    turned = _turned_from_chairs(movement) if lines is None else _turned_from_lines(movement, lines)
    if not any(seating.is_played for seating in turned):
        return None
    plain = replace(
        movement,
        seatings=tuple(
            seating.turned() if seating in turned else seating for seating in movement.seatings
        ),
    )
    return plain, tuple(
        _turned_rounds(movement, [seating for seating in turned if seating.is_played])
    )


# ── pairs that meet in two lines ──


def _is_ns_by_pair(movement: Movement) -> dict[int, bool] | None:
    """Return for each pair whether it always sits North-South; None if a pair meets pairs of both directions."""
    meets: defaultdict[int, set[int]] = defaultdict(set)
    first: dict[int, bool] = {}
    for seating in sorted(movement.seatings, key=lambda s: (s.round, s.table)):
        for pair, other, is_ns in ((seating.ns, seating.ew, True), (seating.ew, seating.ns, False)):
            if isinstance(pair, int):
                first.setdefault(pair, is_ns)
                if isinstance(other, int):
                    meets[pair].add(other)
    lines: dict[int, bool] = {}
    for start in first:
        left = [start]
        lines.setdefault(start, first[start])
        while left:
            pair = left.pop()
            for other in meets[pair]:
                if other not in lines:
                    lines[other] = not lines[pair]
                    left.append(other)
                elif lines[other] == lines[pair]:
                    return None
    return lines


def _turned_from_lines(movement: Movement, lines: dict[int, bool]) -> set[Seating]:
    """Return the seatings in which pairs sit against their direction in `lines`, or the others if fewer."""
    turned = {seating for seating in movement.seatings if _is_turned(seating, lines)}
    played = sum(seating.is_played for seating in movement.seatings)
    if sum(seating.is_played for seating in turned) > played / 2:
        turned = {*movement.seatings} - turned
    return turned


def _is_turned(seating: Seating, lines: dict[int, bool]) -> bool:
    """Return whether the pairs of a seating sit the other way than `lines` (pair: is it North-South?) says."""
    if isinstance(seating.ns, int):
        return not lines[seating.ns]
    return isinstance(seating.ew, int) and lines[seating.ew]


# ── pairs that stay at a table, and meet pairs of all kinds ──


def _turned_from_chairs(movement: Movement) -> set[Seating]:
    """Return the seatings whose boards are arrow-switched so that pairs can keep their seats.

    Pairs that stay at a table at the same time sit in opposite chairs. Of the two ways to seat such a group, this is
    the one with fewer turns.
    """
    turned: set[Seating] = set()
    for group in _groups_of_stays(sorted(_stays_at_table(movement), key=lambda stay: -len(stay))):
        one = _turned_in_group(group)
        other = {seating for stay in group for seating, _side in stay} - one
        first, _side = group[0][0]
        turned |= min(one, other, key=lambda seatings: (len(seatings), first in seatings))
    return turned


def _groups_of_stays(stays: Iterable[Stay]) -> list[list[Stay]]:
    """Group pairs' stays at tables: those that share a round belong together, directly or through others."""
    groups: list[tuple[set[Seating], list[Stay]]] = []
    for stay in stays:
        seatings, group = {seating for seating, _side in stay}, [stay]
        for joined in [item for item in groups if not item[0].isdisjoint(seatings)]:
            groups.remove(joined)
            seatings, group = joined[0] | seatings, joined[1] + group
        groups.append((seatings, group))
    return [group for _seatings, group in groups]


def _turned_in_group(group: list[Stay]) -> set[Seating]:
    """Return the seatings to arrow-switch so that every pair of a group of stays keeps its seat.

    If a pair meets two that both keep their chairs, and cannot suit both, it changes its own.
    """
    turned: set[Seating] = set()
    settled: set[Seating] = set()
    left = list(group)
    while left:
        stay = next((s for s in left if any(seating in settled for seating, _ in s)), left[0])
        left.remove(stay)
        shared = [(seating, side) for seating, side in stay if seating in settled]
        seating, chair = (shared or stay)[0]
        if seating in turned:
            chair = "ew" if chair == "ns" else "ns"
        new = {seating for seating, side in stay if side != chair}
        if all((seating in turned) == (seating in new) for seating, _side in shared):
            turned |= new
            settled |= {seating for seating, _side in stay}
    return turned


def _stays_at_table(movement: Movement) -> Iterator[Stay]:
    """Yield pairs' stays at a table over consecutive rounds, with the direction in each round.

    Where a table lacks a pair all evening, its empty chair stays.
    """
    for pair in movement.contestants:
        here: Stay = []
        for seating in sorted(movement.seatings_of(pair), key=lambda seating: seating.round):
            is_same = here and here[-1][0].table == seating.table
            if not (is_same and here[-1][0].round + 1 == seating.round):
                yield from _long_stays(here)
                here = []
            if len(movement.seatings_at_table(seating.round, seating.table)) == 1:
                here.append((seating, "ns" if seating.ns == pair else "ew"))
        yield from _long_stays(here)
    for table in range(1, movement.tables + 1):
        alone = [seating for seating in movement.seatings if seating.table == table]
        if alone and not any(seating.is_played for seating in alone):
            yield from _long_stays([(s, "ns" if s.ns is None else "ew") for s in alone])


def _long_stays(stay: Stay) -> Iterator[Stay]:
    """Yield the stay at a table if it lasts enough rounds."""
    if len(stay) >= ROUNDS_OF_A_STAY:
        yield stay


def _turned_rounds(movement: Movement, turned_seatings: list[Seating]) -> Iterator[RoundSwitch]:
    """Yield the rounds with arrow-switched boards, with the tables unless all are."""
    for round in sorted({seating.round for seating in turned_seatings}):
        tables = {seating.table for seating in turned_seatings if seating.round == round}
        everybody = {s.table for s in movement.in_round(round) if s.is_played}
        yield RoundSwitch(round, () if tables == everybody else tuple(sorted(tables)), ())
