"""Tables and directions of a draw, assigned after the opponents without changing them.

Stationary contestants keep table and direction of their first round, unless two of them meet. All others sit so that
N-S and E-W (in matches of teams: home and away) balance as far as possible.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import combinations

from ..model import Movement, Seating
from .draws import Draw
from .open_rounds import seated_match, triangle_meetings

Home = tuple[int, bool]
"""A table, and True for North-South there."""


def assign_tables(movement: Movement, draw: Draw, stationary: Collection[int] = ()) -> Draw:
    """Return a draw with a table for each match and a direction for each contestant.

    >>> from ..families.team_movements.drawn import swiss
    >>> assign_tables(swiss(4, contest="pairs"), Draw(((1, 2), (3, 5), (6, 4), (7, 8)))).matches
    ((1, 2), (5, 3), (6, 4), (7, 8))
    """
    homes = _homes_by_contestant(movement, stationary) if movement.sets else {}
    matches = tuple(_match_by_sides(movement, match, homes) for match in draw.matches)
    turned = replace(draw, matches=matches, tables=())
    if not movement.sets:
        return turned  # every team has a table of its own
    groups = [*matches, *([(draw.bye,)] if draw.bye is not None else [])]
    tables_kept: dict[int, int] = {}
    for index, group in enumerate(groups):
        table = next((homes[contestant][0] for contestant in group if contestant in homes), 0)
        if 0 < table <= len(groups) and table not in tables_kept.values():
            tables_kept[index] = table
    free = iter([table for table in range(1, len(groups) + 1) if table not in tables_kept.values()])
    tables = tuple(
        tables_kept[index] if index in tables_kept else next(free) for index in range(len(groups))
    )
    return replace(turned, tables=tables)


def placed_again(movement: Movement, round: int, stationary: Collection[int] = ()) -> Movement:
    """Return a movement whose newest round, drawn in advance, has its tables assigned anew.

    >>> from ..families.team_movements.drawn import swiss
    >>> [(s.table, s.ns, s.ew) for s in swiss(4, contest="pairs", behind=True).in_round(2)]
    [(1, 1, 6), (2, 2, 7), (3, 3, 8), (4, 4, 5)]
    >>> again = placed_again(swiss(4, contest="pairs", behind=True), 2, [6])
    >>> [(s.table, s.ns, s.ew) for s in again.in_round(2)]
    [(1, 7, 2), (2, 1, 6), (3, 8, 3), (4, 5, 4)]
    """
    there = movement.in_round(round)
    before = replace(
        movement, seatings=tuple(seating for seating in movement.seatings if seating.round < round)
    )
    draw = Draw(
        tuple((s.contestants[0], s.contestants[1]) for s in there if s.is_played),
        bye=next((s.contestants[0] for s in there if not s.is_played), None),
    )
    placed_draw = assign_tables(before, draw, stationary)
    sides: list[tuple[int, int | None]] = [*placed_draw.matches]
    if placed_draw.bye is not None:
        sides.append((placed_draw.bye, None))
    sets = tuple(dict.fromkeys(name for s in there for name in s.sets))
    seatings = tuple(
        seated_match(before, Seating(round, table, ns, ew, sets))
        for table, (ns, ew) in sorted(zip(placed_draw.tables, sides, strict=True))
    )
    return replace(before, seatings=before.seatings + seatings)


def exchanged_draw(draw: Draw, first: int, second: int) -> Draw:
    """Return a draw in which two contestants have exchanged opponents, bye or three-way match.

    >>> exchanged_draw(Draw(((1, 2), (3, 4)), bye=5), 2, 5)
    Draw(matches=((1, 5), (3, 4)), triangles=(), bye=2, tables=())
    """
    new = {first: second, second: first}

    def exchanged_number(number: int) -> int:
        """Return the number after the exchange."""
        return new.get(number, number)

    return replace(
        draw,
        matches=tuple(
            (exchanged_number(home), exchanged_number(away)) for home, away in draw.matches
        ),
        triangles=tuple(
            (exchanged_number(a), exchanged_number(b), exchanged_number(c))
            for a, b, c in draw.triangles
        ),
        bye=None if draw.bye is None else exchanged_number(draw.bye),
    )


def last_meeting_rounds(movement: Movement) -> Mapping[frozenset[int], int]:
    """Return the last round in which each two contestants met, in matches of two or three."""
    last_rounds: dict[frozenset[int], int] = {}
    for seating in movement.seatings:
        if seating.is_played:
            for two in combinations(seating.contestants, 2):
                last_rounds[frozenset(two)] = max(last_rounds.get(frozenset(two), 0), seating.round)
    for couple, round in triangle_meetings(movement):
        last_rounds[couple] = max(last_rounds.get(couple, 0), round)
    return last_rounds


def _homes_by_contestant(movement: Movement, stationary: Collection[int]) -> dict[int, Home]:
    """Return the table and direction that each stationary contestant keeps."""
    first = {contestant: movement.seatings_of(contestant)[:1] for contestant in stationary}
    return {
        contestant: (seating.table, contestant == seating.ns)
        for contestant, (*seatings,) in first.items()
        for seating in seatings
    }


def _match_by_sides(
    movement: Movement, match: tuple[int, int], homes: Mapping[int, Home]
) -> tuple[int, int]:
    """Return a match with the contestant first that is to sit North-South, or at its home table."""
    one, other = match
    for contestant, opponent in ((one, other), (other, one)):
        if contestant in homes:
            return (contestant, opponent) if homes[contestant][1] else (opponent, contestant)
    return (
        (other, one)
        if _north_south_surplus(movement, other) < _north_south_surplus(movement, one)
        else (one, other)
    )


def _north_south_surplus(movement: Movement, contestant: int) -> tuple[int, int]:
    """Return how many rounds more a contestant has sat N-S than E-W, and the last round it sat N-S."""
    played = [seating for seating in movement.seatings_of(contestant) if seating.is_played]
    there = [seating.round for seating in played if seating.ns == contestant]
    return 2 * len(there) - len(played), max(there, default=0)
