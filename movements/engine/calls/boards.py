"""Moves of boards after a round, as rules for groups of tables with as few exceptions as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from ..board_copies.copies import CarriedCopy, copy_places
from ..board_copies.spots import CopySpot
from ..model import Movement
from .board_exceptions import BoardException
from .pieces import (
    MOST_EXCEPTIONS,
    TableDivision,
    TableGroup,
    closed_rows,
    do_rows_move_alike,
    group_of_table,
    usual_divisions,
)
from .sharing import lowest_tables, sharing_tables, sometimes_shared_tables

Kind = Literal["none", "new", "stay", "named", "pieces", "stations", "halves", "cards"]
#: approximate number of words of a rule, by its group or kind, and of an exception
WORDS = {"all": 4, "odd": 6, "even": 6, "row": 14, "swap": 8}
WORDS_OF_KIND = {"none": 0, "new": 6, "stay": 4, "stations": 14, "halves": 16, "cards": 7}
WORDS_OF_ROWS, WORDS_OF_ROW, WORDS_OF_SHARING = 17, 3, 5  # two rows, and each further one
WORDS_OF_CLAUSE = {
    "stand": 13,
    "copy's stand": 10,
    "passed": 12,
    "goes": 7,
    "fetched": 8,
    "aside": 6,
}
WORDS_OF_COPY = {"brought": 5, "taken": 7, "taken there": 5, "goes": 5, "fetched": 5, "aside": 6}
#: words saved by one sentence about people and boards that go round a row of tables
WORDS_SAVED = 11
NEITHER, FIRST, SECOND = 0, 1, 2


@dataclass(frozen=True, slots=True)
class BoardAnnouncement:
    """The part of an announcement on the boards: a rule for most, and exceptions.

    *none*: there are no boards. *stay*: all stay except `others`. *named*: only `others` are mentioned. *new*: every
    table gets other boards; `sets` are named if all get the same. *pieces*: boards at a table move with its group;
    those on a stand or aside stay. *stations*: boards move `shift` stations along the tables and stands; tables that
    share count as one. *halves*: the half `half` of each set moves `shift` tables up; the other stays at its table,
    or is put aside there. With half 0 both move, including those put aside. *cards*: no rule applies, and the table
    cards give the moves. `others` are exceptions to the rule. `shared` are tables that share, apart from those that
    always do.
    """

    kind: Kind
    pieces: TableDivision = ()
    shift: int = 0
    half: int = NEITHER
    sets: tuple[str, ...] = ()
    others: tuple[BoardException, ...] = ()
    shared: tuple[tuple[int, ...], ...] = ()

    @property
    def words(self) -> int:
        """Return about how many words the announcement of the boards' moves has."""
        words = WORDS_OF_KIND.get(self.kind, 0) + WORDS_OF_SHARING * len(self.shared)
        if self.kind == "pieces" and do_rows_move_alike(self.pieces):
            words += WORDS_OF_ROWS + WORDS_OF_ROW * (len(self.pieces) - 2)
        elif self.kind == "pieces":
            words += sum(WORDS[piece.group] + (abs(piece.shift) > 1) for piece in self.pieces)
        copies = {item.copy for item in self.others if item.copy}
        clauses = (
            (WORDS_OF_COPY if is_of_copy else WORDS_OF_CLAUSE)[kind]
            for kind, is_of_copy in _clause_kinds(self.others)
        )
        return words + 2 * len(copies) + sum(clauses)


@dataclass(frozen=True, slots=True)
class _CopyTransfer:
    """A copy of a board set with its present and its next place."""

    name: str
    copy: int
    before: CopySpot | None
    after: CopySpot | None
    is_done: bool

    @property
    def half(self) -> int:
        """Return which half of its set it is, in movements that divide sets into halves."""
        return int(self.name[-1]) if self.name[-1] in "12" else NEITHER


def board_announcement(
    movement: Movement, after_round: int, row: tuple[int, int] | None = None
) -> BoardAnnouncement:
    """Return the shortest announcement that moves all boards to their places for the next round.

    `row` is the row of tables that people circle, if there is one. If boards circle the same row, the call needs only
    a few more words.
    """
    if movement.is_draw or not movement.sets:
        return BoardAnnouncement("none")
    items = _copy_transfers(movement, copy_places(movement).carried_between_rounds(after_round))
    shared = sometimes_shared_tables(movement, after_round + 1)
    if _are_all_boards_new(items):
        sets = {name for seating in movement.in_round(after_round + 1) for name in seating.sets}
        same = len(sets) == len(movement.in_round(after_round + 1)[0].sets)
        return BoardAnnouncement("new", sets=tuple(sorted(sets)) if same else (), shared=shared)
    call = shortest_announcement(movement, items, after_round + 1, row)
    return call if call.kind == "cards" else replace(call, shared=shared)


def shortest_announcement(
    movement: Movement,
    items: Sequence[_CopyTransfer],
    round: int,
    row: tuple[int, int] | None = None,
) -> BoardAnnouncement:
    """Return the shortest announcement for these moves of boards; `round` is the round in which they arrive."""
    calls: list[tuple[int, int, BoardAnnouncement]] = []
    for order, call in enumerate(_candidate_announcements(movement, items)):
        others = tuple(_exceptions_to_announcement(movement, call, items, round))
        call = replace(call, others=others)
        if call.kind == "stay" and others and not _do_other_boards_stay(items, others):
            call = replace(call, kind="named")
        stands = sum(kind == "taken there" for kind, _is_of_copy in _clause_kinds(others))
        if len(_clause_kinds(others)) - stands <= MOST_EXCEPTIONS and all(
            map(_has_sentence, others)
        ):
            rows = {(piece.first, piece.last) for piece in call.pieces}
            saved = WORDS_SAVED if row and rows == {row} else 0
            calls.append((call.words - saved, order, call))
    if not items:
        return BoardAnnouncement("stay")
    if not calls:
        return BoardAnnouncement("cards")
    return min(calls, key=lambda item: item[:2])[2]


def _do_other_boards_stay(items: Sequence[_CopyTransfer], others: Sequence[BoardException]) -> bool:
    """Return whether boards at a table remain that are not among the exceptions `others`, so that they stay."""
    named = {(item.name, item.copy) for item in others}
    return any(
        item.before and item.before.kind == "table" and (item.name, item.copy) not in named
        for item in items
    )


def _copy_transfers(movement: Movement, carried: Iterable[CarriedCopy]) -> list[_CopyTransfer]:
    """Return the present and next place of each carried copy."""
    used = copy_places(movement).copies_used
    return [
        _CopyTransfer(
            carried_copy.copy.name,
            carried_copy.copy.number if used[carried_copy.copy.name] > 1 else 0,
            carried_copy.before[0] if carried_copy.before else None,
            carried_copy.after[0] if carried_copy.after else None,
            carried_copy.is_done,
        )
        for carried_copy in carried
    ]


def break_announcement(
    movement: Movement, round: int, carried: Iterable[CarriedCopy]
) -> BoardAnnouncement:
    """Return the shortest announcement for the boards between two parts of a round.

    Tables that share pass their boards to and fro all the time, so that is not mentioned.
    """
    groups = [{*group} for group in sharing_tables(movement, round)]
    items = [
        item
        for item in _copy_transfers(movement, carried)
        if not (item.before and item.after)
        or not any({*item.before.tables, *item.after.tables} <= group for group in groups)
    ]
    return shortest_announcement(movement, items, round)


def _are_all_boards_new(items: Sequence[_CopyTransfer]) -> bool:
    """Return whether all boards that arrive at tables come from their boxes."""
    come = [item for item in items if item.after and item.after.kind == "table"]
    if any(item.after and item.after.kind == "stand" for item in items):
        return False
    return bool(come) and all(item.before is None or item.before.kind == "aside" for item in come)


# ── kinds of rules ──


def _candidate_announcements(
    movement: Movement, items: Sequence[_CopyTransfer]
) -> Iterator[BoardAnnouncement]:
    """Yield the possible announcements for these moves of boards."""
    if not any(item.before and item.before.kind == "table" for item in items):
        return
    yield BoardAnnouncement("stay")
    for shape in _candidate_divisions(movement, items):
        ways = [_fitted_groups(movement, part, items) for part in shape]
        for rank in (0, 1) if len(shape) == 1 else (0,):
            pieces = tuple(way[rank] for way in ways if len(way) > rank)
            if len(pieces) == len(shape) and any(piece.shift for piece in pieces):
                yield BoardAnnouncement("pieces", pieces)
    if len(copy_places(movement).stands) > 1 and not any(item.copy for item in items):
        for shift in (-1, 1):
            yield BoardAnnouncement("stations", shift=shift)
    if any(item.half for item in items):
        for shift in (-1, 1):
            for half in (NEITHER, FIRST, SECOND):
                yield BoardAnnouncement("halves", shift=shift, half=half)


def _candidate_divisions(
    movement: Movement, items: Sequence[_CopyTransfer]
) -> Iterator[TableDivision]:
    """Yield the ways to divide the tables into groups whose boards may move alike."""
    tables = movement.tables
    yield from usual_divisions(tables)
    lowest = lowest_tables(movement)
    if 2 < len(lowest) < tables and lowest == tuple(range(1, len(lowest) + 1)):
        yield (TableGroup("row", first=1, last=len(lowest)),)
    goes = {
        item.before.tables[0]: item.after.tables[0]
        for item in items
        if item.before and item.after and item.before.kind == item.after.kind == "table"
    }
    if rows := closed_rows(goes, tables):
        yield rows
    yield (TableGroup("row", first=1, last=tables - 1),)


def _fitted_groups(
    movement: Movement, part: TableGroup, items: Sequence[_CopyTransfer]
) -> list[TableGroup]:
    """Return a group of tables with each move that at least half of its boards make, the most frequent first."""
    ways: Counter[int] = Counter()
    boards = 0
    for item in items:
        if item.before and item.before.kind == "table":
            boards += any(part.includes_table(table) for table in item.before.tables)
        if item.before and item.after and item.before.kind == item.after.kind == "table":
            ways.update(
                {
                    shift
                    for before in item.before.tables
                    for after in item.after.tables
                    if part.includes_table(before)
                    and (shift := part.shift_between(before, after, movement.tables)) is not None
                }
            )
    shifts = sorted(ways, key=lambda shift: (-ways[shift], abs(shift), shift))
    return [part.with_shift(shift) for shift in shifts[:2] if 2 * ways[shift] >= boards]


# ── targets of a rule ──


def _exceptions_to_announcement(
    movement: Movement, call: BoardAnnouncement, items: Sequence[_CopyTransfer], round: int
) -> Iterator[BoardException]:
    """Yield the boards that do not move as an announcement says."""
    unlike = [item for item in items if not _agrees_with_announcement(movement, call, item, round)]
    for item in unlike:
        tables = item.before.tables if item.before else ()
        together = [
            other
            for other in items
            if other.before and other.before.kind == "table" and other.before.tables == tables
        ]
        yield BoardException(
            item.name,
            item.copy,
            item.before,
            item.after,
            is_whole_table=all(o in unlike and o.after == item.after for o in together),
            passed=_passed_tables(movement, call, item, round),
        )


def _agrees_with_announcement(
    movement: Movement, call: BoardAnnouncement, item: _CopyTransfer, round: int
) -> bool:
    """Return whether a copy moves as an announcement says."""
    before, after = item.before, item.after
    if before is None:
        return after is None
    if before.kind == "aside" and item.is_done:
        return True
    if call.kind == "halves":
        return _agrees_by_halves(movement, call, item)
    if call.kind == "stations":
        return _agrees_by_stations(movement, call, item, round)
    if before.kind != "table" or call.kind == "stay":
        return after == before
    if after is None or after.kind != "table":
        return False
    return bool(to := _destinations_by_rule(movement, call.pieces, before.tables)) and to <= {
        *after.tables
    }


def _destinations_by_rule(
    movement: Movement, pieces: TableDivision, tables: Sequence[int]
) -> set[int]:
    """Return the tables to which a rule sends the boards of a table, or of tables that share them.

    For tables that share, the tables whose rule leads away from all of them decide.
    """
    to = {
        piece.destination(table, movement.tables)
        for table in tables
        if (piece := group_of_table(pieces, table))
    }
    if not to:
        return {*tables}
    return to - {*tables} or to


def _agrees_by_halves(movement: Movement, call: BoardAnnouncement, item: _CopyTransfer) -> bool:
    """Return whether a copy moves as an announcement for sets in halves says."""
    before, after = item.before, item.after
    if before is None or after is None or len(before.tables) > 1 or before.kind == "stand":
        return False
    if call.half not in (NEITHER, item.half):
        return after.kind == "aside" or after == before
    to = (before.tables[0] - 1 + call.shift) % movement.tables + 1
    return after.kind == "table" and after.tables == (to,)


def _agrees_by_stations(
    movement: Movement, call: BoardAnnouncement, item: _CopyTransfer, round: int
) -> bool:
    """Return whether a copy moves as an announcement that counts board stands as tables says."""
    before, after = item.before, item.after
    if before is None or after is None or "aside" in (before.kind, after.kind):
        return before == after
    if before.kind == "stand":
        queue = copy_places(movement).copies_on_stand(round - 1, before.tables[0])
        if queue[0].name != item.name:
            return after == before
    ring = stations_in_order(movement)
    at = next((place for place in ring if _is_at_station(before, place)), None)
    if at is None:
        return False
    return _is_at_station(after, ring[(ring.index(at) + call.shift) % len(ring)])


def _is_at_station(spot: CopySpot, station: CopySpot) -> bool:
    """Return whether a place is at a table or board stand."""
    return spot.kind == station.kind and station.tables[0] in spot.tables


@lru_cache(maxsize=64)
def stations_in_order(movement: Movement) -> tuple[CopySpot, ...]:
    """Return the tables and board stands in the order of the room; tables that always share count as one."""
    tables = [CopySpot("table", (table,)) for table in lowest_tables(movement)]
    stands = [CopySpot("stand", (after,)) for after in copy_places(movement).stands]
    return tuple(
        sorted([*tables, *stands], key=lambda spot: (spot.tables[0], spot.kind == "stand"))
    )


def _passed_tables(
    movement: Movement, call: BoardAnnouncement, item: _CopyTransfer, round: int
) -> tuple[int, ...]:
    """Return the unplayed tables that a set passes, if they explain why it moves further than the rule says."""
    before, after = item.before, item.after
    if call.kind != "pieces" or not before or not after or before.kind != "table":
        return ()
    if after.kind != "table" or len(before.tables) != 1 or len(after.tables) != 1:
        return ()
    piece = group_of_table(call.pieces, before.tables[0])
    if piece is None or not piece.shift:
        return ()
    played = {seating.table for seating in movement.in_round(round) if seating.is_played}
    empty: list[int] = []
    at = piece.destination(before.tables[0], movement.tables)
    while at not in played and at != after.tables[0] and len(empty) < movement.tables:
        empty.append(at)
        at = (at - 1 + (1 if piece.shift > 0 else -1)) % movement.tables + 1
    return tuple(empty) if at == after.tables[0] else ()


def _clause_kinds(others: Iterable[BoardException]) -> list[tuple[str, bool]]:
    """Return the kinds of sentences that exceptions need, and whether each is about one copy.

    Boards that one table puts on a stand and another takes from it need one sentence, unless they are copies.
    """
    clauses: dict[tuple[object, ...], tuple[str, bool]] = {}
    for item in sorted(others, key=lambda item: bool(item.before and item.before.kind == "stand")):
        before, after = item.before, item.after
        is_of_copy = bool(item.copy)
        tables = before.tables if before else ()
        if after and after.kind == "stand":
            kind = "brought" if is_of_copy else "stand"
            clauses[item.copy, kind, after.tables] = kind, is_of_copy
        elif before and before.kind == "stand":
            is_there = (item.copy, "brought", before.tables) in clauses
            kind = "taken there" if is_there else "taken" if is_of_copy else "stand"
            clauses[item.copy, kind, before.tables] = kind, is_of_copy
        elif after and after.kind == "aside":
            names = () if item.is_whole_table else (item.name,)
            clauses[item.copy, "aside", names] = "aside", is_of_copy
        elif before is None or before.kind == "aside":
            clauses[item.copy, tables, after] = "fetched", is_of_copy
        else:
            kind = "passed" if item.passed and not is_of_copy else "goes"
            way = after.tables[0] if after else 0
            name = "" if item.is_whole_table else item.name
            clauses[item.copy, frozenset({tables[0], way}), name] = kind, is_of_copy
    return list(clauses.values())


def _has_sentence(item: BoardException) -> bool:
    """Return whether an exception can be put into a sentence."""
    kinds = [spot.kind if spot else "box" for spot in (item.before, item.after)]
    return "stand" not in kinds or "table" in kinds


# ── sharing ──
