"""The library: the movements for each number of tables, and each of them in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from movements.engine import catalogue
from movements.engine.errors import MovementError
from movements.engine.fairness.balance import Balance, balance
from movements.engine.families.family import Family, FamilyOption
from movements.engine.laws import Violation, find_violations
from movements.engine.model import Movement, Seating, Side, players_of
from movements.engine.offers import possible_sizes
from movements.engine.straight import movement_as_seated
from movements.words.descriptions import movement_description

from ..words.calls import announcement_after
from ..words.sentences import family_title, label_of, short_label
from ..words.violations import violation_sentence
from . import heat
from .ring.boards import BoardPicture, board_pictures

SMALLEST = 2
USUAL_LARGEST, LARGEST = 20, 40


@dataclass(frozen=True, slots=True)
class OverviewCell:
    """A cell of the library's overview: a family's movement for a number of tables."""

    tables: int
    rounds: int
    winners: int
    needs_copies: bool  # or tables that share
    has_stands: bool
    has_rover: bool  # a pair more than the tables seat


@dataclass(frozen=True, slots=True)
class OverviewRow:
    """A row of the library's overview: a family, with a cell for every number of tables."""

    family: Family
    cells: tuple[tuple[int, OverviewCell | None], ...]

    @property
    def title(self) -> str:
        """Return the family's name in the reader's language."""
        return family_title(self.family.name)

    def links(self) -> Iterator[tuple[OverviewCell | None, str, str]]:
        """Yield each cell of the row with its page's address and the text for screen readers."""
        title, text = self.title, _("%(movement)s, %(table)s tables, %(rounds)s rounds")
        base = reverse("movement", args=[self.family.name, 1]).removesuffix("1/")
        for tables, cell in self.cells:
            rounds, own_tables = (cell.rounds, cell.tables) if cell else (0, tables)
            yield (
                cell,
                f"{base}{own_tables}/",
                text % {"movement": title, "table": own_tables, "rounds": rounds},
            )


@dataclass(frozen=True, slots=True)
class LibraryFilter:
    """The chosen filters of the library's overview."""

    #: number of tables; 0: any
    tables: int = 0
    contest: str = ""
    winners: int = 0
    half_table: bool = False
    #: number of pairs; 0: any. An odd one may also be a rover, at one table fewer
    pairs: int = 0
    no_sharing: bool = False
    no_stands: bool = False
    fewest_boards: int = 0
    most_boards: int = 0
    largest: int = USUAL_LARGEST

    @property
    def sizes(self) -> Sequence[int]:
        """Return the numbers of tables that have a column in the overview."""
        return [self.tables] if self.tables else range(SMALLEST, self.largest + 1)

    def takes(self, family: Family, cell: OverviewCell) -> bool:
        """Return whether a family's movement fulfils the filters that the reader has chosen."""
        return (
            (not self.winners or cell.winners == self.winners)
            and not (self.no_sharing and cell.needs_copies)
            and not (self.no_stands and cell.has_stands)
            and (
                not self.most_boards
                or bool(possible_sizes(family, cell.tables, self.fewest_boards, self.most_boards))
            )
        )


@lru_cache(maxsize=4096)
def overview_cell(name: str, tables: int) -> OverviewCell | None:
    """Return the overview's cell for a family at a number of tables; None without a movement."""
    try:
        movement = catalogue.build_movement(name, tables)
    except MovementError:
        family = catalogue.find_family(name)
        legal = family.possible_rounds(tables)
        if not legal:
            return None
        movement = catalogue.build_movement(name, tables, legal[-1])
    return OverviewCell(
        tables=tables,
        rounds=movement.rounds,
        winners=movement.winners,
        needs_copies=movement.copies > 1 or movement.copies_needed > 1,
        has_stands=bool(movement.stands),
        has_rover=movement.contest.fills_a_side
        and len(movement.contestants) == 2 * movement.tables + 1,
    )


def _cell_for_pairs(
    family: Family, tables: int, library_filter: LibraryFilter
) -> OverviewCell | None:
    """Return the overview's cell for a family at a number of tables; None if it does not take the pairs asked for.

    An odd number of pairs has a half table, or a rover at one table fewer.
    """
    is_odd = library_filter.pairs % 2 == 1
    if family.takes_missing_pair or not library_filter.half_table:
        cell = overview_cell(family.name, tables)
        return None if cell and cell.has_rover and library_filter.pairs else cell
    cell = overview_cell(family.name, tables - 1) if is_odd else None
    return cell if cell and cell.has_rover else None


def family_overview(library_filter: LibraryFilter) -> list[OverviewRow]:
    """Return the rows of the overview with families that have a visible cell."""
    rows = []
    for family in catalogue.FAMILIES:
        if library_filter.contest and family.contest != library_filter.contest:
            continue
        cells = []
        for tables in library_filter.sizes:
            has_any = _cell_for_pairs(family, tables, library_filter)
            cells.append(
                (tables, has_any if has_any and library_filter.takes(family, has_any) else None)
            )
        if any(has_any for _tables, has_any in cells):
            rows.append(OverviewRow(family, tuple(cells)))
    return rows


@dataclass(frozen=True, slots=True)
class MovementVersion:
    """A version of a movement that its page offers, such as the fairest or the published one."""

    name: str
    score: int
    word: str
    query: str  # for its page's address
    is_shown: bool


def movement_versions(
    family: Family, shown_movement: Movement, requested_version: str
) -> list[MovementVersion]:
    """Return the versions of a family's movement in this size, with their fairness; empty if there is only one.

    `requested_version` is the version of the movement shown, empty for the usual one.
    """
    option = next((option for option in family.options if option.name == "version"), None)
    unique: list[MovementVersion] = []
    seatings: list[tuple[Seating, ...]] = []
    for name in option.choices if option else ():
        try:
            movement = catalogue.build_movement(
                family.name, shown_movement.tables, shown_movement.rounds, options={"version": name}
            )
        except MovementError:
            continue
        if movement.seatings in seatings:
            continue
        seatings.append(movement.seatings)
        measured = balance(movement)
        unique.append(
            MovementVersion(
                name=name,
                score=measured.score,
                word=measured.word,
                query=urlencode({"rounds": shown_movement.rounds, "option-version": name}),
                is_shown=name == (requested_version or option.choices[0]) if option else False,
            )
        )
    return unique if len(unique) > 1 else []


def family_variants(family: Family, tables: int) -> Iterator[tuple[FamilyOption, str, str]]:
    """Yield the options with which a family has another movement for so many tables, as URL queries."""
    for option in family.options:
        if not option.sizes:
            continue
        values: Sequence[object] = option.choices
        if option.kind == "flag":
            values = (True,)
        elif option.kind == "int":
            values = range(2, tables + 1)
        for value in values:
            if family.possible_rounds(tables, {option.name: value}):
                written = option.text_of(value)
                yield option, written, urlencode({f"option-{option.name}": written})


@dataclass(frozen=True, slots=True)
class LibraryRule:
    """The announcement of moves that holds after some rounds."""

    rounds: tuple[int, ...]
    sentence: SafeString
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of a movement's grid: a table in a round; `problems` lists broken laws."""

    parts: tuple[tuple[str, str], ...]  # the contestants, and the sets
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of a movement's grid: one round."""

    round: int
    cells: tuple[GridCell, ...]
    waiting: tuple[tuple[int, str], ...]  # the table before the stand, and the sets
    sits_out: str
    triangles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A table of a movement through all rounds: contestants and board sets."""

    title: str
    cells: tuple[tuple[str, str], ...]


class MovementPage:
    """A movement with everything that its page in the library shows."""

    def __init__(self, movement: Movement, violations: Sequence[Violation] | None = None) -> None:
        self.movement = movement
        self.violations = find_violations(movement) if violations is None else violations

    @property
    def tables(self) -> list[int]:
        """Return the numbers of the tables."""
        return sorted({seating.table for seating in self.movement.seatings})

    @property
    def grid(self) -> Iterator[GridRow]:
        """Yield the movement's grid round by round, with broken laws in their cells."""
        movement = self.movement
        problems: dict[tuple[int, int], list[str]] = {}
        for violation in self.violations:
            for table in violation.tables or (violation.table,):
                key = (violation.round, table)
                problems.setdefault(key, []).append(violation_sentence(movement, violation))
        for round in range(1, movement.rounds + 1):
            yield GridRow(
                round=round,
                cells=tuple(
                    GridCell(
                        parts=tuple(
                            (self._opponents_text(s), " ".join(s.sets))
                            for s in movement.seatings_at_table(round, table)
                        ),
                        problems=tuple(problems.get((round, table), ())),
                    )
                    for table in self.tables
                ),
                waiting=tuple(
                    (stand.after_table, " ".join(stand.sets)) for stand in movement.waiting(round)
                ),
                sits_out=", ".join(
                    label_of(movement, number) + ("" if share == 1 else " ½")
                    for number, share in movement.sit_outs(round)
                ),
                triangles=tuple(
                    " – ".join(label_of(movement, team) for team in triangle.teams)
                    for triangle in movement.triangles
                    if round in triangle.rounds
                ),
            )

    @property
    def columns(self) -> Iterator[TableColumn]:
        """Yield the movement table by table, for printing."""
        rows = list(self.grid)
        for place, table in enumerate(self.tables):
            title = _("Table %(table)s") % {"table": table}
            parts = [row.cells[place].parts for row in rows]
            yield TableColumn(
                title,
                tuple(
                    (
                        " ".join(contestant for contestant, _sets in cell),
                        " ".join(sets for _who, sets in cell),
                    )
                    for cell in parts
                ),
            )
        if self.movement.stands:
            waiting = [" ".join(f"{sets} ({after})" for after, sets in row.waiting) for row in rows]
            yield TableColumn(_("Boards wait"), tuple((place_name, "") for place_name in waiting))

    def _opponents_text(self, seating: Seating) -> str:
        """Return the two sides of a seating as text."""
        return f"{self._side_text(seating.ns, 'ns')}–{self._side_text(seating.ew, 'ew')}"

    def _side_text(self, side: Side, direction: str) -> str:
        """Return a side of a seating as text, without the prefix that its direction implies."""
        names = []
        for number in players_of(side):
            field = self.movement.field_of(number)
            at_home = not field.prefix or field.name == direction or len(field.name) == 1
            names.append(
                short_label(self.movement, number) if at_home else label_of(self.movement, number)
            )
        return "+".join(names) or _("nobody")

    @cached_property
    def rules(self) -> list[LibraryRule]:
        """Return the announcements of moves after the rounds; equal ones are listed once with their rounds."""
        turned_back = movement_as_seated(self.movement)
        movement = turned_back[0] if turned_back else self.movement
        rounds_by_call: dict[tuple[SafeString, tuple[str, ...]], list[int]] = {}
        for round in range(1, movement.rounds):
            if not {round, round + 1} & {*movement.open_rounds}:
                call = announcement_after(movement, round)
                rounds_by_call.setdefault((call.sentence, call.details), []).append(round)
        return [
            LibraryRule(tuple(rounds), sentence, details)
            for (sentence, details), rounds in rounds_by_call.items()
        ]

    @cached_property
    def board_pictures(self) -> tuple[BoardPicture, ...]:
        """Return pictures of the boards' moves, if one rule does not describe them all."""
        movement = self.movement
        return board_pictures(movement) if movement.sets and not movement.open_rounds else ()

    @cached_property
    def balance(self) -> Balance | None:
        """Return how evenly the movement compares contestants; None if its boards are not known yet."""
        return balance(self.movement) if self.movement.sets else None

    @property
    def luck_percent(self) -> float:
        """Return the luck of the schedule (figure U) in per cent."""
        return 100 * self.balance.luck if self.balance else 0.0

    @property
    def heat_map(self) -> str:
        """Return the heat map of how often contestants are compared, as SVG."""
        return heat.heat_picture(self.movement, self.balance) if self.balance else ""

    @property
    def has_numbers(self) -> bool:
        """Return whether the heat map has space for a number in every square."""
        return len(self.movement.contestants) <= heat.MOST_WITH_NUMBERS

    @property
    def figures(self) -> list[tuple[str, str, str]]:
        """Return the legend of the heat map: CSS class, numbers and words of each colour."""
        return heat.heat_legend(self.movement, self.balance) if self.balance else []

    @property
    def explanation(self) -> tuple[str, ...]:
        """Return the director's explanation of the movement before the start."""
        return movement_description(self.movement)

    @property
    def comparisons(self) -> str:
        """Return a sentence on how often contestants are compared."""
        return heat.heat_sentence(self.movement, self.balance) if self.balance else ""

    @property
    def stationary(self) -> list[str]:
        """Return the labels of the contestants that never move."""
        return [label_of(self.movement, number) for number in self.movement.stationary_contestants]

    @cached_property
    def sharing(self) -> list[str]:
        """Return the tables that are declared to share boards."""
        return [
            " – ".join(map(str, share.tables)) for share in self.movement.shared if not share.round
        ]
