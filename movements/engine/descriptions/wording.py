"""Moves between two rounds as facts: "E-W up 2", "boards down 1", "the set waits after table 6".

Facts are derived from the seatings, so that words and grid cannot disagree. Pages turn them into sentences in the
reader's language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ..board_copies.copies import copy_places
from ..board_copies.spots import CopySpot
from ..model import Movement, players_of
from .rules import MoveRule, other_rule

#: at so few tables two up is one down, as in a triangle: that is no skip
NO_SKIP = 3

Line = Literal["ns", "ew"]


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """A contestant's seat in a round: its table and direction."""

    table: int
    line: Line


@dataclass(frozen=True, slots=True)
class ContestantStep:
    """A contestant's move after a round, from one seat to the next; None for a sit-out or before arriving."""

    contestant: int
    before: SeatPlace | None
    after: SeatPlace | None


@dataclass(frozen=True, slots=True)
class BoardStep:
    """The move of one copy of a board set: its tables before and after, or its stand.

    Without tables and stands before, it is fetched from its box, or from where it was put aside. Without them after,
    it is put aside.
    """

    name: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    from_stand: int = 0  # the table before the stand of the sit-out, 0 for none
    to_stand: int = 0
    copy: int = 0  # 0 if there is only one


@dataclass(frozen=True, slots=True)
class Announcement:
    """The moves after a round as data for an announcement: the usual shifts, and exceptions.

    `ns`, `ew` and `boards` are tables up (down if negative, 0 to stay) of the majority; None without a majority, so
    that all need a card. `is_skip` says that E-W move differently from most rounds. `others` and `other_boards` are
    the exceptions. `boards_are_new`: no boards move between tables, all tables get other sets. `copies_keep_apart`:
    there are several copies, each with its own tables while these sets are played. `rule` is another rule for nearly
    all, if no line has a common shift.
    """

    after_round: int
    ns: int | None
    ew: int | None
    boards: int | None
    is_skip: bool
    others: tuple[ContestantStep, ...]
    other_boards: tuple[BoardStep, ...]
    boards_are_new: bool = False
    copies_keep_apart: bool = False
    rule: MoveRule | None = None


def round_announcement(movement: Movement, after_round: int) -> Announcement:
    """Return the moves after a round, as data for its announcement.

    Raises `LookupError` for the last round, which has no moves after it.
    """
    if not 1 <= after_round < movement.rounds:
        raise LookupError(f"nothing follows round {after_round}")
    return announcements(movement)[after_round - 1]


@lru_cache(maxsize=64)
def announcements(movement: Movement) -> tuple[Announcement, ...]:
    """Return the moves after every round but the last, as data for announcements."""
    rounds = range(1, movement.rounds)
    moves = [contestant_steps(movement, round) for round in rounds]
    usual = usual_shift(movement)
    return tuple(
        _build_announcement(movement, round, of_round, usual)
        for round, of_round in zip(rounds, moves, strict=True)
    )


@lru_cache(maxsize=64)
def usual_shift(movement: Movement) -> int | None:
    """Return by how many tables East-West usually move; None if there is no usual shift."""
    return _usual_ew_shift(
        [
            _ew_shift(movement, contestant_steps(movement, round))
            for round in range(1, movement.rounds)
        ]
    )


def _build_announcement(
    movement: Movement, after_round: int, moves: Sequence[ContestantStep], usual_shift: int | None
) -> Announcement:
    """Return the data for the announcement after a round, from its moves and the usual shift."""
    boards = board_steps(movement, after_round)
    ns = _common_shift(
        movement, (step for step in moves if step.before and step.before.line == "ns")
    )
    ew = _ew_shift(movement, moves)
    down = _common_boards(movement, boards)
    rule: dict[Line, int | None] = {"ns": ns, "ew": ew}
    other = other_rule(movement, after_round, moves) if ew is None and not ns else None
    return Announcement(
        after_round=after_round,
        ns=ns,
        ew=ew,
        boards=down,
        is_skip=movement.tables > NO_SKIP
        and ew is not None
        and usual_shift is not None
        and ew != usual_shift,
        others=tuple(step for step in moves if not _follows_rule(movement, step, rule)),
        other_boards=tuple(step for step in boards if not _board_follows(movement, step, down)),
        boards_are_new=_are_all_boards_new(boards),
        copies_keep_apart=_copies_keep_apart(movement, boards),
        rule=other,
    )


def contestant_steps(movement: Movement, after_round: int) -> tuple[ContestantStep, ...]:
    """Return the moves of all contestants after a round, in the order of numbers.

    For a team there is one for each half. A draw has no tables, so it has no moves.
    """
    if movement.is_draw:
        return ()
    before = _seats_in_round(movement, after_round)
    after = _seats_in_round(movement, after_round + 1, at_start=True)
    return tuple(
        ContestantStep(contestant, before.get((contestant, half)), after.get((contestant, half)))
        for contestant in movement.contestants
        for half in (("ns", "ew") if movement.contest.has_halves else ("",))
        if (contestant, half) in before or (contestant, half) in after
    )


def board_steps(movement: Movement, after_round: int) -> tuple[BoardStep, ...]:
    """Return the moves of every copy of every set after a round, in the order of the sets.

    Copies that stay on a stand are left out.
    """
    board_steps = []
    where = copy_places(movement)
    for carried in where.carried(after_round):
        name = carried.copy.name
        from_stand, to_stand = _stand_of_spots(carried.before), _stand_of_spots(carried.after)
        step = BoardStep(
            name,
            _tables_of_spots(carried.before),
            _tables_of_spots(carried.after),
            from_stand,
            to_stand,
            carried.copy.number if where.copies_used[name] > 1 else 0,
        )
        if step.before or step.after or from_stand != to_stand:
            board_steps.append(step)
    return tuple(board_steps)


def _tables_of_spots(spots: Iterable[CopySpot]) -> tuple[int, ...]:
    """Return the tables among these places of boards."""
    tables = (table for spot in spots if spot.kind == "table" for table in spot.tables)
    return tuple(dict.fromkeys(tables))


def _stand_of_spots(spots: Iterable[CopySpot]) -> int:
    """Return the table before the first board stand among these places of boards; 0 without one."""
    return next((spot.tables[0] for spot in spots if spot.kind == "stand"), 0)


def _are_all_boards_new(boards: Sequence[BoardStep]) -> bool:
    """Return whether all boards that come to tables are new ones."""
    return any(step.after for step in boards) and not any(
        step.after and (step.before or step.from_stand) for step in boards
    )


def _copies_keep_apart(movement: Movement, boards: Iterable[BoardStep]) -> bool:
    """Return whether different copies of these boards never come to the same table."""
    return copy_places(movement).keep_apart(
        {step.name for step in boards if step.before or step.after}
    )


def _seats_in_round(
    movement: Movement, round: int, *, at_start: bool = False
) -> dict[tuple[int, str], SeatPlace]:
    """Return all seats at the end, or the start, of a round; a team's two pairs separately.

    They differ if a table plays the round in parts and people change seats in between.
    """
    lines: tuple[Line, Line] = ("ns", "ew")
    has_halves = movement.contest.has_halves
    return {
        (contestant, line if has_halves else ""): SeatPlace(part.seating.table, line)
        for part in movement.parts(round)
        if part.index == (1 if at_start else part.parts)
        for line, side in zip(lines, (part.seating.ns, part.seating.ew), strict=True)
        for contestant in players_of(side)
    }


def tables_up(old_table: int, new_table: int, tables: int) -> int:
    """Return by how many tables a move goes up a circle of tables, negative for down.

    >>> tables_up(8, 1, 8), tables_up(1, 8, 8), tables_up(1, 5, 8)
    (1, -1, 4)
    """
    up = (new_table - old_table) % tables
    return up if up <= tables // 2 else up - tables


def _common_shift(movement: Movement, moves: Iterable[ContestantStep]) -> int | None:
    """Return the shift of more than half of the moves that keep their direction; None without one."""
    shifts: Counter[int] = Counter()
    total = 0
    for step in moves:
        if step.before and step.after:
            total += 1
            if step.after.line == step.before.line:
                shifts[tables_up(step.before.table, step.after.table, movement.tables)] += 1
    if not shifts:
        return None
    shift, times = shifts.most_common(1)[0]
    return shift if 2 * times > total else None


def _common_boards(movement: Movement, boards: Sequence[BoardStep]) -> int | None:
    """Return by how many tables more than half of the board sets move; None without such a majority.

    Half is enough for one table down if every copy has its own tables: of two tables each gives to the other.
    """
    shifts: Counter[int] = Counter()
    total = 0
    for step in boards:
        if step.before and step.after:
            total += 1
            shifts.update(_shifts_of_step(movement, step))
    if not shifts:
        return None
    shift, times = max(shifts.items(), key=lambda item: (item[1], -abs(item[0]), -item[0]))
    is_half = 2 * times == total and shift == -1 and _copies_keep_apart(movement, boards)
    return shift if 2 * times > total or is_half else None


def _shifts_of_step(movement: Movement, step: BoardStep) -> set[int]:
    """Return the numbers of tables by which a board set may have moved up: several if tables share it."""
    return {
        tables_up(before, after, movement.tables) for before in step.before for after in step.after
    }


def _follows_rule(
    movement: Movement, step: ContestantStep, rule: Mapping[Line, int | None]
) -> bool:
    """Return whether a contestant moves as its direction does."""
    if step.before is None or step.after is None or step.before.line != step.after.line:
        return False
    shift = rule[step.before.line]
    return shift is not None and shift == tables_up(
        step.before.table, step.after.table, movement.tables
    )


def _board_follows(movement: Movement, step: BoardStep, shift: int | None) -> bool:
    """Return whether a copy of a board set moves up by `shift` tables."""
    return shift is not None and shift in _shifts_of_step(movement, step)


def _ew_shift(movement: Movement, moves: Iterable[ContestantStep]) -> int | None:
    """Return by how many tables East-West move up after a round; None without a common shift."""
    return _common_shift(
        movement, (step for step in moves if step.before and step.before.line == "ew")
    )


def _usual_ew_shift(ways: Sequence[int | None]) -> int | None:
    """Return the shift of East-West that is usual over all rounds; None if none is."""
    if not ways:
        return None
    shift, times = Counter(ways).most_common(1)[0]
    return shift if 2 * times > len(ways) else None
