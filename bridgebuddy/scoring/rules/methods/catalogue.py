"""The methods that compare a board's results over a field, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..comparing import ComparedField
from ..profile import Profile
from . import aggregate, butler, cross_imps, matchpoints
from .comparison import FieldComparison

METHODS: Mapping[str, Callable[[ComparedField, Profile], FieldComparison]] = {
    "matchpoints": matchpoints.compare,
    "cross-imps": cross_imps.compare,
    "butler": butler.compare,
    "aggregate": aggregate.compare,
}
