"""Division of sets, if only some of their boards were played at another table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from movements.engine.model import Movement

from ..change import BoardSpan


@dataclass(frozen=True)
class DividedSets:
    """A movement in which a mistake divides board sets, with the parts of each divided set."""

    movement: Movement
    parts: Mapping[str, tuple[str, Fraction, Fraction]]

    def names(self, pieces: Iterable[BoardSpan]) -> list[str]:
        """Return the names of the divided sets that these spans of boards consist of, in order."""
        return [name for piece in pieces for name in self._names_of_piece(piece)]

    def _names_of_piece(self, piece: BoardSpan) -> list[str]:
        """Return the names of the divided sets that a span of boards consists of."""
        names = [
            name
            for name, (whole, low, high) in self.parts.items()
            if whole == piece.name and piece.low <= low and high <= piece.high
        ]
        return names or [piece.name]


def divided_sets(movement: Movement, pieces: Iterable[BoardSpan]) -> DividedSets | None:
    """Return the movement with sets divided so that every span of boards is whole sets; None if one does not exist."""
    cuts: dict[str, set[Fraction]] = {}
    for piece in pieces:
        if piece.name not in movement.sets or not 0 <= piece.low < piece.high <= 1:
            return None
        cuts.setdefault(piece.name, {Fraction(0), Fraction(1)}).update((piece.low, piece.high))
    parts = {
        _name_of_part(name, place): (name, low, high)
        for name, at in cuts.items()
        if len(at) > 2
        for place, (low, high) in enumerate(pairwise(sorted(at)), start=1)
    }

    def parts_of_sets(sets: tuple[str, ...]) -> tuple[str, ...]:
        """Return the parts of these sets."""
        return tuple(
            part
            for name in sets
            for part in ([part for part in parts if parts[part][0] == name] or [name])
        )

    if not parts:
        return DividedSets(movement, {})
    return DividedSets(
        replace(
            movement,
            sets=parts_of_sets(movement.sets),
            seatings=tuple(
                replace(seating, sets=parts_of_sets(seating.sets)) for seating in movement.seatings
            ),
            stands=tuple(
                replace(stand, sets=parts_of_sets(stand.sets)) for stand in movement.stands
            ),
            shared=tuple(replace(s, sets=parts_of_sets(s.sets)) for s in movement.shared),
        ),
        parts,
    )


def _name_of_part(name: str, place: int) -> str:
    """Return the name of a part of a divided set: A1, A2 …."""
    return f"{name}.{place}" if name[-1:].isdigit() else f"{name}{place}"
