"""The engine's values: frozen and comparable, with derived properties.

One representation serves every movement of the catalogue. Board sets are the atoms. A table that plays its round in
parts (scissors, two-way rover, a set of which one board is turned) has several seatings in that round, in playing
order. Rounds, tables and contestants count from 1.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

from .contest import Contest
from .declarations import Exemption, Share, Stand, Triangle

Side = int | tuple[int, int] | None
"""A pair's or team's number, two players of an individual, or no contestant."""


def players_of(side: Side) -> tuple[int, ...]:
    """Return the contestants on one side of a table: none, one, or two in an individual."""
    if side is None:
        return ()
    return side if isinstance(side, tuple) else (side,)


def set_name(index: int) -> str:
    """Return the name of the board set with this index: A … Z, AA, AB …, as clubs label their boxes.

    >>> [set_name(i) for i in (0, 25, 26, 27, 52)]
    ['A', 'Z', 'AA', 'AB', 'BA']
    """
    name = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def set_names(count: int) -> tuple[str, ...]:
    """Return the names of the first `count` board sets."""
    return tuple(set_name(index) for index in range(count))


@dataclass(frozen=True, slots=True)
class Seating:
    """The two sides and the board sets at one table in one round, or a part of it."""

    round: int
    table: int
    ns: Side
    ew: Side
    sets: tuple[str, ...]

    @property
    def contestants(self) -> tuple[int, ...]:
        """Return all contestants at the table; a team playing itself would be listed twice."""
        return players_of(self.ns) + players_of(self.ew)

    @property
    def is_played(self) -> bool:
        """Return whether both sides are present; otherwise the side present sits out."""
        return self.ns is not None and self.ew is not None

    def turned(self) -> Seating:
        """Return the seating arrow-switched: the sides exchanged, with the same boards."""
        return Seating(self.round, self.table, self.ew, self.ns, self.sets)


@dataclass(frozen=True, slots=True)
class Field:
    """Contestants that are ranked against each other in one list, with one winner.

    `name` is "pairs", "players" or "teams" with one winner; "ns" and "ew", or "n", "s", "e" and "w", if each line has
    its own. `labels` are the visible numbers within the field.
    """

    name: str
    labels: tuple[str, ...]

    @property
    def prefix(self) -> str:
        """Return the prefix that makes labels of the field unique: "NS", "EW" or empty."""
        return self.name.upper() if self.name in ("ns", "ew", "n", "s", "e", "w") else ""


def field_order(name: str) -> int:
    """Return the sort key of a field's name: N-S before E-W; north, south, east, west.

    A JSON object has no order of its own, and databases may change it.
    """
    lines = ("ns", "ew", "n", "s", "e", "w")
    return lines.index(name) if name in lines else len(lines)


@dataclass(frozen=True, slots=True)
class SeatingPart:
    """A seating with its time within the round: part `index` of `parts`."""

    seating: Seating
    index: int  # from 1
    parts: int

    def is_on(self, at: Fraction) -> bool:
        """Return whether the seating is played at a time of its round, from 0 to 1."""
        return self.parts == 1 or self.begins <= at < self.ends

    @property
    def begins(self) -> Fraction:
        """Return at which share of the round the seating begins."""
        return Fraction(self.index - 1, self.parts)

    @property
    def ends(self) -> Fraction:
        """Return at which share of the round the seating ends."""
        return Fraction(self.index, self.parts)


@dataclass(frozen=True)
class Movement:
    """A movement: who plays whom, at which table, in which round, with which board sets.

    It stores the seatings, the contestants and the physical preparation (copies of the boards, tables that share,
    stands); everything else is derived.
    """

    family: str
    contest: Contest
    tables: int
    rounds: int
    fields: tuple[Field, ...]
    sets: tuple[str, ...]
    seatings: tuple[Seating, ...]
    copies: int = 1
    shared: tuple[Share, ...] = ()
    stands: tuple[Stand, ...] = ()
    triangles: tuple[Triangle, ...] = ()
    exemptions: tuple[Exemption, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "contest", Contest(self.contest))  # name in files and options

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Return the hash, calculated once, because caches use movements as keys."""
        return hash(tuple(getattr(self, field.name) for field in fields(self)))

    def __getstate__(self) -> dict[str, Any]:
        """Return the stored fields only, because cached values such as the hash differ between processes."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def is_draw(self) -> bool:
        """Return whether teams play drawn matches, whose boards are dealt at the table."""
        return self.contest.has_halves and not self.sets

    # ── contestants and their labels: the one place that maps number to label ──

    @property
    def winners(self) -> int:
        """Return the number of fields that are ranked separately, each with its own winner."""
        return len(self.fields)

    @property
    def is_one_winner(self) -> bool:
        """Return whether all contestants are ranked together."""
        return len(self.fields) == 1

    @property
    def contestants(self) -> range:
        """Return the contestants' numbers, 1…n through all fields."""
        return range(1, sum(len(field.labels) for field in self.fields) + 1)

    @cached_property
    def _field_labels(self) -> tuple[tuple[Field, str], ...]:
        """Return each contestant's field and label in it, in the order of numbers."""
        return tuple((field, label) for field in self.fields for label in field.labels)

    def field_of(self, contestant: int) -> Field:
        """Return the field in which a contestant is ranked."""
        return self._field_labels[contestant - 1][0]

    def members(self, field: Field) -> range:
        """Return the numbers of one field's contestants."""
        start = 1
        for other in self.fields:
            if other == field:
                break
            start += len(other.labels)
        return range(start, start + len(field.labels))

    def number(self, contestant: int) -> str:
        """Return a contestant's number within its field as pages show it: "3"."""
        return self._field_labels[contestant - 1][1]

    def label(self, contestant: int) -> str:
        """Return a contestant's label as pages show it: "NS 3" with two winners, "3" with one."""
        field, label = self._field_labels[contestant - 1]
        return f"{field.prefix} {label}" if field.prefix else label

    @cached_property
    def _by_label(self) -> dict[str, int]:
        """Return the contestants' numbers by their labels."""
        return {self.label(number).replace(" ", "").upper(): number for number in self.contestants}

    def contestant(self, label: str) -> int | None:
        """Return the contestant with a label, ignoring spaces and case; None if there is none.

        "NS3", "ns 3" and "NS 3" are one label.
        """
        return self._by_label.get("".join(label.split()).upper())

    # ── seatings ──

    @cached_property
    def _by_round(self) -> dict[int, tuple[Seating, ...]]:
        """Return the seatings of each round."""
        rounds: defaultdict[int, list[Seating]] = defaultdict(list)
        for seating in self.seatings:
            rounds[seating.round].append(seating)
        return {number: tuple(seatings) for number, seatings in rounds.items()}

    def in_round(self, round: int) -> tuple[Seating, ...]:
        """Return the seatings of one round, in their order."""
        return self._by_round.get(round, ())

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], tuple[Seating, ...]]:
        """Return the seatings by round and table."""
        places: defaultdict[tuple[int, int], list[Seating]] = defaultdict(list)
        for seating in self.seatings:
            places[seating.round, seating.table].append(seating)
        return {place: tuple(seatings) for place, seatings in places.items()}

    def seatings_at_table(self, round: int, table: int) -> tuple[Seating, ...]:
        """Return the seatings of a table in a round: one, several in parts, or none."""
        return self._by_place.get((round, table), ())

    def at(self, round: int, table: int) -> Seating:
        """Return the first (usually the only) seating at a table in a round.

        Raises `LookupError` if there is none.
        """
        seatings = self.seatings_at_table(round, table)
        if not seatings:
            raise LookupError(f"round {round} has no table {table}")
        return seatings[0]

    def parts(self, round: int) -> Iterator[SeatingPart]:
        """Yield the seatings of a round, each with the part of the round in which it is played."""
        counts: Counter[int] = Counter()
        for seating in self.in_round(round):
            counts[seating.table] += 1
            yield SeatingPart(
                seating, counts[seating.table], len(self.seatings_at_table(round, seating.table))
            )

    @cached_property
    def _by_contestant(self) -> dict[int, tuple[Seating, ...]]:
        """Return the seatings of each contestant."""
        seatings_by_number: defaultdict[int, list[Seating]] = defaultdict(list)
        for seating in self.seatings:
            for contestant in dict.fromkeys(seating.contestants):
                seatings_by_number[contestant].append(seating)
        return {number: tuple(seatings) for number, seatings in seatings_by_number.items()}

    def seatings_of(self, contestant: int) -> tuple[Seating, ...]:
        """Return a contestant's seatings, including those at a half table."""
        return self._by_contestant.get(contestant, ())

    @cached_property
    def open_rounds(self) -> tuple[int, ...]:
        """Return the rounds that are drawn only when results are in, as in a Swiss or a knockout."""
        return tuple(
            sorted({r for item in self.exemptions if item.law == "structure" for r in item.rounds})
        )

    @cached_property
    def _absences(self) -> dict[int, frozenset[int]]:
        """Return the contestants absent in each round."""
        absent_by_round: defaultdict[int, set[int]] = defaultdict(set)
        for item in self.exemptions:
            if item.law == "present":
                for round in item.rounds:
                    absent_by_round[round].update(item.contestants)
        return {round: frozenset(absent) for round, absent in absent_by_round.items()}

    def absent(self, round: int) -> frozenset[int]:
        """Return the contestants that are absent in a round: not yet arrived, or left."""
        return self._absences.get(round, frozenset())

    # ── sitting out ──

    def sit_outs(self, round: int) -> tuple[tuple[int, Fraction], ...]:
        """Return the contestants that sit out in a round, with their share of it, in the order of numbers.

        Contestants at no table sit out, and those at a table without opponents, unless they are absent. A draw's
        triangles count as play. Empty for a round not yet drawn.
        """
        if round in self.open_rounds:
            return ()
        whole = Fraction(1)
        playing: dict[int, Fraction] = {}
        for seating in self.in_round(round):
            if seating.is_played:
                parts = len(self.seatings_at_table(round, seating.table))
                for contestant in set(seating.contestants):
                    played = whole if parts == 1 else Fraction(1, parts)
                    if contestant in playing:
                        played = min(whole, playing[contestant] + played)
                    playing[contestant] = played
        for triangle in self.triangles:
            if round in triangle.rounds:
                playing.update(dict.fromkeys(triangle.teams, whole))
        absent = self.absent(round)
        there = (number for number in self.contestants if number not in absent)
        shares = ((number, playing.get(number)) for number in there)
        return tuple(
            (number, whole - (share or 0))
            for number, share in shares
            if share is None or (share is not whole and share < whole)
        )

    @cached_property
    def has_sit_out(self) -> bool:
        """Return whether a contestant sits out in any round."""
        return any(self.sit_outs(round) for round in range(1, self.rounds + 1))

    @cached_property
    def longest_sit_out(self) -> Fraction:
        """Return the largest number of rounds that a contestant sits out in the whole movement."""
        total: defaultdict[int, Fraction] = defaultdict(Fraction)
        for round in range(1, self.rounds + 1):
            for contestant, share in self.sit_outs(round):
                total[contestant] += share
        return max(total.values(), default=Fraction(0))

    # ── boards in play ──

    @cached_property
    def _stands_by_round(self) -> dict[int, tuple[Stand, ...]]:
        """Return the board stands of each round."""
        rounds: defaultdict[int, list[Stand]] = defaultdict(list)
        for stand in self.stands:
            rounds[stand.round].append(stand)
        return {number: tuple(stands) for number, stands in rounds.items()}

    def waiting(self, round: int) -> tuple[Stand, ...]:
        """Return the board stands with waiting board sets in a round."""
        return self._stands_by_round.get(round, ())

    def shares(self, round: int) -> dict[str, tuple[int, ...]]:
        """Return the board sets that several tables play in a round, each with these tables."""
        tables_by_set: defaultdict[str, dict[int, None]] = defaultdict(dict)
        for seating in self.in_round(round):
            for name in seating.sets:
                if seating.is_played:
                    tables_by_set[name][seating.table] = None
        return {name: tuple(tables) for name, tables in tables_by_set.items() if len(tables) > 1}

    def shares_with(self, seating: Seating) -> tuple[int, ...]:
        """Return the tables that share boards with a table in a round, ascending."""
        if not seating.is_played:
            return ()
        here = set(seating.sets)
        return tuple(
            sorted(
                {
                    other
                    for share in self.shared
                    if share.round in (0, seating.round) and seating.table in share.tables
                    for other in share.tables
                    if other != seating.table
                    and any(
                        s.is_played and here.intersection(s.sets)
                        for s in self.seatings_at_table(seating.round, other)
                    )
                }
            )
        )

    @cached_property
    def copies_needed(self) -> int:
        """Return how many copies of the boards would make sharing unnecessary."""
        most = 1
        for round in range(1, self.rounds + 1):
            most = max([most, *(len(tables) for tables in self.shares(round).values())])
        return most

    @cached_property
    def is_barometer(self) -> bool:
        """Return whether all tables play the same sets in every round."""
        return all(
            len({seating.sets for seating in self.in_round(round)}) == 1
            for round in range(1, self.rounds + 1)
        )

    # ── contestants' evenings ──

    @cached_property
    def stationary(self) -> tuple[int, ...]:
        """Return the contestants that keep one table and one direction whenever they play."""
        return tuple(
            number
            for number in self.contestants
            if len({(s.table, number in players_of(s.ns)) for s in self.seatings_of(number)}) == 1
        )

    @cached_property
    def stationary_contestants(self) -> tuple[int, ...]:
        """Return the contestants that never leave their table.

        An arrow-switch turns the boards, not the people, so stationary contestants can stay.
        """
        return tuple(
            number
            for number in self.contestants
            if len({s.table for s in self.seatings_of(number)}) == 1
        )

    def sets_played(self, contestant: int) -> tuple[str, ...]:
        """Return the sets a contestant plays, in playing order."""
        return tuple(name for s in self.seatings_of(contestant) if s.is_played for name in s.sets)


def numbers_by_label(fields: Iterable[Field]) -> dict[tuple[str, str], int]:
    """Return {(field name, label): contestant number} as `Movement` numbers them."""
    names = [(field.name, label) for field in fields for label in field.labels]
    return {name: number for number, name in enumerate(names, start=1)}
