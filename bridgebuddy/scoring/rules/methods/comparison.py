"""The common result of every method of comparison: the value of a score in a field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ..model import Line

#: a side, and a score as that side sees it → its value, own line compared with itself left out
Worth = Callable[[Line, int], Fraction]


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """How the compared results of a board score: the value of each bridge score, the top or the datum."""

    worth: Worth
    rule: str
    top: Fraction | None = None
    datum: int | None = None
    datum_ew: int | None = None
