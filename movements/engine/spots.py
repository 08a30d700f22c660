"""Where a copy of a board set can be."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Kind = Literal["table", "stand", "aside"]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a copy of a set is: at a table, on the stand after a table, or put aside.

    At several tables it is passed to and fro. What is put aside lies where it was last.
    """

    kind: Kind
    tables: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lying:
    """A copy of a set at a spot for a while: a round, or a part of it."""

    name: str
    copy: int  # from 1
    round: int
    begins: Fraction
    ends: Fraction
    spot: Spot
