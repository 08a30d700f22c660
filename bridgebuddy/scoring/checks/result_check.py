"""A doubt about results: its place, the other tables' results, and a repair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bridgebuddy.scoring.rules import laws
from bridgebuddy.scoring.rules.model import Contract, Outcome, PlayedContract
from bridgebuddy.scoring.rules.outcomes import stored_outcome
from bridgebuddy.scoring.rules.points import single_score

from ..snapshot.lines import PlayLine

FEWEST_IN_GAME = 3
GAME = {"C": 5, "D": 5, "H": 4, "S": 4, "N": 3}
#: a player's seat after the sides are exchanged: the first of a side stays the first
ACROSS = {"N": "E", "E": "N", "S": "W", "W": "S"}
SIDE_OF = {"N": "ns", "S": "ns", "E": "ew", "W": "ew"}


@dataclass(frozen=True)
class ProposedRepair:
    """A proposed correction of a suspicious result: new outcomes for some plays, or a change of the movement."""

    #: "exchange", "declarer", "turn", "not-played", "cancel"; "other-way" and "enter" lead elsewhere
    name: str
    outcomes: tuple[tuple[PlayLine, dict[str, Any] | None], ...] = ()


@dataclass(frozen=True)
class ResultDoubt:
    """A suspicious result: the kind of suspicion, the play, and the results at other tables."""

    kind: str
    key: str
    lines: tuple[PlayLine, ...]
    others: tuple[PlayLine, ...] = ()
    is_sure: bool = False
    repair: ProposedRepair | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def line(self) -> PlayLine:
        """Return the first play that the suspicion concerns."""
        return self.lines[0]


@dataclass(frozen=True)
class ParsedLine:
    """A play with its parsed outcome."""

    line: PlayLine
    outcome: Outcome

    @property
    def score(self) -> int | None:
        """Return the score of the play; None for outcomes with several scores or none."""
        return single_score(self.line.board, self.outcome)

    @property
    def contract(self) -> Contract | None:
        """Return the contract of the play; None without one."""
        return self.outcome.contract if isinstance(self.outcome, PlayedContract) else None

    @property
    def side(self) -> str:
        """Return the side that declared: "ns" or "ew"; empty without a contract."""
        return SIDE_OF[self.outcome.declarer] if isinstance(self.outcome, PlayedContract) else ""

    @property
    def side_and_strain(self) -> tuple[str, str]:
        """Return the declaring side and the strain of the contract."""
        return (self.side, self.contract.strain) if self.contract else ("", "")


def doubtful_result_count(doubts: Iterable[ResultDoubt]) -> int:
    """Return how many results these suspicions concern; one without plays counts as one."""
    return sum(max(len(doubt.lines), 1) for doubt in doubts)


def swapped_outcome(outcome: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return an outcome as if the same people had sat in the other direction.

    >>> swapped_outcome({"contract": "4S", "declarer": "E", "tricks": 10})
    {'contract': '4S', 'declarer': 'N', 'tricks': 10}
    """
    if outcome is None:
        return None
    found = dict(outcome)
    if "declarer" in found:
        found["declarer"] = ACROSS[found["declarer"]]
    return found


def make_doubt(
    kind: str,
    lines: Sequence[PlayLine],
    others: Sequence[PlayLine] = (),
    *,
    is_sure: bool = False,
    repair: ProposedRepair | None = None,
    **facts: Any,
) -> ResultDoubt:
    """Return a suspicious result about these plays; its key changes when one of their results changes."""
    numbers = ".".join(str(line.number) for line in lines)
    key = f"{kind}-{lines[0].play}.{lines[-1].play}-{len(lines)}-{numbers}"
    return ResultDoubt(kind, key[:80], tuple(lines), tuple(others), is_sure, repair, facts)


def doubtful_lines(lines: Sequence[ParsedLine]) -> list[PlayLine]:
    """Return the plays to which these parsed results belong."""
    return [doubt.line for doubt in lines]


def strain_of_contract(line: ParsedLine) -> str:
    """Return the letter of the strain of a play's contract."""
    return line.side_and_strain[1]


def opposite_side(side: str) -> str:
    """Return "ew" for "ns", and "ns" for "ew"."""
    return "ew" if side == "ns" else "ns"


def share_of_denomination(line: ParsedLine, others: Sequence[ParsedLine]) -> float:
    """Return the share of the other results whose contract has the same strain and declaring side."""
    return sum(other.side_and_strain == line.side_and_strain for other in others) / len(others)


def is_game_contract(line: ParsedLine) -> bool:
    """Return whether the contract is worth the game bonus: 3NT, four of a major, five of a minor or more."""
    return line.contract is not None and line.contract.level >= GAME[line.contract.strain]


def is_possible_outcome(line: PlayLine, outcome: dict[str, Any] | None) -> bool:
    """Return whether the laws of bridge allow an outcome on the board of a play."""
    return not any(laws.impossible_outcome(line.board, stored_outcome(outcome)))
