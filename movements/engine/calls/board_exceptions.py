"""A board set that does not move as the rule of the announcement says."""

from __future__ import annotations

from dataclasses import dataclass

from ..board_copies.spots import CopySpot


@dataclass(frozen=True, slots=True)
class BoardException:
    """A board set whose move the announced rule does not cover: its place before and after.

    A position is None for the box of boards not yet played. `copy` is 0 if there is only one.
    """

    name: str
    copy: int
    before: CopySpot | None
    after: CopySpot | None
    is_whole_table: bool = True  # all boards at the table move the same way
    passed: tuple[int, ...] = ()  # tables without players in between
