"""The strength of a section's pairs, and the balance of their seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from bridgebuddy.events.models import Entry, Section
from movements.engine.fairness.seeding import SeedingFigure, seeding_figure


@dataclass(frozen=True)
class FieldStrength:
    """The mean strength of the pairs of one field (N-S, E-W, or all pairs of a one-winner movement)."""

    name: str  # "ns", "ew", "pairs"
    mean: float


@dataclass(frozen=True)
class SeedingReport:
    """The evenness of the seated strengths; `spread` is the standard deviation of the pairs' strengths."""

    lines: tuple[FieldStrength, ...]
    figure: SeedingFigure
    spread: float
    unknown: int  # pairs of unknown strength: they count as average

    @property
    def share_between(self) -> float:
        """Return the difference in mean strength between N-S and E-W, divided by the spread of strengths."""
        return self.figure.difference / self.spread if self.spread else 0.0

    @property
    def share_within(self) -> float:
        """Return the largest advantage of a pair by its opponents' strengths, divided by the spread of strengths."""
        return self.figure.shift / self.spread if self.spread else 0.0

    @property
    def stronger_line(self) -> str:
        """Return the direction with the stronger pairs on average: "ns" or "ew"."""
        return max(self.lines, key=lambda line: line.mean).name


def strength_of(entry: Entry) -> float | None:
    """Return a pair's strength: the mean of its players' known strengths; None if none is known."""
    strengths = [person.strength for person in entry.players if person.strength is not None]
    return fmean(strengths) if strengths else None


def strengths_of(entries: Sequence[Entry]) -> list[float] | None:
    """Return each entry's strength, the mean of all for unknown ones; None if no strength is known."""
    strengths = [strength_of(entry) for entry in entries]
    present = [strength for strength in strengths if strength is not None]
    if not present:
        return None
    usual = fmean(present)
    return [usual if strength is None else strength for strength in strengths]


def seeding_report(section: Section, entries: Sequence[Entry]) -> SeedingReport | None:
    """Return how evenly the strengths of a section are seated; None without seats or without a known strength."""
    strengths = strengths_of(entries)
    if section.movement is None or strengths is None:
        return None
    movement = section.movement.movement
    by_number = {entry.contestant: s for entry, s in zip(entries, strengths, strict=True)}
    if set(by_number) != set(movement.contestants):
        return None
    seated = [by_number[number] for number in movement.contestants]
    return SeedingReport(
        lines=tuple(
            FieldStrength(
                field.name, fmean(by_number[number] for number in movement.members(field))
            )
            for field in movement.fields
        ),
        figure=seeding_figure(movement, seated),
        spread=pstdev(seated),
        unknown=sum(strength_of(entry) is None for entry in entries),
    )
