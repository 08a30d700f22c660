"""Positions of a copy of a board set."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Kind = Literal["table", "stand", "aside"]


@dataclass(frozen=True, slots=True)
class CopySpot:
    """The place of a copy of a board set: at a table, on the board stand after a table, or put aside.

    With several tables it is passed to and fro. A copy put aside stays where it was last.
    """

    kind: Kind
    tables: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CopyStay:
    """A copy of a board set at one place during a round, or a part of it."""

    name: str
    copy: int  # from 1
    round: int
    begins: Fraction
    ends: Fraction
    spot: CopySpot
