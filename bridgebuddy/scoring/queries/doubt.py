"""A doubt about results: its place, the other tables' results, and a repair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..rules import laws
from ..rules.model import Contract, Outcome, Played
from ..rules.outcomes import as_kept
from ..rules.points import single_score
from .lines import Line

FEWEST_IN_GAME = 3
GAME = {"C": 5, "D": 5, "H": 4, "S": 4, "N": 3}
#: where somebody sits who sat the other way: the first of a side stays the first
ACROSS = {"N": "E", "E": "N", "S": "W", "W": "S"}
SIDE_OF = {"N": "ns", "S": "ns", "E": "ew", "W": "ew"}


@dataclass(frozen=True)
class Repair:
    """A repair of a doubt: other outcomes of some plays, by key, or a live change."""

    #: "exchange", "declarer", "turn", "not-played", "cancel"; "other-way" and "enter" lead elsewhere
    name: str
    outcomes: tuple[tuple[Line, dict[str, Any] | None], ...] = ()


@dataclass(frozen=True)
class Doubt:
    """A suspicious result: its kind, its place, and the other tables' results."""

    kind: str
    key: str
    lines: tuple[Line, ...]
    others: tuple[Line, ...] = ()
    is_sure: bool = False
    repair: Repair | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def line(self) -> Line:
        return self.lines[0]


@dataclass(frozen=True)
class Seen:
    """A line with its parsed outcome."""

    line: Line
    outcome: Outcome

    @property
    def score(self) -> int | None:
        return single_score(self.line.board, self.outcome)

    @property
    def contract(self) -> Contract | None:
        return self.outcome.contract if isinstance(self.outcome, Played) else None

    @property
    def side(self) -> str:
        """Return the side that declared: "ns" or "ew"; empty if there was no contract."""
        return SIDE_OF[self.outcome.declarer] if isinstance(self.outcome, Played) else ""

    @property
    def denomination(self) -> tuple[str, str]:
        """The side and the strain of a contract."""
        return (self.side, self.contract.strain) if self.contract else ("", "")


def turned_outcome(outcome: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return an outcome as if the same people had sat in the other direction.

    >>> turned_outcome({"contract": "4S", "declarer": "E", "tricks": 10})
    {'contract': '4S', 'declarer': 'N', 'tricks': 10}
    """
    if outcome is None:
        return None
    found = dict(outcome)
    if "declarer" in found:
        found["declarer"] = ACROSS[found["declarer"]]
    return found


def doubt_of(
    kind: str,
    lines: Sequence[Line],
    others: Sequence[Line] = (),
    *,
    is_sure: bool = False,
    repair: Repair | None = None,
    **facts: Any,
) -> Doubt:
    numbers = ".".join(str(line.number) for line in lines)
    key = f"{kind}-{lines[0].play}.{lines[-1].play}-{len(lines)}-{numbers}"
    return Doubt(kind, key[:80], tuple(lines), tuple(others), is_sure, repair, facts)


def lines_of(found: Sequence[Seen]) -> list[Line]:
    return [doubt.line for doubt in found]


def strain_of(one: Seen) -> str:
    return one.denomination[1]


def other_side(side: str) -> str:
    return "ew" if side == "ns" else "ns"


def share_of(one: Seen, others: Sequence[Seen]) -> float:
    """Return the share of other results with the same strain and side."""
    return sum(other.denomination == one.denomination for other in others) / len(others)


def is_game(one: Seen) -> bool:
    return one.contract is not None and one.contract.level >= GAME[one.contract.strain]


def is_possible(line: Line, outcome: dict[str, Any] | None) -> bool:
    return not any(laws.impossible_outcome(line.board, as_kept(outcome)))
