"""Carrying out a call, and comparing where people and boards are with where they should be."""

from __future__ import annotations

from collections.abc import Iterator

from movements.engine.board_copies.copies import copy_places

from .room import (
    Chair,
    Copy,
    Mover,
    Room,
    UnderstoodSentences,
    Where,
    is_on,
    seated,
    where_of,
)


class Doing(Room):
    """Actions that follow from understood sentences."""

    def carry_out(self, said: UnderstoodSentences, index: int) -> None:
        self.people = self._people_after(said, index)
        self._boards_after(said, index)

    def _people_after(self, said: UnderstoodSentences, index: int) -> dict[Mover, Chair]:
        now = self.people
        after: dict[Mover, Chair] = {}
        cards = seated(self.movement, self.round + 1, part=index)
        for mover, (table, line) in now.items():
            after[mover] = self._next(said, mover, (table, line))
        if said.people_by_cards:
            ruled = {line for line, _rule, _to in said.line_rules}
            after = {m: after[m] for m in after if now[m][1] in ruled and after[m] == now[m]}
            after = {**cards, **after}
        for contestant in said.stay:
            for mover in now:
                if mover[0] == contestant:
                    after[mover] = now[mover]
        for mover, chair in said.named.items():
            if chair is None:
                after.pop(mover, None)
            else:
                after[mover] = chair
        return after

    def _next(self, said: UnderstoodSentences, mover: Mover, at: Chair) -> Chair:
        table, line = at
        if said.follows:
            step, first, last = said.follows
            low, high = min(first, last), max(first, last)
            if mover[0] in said.stay or not low <= mover[0] <= high:
                return at
            leader = last if mover[0] == first else mover[0] - step
            return self.people[leader, ""]
        if line in said.chair_rules:
            return said.chair_rules[line](table), line
        for ruled, rule, to in said.line_rules:
            if ruled == line and rule(table):
                return rule(table), to
        return at

    def _boards_after(self, said: UnderstoodSentences, index: int) -> None:
        if said.boards_by_cards:
            wanted: dict[Copy, Where] = self.cards
            if index:
                wanted = {
                    (item.copy.name, item.copy.number): where
                    for item in copy_places(self.movement).moves_within_round(self.round + 1)[
                        index - 1
                    ][1]
                    if (where := where_of(item.after))
                }
            self.boards = {**self.boards, **wanted}
            return
        groups = [*self.always_share(), *said.shares]
        after: dict[Copy, Where | None] = {}
        for copy, where in self.boards.items():
            to = said.boards.get(copy) or self._board_next(said, copy, where)
            if to and to[0] == "table":
                together = set(to[1])
                for group in groups:
                    if group & to[1]:
                        together |= group
                to = ("table", frozenset(together))
            after[copy] = to
        self.boards = after

    def _board_next(
        self, said: UnderstoodSentences, copy: Copy, where: Where | None
    ) -> Where | None:
        if where is None:
            return None
        if said.halves:
            return self._half_next(said.halves, copy, where)
        if said.stations:
            return self._next_station(said.stations, copy, where)
        if where[0] != "table":
            return where
        to = {rule(table) for table in where[1] for rule in said.board_rules if rule(table)}
        to = to - where[1] or to
        return ("table", frozenset(to)) if to else where

    def _half_next(self, halves: tuple[int, int], copy: Copy, where: Where) -> Where:
        shift, half = halves
        if copy in self.done and where[0] == "aside":
            return where
        if half in (0, int(copy[0][-1])):
            return "table", frozenset(self.room(shift)(table) for table in where[1])
        return "aside", where[1]

    def _next_station(self, shift: int, copy: Copy, where: Where) -> Where:
        """Tables and stands in the order of the room; of several sets on a stand the first leaves."""
        if where[0] == "aside":
            return where
        higher = {table for group in self.always_share() for table in sorted(group)[1:]}
        ring = [(table, "table") for table in range(1, self.tables + 1) if table not in higher]
        ring = sorted([*ring, *((after, "z-stand") for after in copy_places(self.movement).stands)])
        if where[0] == "stand":
            waiting = [
                s.sets for s in self.movement.waiting(self.round) if {s.after_table} == where[1]
            ]
            if waiting[0][0] != copy[0]:
                return where
        kind = "z-stand" if where[0] == "stand" else "table"
        at = ring.index((min(where[1]), kind))
        table, kind = ring[(at + shift) % len(ring)]
        return "stand" if kind == "z-stand" else "table", frozenset({table})

    def _compared(self, index: int, parts: int) -> Iterator[str]:
        wanted = seated(self.movement, self.round + 1, part=index)
        absent = self.movement.absent(self.round + 1)
        for mover in {*wanted, *self.people}:
            if self.people.get(mover) != wanted.get(mover) and mover[0] not in absent:
                who = self.movement.label(mover[0])
                yield f"{who} {mover[1]} is at {self.people.get(mover)}, should be at {wanted.get(mover)}"
        if not self.movement.is_draw:
            yield from self._boards_compared(index)

    def _boards_compared(self, index: int) -> Iterator[str]:
        next_round = self.round + 1
        for table in range(1, self.tables + 1):
            seatings = self.movement.seatings_at_table(next_round, table)
            now = [
                s
                for part in self.movement.parts(next_round)
                if (s := part.seating).table == table and is_on(part, index, self._parts())
            ]
            here = {name for name, _copy in self.at(table)}
            wanted = {name for s in now if s.is_played for name in s.sets}
            if not wanted <= here:
                yield f"table {table} has {sorted(here)}, should have {sorted(wanted)}"
            if strange := here - {name for s in seatings for name in s.sets}:
                yield f"table {table} has {sorted(strange)} as well"
        if index == 0:
            for after in copy_places(self.movement).stands:
                wanted_there = sorted(
                    name
                    for s in self.movement.waiting(next_round)
                    if s.after_table == after
                    for name in s.sets
                )
                there = sorted(name for name, _copy in self.on_stand(after))
                if there != wanted_there:
                    yield f"on the stand after {after} lie {there}, should be {wanted_there}"

    def _parts(self) -> int:
        return max(
            len(self.movement.seatings_at_table(self.round + 1, t))
            for t in range(1, self.tables + 1)
        )
