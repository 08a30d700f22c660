"""Rules for moves without a common shift of a line, derived from the seatings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Protocol

from ..model import Movement, players_of

Line = Literal["ns", "ew"]
#: most exceptions in a call: people do not listen to more
MOST_OTHERS = 4


class Place(Protocol):
    """A contestant's table and direction (protocol for the rules of moves)."""

    @property
    def table(self) -> int:
        """Return the number of the table."""

    @property
    def line(self) -> Line:
        """Return the direction in which the contestant sits, "ns" or "ew"."""


class Step(Protocol):
    """A contestant's move after a round (protocol for the rules of moves)."""

    @property
    def contestant(self) -> int:
        """Return the number of the contestant."""

    @property
    def before(self) -> Place | None:
        """Return the place before the move; None after a sit-out."""

    @property
    def after(self) -> Place | None:
        """Return the place after the move; None for a sit-out."""


@dataclass(frozen=True, slots=True)
class MoveRule:
    """A rule for the moves after a round, with the contestants that stay seated.

    *parity*: East-West of odd tables go a number of tables up, of even ones another number; North-South stay.
    *cross*: North-South go a number of tables up and sit East-West, East-West another number and sit North-South.
    *chairs*: North, South, East and West each keep their seat and go a number of tables up. *follow*: each takes the
    place of the next lower number (1) or higher one (-1); of `ends` the first takes that of the last. `others` stay.
    """

    kind: Literal["parity", "cross", "chairs", "follow"]
    shifts: tuple[int, ...]
    others: tuple[int, ...] = ()
    ends: tuple[int, int] = (0, 0)


def other_rule(movement: Movement, after_round: int, moves: Sequence[Step]) -> MoveRule | None:
    """Return a rule to announce the moves after a round if neither direction moves as a whole; None without one.

    >>> from ..families.howells.howell import howell
    >>> from .wording import contestant_steps
    >>> movement = howell(4)
    >>> other_rule(movement, 1, contestant_steps(movement, 1))
    MoveRule(kind='follow', shifts=(1,), others=(8,), ends=(1, 7))
    """
    if movement.contest.plays_alone:
        return _chairs_rule(movement, after_round)
    if not movement.contest.fills_a_side:
        return None
    return _follow_rule(moves) or _parity_rule(movement, moves) or _cross_rule(movement, moves)


def _shift_up(old_table: int, new_table: int, tables: int) -> int:
    """Return by how many tables up a move goes, negative for down, in the shorter direction."""
    up = (new_table - old_table) % tables
    return up if up <= tables // 2 else up - tables


def _follow_rule(moves: Sequence[Step]) -> MoveRule | None:
    """Return the rule that each moving contestant follows the one with the next number; None if it does not hold."""
    had = {(s.before.table, s.before.line): s.contestant for s in moves if s.before}
    if len(had) < len(moves) or any(step.after is None for step in moves):
        return None
    follows = {
        step.contestant: had.get((step.after.table, step.after.line), 0)
        for step in moves
        if step.after
    }
    stay = tuple(sorted(contestant for contestant, whom in follows.items() if contestant == whom))
    ring = sorted(contestant for contestant, whom in follows.items() if contestant != whom)
    if len(ring) < 3 or ring != list(range(ring[0], ring[-1] + 1)) or len(stay) > MOST_OTHERS:
        return None
    for step in (1, -1):
        order = ring if step == 1 else ring[::-1]
        if all(follows[contestant] == whom for whom, contestant in pairwise([*order[-1:], *order])):
            return MoveRule("follow", (step,), stay, (order[0], order[-1]))
    return None


def _parity_rule(movement: Movement, moves: Sequence[Step]) -> MoveRule | None:
    """Return the rule that North-South stay, and East-West of odd and even tables move differently; or None."""
    sides = [step for step in moves if step.before and step.after]
    if any(side.before.table != side.after.table for side in sides if side.before and side.before.line == "ns" and side.after and side.after.line == "ns"):  # fmt: skip
        return None
    odd = _common_shift(movement, (side for side in sides if side.before and side.before.line == "ew" and side.before.table % 2), "ew")  # fmt: skip
    even = _common_shift(movement, (side for side in sides if side.before and side.before.line == "ew" and not side.before.table % 2), "ew")  # fmt: skip
    if odd is None or even is None or odd == even:
        return None

    def follows_parity(step: Step) -> bool:
        """Return whether a move follows the rule for odd and even tables."""
        if step.before is None or step.after is None or step.before.line != step.after.line:
            return False
        if step.before.line == "ns":
            return True
        shift = odd if step.before.table % 2 else even
        return _shift_up(step.before.table, step.after.table, movement.tables) == shift

    return _rule_unless_exceptions("parity", (odd, even), moves, follows_parity)


def _cross_rule(movement: Movement, moves: Sequence[Step]) -> MoveRule | None:
    """Return the rule that contestants of both directions move to the other direction; None if it does not hold."""
    ns = _common_shift(movement, (s for s in moves if s.before and s.before.line == "ns"), "ew")
    ew = _common_shift(movement, (s for s in moves if s.before and s.before.line == "ew"), "ns")
    if ns is None or ew is None:
        return None

    def follows_cross(step: Step) -> bool:
        """Return whether a move follows the rule for crossing lines."""
        if step.before is None or step.after is None or step.before.line == step.after.line:
            return False
        shift = ns if step.before.line == "ns" else ew
        return _shift_up(step.before.table, step.after.table, movement.tables) == shift

    return _rule_unless_exceptions("cross", (ns, ew), moves, follows_cross)


def _common_shift(movement: Movement, moves: Iterable[Step], direction: Line) -> int | None:
    """Return the shift of most moves to a direction; None if there is no majority."""
    steps = list(moves)
    shifts = Counter(
        _shift_up(step.before.table, step.after.table, movement.tables)
        for step in steps
        if step.before and step.after and step.after.line == direction
    )
    if not shifts:
        return None
    shift, times = shifts.most_common(1)[0]
    return shift if 2 * times > len(steps) else None


def _rule_unless_exceptions(
    kind: Literal["parity", "cross"],
    shifts: tuple[int, ...],
    moves: Sequence[Step],
    follows: Callable[[Step], bool],
) -> MoveRule | None:
    """Return a rule of this kind if few contestants break it; otherwise None."""
    others = tuple(step.contestant for step in moves if not follows(step))
    return MoveRule(kind, shifts, others) if len(others) <= MOST_OTHERS else None


def _chairs_rule(movement: Movement, after_round: int) -> MoveRule | None:
    """Return the rule of an individual in which the players of each seat have their own shift; or None."""
    before, after = (
        dict(_seats_by_contestant(movement, after_round)),
        dict(_seats_by_contestant(movement, after_round + 1)),
    )
    if not before or before.keys() != after.keys():
        return None
    shifts: dict[str, int] = {}
    for contestant, (table, chair) in before.items():
        to, where = after[contestant]
        if where != chair:
            return None
        if shifts.setdefault(chair, _shift_up(table, to, movement.tables)) != _shift_up(
            table, to, movement.tables
        ):
            return None
    return MoveRule("chairs", tuple(shifts[chair] for chair in "nsew"))


def _seats_by_contestant(movement: Movement, round: int) -> Iterator[tuple[int, tuple[int, str]]]:
    """Yield the seat of each contestant in a round."""
    for seating in movement.in_round(round):
        for line, side in (("ns", seating.ns), ("ew", seating.ew)):
            for chair, contestant in zip(line, players_of(side), strict=False):
                yield contestant, (seating.table, chair)
