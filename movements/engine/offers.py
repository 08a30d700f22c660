"""Offers of the catalogue for a number of pairs: movements with possible rounds and boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from . import catalogue
from .boards import movement_boards
from .contest import Contest
from .errors import MovementError, WrongTables
from .families.family import Family
from .model import Movement

#: boards a round as clubs like them, best first
USUAL_BOARDS = (3, 4, 2, 5, 6, 7, 8, 1, 9, 10, 12)
#: boards of a match of teams, best first: 6 and more (Wikipedia: 6 to 24)
MATCH_BOARDS = (6, 7, 8, 9, 10, 12, 5, 4, 3, 2, 1)


@dataclass(frozen=True, slots=True)
class MovementSize:
    """The size of a movement: rounds and boards; `total` is set only if the last set is shorter."""

    rounds: int
    boards_per_round: int
    total: int | None = None

    @property
    def boards(self) -> int:
        """Return how many boards a contestant without sit-outs plays (at most)."""
        return self.total or self.rounds * self.boards_per_round


#: half sets have sizes of their own, for four totals (see boards.py)
SCISSORS_HOWELL = (
    MovementSize(5, 5, 24),
    MovementSize(5, 4),
    MovementSize(5, 6, 26),
    MovementSize(5, 6),
)


@dataclass(frozen=True)
class MovementOffer:
    """A movement for a number of pairs, with the sizes that fit the wished number of boards, best first."""

    family: Family
    movement: Movement
    sizes: tuple[MovementSize, ...]
    is_as_wanted: bool
    options: Mapping[str, Any] = field(default_factory=dict)
    missing_line: str = "ew"  # the missing pair's line at a half table

    @property
    def has_half_table(self) -> bool:
        """Return whether one direction is a pair short, so that the other one sits out in turn."""
        counts = {len(field.labels) for field in self.movement.fields}
        return self.family.takes_missing_pair and len(counts) == 2

    @property
    def size(self) -> MovementSize:
        """Return the size that fits best."""
        return self.sizes[0]

    @cached_property
    def board_numbers(self) -> Mapping[str, range]:
        """Return the board numbers of each set in the best size."""
        if self.size.total:
            return movement_boards(self.movement, total=self.size.total)
        return movement_boards(self.movement, per_round=self.size.boards_per_round)

    @property
    def boards_prepared(self) -> int:
        """Return how many boards must be prepared; in matches with own boards, how many each match plays."""
        if not self.movement.sets:
            return self.size.boards
        return sum(len(numbers) for numbers in self.board_numbers.values())

    @cached_property
    def boards_played(self) -> tuple[int, int]:
        """Return the fewest and most boards a contestant plays; each half of a team counts separately."""
        if not self.movement.sets:
            return self.size.boards, self.size.boards
        counts = [
            sum(len(self.board_numbers[name]) for name in self.movement.sets_played(contestant))
            for contestant in self.movement.contestants
        ]
        halves = self.movement.contest.halves
        return min(counts) // halves, max(counts) // halves

    @property
    def longest_sit_out(self) -> Fraction:
        """Return the largest number of rounds that a contestant of the movement sits out."""
        return self.movement.longest_sit_out

    @cached_property
    def sharing_tables(self) -> tuple[int, ...]:
        """Return the tables that have to share boards in some round, despite copies."""
        tables: set[int] = set()
        for round in range(1, self.movement.rounds + 1):
            for places in self.movement.shares(round).values():
                if len(places) > self.movement.copies:
                    tables.update(places)
        return tuple(sorted(tables))

    @cached_property
    def stands_after(self) -> tuple[int, ...]:
        """Return the tables after which board sets wait on a board stand."""
        return tuple(sorted({stand.after_table for stand in self.movement.stands}))


def movement_for(
    family: str,
    pairs: int,
    rounds: int | None = None,
    missing_line: str = "ew",
    options: Mapping[str, Any] | None = None,
) -> Movement:
    """Build a family's movement for so many pairs, players or teams.

    An odd number of pairs has a half table; in an individual up to three players sit out in turn. `missing_line` is
    the line of the missing pair of a two-winner movement; it is the one of the last table. Raises a `MovementError`
    if the family does not allow so many pairs.

    >>> len(movement_for("mitchell", 9).contestants)
    9
    """
    refused: MovementError | None = None
    options = complete_options(catalogue.find_family(family), pairs, options)
    contest = Contest(options.get("contest", catalogue.find_family(family).contest))
    for tables in table_counts(pairs, contest):
        try:
            movement = catalogue.build_movement(family, tables, rounds, None, options)
        except MovementError as error:
            if refused is None or isinstance(refused, WrongTables):
                refused = error
            continue
        if len(movement.contestants) == pairs:
            return movement
        if (
            len(movement.contestants) == pairs + 1
            and catalogue.find_family(family).takes_missing_pair
        ):
            return catalogue.build_movement(
                family, tables, rounds, _missing_label(movement, missing_line), options
            )
    raise refused or WrongTables(family, tables=(pairs + 1) // 2, needs="another number of pairs")


def complete_options(
    family: Family, pairs: int, options: Mapping[str, Any] | None = None
) -> Mapping[str, Any]:
    """Return the options together with those that follow from the number of contestants.

    Up to three players sit out in turn, and of an odd number of drawn pairs one is missing.
    """
    if any(option.name == "out" for option in family.options):
        rest = {name: value for name, value in (options or {}).items() if name != "one_out"}
        return {**rest, "out": pairs % Contest.INDIVIDUAL.contestants_per_table}
    if options and options.get("contest") == Contest.PAIRS and pairs % 2:
        return {**options, "half": True}
    return options or {}


def table_counts(pairs: int, contest: Contest = Contest.PAIRS) -> tuple[int, ...]:
    """Return the numbers of tables at which so many pairs can play, with half tables and rovers.

    Each team has a table; four players share one.
    """
    if not contest.fills_a_side:
        return (pairs // contest.contestants_per_table,)
    full = pairs // 2
    counts = (full, full - 1) if pairs % 2 == 0 else (full + 1, full)
    return tuple(count for count in counts if count > 0)


def _missing_label(movement: Movement, direction: str) -> str:
    """Return the label of the missing pair: the last in a direction, or the last of one field."""
    field = next((f for f in movement.fields if f.name == direction), movement.fields[-1])
    return movement.label(movement.members(field)[-1])


def possible_sizes(
    family: Family,
    tables: int,
    minimum: int,
    maximum: int,
    sets: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> tuple[MovementSize, ...]:
    """Return the sizes in which a contestant plays `minimum` to `maximum` boards, best first.

    Complete movements come first, then the usual numbers of boards a round. If a complete movement has no such number
    of boards but a shorter last set gives one, that is offered too (`sets` counts its sets).
    """
    usual = family.default_rounds(tables, options)
    if family.name == "scissors-howell":
        return tuple(size for size in SCISSORS_HOWELL if minimum <= size.boards <= maximum)
    order = MATCH_BOARDS if family.contest.has_halves else USUAL_BOARDS
    fitting = [
        MovementSize(rounds, boards)
        for rounds in family.possible_rounds(tables, options)
        for boards in USUAL_BOARDS
        if minimum <= rounds * boards <= maximum and boards >= family.fewest_boards(tables)
    ]
    fitting.sort(
        key=lambda size: (
            size.rounds != usual,
            order.index(size.boards_per_round),
            -size.rounds,
        )
    )
    if usual and sets == usual and not any(size.rounds == usual for size in fitting):
        for total in range(maximum, minimum - 1, -1):
            per_set = -(-total // sets)
            shortest = total - (sets - 1) * per_set
            if shortest >= family.fewest_boards(tables) and per_set in USUAL_BOARDS:
                fitting.insert(0, MovementSize(usual, per_set, total))
                break
    return tuple(fitting)


def nearest_size(
    family: Family,
    tables: int,
    minimum: int,
    maximum: int,
    options: Mapping[str, Any] | None = None,
) -> MovementSize | None:
    """Return the complete movement's size nearest to the wished number of boards."""
    usual = family.default_rounds(tables, options)
    if usual is None:
        return None
    middle = (minimum + maximum) / 2
    enough = [boards for boards in sorted(USUAL_BOARDS) if boards >= family.fewest_boards(tables)]
    boards = min(enough, key=lambda boards: abs(usual * boards - middle))
    return MovementSize(usual, boards)
