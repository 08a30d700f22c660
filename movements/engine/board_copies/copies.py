"""The position of every copy of every board set at every moment, and its next one.

A copy is an object: it is in one place at a time and is carried to the next. Two rules tell copies apart. *Copies
keep their order in the room*: the first copy of a set is always at the lowest table, because carrying copies past one
another would be a detour (so in a web each stays in its own half). *A copy in use stays in use*: one put aside is
fetched only if none comes from a table or a stand, and one from the box only if none is left.

Decisions never depend on later rounds. So a change to coming rounds leaves every copy of earlier rounds in its place.
`laws.find_misplaced_boards` checks the result.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal

from ..model import Movement
from .carrying import Known, RoundPart, copy_positions
from .spots import CopySpot, CopyStay


@dataclass(frozen=True, slots=True)
class SetCopy:
    """One copy of a board set, when sets are duplicated."""

    name: str
    number: int  # from 1


@dataclass(frozen=True, slots=True)
class CopyRoute:
    """The way of a copy from a table: it stays, or goes to tables, a board stand, aside, or out of play."""

    kind: Literal["stay", "tables", "stand", "aside", "done"]
    tables: tuple[int, ...] = ()  # for "stand": the table before it


@dataclass(frozen=True, slots=True)
class CarriedCopy:
    """A copy that is carried to another place before the next round, with its places in order."""

    copy: SetCopy
    before: tuple[CopySpot, ...]  # empty: the copy was in its box
    after: tuple[CopySpot, ...]
    is_done: bool = False  # no longer at a table or on a stand

    @property
    def is_at_table_or_stand(self) -> bool:
        """Return whether the copy is at a table or on a board stand before or after it is carried."""
        return any(spot.kind != "aside" for spot in self.before + self.after)


def copy_places(movement: Movement, known_positions: Known | None = None) -> CopyPlaces:
    """Return the places of every copy of every board set, round by round and part by part.

    `known_positions` are copies whose position in play is known; they are used unchanged.

    >>> from movements.engine.families.mitchells.web import web
    >>> here = copy_places(web(8))
    >>> here.copy_at(1, 1, "A"), here.copy_at(1, 7, "A")
    (1, 2)
    >>> here.next_route(1, 1, "A"), here.next_route(1, 7, "A")
    (CopyRoute(kind='stand', tables=(4,)), CopyRoute(kind='tables', tables=(6,)))
    """
    return CopyPlaces(movement, known_positions) if known_positions else _copy_places(movement)


class CopyPlaces:
    """The places of every copy of a movement's board sets, round by round."""

    def __init__(self, movement: Movement, known_positions: Known) -> None:
        self.movement = movement
        self._moments, self._spots = copy_positions(movement, known_positions)

    # ── at tables ──

    def copy_at(self, round: int, table: int, name: str, part: int = 1) -> int | None:
        """Return the number of the copy of a set at a table in a round or part of it; None if there is none."""
        return self._copy_at(self._moment_index(round, table, part), table, name)

    def previous_spot(self, round: int, table: int, name: str, part: int = 1) -> CopySpot | None:
        """Return the last place of the copy that a table plays now; None if it is new or there is no copy.

        A copy that the table had a moment ago came from that table.
        """
        moment = self._moment_index(round, table, part)
        copy = self._copy_at(moment, table, name)
        if copy is None or moment == 0:
            return None
        return self._spots[name][moment - 1][copy - 1]

    def next_route(self, round: int, table: int, name: str, part: int = 1) -> CopyRoute:
        """Return where a set goes from a table after its round, or a part of it.

        A set that is not played in the next round goes to its stand or aside; "done" if it is not used any more.
        """
        first = self._moment_index(round, table, part)
        copy = self._copy_at(first, table, name)
        if copy is None:
            return CopyRoute("done")
        ends = Fraction(part, len(self.movement.seatings_at_table(round, table)))
        is_aside = False
        for index in range(first + 1, len(self._moments)):
            moment, spot = self._moments[index], self._spots[name][index][copy - 1]
            if spot is None or (moment.round == round and moment.begins < ends):
                continue
            if is_aside and moment.round > round + 1:
                if spot.kind == "table":
                    return CopyRoute("aside")
            elif spot.kind == "stand":
                return CopyRoute("stand", spot.tables)
            elif spot.kind == "table" and table not in spot.tables:
                return CopyRoute("tables", spot.tables)
            elif spot.kind == "table" and self._is_wanted(moment, table, name):
                return CopyRoute("stay")
            else:
                is_aside = True
        return CopyRoute("done")

    # ── on stands ──

    @cached_property
    def stands(self) -> tuple[int, ...]:
        """Return the tables after which a board stand holds sets in some round; the first one is stand 1."""
        return tuple(sorted({stand.after_table for stand in self.movement.stands}))

    def copies_on_stand(self, round: int, after_table: int) -> tuple[SetCopy, ...]:
        """Return the copies that wait on the board stand after a table in a round, in the declared order."""
        index = self._first_moment_of_round.get(round)
        if index is None:
            return ()
        spot = CopySpot("stand", (after_table,))
        declared = (
            name
            for stand in self.movement.waiting(round)
            if stand.after_table == after_table
            for name in stand.sets
        )
        return tuple(
            SetCopy(name, number)
            for name in dict.fromkeys(declared)
            for number, at in enumerate(self._spots[name][index], start=1)
            if at == spot
        )

    # ── between rounds ──

    def carried_between_rounds(self, after_round: int) -> tuple[CarriedCopy, ...]:
        """Return each copy's place at the end of a round and at the start of the next.

        Every copy that has left its box by then is listed, even if it stays.
        """
        return self._carried_between(
            self._moments_of_round[after_round][-1], self._moments_of_round[after_round + 1][0]
        )

    def at_start(self, round: int) -> tuple[CopySpot, ...]:
        """Return the tables that have copies at the start of a round; tables that share are one place."""
        first = self._moments_of_round[round][0]
        spots = (spot for moments in self._spots.values() for spot in moments[first] if spot)
        return tuple(spot for spot in spots if spot.kind == "table")

    def moves_within_round(
        self, round: int
    ) -> tuple[tuple[Fraction, tuple[CarriedCopy, ...]], ...]:
        """Return the moves of each copy during a round that is played in parts, with their times."""
        return tuple(
            (self._moments[after].begins, self._carried_between(before, after))
            for before, after in pairwise(self._moments_of_round.get(round, ()))
        )

    def _carried_between(self, earlier_part: int, later_part: int) -> tuple[CarriedCopy, ...]:
        """Return the copies that change places between two parts of rounds."""
        return tuple(
            CarriedCopy(
                SetCopy(name, number + 1),
                tuple(spot for spot in (moments[earlier_part][number],) if spot),
                tuple(spot for spot in (moments[later_part][number],) if spot),
                is_done=not self._is_used_from(name, number, later_part),
            )
            for name, moments in self._spots.items()
            for number in range(self.movement.copies)
            if moments[later_part][number]
        )

    def _is_used_from(self, name: str, number: int, first_part: int) -> bool:
        """Return whether a copy is at a table or on a board stand from a part of a round on."""
        spots = (spots[number] for spots in self._spots[name][first_part:])
        return any(spot is not None and spot.kind != "aside" for spot in spots)

    def carried(self, after_round: int) -> tuple[CarriedCopy, ...]:
        """Return the copies that are carried to another place after a round, in the order of sets.

        Copies at no table and on no stand before and after are left out.
        """
        return tuple(
            carried
            for name in self.movement.sets
            for number in range(self.movement.copies)
            if (carried := self._carried_copy(name, number, after_round)).is_at_table_or_stand
        )

    def _carried_copy(self, name: str, number: int, after_round: int) -> CarriedCopy:
        """Return where a copy comes from and goes to after a round."""
        before, after = (
            self._spots_in_round(name, number, round) for round in (after_round, after_round + 1)
        )
        return CarriedCopy(SetCopy(name, number + 1), before, after)

    def _spots_in_round(self, name: str, number: int, round: int) -> tuple[CopySpot, ...]:
        """Return the places of a copy during a round, in order."""
        way: list[CopySpot] = []
        for index in self._moments_of_round.get(round, ()):
            spot = self._spots[name][index][number]
            if spot and spot not in way:
                way.append(spot)
        return tuple(way)

    @cached_property
    def _tables_by_set(self) -> dict[str, tuple[frozenset[int], ...]]:
        """Return the tables at which each copy of a set is ever played."""
        return {
            name: tuple(
                frozenset(
                    table
                    for spot in dict.fromkeys(way)
                    if spot and spot.kind == "table"
                    for table in spot.tables
                )
                for way in zip(*moments, strict=True)
            )
            for name, moments in self._spots.items()
        }

    @cached_property
    def copies_used(self) -> dict[str, int]:
        """Return how many copies of each set are used; a single one needs no letter."""
        return {
            name: sum(spot is not None for spot in moments[-1]) if moments else 0
            for name, moments in self._spots.items()
        }

    @cached_property
    def copies(self) -> int:
        """Return the largest number of copies of a set that are used."""
        return max(self.copies_used.values(), default=0)

    def tables_of(self, copy: int) -> tuple[int, ...]:
        """Return the tables that ever use this copy of any set."""
        return self._tables_of_copies(name for name, used in self.copies_used.items() if used > 1)[
            copy - 1
        ]

    def keep_apart(self, names: Iterable[str]) -> bool:
        """Return whether the copies of these sets are used at separate tables."""
        names = tuple(names)
        times = Counter(table for tables in self._tables_of_copies(names) for table in tables)
        return (
            bool(names)
            and all(self.copies_used[name] > 1 for name in names)
            and max(times.values(), default=0) == 1
        )

    def _tables_of_copies(self, names: Iterable[str]) -> list[tuple[int, ...]]:
        """Return the tables that use each copy of these sets."""
        tables_by_copy: list[set[int]] = [set() for _ in range(self.movement.copies)]
        for name in names:
            for tables, here in zip(tables_by_copy, self._tables_by_set[name], strict=True):
                tables |= here
        return [tuple(sorted(tables)) for tables in tables_by_copy]

    # ── all copies ──

    @property
    def known_copies(self) -> dict[tuple[int, int, int, str], int]:
        """Return which copy of its board set each table plays (1, 2 …), by round, part, table and set."""
        known = {}
        for round in sorted(self._moments_of_round):
            for part in self.movement.parts(round):
                table = part.seating.table
                for name in part.seating.sets:
                    copy = self.copy_at(round, table, name, part.index)
                    if copy is not None:
                        known[round, table, part.index, name] = copy
        return known

    def copy_stays(self) -> Iterator[CopyStay]:
        """Yield each copy's place in each part of each round since its first use, to check the laws of movements."""
        for name, moments in self._spots.items():
            for moment, spots in zip(self._moments, moments, strict=True):
                for copy, spot in enumerate(spots, start=1):
                    if spot is not None:
                        yield CopyStay(name, copy, moment.round, moment.begins, moment.ends, spot)

    @cached_property
    def _moments_of_round(self) -> dict[int, tuple[int, ...]]:
        """Return the indexes of each round's parts."""
        indexes_by_round: defaultdict[int, list[int]] = defaultdict(list)
        for index, moment in enumerate(self._moments):
            indexes_by_round[moment.round].append(index)
        return {round: tuple(indexes) for round, indexes in indexes_by_round.items()}

    @cached_property
    def _first_moment_of_round(self) -> dict[int, int]:
        """Return the index of each round's first part."""
        return {round: indexes[0] for round, indexes in self._moments_of_round.items()}

    def _moment_index(self, round: int, table: int, part: int) -> int:
        """Return the index of the time at which a part of a table's round begins."""
        begins = Fraction(part - 1, len(self.movement.seatings_at_table(round, table)) or 1)
        return next(i for i in self._moments_of_round[round] if self._moments[i].ends > begins)

    def _copy_at(self, moment: int, table: int, name: str) -> int | None:
        """Return the number of the copy of a set at a table in a part of a round; None if there is none."""
        for number, spot in enumerate(self._spots[name][moment], start=1):
            if spot and spot.kind == "table" and table in spot.tables:
                return number
        return None

    def _is_wanted(self, moment: RoundPart, table: int, name: str) -> bool:
        """Return whether a table plays a set in this part of the round, instead of only holding it."""
        seatings = self.movement.seatings_at_table(moment.round, table)
        return name in seatings[int(moment.begins * len(seatings))].sets


@lru_cache(maxsize=64)
def _copy_places(movement: Movement) -> CopyPlaces:
    """Return the places of a movement's copies, computed once."""
    return CopyPlaces(movement, {})
