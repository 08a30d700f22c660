"""A broken law, and its English sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..model import Movement

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken law of movements: its name, round, table and contestants; 0 for none."""

    law: str
    round: int = 0
    table: int = 0
    contestants: tuple[int, ...] = ()
    sets: tuple[str, ...] = ()
    rounds: tuple[int, ...] = ()
    tables: tuple[int, ...] = ()
    severity: Severity = "error"
    missing: tuple[int, ...] = ()  # missing tables

    def sentence(self, movement: Movement) -> str:
        """Return the violation in English, with the usual labels."""
        where = f"round {self.round}: " if self.round else ""
        where = f"{where}table {self.table}: " if self.table else where
        names = [
            movement.label(c) if c in movement.contestants else f"unknown {c}"
            for c in self.contestants
        ]
        parts = [
            " and ".join(names),
            f"set {', '.join(self.sets)}" if self.sets else "",
            f"in rounds {', '.join(map(str, self.rounds))}" if self.rounds else "",
            f"at tables {', '.join(map(str, self.tables))}" if self.tables else "",
            f"table {self.missing[0]} is missing" if len(self.missing) == 1 else "",
            f"tables {', '.join(map(str, self.missing))} are missing"
            if len(self.missing) > 1
            else "",
        ]
        return f"{self.law}: {where}{' '.join(part for part in parts if part)}".rstrip(": ")
