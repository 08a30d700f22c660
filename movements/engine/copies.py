"""Where every copy of every board set is at every moment, and where it goes.

A copy is a thing: it is at one place at a time and is carried from one to the next. Which of two
copies is meant where both are about follows from two rules. *Copies keep their order in the room*:
of a set's copies the first is always the one at the lowest table, as carrying them past one another
would be a detour (so in a web each stays in its own half). And *a copy in use goes on being used*:
one that was put aside is fetched only where none comes from a table or a stand, one from the box only
where none is left.

Nothing is decided by looking ahead, so that whatever changes the rounds to come leaves every copy of
the rounds before where it was. `laws.check_places` checks what comes out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal

from .model import Lying, Movement, Part, Spot

Known = Mapping[tuple[int, int, int, str], int]
"""Which copy was played where: by round, table, part of the table's round and set."""

_Spots = tuple[Spot | None, ...]
"""Where each copy of a set is; None: still in its box."""


@dataclass(frozen=True, slots=True)
class Copy:
    """One copy of a board set."""

    name: str
    number: int  # from 1


@dataclass(frozen=True, slots=True)
class Way:
    """Where a copy goes from a table: it stays, goes to tables or a stand, aside, or nowhere any more."""

    kind: Literal["stay", "tables", "stand", "aside", "done"]
    tables: tuple[int, ...] = ()  # for "stand": the table after which it is


@dataclass(frozen=True, slots=True)
class Carried:
    """A copy that is elsewhere in the next round; its spots in order, where it had several."""

    copy: Copy
    before: tuple[Spot, ...]  # empty: it was in its box
    after: tuple[Spot, ...]

    @property
    def is_of_use(self) -> bool:
        """Whether it is at a table or on a stand before or after."""
        return any(spot.kind != "aside" for spot in self.before + self.after)


@dataclass(frozen=True, slots=True)
class _Moment:
    """A stretch of a round in which nobody changes boards."""

    round: int
    begins: Fraction
    ends: Fraction


def places(movement: Movement, known: Known | None = None) -> Places:
    """Return the places of every copy of every set, round by round and part by part.

    `known` are the copies that are known to have been played where; they are taken as they are.

    >>> from movements.engine.families.web import web
    >>> here = places(web(8))
    >>> here.copy_at(1, 1, "A"), here.copy_at(1, 7, "A")
    (1, 2)
    >>> here.goes_to(1, 1, "A"), here.goes_to(1, 7, "A")
    (Way(kind='stand', tables=(4,)), Way(kind='tables', tables=(6,)))
    """
    return Places(movement, known) if known else _places(movement)


class Places:
    """The places of every copy of a movement's sets, worked out once."""

    def __init__(self, movement: Movement, known: Known) -> None:
        self.movement = movement
        self._moments, self._spots = _worked_out(movement, known)

    # ── at tables ──

    def copy_at(self, round: int, table: int, name: str, part: int = 1) -> int | None:
        """Return which copy of a set is at a table in its round, or a part of it; None: none is."""
        return self._copy_at(self._moment(round, table, part), table, name)

    def came_from(self, round: int, table: int, name: str, part: int = 1) -> Spot | None:
        """Return where the copy that a table plays was before; None: in its box, or it is not there.

        A table's own copy of a moment ago came from that table.
        """
        moment = self._moment(round, table, part)
        copy = self._copy_at(moment, table, name)
        if copy is None or moment == 0:
            return None
        return self._spots[name][moment - 1][copy - 1]

    def goes_to(self, round: int, table: int, name: str, part: int = 1) -> Way:
        """Return where a set goes from a table after its round, or a part of it.

        What is played nowhere in the next round goes to its stand or aside; it is done with where no
        table has it any more.
        """
        first = self._moment(round, table, part)
        copy = self._copy_at(first, table, name)
        if copy is None:
            return Way("done")
        ends = Fraction(part, len(self.movement.at_table(round, table)))
        is_aside = False
        for index in range(first + 1, len(self._moments)):
            moment, spot = self._moments[index], self._spots[name][index][copy - 1]
            if spot is None or (moment.round == round and moment.begins < ends):
                continue
            if is_aside and moment.round > round + 1:
                if spot.kind == "table":
                    return Way("aside")
            elif spot.kind == "stand":
                return Way("stand", spot.tables)
            elif spot.kind == "table" and table not in spot.tables:
                return Way("tables", spot.tables)
            elif spot.kind == "table" and self._is_wanted(moment, table, name):
                return Way("stay")
            else:
                is_aside = True
        return Way("done")

    # ── on stands ──

    @cached_property
    def stands(self) -> tuple[int, ...]:
        """The tables after which there is a stand at some time: stand 1, stand 2 …"""
        return tuple(sorted({stand.after_table for stand in self.movement.stands}))

    def on_stand(self, round: int, after_table: int) -> tuple[Copy, ...]:
        """Return what waits on a stand in a round, in the order in which it is declared."""
        index = self._first.get(round)
        if index is None:
            return ()
        spot = Spot("stand", (after_table,))
        declared = (
            name
            for stand in self.movement.waiting(round)
            if stand.after_table == after_table
            for name in stand.sets
        )
        return tuple(
            Copy(name, number)
            for name in dict.fromkeys(declared)
            for number, at in enumerate(self._spots[name][index], start=1)
            if at == spot
        )

    # ── between rounds ──

    def carried(self, after_round: int) -> tuple[Carried, ...]:
        """Return what each copy does between a round and the next, sets and copies in their order.

        Copies that are at no table and on no stand before and after are left out.
        """
        return tuple(
            carried
            for name in self.movement.sets
            for number in range(self.movement.copies)
            if (carried := self._carried(name, number, after_round)).is_of_use
        )

    def _carried(self, name: str, number: int, after_round: int) -> Carried:
        before, after = (self._way(name, number, round) for round in (after_round, after_round + 1))
        return Carried(Copy(name, number + 1), before, after)

    def _way(self, name: str, number: int, round: int) -> tuple[Spot, ...]:
        """Where a copy of a set is in a round, one place after the other."""
        found: list[Spot] = []
        for index in self._rounds.get(round, ()):
            spot = self._spots[name][index][number]
            if spot and spot not in found:
                found.append(spot)
        return tuple(found)

    @cached_property
    def _tables_of(self) -> dict[str, tuple[frozenset[int], ...]]:
        """The tables at which each copy of a set is at some time."""
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
        """How many copies of each set leave their box; of one alone nothing need be said."""
        return {
            name: sum(spot is not None for spot in moments[-1]) if moments else 0
            for name, moments in self._spots.items()
        }

    @cached_property
    def copies(self) -> int:
        """How many copies of any set leave their box."""
        return max(self.copies_used.values(), default=0)

    def tables_of(self, copy: int) -> tuple[int, ...]:
        """Return the tables at which a copy is at some time, all sets together that have several."""
        return self._tables_of_copies(name for name, used in self.copies_used.items() if used > 1)[
            copy - 1
        ]

    def keep_apart(self, names: Iterable[str]) -> bool:
        """Whether the copies of some sets, all of which have several, have tables of their own."""
        names = tuple(names)
        times = Counter(table for tables in self._tables_of_copies(names) for table in tables)
        return (
            bool(names)
            and all(self.copies_used[name] > 1 for name in names)
            and max(times.values(), default=0) == 1
        )

    def _tables_of_copies(self, names: Iterable[str]) -> list[tuple[int, ...]]:
        found: list[set[int]] = [set() for _ in range(self.movement.copies)]
        for name in names:
            for tables, here in zip(found, self._tables_of[name], strict=True):
                tables |= here
        return [tuple(sorted(tables)) for tables in found]

    # ── everything ──

    @property
    def known(self) -> dict[tuple[int, int, int, str], int]:
        """Which copy is played where, as `places` takes it for rounds that have been played."""
        found = {}
        for round in sorted(self._rounds):
            for part in self.movement.parts(round):
                table = part.seating.table
                for name in part.seating.sets:
                    copy = self.copy_at(round, table, name, part.index)
                    if copy is not None:
                        found[round, table, part.index, name] = copy
        return found

    def lying(self) -> Iterator[Lying]:
        """Yield where every copy is at every moment since it left its box: what the law looks at."""
        for name, moments in self._spots.items():
            for moment, spots in zip(self._moments, moments, strict=True):
                for copy, spot in enumerate(spots, start=1):
                    if spot is not None:
                        yield Lying(name, copy, moment.round, moment.begins, moment.ends, spot)

    @cached_property
    def _rounds(self) -> dict[int, tuple[int, ...]]:
        found: defaultdict[int, list[int]] = defaultdict(list)
        for index, moment in enumerate(self._moments):
            found[moment.round].append(index)
        return {round: tuple(indexes) for round, indexes in found.items()}

    @cached_property
    def _first(self) -> dict[int, int]:
        return {round: indexes[0] for round, indexes in self._rounds.items()}

    def _moment(self, round: int, table: int, part: int) -> int:
        """The moment at which a part of a table's round begins."""
        begins = Fraction(part - 1, len(self.movement.at_table(round, table)) or 1)
        return next(i for i in self._rounds[round] if self._moments[i].ends > begins)

    def _copy_at(self, moment: int, table: int, name: str) -> int | None:
        for number, spot in enumerate(self._spots[name][moment], start=1):
            if spot and spot.kind == "table" and table in spot.tables:
                return number
        return None

    def _is_wanted(self, moment: _Moment, table: int, name: str) -> bool:
        """Whether a table has a set in its hands, and it does not only lie there for another part."""
        seatings = self.movement.at_table(moment.round, table)
        return name in seatings[int(moment.begins * len(seatings))].sets


@lru_cache(maxsize=64)
def _places(movement: Movement) -> Places:
    return Places(movement, {})


def _worked_out(movement: Movement, known: Known) -> tuple[list[_Moment], dict[str, list[_Spots]]]:
    """The moments of the evening, and for each set where its copies are in each."""
    moments: list[_Moment] = []
    spots: dict[str, list[_Spots]] = {name: [] for name in movement.sets}
    now: dict[str, _Spots] = dict.fromkeys(movement.sets, (None,) * movement.copies)
    for round in range(1, movement.rounds + 1):
        for moment, sites in _sites(movement, round):
            moments.append(moment)
            for name in movement.sets:
                here = sites.get(name, [])
                taken = _known_at(movement, moment, name, here, known) if known else {}
                now[name] = _moved(now[name], here, taken)
                spots[name].append(now[name])
    return moments, spots


# ── which places a set has ──


def _sites(movement: Movement, round: int) -> Iterator[tuple[_Moment, dict[str, list[Spot]]]]:
    """Yield the moments of a round, with the places at which copies of each set are wanted."""
    parts = list(movement.parts(round))
    stands: defaultdict[str, list[Spot]] = defaultdict(list)
    for stand in movement.waiting(round):
        for name in stand.sets:
            stands[name].append(Spot("stand", (stand.after_table,)))
    begins = sorted({Fraction(0)} | {part.begins for part in parts if part.index > 1})
    moments = [
        _Moment(round, *span) for span in zip(begins, [*begins[1:], Fraction(1)], strict=True)
    ]
    played = [_tables(movement, parts, moment) for moment in moments]
    most = Counter[str]()
    for at in played:
        for name, spots in at.items():
            most[name] = max(most[name], len(spots))
    for moment, at in zip(moments, played, strict=True):
        sites: dict[str, list[Spot]] = {}
        for name in {*at, *stands, *(n for part in parts for n in part.seating.sets)}:
            tables, waiting = at.get(name, []), stands.get(name, [])
            tables, waiting = _within(movement.copies, tables, waiting)
            left = movement.copies - len(tables) - len(waiting)
            tables = [*tables, *_idle(parts, moment, name, tables, left, most[name])]
            sites[name] = sorted([*tables, *waiting], key=_order)
        yield moment, sites


def _tables(movement: Movement, parts: Iterable[Part], moment: _Moment) -> dict[str, list[Spot]]:
    """The tables at which each set is played at a moment, those that share it being one place."""
    wanted: defaultdict[str, list[int]] = defaultdict(list)
    for part in parts:
        if part.seating.is_played and part.is_on(moment.begins):
            for name in part.seating.sets:
                wanted[name].append(part.seating.table)
    return {
        name: _together(movement, moment.round, name, sorted(tables))
        for name, tables in wanted.items()
    }


def _together(movement: Movement, round: int, name: str, tables: list[int]) -> list[Spot]:
    found = []
    for share in movement.shared if len(tables) > 1 else ():
        if share.round in (0, round) and (not share.sets or name in share.sets):
            together = tuple(table for table in tables if table in share.tables)
            if len(together) > 1:
                found.append(Spot("table", together))
                tables = [table for table in tables if table not in together]
    return [*found, *(Spot("table", (table,)) for table in tables)]


def _within(copies: int, tables: list[Spot], stands: list[Spot]) -> tuple[list[Spot], list[Spot]]:
    """Where a mistake has been made there may be too few copies: the last tables had one between them."""
    if len(tables) > copies:
        tables = sorted(tables, key=_order)
        last = tuple(sorted({t for spot in tables[copies - 1 :] for t in spot.tables}))
        tables = [*tables[: copies - 1], Spot("table", last)]
    return tables, stands[: copies - len(tables)]


def _idle(
    parts: Iterable[Part],
    moment: _Moment,
    name: str,
    tables: Sequence[Spot],
    left: int,
    most: int,
) -> list[Spot]:
    """The tables at which a set lies though nobody plays it there at the moment, if a copy is left.

    It does so at a table whose opponents are missing, and before and after its part of a round.
    """
    if not left:
        return []
    busy = {table for spot in tables for table in spot.tables}
    unplayed, later = [], []
    for part in parts:
        table = part.seating.table
        if name in part.seating.sets and table not in busy:
            is_now = part.is_on(moment.begins)
            if not part.seating.is_played and is_now:
                unplayed.append(table)
            elif not is_now:
                later.append(table)
    waits = [table for table in dict.fromkeys(later) if table not in unplayed]
    kept = unplayed[:left]
    kept += waits[: max(0, min(left, most - len(tables)) - len(kept))]
    return [Spot("table", (table,)) for table in kept]


def _order(spot: Spot) -> tuple[int, bool]:
    """The order of places in the room; a stand comes after its table."""
    return spot.tables[0], spot.kind == "stand"


# ── which copy goes to which ──


def _known_at(
    movement: Movement, moment: _Moment, name: str, sites: Sequence[Spot], known: Known
) -> dict[int, int]:
    """The copies known to be at tables, by the index of their place."""
    found: dict[int, int] = {}
    for index, site in enumerate(sites):
        for table in site.tables if site.kind == "table" else ():
            part = int(moment.begins * len(movement.at_table(moment.round, table))) + 1
            copy = known.get((moment.round, table, part, name), 0)
            if 1 <= copy <= movement.copies and copy not in found.values():
                found.setdefault(index, copy)
    return found


def _moved(now: _Spots, sites: Sequence[Spot], taken: Mapping[int, int]) -> _Spots:
    """Where the copies of a set are next: at its places, or else aside where they were."""
    after: list[Spot | None] = [
        spot if spot is None or spot.kind == "aside" else Spot("aside", spot.tables) for spot in now
    ]
    for index, copy in taken.items():
        after[copy - 1] = sites[index]
    for number, site in _shared_out(
        [(n, spot) for n, spot in enumerate(now) if n + 1 not in taken.values()],
        [site for index, site in enumerate(sites) if index not in taken],
    ):
        after[number] = site
    return tuple(after)


def _shared_out(
    now: Sequence[tuple[int, Spot | None]], sites: Sequence[Spot]
) -> Iterator[tuple[int, Spot]]:
    """Yield which copy goes to which place: those in use first, then those aside, then from the box."""
    left = list(sites)
    used = [(n, spot) for n, spot in now if spot and spot.kind != "aside"]
    aside = [(n, spot) for n, spot in now if spot and spot.kind == "aside"]
    for out in (used, aside):
        for number, site in _in_order(sorted(out, key=lambda one: (_order(one[1]), one[0])), left):
            left.remove(site)
            yield number, site
    boxed = (n for n, spot in now if spot is None)
    yield from zip(boxed, left, strict=False)


def _in_order(out: Sequence[tuple[int, Spot]], sites: Sequence[Spot]) -> list[tuple[int, Spot]]:
    """Match copies with places, both in the order of the room, so that least is carried.

    The shorter list is matched whole. Of equally short ways the first in the room wins.
    """
    if len(out) == len(sites):
        return [(number, site) for (number, _), site in zip(out, sites, strict=True)]
    is_many = len(out) > len(sites)
    rows, columns = (len(sites), len(out)) if is_many else (len(out), len(sites))

    def far(row: int, column: int) -> int:
        return _far(out[column][1], sites[row]) if is_many else _far(out[row][1], sites[column])

    # best[j]: the least carrying of the rows so far within the first j columns, and the columns taken
    best: list[tuple[int, tuple[int, ...]]] = [(0, ())] * (columns + 1)
    for row in range(rows):
        following = best[:]
        for column in range(row, columns):
            carried, taken = best[column]
            one = (carried + far(row, column), (*taken, column))
            other = following[column] if column > row else one
            following[column + 1] = min(one, other)
        best = following
    chosen = best[columns][1]
    if is_many:
        return [(out[column][0], sites[row]) for row, column in enumerate(chosen)]
    return [(out[row][0], sites[column]) for row, column in enumerate(chosen)]


def _far(spot: Spot, site: Spot) -> int:
    """How far apart two places are, in half tables."""
    return min(
        abs(2 * one + (spot.kind == "stand") - 2 * other - (site.kind == "stand"))
        for one in spot.tables
        for other in site.tables
    )
