"""A board at a table in a round, the input of results."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant

from ..models import Result
from ..rules.model import Outcome
from ..rules.outcomes import stored_outcome

#: all of a result that is visible to contestants that have yet to play the board
HIDDEN = {"hidden": True}
#: keys of the outcomes that a director rules
RULINGS = ("assigned", "artificial", "not_played")
#: a board's deal by name, and its number
Dealt = tuple[str, int]


@dataclass(frozen=True)
class PlayLine:
    """One board at one table in a round, past or planned, with its result; `index` is its place in the document."""

    index: int
    section: Section
    round: int
    table: int
    board: int
    ns: tuple[Contestant, ...]
    ew: tuple[Contestant, ...]
    play: int = 0  # the play's key; 0: it has not begun
    part: int = 1
    turned: bool = False
    people: tuple[str, ...] = ()  # the players at N, E, S and W, if known
    result: Result | None = None
    #: the group of fouled boards
    group: str | None = None
    #: the board can no longer be played, because a contestant has left
    is_lost: bool = False

    @property
    def outcome(self) -> dict[str, Any] | None:
        """Return the valid outcome of the play as JSON data; None without a result."""
        return self.result.outcome if self.result else None

    @cached_property
    def parsed_outcome(self) -> Outcome:
        """Return the valid outcome as a value of the scoring rules."""
        return stored_outcome(self.outcome)

    @property
    def number(self) -> int:
        """Return the number of the valid result among the play's results; 0 if there is none."""
        return self.result.number if self.result else 0

    @property
    def has_begun(self) -> bool:
        """Return whether the play's round has begun."""
        return self.play > 0

    @property
    def is_hidden(self) -> bool:
        """Return whether the play has a result that this reader may not see yet."""
        return self.outcome == HIDDEN

    @property
    def is_ruling(self) -> bool:
        """Return whether the result is a director's ruling."""
        return self.outcome is not None and any(ruling in self.outcome for ruling in RULINGS)

    @property
    def ruling_reason(self) -> str:
        """Return the reason of the director's ruling, which players may read; empty without a ruling or a reason."""
        return self.result.reason if self.result and self.is_ruling else ""

    def side(self, direction: str) -> tuple[Contestant, ...]:
        """Return the contestants that sit in the direction "ns" or "ew"."""
        return self.ns if direction == "ns" else self.ew
