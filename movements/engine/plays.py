"""Plays: a line for every board at every table, written when its round begins.

The movement gives coming rounds, and plays the past ones. Plays stay whatever becomes of the movement, and change
only to correct the record. A line with an empty side means a half table: the other side waits, and the board is not
played.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from .boards import MatchBoards, boards_of_sets
from .declarations import Triangle
from .model import Movement, Seating, Side

#: for movements whose boards are in sets
NO_MATCHES = MatchBoards(0)


@dataclass(frozen=True, slots=True)
class BoardPlay:
    """A board at a table in a round or a part of it, with the contestants in both directions."""

    round: int
    table: int
    part: int  # from 1, of `parts` in which the table plays the round
    parts: int
    board: int
    ns: Side
    ew: Side

    @property
    def place(self) -> tuple[int, int, int, int]:
        """Return the key of the play, unique in a section: round, table, part, board."""
        return self.round, self.table, self.part, self.board

    @property
    def is_played(self) -> bool:
        """Return whether both sides are present."""
        return self.ns is not None and self.ew is not None

    def renumbered(self, numbers: Mapping[int, int]) -> BoardPlay:
        """Return the play with new numbers of its contestants."""
        return replace(
            self, ns=_renumbered_side(self.ns, numbers), ew=_renumbered_side(self.ew, numbers)
        )


def _renumbered_side(side: Side, numbers: Mapping[int, int]) -> Side:
    """Return one side of a table with its contestants' numbers replaced by those in `numbers`."""
    if isinstance(side, tuple):
        return numbers[side[0]], numbers[side[1]]
    return None if side is None else numbers[side]


def home_table(movement: Movement, team: int) -> int:
    """Return the home table of a team, where its N-S pair stays in a drawn match."""
    label = movement.number(team)
    return int(label) if label.isdecimal() else team


def plays_of(
    movement: Movement,
    round: int,
    numbers: Mapping[str, range],
    boards: MatchBoards = NO_MATCHES,
) -> tuple[BoardPlay, ...]:
    """Return the plays of a round, board by board, by table and part.

    `numbers` are the boards of every set; drawn matches have `boards` of their own. Empty for a round not yet drawn.

    >>> from .families.mitchells.mitchell import mitchell
    >>> plays_of(mitchell(3), 2, {"A": range(1, 3), "B": range(3, 5), "C": range(5, 7)})[0]
    BoardPlay(round=2, table=1, part=1, parts=1, board=3, ns=1, ew=6)
    """
    if movement.is_draw:
        return tuple(sorted(_plays_of_draw(movement, round, boards), key=lambda play: play.place))
    return tuple(
        BoardPlay(round, here.table, part.index, part.parts, board, here.ns, here.ew)
        for part in sorted(movement.parts(round), key=lambda p: (p.seating.table, p.index))
        for here in [part.seating]
        if here.contestants
        for board in boards_of_sets(here.sets, numbers)
    )


def _plays_of_draw(movement: Movement, round: int, boards: MatchBoards) -> Iterator[BoardPlay]:
    """Yield the plays of a round's drawn team matches, at the home tables of the teams."""
    for match in movement.in_round(round):
        if isinstance(match.ns, int) and isinstance(match.ew, int):
            for host, guest in ((match.ns, match.ew), (match.ew, match.ns)):
                yield from _plays_at_home(
                    movement, round, host, guest, 1, 1, boards.in_round(round)
                )
    for triangle in movement.triangles:
        if round not in triangle.rounds:
            continue
        numbers = boards.boards_in_triangle(movement.triangles, triangle)
        halves = triangle_halves(triangle, round)
        for part, half in enumerate(halves, start=1):
            for host in triangle.teams:
                guest = visiting_team(triangle, host, half)
                here = numbers[match_index(triangle, host, guest)]
                yield from _plays_at_home(movement, round, host, guest, part, len(halves), here)


def triangle_halves(triangle: Triangle, round: int) -> tuple[int, ...]:
    """Return the halves of a three-way match played in a round: both, or one if it lasts two rounds."""
    return (1, 2) if len(triangle.rounds) == 1 else (triangle.rounds.index(round) + 1,)


def visiting_team(triangle: Triangle, host: int, half: int) -> int:
    """Return the team whose E-W pair visits team `host` in a half of a three-way match."""
    return triangle.teams[(triangle.teams.index(host) - half) % 3]


def match_index(triangle: Triangle, host: int, guest: int) -> int:
    """Return the index of two teams' match within a three-way match: 0 is 1 v 2, 1 is 2 v 3, 2 is 3 v 1.

    >>> [match_index(Triangle((1,), (7, 8, 9)), *two) for two in ((7, 8), (9, 8), (7, 9))]
    [0, 1, 2]
    """
    one, other = triangle.teams.index(host), triangle.teams.index(guest)
    return one if (one + 1) % 3 == other else other


def _plays_at_home(
    movement: Movement, round: int, host: int, guest: int, part: int, parts: int, boards: range
) -> Iterator[BoardPlay]:
    """Yield the plays of a team match at the home table of team `host`."""
    away = movement.absent(round)
    if host in away or guest in away:
        return
    table = home_table(movement, host)
    for board in boards:
        yield BoardPlay(round, table, part, parts, board, host, guest)


def movement_with_past(
    movement: Movement, past: Iterable[BoardPlay], until: int, numbers: Mapping[str, range]
) -> Movement:
    """Return the movement with the rounds up to `until` as they were played.

    Coming rounds, exemptions, stands and triangles are the movement's. In a draw, which has pairings but no tables,
    past matches come from the plays, at the tables of the movement.
    """
    if movement.is_draw:
        return _draw_with_past(movement, past, until)
    names = {board: name for name, boards in numbers.items() for board in boards}
    at: defaultdict[tuple[int, int, int], list[BoardPlay]] = defaultdict(list)
    for play in past:
        at[play.round, play.table, play.part].append(play)
    seatings: list[Seating] = []
    parts: Counter[tuple[int, int]] = Counter()
    for planned in movement.seatings:
        if planned.round > until:
            seatings.append(planned)
            continue
        table = planned.round, planned.table
        parts[table] += 1
        seatings.append(_seating_as_played(planned, at.pop((*table, parts[table]), []), names))
    for round, number, part in sorted(at):
        nobody = Seating(round, number, None, None, ())
        seatings.append(_seating_as_played(nobody, at[round, number, part], names))
    return replace(movement, seatings=tuple(seatings))


def _seating_as_played(
    planned: Seating, plays: list[BoardPlay], names: Mapping[int, str]
) -> Seating:
    """Return a table's seating as its plays show it; the planned one if they agree."""
    if not plays:
        return (
            Seating(planned.round, planned.table, None, None, ()) if planned.is_played else planned
        )
    first, sets = plays[0], tuple(dict.fromkeys(names[play.board] for play in plays))
    if (first.ns, first.ew, set(sets)) == (planned.ns, planned.ew, set(planned.sets)):
        return planned
    return Seating(planned.round, planned.table, first.ns, first.ew, sets)


def _draw_with_past(movement: Movement, past: Iterable[BoardPlay], until: int) -> Movement:
    """Return a drawn movement with the matches that were really played."""
    met: defaultdict[int, set[frozenset[int]]] = defaultdict(set)
    for play in past:
        if isinstance(play.ns, int) and isinstance(play.ew, int):
            met[play.round].add(frozenset((play.ns, play.ew)))
    in_triangles = {
        (round, frozenset((team, other)))
        for triangle in movement.triangles
        for round in triangle.rounds
        for team in triangle.teams
        for other in triangle.teams
    }
    seatings = []
    for seating in movement.seatings:
        couple = frozenset(seating.contestants)
        is_bye = not seating.is_played
        if seating.round > until or is_bye or couple in met[seating.round]:
            seatings.append(seating)
            met[seating.round].discard(couple)
    for round in range(1, until + 1):
        others = [couple for couple in met[round] if (round, couple) not in in_triangles]
        tables = {seating.table for seating in movement.in_round(round)}
        free = (table for table in range(1, movement.tables + 1) if table not in tables)
        for couple in sorted(others, key=sorted):
            one, other = sorted(couple)
            seatings.append(Seating(round, next(free), one, other, ()))
    return replace(movement, seatings=tuple(seatings))
