"""Who plays for themselves. What differs between the contests is asked here and not told by their names."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Contest(StrEnum):
    """A contest of pairs, of single players or of teams; files and databases keep its name.

    >>> [(one.value, one.people, one.has_halves) for one in Contest]
    [('pairs', 2, False), ('individual', 1, False), ('teams', 4, True)]
    """

    seats: int
    """How many seats a contestant has at a table."""
    halves: int
    """At how many tables a contestant plays at the same time."""

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
        """How many people a contestant is."""
        return self.seats * self.halves

    @property
    def to_a_table(self) -> int:
        """How many contestants there are for every table: of teams one, which fills half of two."""
        return 4 // self.people

    @property
    def plays_alone(self) -> bool:
        """Whether a contestant is one player, with many partners: then two have a side of a table."""
        return self.people == 1

    @property
    def has_halves(self) -> bool:
        """Whether a contestant is at two tables at a time, and what it plays is matches."""
        return self.halves > 1

    @property
    def fills_a_side(self) -> bool:
        """Whether a contestant is one side of one table, no less and no more.

        Only then can one have another's seat for a round, a table be half empty, arrows be turned.
        """
        return self.people == 2
