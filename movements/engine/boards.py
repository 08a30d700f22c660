"""Board numbers of board sets, from the boards per set or the total.

Sets are filled in order. When the total does not divide, the last set is shorter (according to the club's original
documentation). If the sets before it already use all boards, `TooFewBoards` is raised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .declarations import Triangle
from .errors import TooFewBoards
from .families.tables import read_data_table
from .model import Movement

SCISSORS_HALVES = ("A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2", "E1", "E2")
VULNERABILITY = ("none", "ns", "ew", "all")


def board_numbers(
    sets: Sequence[str], *, per_set: int | None = None, total: int | None = None
) -> dict[str, range]:
    """Return the board numbers of each set, from the boards per set or from the total.

    Raises `TooFewBoards` when the total leaves the last set empty.

    >>> board_numbers("ABCDE", total=24)["E"]
    range(21, 25)
    """
    if (per_set is None) == (total is None):
        raise TypeError("give boards per set or the total")
    count = len(sets)
    if per_set is None:
        assert total is not None
        per_set = -(-total // count) if count else 0
    if total is None:
        total = per_set * count
    if per_set < 1 or (count - 1) * per_set >= total:
        raise TooFewBoards("boards", boards=total, sets=count)
    return {
        name: range(index * per_set + 1, min((index + 1) * per_set, total) + 1)
        for index, name in enumerate(sets)
    }


@dataclass(frozen=True, slots=True)
class MatchBoards:
    """The boards of team matches whose pairings are drawn: `each` per match, numbered as the club chose.

    If cards are shuffled at the table, every match has numbers from `first` on. So do a triangle's three matches,
    each with boards of its own. If boards are duplicated, all matches of a round have the same deals. Then a
    triangle's three matches have different numbers, so that no team meets a deal twice. They are the round's own, and
    others from `beyond` on, which no round has. From round to round numbers increase by the planned number of a match
    (`planned`), even if matches are shortened. Otherwise each round begins at `first` again, with other deals. The
    two tables exchange their boards between two `segments`; with four segments in the middle of each half. With one
    segment each table has boards of its own.
    """

    each: int
    planned: int = 0
    first: int = 1
    goes_on: bool = False
    beyond: int = 0
    is_duplicated: bool = False
    segments: int = 2

    @classmethod
    def from_choice(
        cls,
        boards_each: int,
        rounds: int,
        *,
        first_board: int = 1,
        goes_on: bool = True,
        duplicated: bool = True,
        segments: int = 2,
    ) -> MatchBoards:
        """Return the boards of a team event's matches by the director's choices before the start.

        >>> MatchBoards.from_choice(7, 4).in_round(4)
        range(22, 29)
        """
        beyond = first_board + boards_each * (rounds if goes_on else 1)
        return cls(boards_each, boards_each, first_board, goes_on, beyond, duplicated, segments)

    def in_round(self, round: int) -> range:
        """Return the boards of each match in a round."""
        start = self.first + (round - 1) * self.planned * self.goes_on
        return range(start, start + self.each)

    def boards_in_triangle(
        self, triangles: Sequence[Triangle], triangle: Triangle
    ) -> tuple[range, range, range]:
        """Return the boards of the matches 1 v 2, 2 v 3 and 3 v 1 in one of a movement's three-way matches.

        >>> three = Triangle((2,), (7, 8, 9))
        >>> MatchBoards.from_choice(6, 4).boards_in_triangle([three], three)
        (range(7, 10), range(10, 13), range(25, 28))
        """
        usual = self.in_round(triangle.rounds[0])
        is_short = len(triangle.rounds) == 1
        size = self.each // 2 if is_short else self.each
        one = usual[:size]
        if not self.is_duplicated:
            return one, one, one
        other = self._free_board(triangles, triangle)
        second = usual[size : 2 * size] if is_short else range(other, other + size)
        third = other if is_short else other + size
        return one, second, range(third, third + size)

    def _free_board(self, triangles: Sequence[Triangle], triangle: Triangle) -> int:
        """Return the first board unused by any round and by earlier three-way matches of the same teams."""
        starts: dict[Triangle, range] = {}
        for other_triangle in [*triangles[: triangles.index(triangle)], triangle]:
            many = self.planned // 2 if len(other_triangle.rounds) == 1 else 2 * self.planned
            met = [
                boards
                for other, boards in starts.items()
                if {*other.teams} & {*other_triangle.teams}
            ]
            start = self.beyond
            while clash := next(
                (x for x in met if x.start < start + many and start < x.stop), None
            ):
                start = clash.stop
            starts[other_triangle] = range(start, start + many)
        return starts[triangle].start

    def after_triangles(self, movement: Movement, to_come: int) -> int:
        """Return the first board number after those that three-way matches use or may still use."""
        long, short = 2 * self.planned, self.planned // 2
        had = sum(
            long if len(rounds) > 1 else short for rounds in {t.rounds for t in movement.triangles}
        )
        return self.beyond + had + to_come * short

    def needed(self, movement: Movement) -> tuple[range, range]:
        """Return the boards needed for all rounds, and those that only three-way matches need.

        A continued draw may need more, if a team has a second triangle.
        """
        last = self.in_round(movement.rounds if self.goes_on else 1)
        ends = [
            self.boards_in_triangle(movement.triangles, triangle)[2].stop
            for triangle in movement.triangles
        ]
        end = max(ends, default=self.beyond) if self.is_duplicated else self.beyond
        return range(self.first, last.stop), range(self.beyond, end)


def movement_boards(
    movement: Movement, *, per_round: int | None = None, total: int | None = None
) -> dict[str, range]:
    """Return the board numbers of each set of a movement.

    `per_round` counts the boards of a whole round: a movement whose rounds are played in parts divides them among the
    parts' sets. Raises `TooFewBoards` when they do not fill the sets.
    """
    if movement.family == "scissors-howell" and set(movement.sets) <= set(SCISSORS_HALVES):
        return _scissors_howell(movement, per_round, total)
    if per_round is None:
        return board_numbers(movement.sets, total=total)
    sets_a_round = max(
        (
            sum(len(s.sets) for s in movement.seatings_at_table(s0.round, s0.table))
            for s0 in movement.seatings
        ),
        default=1,
    )
    if sets_a_round == 1:
        return board_numbers(movement.sets, per_set=per_round)
    if per_round < sets_a_round:
        raise TooFewBoards(movement.family, boards=per_round, sets=sets_a_round)
    # the first halves get the odd board: A1 = 1-2, A2 = 3 of a set of three
    sizes = [
        per_round // sets_a_round + (i < per_round % sets_a_round) for i in range(sets_a_round)
    ]
    numbers: dict[str, range] = {}
    first = 1
    for index, name in enumerate(movement.sets):
        size = sizes[index % sets_a_round]
        numbers[name] = range(first, first + size)
        first += size
    return numbers


def _scissors_howell(
    movement: Movement, per_round: int | None, total: int | None
) -> dict[str, range]:
    """Return the boards of each half set of the Scissors Howell: 20 to 30 boards, 4 to 6 a round."""
    halves = read_data_table("scissors-howell-3x5")["halves"]
    if total is None:
        total = {4: 20, 5: 24, 6: 30}.get(per_round or 0, 0)
    if str(total) not in halves:
        raise TooFewBoards(movement.family, boards=total or per_round or 0, sets=10)
    numbers, first = {}, 1
    for name, size in zip(SCISSORS_HALVES, halves[str(total)], strict=True):
        numbers[name] = range(first, first + size)
        first += size
    return {name: numbers[name] for name in movement.sets}  # a curtailed one leaves sets out


def boards_of_sets(names: Sequence[str], numbers: Mapping[str, range]) -> tuple[int, ...]:
    """Return the boards of the sets with these names, in ascending order."""
    return tuple(sorted(board for name in names for board in numbers[name]))


def board_ranges(boards: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return board numbers as (first, last) ranges, which cards print as "1-3, 7-9".

    >>> board_ranges((1, 2, 3, 7))
    ((1, 3), (7, 7))
    """
    ranges: list[tuple[int, int]] = []
    for board in boards:
        if ranges and board == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], board)
        else:
            ranges.append((board, board))
    return tuple(ranges)


def dealer(board: int) -> str:
    """Return the dealer of a board: N, E, S, W in turn (Law 2)."""
    return "NESW"[(board - 1) % 4]


def vulnerability(board: int) -> str:
    """Return the vulnerability of a board: "none", "ns", "ew" or "all" (Law 2).

    >>> [vulnerability(board) for board in (1, 2, 5, 16)]
    ['none', 'ns', 'ns', 'ew']
    """
    index = (board - 1) % 16
    return VULNERABILITY[(index + index // 4) % 4]
