"""Facts of a movement that the laws need: its kind, people at tables, times within a round, absences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from fractions import Fraction
from typing import Literal

from ..model import Movement, Seating, players_of

Kind = Literal["draw", "teams", "others"]
"""Kinds of movements for the laws: draws of teams, other movements of teams, pairs and individuals."""


def contest_kind(movement: Movement) -> Kind:
    """Return which laws apply to a movement: those of "teams", of a team "draw", or of "others"."""
    if not movement.contest.has_halves:
        return "others"
    return "teams" if movement.sets else "draw"


def is_draw(movement: Movement) -> bool:
    """Return whether a movement draws team matches, which are played at the teams' own tables."""
    return contest_kind(movement) == "draw"


def people_at_table(movement: Movement, seating: Seating) -> list[Hashable]:
    """Return the people at a table of a seating; a team's two pairs count as different people."""
    if not movement.contest.has_halves:
        return list(seating.contestants)
    sides = (seating.ns, seating.ew)
    return [(player, half) for half, side in enumerate(sides) for player in players_of(side)]


def contestant_number(person: Hashable) -> int:
    """Return the number of a contestant, or of the team of a pair at a table."""
    return person[0] if isinstance(person, tuple) else person  # type: ignore[return-value]


def contestants_sometimes_away(movement: Movement) -> set[int]:
    """Return the contestants that are declared absent in some round."""
    return {c for e in movement.exemptions if e.law == "present" for c in e.contestants}


def contestants_without_opponents(movement: Movement) -> set[int]:
    """Return the contestants that lack opponents in some round because others are absent."""
    drawn = {c for e in movement.exemptions if e.law == "draw" for c in e.contestants}
    waiting = {
        contestant
        for seating in movement.seatings
        if not seating.is_played and movement.absent(seating.round)
        for contestant in seating.contestants
    }
    return drawn | waiting


def contestants_never_playing(movement: Movement) -> set[int]:
    """Return the contestants that play in no round although they are present and could."""
    playing = {c for s in movement.seatings if s.is_played for c in s.contestants}
    in_triangles = {c for triangle in movement.triangles for c in triangle.teams}
    excused = contestants_sometimes_away(movement) | contestants_without_opponents(movement)
    return {*movement.contestants} - playing - in_triangles - excused


#: a part of a round, from 0 to 1; usually whole numbers, which are compared much faster
Moment = Fraction | int


def seating_spans(movement: Movement, round: int) -> list[tuple[Seating, Moment, Moment]]:
    """Return the seatings of a round, each with the part of the round during which it is played."""
    at_table: defaultdict[int, list[Seating]] = defaultdict(list)
    for seating in movement.in_round(round):
        at_table[seating.table].append(seating)
    return [
        (seating, _moment_of_round(index, len(parts)), _moment_of_round(index + 1, len(parts)))
        for parts in at_table.values()
        for index, seating in enumerate(parts)
    ]


def _moment_of_round(parts: int, part_count: int) -> Moment:
    """Return the beginning of a part of a round as a fraction of the round."""
    return Fraction(parts, part_count) if parts % part_count else parts // part_count


def spans_by_round(
    movement: Movement,
) -> Iterator[tuple[int, list[tuple[Seating, Moment, Moment]]]]:
    """Yield each round with its seatings and the times at which they begin and end."""
    for round in sorted({seating.round for seating in movement.seatings}):
        yield round, seating_spans(movement, round)
