"""Kinds of contests. Code asks for their properties here, and does not compare names."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Contest(StrEnum):
    """A kind of contest: pairs, single players or teams; files and databases store its name.

    >>> [(contest.value, contest.people, contest.has_halves) for contest in Contest]
    [('pairs', 2, False), ('individual', 1, False), ('teams', 4, True)]
    """

    seats: int
    """Number of a contestant's seats at a table."""
    halves: int
    """Number of tables at which a contestant plays at the same time."""

    def __new__(cls, name: str, seats: int = 2, halves: int = 1) -> Self:
        contest = str.__new__(cls, name)
        contest._value_ = name
        contest.seats, contest.halves = seats, halves
        return contest

    PAIRS = "pairs"
    INDIVIDUAL = "individual", 1
    TEAMS = "teams", 2, 2

    @property
    def people(self) -> int:
        """Return how many people a contestant consists of: one, two or four."""
        return self.seats * self.halves

    @property
    def contestants_per_table(self) -> int:
        """Return how many contestants a table needs: two pairs, four players, or one team."""
        return 4 // self.people

    @property
    def plays_alone(self) -> bool:
        """Return whether contestants are single players with changing partners."""
        return self.people == 1

    @property
    def has_halves(self) -> bool:
        """Return whether contestants are teams, which sit at two tables at a time."""
        return self.halves > 1

    @property
    def fills_a_side(self) -> bool:
        """Return whether contestants are pairs, each one side of a table.

        Only then can one take another's seat for a round, a table be half empty, or arrows be turned.
        """
        return self.people == 2
