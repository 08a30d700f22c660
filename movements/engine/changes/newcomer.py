"""A movement with one more contestant without a seat: the start of every proposal for a late pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ..families.rovers.transversal import add_contestant
from ..model import Movement, Seating
from .absences import declare_absence
from .labels import next_label
from .proposal import Kind, Proposal, lawful_proposal


@dataclass(frozen=True, slots=True)
class GrownMovement:
    """A movement with a newcomer added that is absent in the rounds already fixed."""

    movement: Movement
    newcomer: int
    numbers: Mapping[int, int]
    from_round: int
    before: Movement

    def proposal(
        self,
        kind: Kind,
        movement: Movement,
        *,
        facts: Mapping[str, int] | None = None,
        parts: Mapping[str, tuple[str, Fraction, Fraction]] | None = None,
    ) -> Proposal | None:
        """Return the proposal of this kind with a movement; None if it breaks a law."""
        return lawful_proposal(
            Proposal(
                kind=kind,
                before=self.before,
                movement=movement,
                from_round=self.from_round,
                numbers=self.numbers,
                newcomer=self.newcomer,
                facts=facts or {},
                parts=parts or {},
            )
        )

    @property
    def history(self) -> tuple[Seating, ...]:
        """Return the seatings of the rounds already fixed."""
        return tuple(
            seating for seating in self.movement.seatings if seating.round < self.from_round
        )

    @property
    def rounds(self) -> range:
        """Return the numbers of the rounds to come."""
        return range(self.from_round, self.movement.rounds + 1)


def add_newcomer(movement: Movement, fixed_rounds: int, field: int) -> GrownMovement:
    """Return the movement with one more contestant in a field, absent in fixed rounds and not seated yet."""
    bigger, newcomer = add_contestant(movement, field, next_label(movement, field))
    bigger = replace(
        bigger,
        exemptions=(
            *bigger.exemptions,
            *declare_absence(newcomer, range(1, fixed_rounds + 1), "came late"),
        ),
    )
    numbers = {n: n + (n >= newcomer) for n in movement.contestants}
    return GrownMovement(bigger, newcomer, numbers, fixed_rounds + 1, movement)


def grown_in_line(movement: Movement, fixed_rounds: int, direction: str) -> GrownMovement:
    """Return the movement with a newcomer, not seated yet, in the N-S or E-W field, or in the only field."""
    index = next((i for i, f in enumerate(movement.fields) if f.name == direction), 0)
    return add_newcomer(movement, fixed_rounds, index)
