"""Distribution of the copies of a set among the places that need one, moment by moment (rules: see `copies`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..model import Movement, SeatingPart
from .spots import CopySpot

Known = Mapping[tuple[int, int, int, str], int]
"""The copies played: by round, table, part of the table's round and set."""
Spots = tuple[CopySpot | None, ...]
"""The place of each copy of a set; None: still in its box."""


@dataclass(frozen=True, slots=True)
class RoundPart:
    """A part of a round in which no boards move."""

    round: int
    begins: Fraction
    ends: Fraction


def copy_positions(
    movement: Movement, known_positions: Known
) -> tuple[list[RoundPart], dict[str, list[Spots]]]:
    """Return the parts of all rounds, and for each board set the place of each copy in each part."""
    moments: list[RoundPart] = []
    spots: dict[str, list[Spots]] = {name: [] for name in movement.sets}
    now: dict[str, Spots] = dict.fromkeys(movement.sets, (None,) * movement.copies)
    for round in range(1, movement.rounds + 1):
        for moment, sites in _sites_by_moment(movement, round):
            moments.append(moment)
            for name in movement.sets:
                here = sites.get(name, [])
                known_copies = (
                    _known_copies(movement, moment, name, here, known_positions)
                    if known_positions
                    else {}
                )
                now[name] = _next_positions(now[name], here, known_copies)
                spots[name].append(now[name])
    return moments, spots


def _sites_by_moment(
    movement: Movement, round: int
) -> Iterator[tuple[RoundPart, dict[str, list[CopySpot]]]]:
    """Yield the parts of a round, with the places where a copy of each set is needed."""
    parts = list(movement.parts(round))
    stands: defaultdict[str, list[CopySpot]] = defaultdict(list)
    for stand in movement.waiting(round):
        for name in stand.sets:
            stands[name].append(CopySpot("stand", (stand.after_table,)))
    begins = sorted({Fraction(0)} | {part.begins for part in parts if part.index > 1})
    moments = [
        RoundPart(round, *span) for span in zip(begins, [*begins[1:], Fraction(1)], strict=True)
    ]
    played = [_table_spots(movement, parts, moment) for moment in moments]
    most = Counter[str]()
    for at in played:
        for name, spots in at.items():
            most[name] = max(most[name], len(spots))
    for moment, at in zip(moments, played, strict=True):
        sites: dict[str, list[CopySpot]] = {}
        for name in {*at, *stands, *(n for part in parts for n in part.seating.sets)}:
            tables, waiting = at.get(name, []), stands.get(name, [])
            tables, waiting = _limit_to_copies(movement.copies, tables, waiting)
            left = movement.copies - len(tables) - len(waiting)
            tables = [*tables, *_idle_spots(parts, moment, name, tables, left, most[name])]
            sites[name] = sorted([*tables, *waiting], key=_spot_sort_key)
        yield moment, sites


def _table_spots(
    movement: Movement, parts: Iterable[SeatingPart], moment: RoundPart
) -> dict[str, list[CopySpot]]:
    """Return the places where each set is played in a part of a round; tables that share it are one place."""
    tables_by_set: defaultdict[str, list[int]] = defaultdict(list)
    for part in parts:
        if part.seating.is_played and part.is_on(moment.begins):
            for name in part.seating.sets:
                tables_by_set[name].append(part.seating.table)
    return {
        name: _join_sharing_tables(movement, moment.round, name, sorted(tables))
        for name, tables in tables_by_set.items()
    }


def _join_sharing_tables(
    movement: Movement, round: int, name: str, tables: list[int]
) -> list[CopySpot]:
    """Return the places of a set's tables; tables that share a copy are one place."""
    spots = []
    for share in movement.shared if len(tables) > 1 else ():
        if share.round in (0, round) and (not share.sets or name in share.sets):
            together = tuple(table for table in tables if table in share.tables)
            if len(together) > 1:
                spots.append(CopySpot("table", together))
                tables = [table for table in tables if table not in together]
    return [*spots, *(CopySpot("table", (table,)) for table in tables)]


def _limit_to_copies(
    copies: int, tables: list[CopySpot], spots: list[CopySpot]
) -> tuple[list[CopySpot], list[CopySpot]]:
    """Return the places that need a copy, limited to the copies that exist."""
    if len(tables) > copies:
        tables = sorted(tables, key=_spot_sort_key)
        last = tuple(sorted({t for spot in tables[copies - 1 :] for t in spot.tables}))
        tables = [*tables[: copies - 1], CopySpot("table", last)]
    return tables, spots[: copies - len(tables)]


def _idle_spots(
    parts: Iterable[SeatingPart],
    moment: RoundPart,
    name: str,
    tables: Sequence[CopySpot],
    copies_left: int,
    maximum: int,
) -> list[CopySpot]:
    """Return unplayed tables at which a set lies, if a copy of it is left.

    That is the case at a table with missing opponents, and before and after its part of a round.
    """
    if not copies_left:
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
    waiting = unplayed[:copies_left]
    waiting += waits[: max(0, min(copies_left, maximum - len(tables)) - len(waiting))]
    return [CopySpot("table", (table,)) for table in waiting]


def _spot_sort_key(spot: CopySpot) -> tuple[int, bool]:
    """Return the sort key of places in the order of the room; a board stand follows its table."""
    return spot.tables[0], spot.kind == "stand"


def _known_copies(
    movement: Movement,
    moment: RoundPart,
    name: str,
    sites: Sequence[CopySpot],
    known_positions: Known,
) -> dict[int, int]:
    """Return the copies that are known to be at places in a part of a round, by the index of the place."""
    copies: dict[int, int] = {}
    for index, site in enumerate(sites):
        for table in site.tables if site.kind == "table" else ():
            part = int(moment.begins * len(movement.seatings_at_table(moment.round, table))) + 1
            copy = known_positions.get((moment.round, table, part, name), 0)
            if 1 <= copy <= movement.copies and copy not in copies.values():
                copies.setdefault(index, copy)
    return copies


def _next_positions(spots: Spots, sites: Sequence[CopySpot], assigned: Mapping[int, int]) -> Spots:
    """Return where each copy of a set goes next: to a place that needs it, or put aside where it was."""
    after: list[CopySpot | None] = [
        spot if spot is None or spot.kind == "aside" else CopySpot("aside", spot.tables)
        for spot in spots
    ]
    for index, copy in assigned.items():
        after[copy - 1] = sites[index]
    for number, site in _assigned_copies(
        [(n, spot) for n, spot in enumerate(spots) if n + 1 not in assigned.values()],
        [site for index, site in enumerate(sites) if index not in assigned],
    ):
        after[number] = site
    return tuple(after)


def _assigned_copies(
    positions: Sequence[tuple[int, CopySpot | None]], sites: Sequence[CopySpot]
) -> Iterator[tuple[int, CopySpot]]:
    """Yield each copy with the place it goes to: copies in use first, then those aside, then new ones."""
    left = list(sites)
    used = [(n, spot) for n, spot in positions if spot and spot.kind != "aside"]
    aside = [(n, spot) for n, spot in positions if spot and spot.kind == "aside"]
    for out in (used, aside):
        for number, site in _match_in_room_order(
            sorted(out, key=lambda item: (_spot_sort_key(item[1]), item[0])), left
        ):
            left.remove(site)
            yield number, site
    boxed = (n for n, spot in positions if spot is None)
    yield from zip(boxed, left, strict=False)


def _match_in_room_order(
    out: Sequence[tuple[int, CopySpot]], sites: Sequence[CopySpot]
) -> list[tuple[int, CopySpot]]:
    """Match copies to places in the order of the room, so that they are carried as little as possible.

    The shorter list is matched completely. Of equally short solutions the first in the room wins.
    """
    if len(out) == len(sites):
        return [(number, site) for (number, _), site in zip(out, sites, strict=True)]
    is_many = len(out) > len(sites)
    rows, columns = (len(sites), len(out)) if is_many else (len(out), len(sites))

    def distance(row: int, column: int) -> int:
        """Return the distance that a copy is carried."""
        return (
            _spot_distance(out[column][1], sites[row])
            if is_many
            else _spot_distance(out[row][1], sites[column])
        )

    # best[j]: the least carrying of the rows so far within the first j columns, and the columns taken
    best: list[tuple[int, tuple[int, ...]]] = [(0, ())] * (columns + 1)
    for row in range(rows):
        following = best[:]
        for column in range(row, columns):
            carried, taken = best[column]
            one = (carried + distance(row, column), (*taken, column))
            other = following[column] if column > row else one
            following[column + 1] = min(one, other)
        best = following
    chosen = best[columns][1]
    if is_many:
        return [(out[column][0], sites[row]) for row, column in enumerate(chosen)]
    return [(out[row][0], sites[column]) for row, column in enumerate(chosen)]


def _spot_distance(spot: CopySpot, site: CopySpot) -> int:
    """Return the distance of two places in the room, in half tables."""
    return min(
        abs(2 * table + (spot.kind == "stand") - 2 * other - (site.kind == "stand"))
        for table in spot.tables
        for other in site.tables
    )
