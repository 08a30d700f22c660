"""The parts of a score sheet: its boards, its rounds, and a player's result with each partner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from bridgebuddy.events.queries.plan.games import Contestant

from ..snapshot.lines import PlayLine
from .against_cards import DoubleDummyComparison
from .scored import SideScore


@dataclass(frozen=True)
class SheetEntry:
    """A row of a score sheet: a board with its outcome and the contestant's score."""

    line: PlayLine
    score: int | None  # North-South's
    side: SideScore | None
    sits: str  # the line in which the contestant sits
    is_hidden: bool = False  # there is a result, but others have yet to play the board
    #: tricks relative to double-dummy play, once the board can no longer be played
    against: DoubleDummyComparison | None = None

    @property
    def board(self) -> int:
        """Return the board number."""
        return self.line.board

    @property
    def outcome(self) -> dict[str, Any] | None:
        """Return the outcome of the play."""
        return self.line.outcome

    @property
    def percent(self) -> Fraction | None:
        """Return the contestant's percentage on the board; None without one."""
        return self.side.percent if self.side else None

    @property
    def points(self) -> Fraction | None:
        """Return the contestant's points on the board; None without any."""
        return self.side.points if self.side else None

    @property
    def shown_value(self) -> Fraction | None:
        """Return the score to show: the percentage if there is one, otherwise the points."""
        return self.percent if self.percent is not None else self.points


@dataclass(frozen=True)
class SheetStage:
    """A round on a score sheet: its boards, played against the same opponents."""

    round: int
    table: int
    opponents: tuple[Contestant, ...]
    partner: Contestant | None
    entries: tuple[SheetEntry, ...]
    vps: float | None = None  # the match's victory points, in a Swiss of pairs

    @property
    def is_sit_out(self) -> bool:
        """Return whether the contestant sat out, because somebody else at the table had left."""
        others = (*self.opponents, *((self.partner,) if self.partner else ()))
        return self.is_lost and any(contestant.is_away(self.round) for contestant in others)

    @property
    def is_lost(self) -> bool:
        """Return whether no board of the round was played, because a contestant at the table had left."""
        return all(entry.line.is_lost for entry in self.entries)

    @property
    def shown_value(self) -> Fraction | None:
        """Return the contestant's percentage in the round, or the sum of IMPs, exactly."""
        sides = [
            entry.side.row for entry in self.entries if entry.side and entry.side.value is not None
        ]
        if not sides:
            return None
        total = sum(side.counted or 0 for side in sides)
        top = sum(Fraction(str(side.top or 0)) for side in sides)
        return Fraction(100 * total / top if top else total)


@dataclass(frozen=True)
class PartnerResult:
    """A player's result with one partner in an individual, over several boards."""

    partner: Contestant
    boards: int
    shown: Fraction | None  # the share of all tops in per cent, or the sum of IMPs


def merged_with_partner(stages: list[SheetStage]) -> PartnerResult:
    """Return a player's result with one partner, over all boards that they played together."""
    partner = stages[0].partner
    assert partner is not None, "these are stages of a player with a partner"
    entries = tuple(
        entry for stage in stages for entry in stage.entries if entry.shown_value is not None
    )
    together = replace(stages[0], entries=entries)
    return PartnerResult(partner, len(entries), together.shown_value)
