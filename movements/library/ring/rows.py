"""Two rows of tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

from movements.engine.descriptions.shape import RoomShape
from movements.engine.descriptions.wording import BoardStep

from ...words.copies import copy_name
from .strokes import (
    BOARDS,
    EW,
    ROVER,
    Point,
    Size,
    copy_key,
    path_element,
    svg_element,
    text_element,
)


@dataclass(frozen=True, slots=True)
class RowMeasures:
    """The measures of a picture of two rows of tables: distances and margins."""

    pitch: float
    widest: float
    side: float
    side_of_stand: float
    above: float
    between: float
    table: float
    least_for_numbers: float
    has_words: bool


LOOKS = {
    "big": RowMeasures(84, 900, 92, 150, 74, 150, 52, 34, has_words=True),
    "medium": RowMeasures(58, 560, 70, 96, 44, 104, 42, 31, has_words=False),
}
ROOM_FOR_SKIP = 46


@dataclass
class RowPositions:
    """The positions of tables, stands and rows in a picture of a movement."""

    found: RoomShape
    look: RowMeasures
    half: int = field(init=False)
    left: float = field(init=False)
    right: float = field(init=False)
    pitch: float = field(init=False)
    top: float = field(init=False)

    def __post_init__(self) -> None:
        look, tables = self.look, self.found.tables
        shares = {table for share in self.found.shares for table in share}
        self.half = (tables + 1) // 2
        self.left = look.side_of_stand if {tables} & {*self.found.stands, *shares} else look.side
        self.right = look.side_of_stand if self.half in self.found.stands else look.side
        space = (look.widest - self.left - self.right) / max(1, self.half - 1)
        self.pitch = min(look.pitch, space)
        self.top = look.above + ROOM_FOR_SKIP * bool(self._has_drawn_skip)

    @property
    def _has_drawn_skip(self) -> bool:
        """Return whether the picture has to show a skip."""
        return len(self.found.skips) == 1 and self.found.ew == 1 and self.half >= 4

    @property
    def bottom(self) -> float:
        """Return the vertical position of the lower row."""
        return self.top + self.look.between

    @property
    def middle(self) -> float:
        """Return the vertical position between both rows."""
        return (self.top + self.bottom) / 2

    @property
    def last(self) -> float:
        """Return the horizontal position of the right end of the rows."""
        return self.left + (self.half - 1) * self.pitch

    @property
    def width(self) -> float:
        """Return the width of the picture."""
        return self.last + self.right

    @property
    def height(self) -> float:
        """Return the height of the picture."""
        return self.bottom + self.look.above

    @property
    def table_width(self) -> float:
        """Return the width of a table."""
        return min(self.look.table, self.pitch - 6)

    def table(self, number: int) -> Point:
        """Return the position of a table in the picture."""
        if number <= self.half:
            return self.left + (number - 1) * self.pitch, self.top
        indent = self.pitch / 2 if self.found.tables % 2 else 0
        return self.last - (number - self.half - 1) * self.pitch - indent, self.bottom

    def stand(self, table_before: int) -> Point:
        """Return the position of the board stand after a table in the picture."""
        away = 84 if self.look.has_words else 62
        if table_before == self.half:
            return self.last + away, self.middle
        if table_before == self.found.tables:
            return self.left - away, self.middle
        x = (self.table(table_before)[0] + self.table(table_before + 1)[0]) / 2
        return x, self.middle + (-14 if table_before < self.half else 14)

    def is_upper(self, point: Point) -> bool:
        """Return whether a position is in the upper row of tables."""
        return point[1] < self.middle


def draw_rows(shape: RoomShape, size: Size, label: str, *, by_cards: bool) -> SafeString:
    """Return a picture of two rows of tables as SVG, with the moves of pairs and boards."""
    room = RowPositions(shape, LOOKS[size])
    parts = [
        *_draw_shared_backgrounds(room),
        *_east_west(room),
        *_draw_board_moves(room),
        *_stand_elements(room),
        *_skip_elements(room),
        *_words_of_shares(room),
        *(_text_in_the_middle(room, gettext("guide cards")) if by_cards else ()),
        *_words_of_weave(room),
        *_draw_rover_path(room),
        *_table_elements(room),
    ]
    css = "ring" if size == "big" else "ring compact"
    return svg_element(css, room.width, room.height, label, parts)


def rows_of_boards(shape: RoomShape, measures: RowMeasures, label: str) -> SafeString:
    """Return a picture of two rows of tables as SVG, with shared tables and the boards' moves only."""
    room = RowPositions(shape, measures)
    parts = [
        *_draw_shared_backgrounds(room),
        *_draw_board_moves(room),
        *_stand_elements(room),
        *_table_elements(room),
    ]
    css = "ring boards" if measures.has_words else "ring compact boards"
    return svg_element(css, room.width, room.height, label, parts)


def _draw_shared_backgrounds(room: RowPositions) -> Iterator[str]:
    """Yield the SVG of a common background for tables that share boards."""
    wide = room.table_width + 16
    for share in room.found.shares:
        xs, ys = zip(*map(room.table, share), strict=True)
        yield (
            f'<rect class="rg-share" x="{min(xs) - wide / 2:.0f}" y="{min(ys) - 30:.0f}"'
            f' width="{max(xs) - min(xs) + wide:.0f}" height="{max(ys) - min(ys) + 60:.0f}" rx="16"/>'
        )


def _east_west(room: RowPositions) -> Iterator[str]:
    """Yield the SVG of East-West's moves, outside the rows of tables."""
    up, tables = room.found.ew or 0, room.found.tables
    usual = [
        (number, (number - 1 + up) % tables + 1) for number in range(1, tables + 1 if up else 1)
    ]
    for before, after in room.found.weave or usual:
        yield _outside_path(room, room.table(before), room.table(after))


def _outside_path(room: RowPositions, start: Point, end: Point) -> str:
    """Return the SVG of a players' move outside the rows of tables."""
    (x, y), (u, v) = start, end
    way = 1 if u > x else -1
    if y == v:
        side = -1 if room.is_upper(start) else 1
        return path_element(
            "rg-e",
            EW,
            f"M{x + 14 * way:.0f} {y + side * 27:.0f}"
            f"Q{(x + u) / 2:.0f} {y + side * 52:.0f} {u - 14 * way:.0f} {v + side * 29:.0f}",
        )
    is_right = (x + u) / 2 > (room.left + room.last) / 2
    far = room.width - 26 if is_right else 26
    way = 1 if is_right else -1
    a, b = (-1, 1) if room.is_upper(start) else (1, -1)
    return path_element(
        "rg-e",
        EW,
        f"M{x + 12 * way:.0f} {y + a * 27:.0f}C{far:.0f} {y + a * 48:.0f}"
        f" {far:.0f} {v + b * 48:.0f} {u + 14 * way:.0f} {v + b * 29:.0f}",
    )


def _draw_board_moves(room: RowPositions) -> Iterator[str]:
    """Yield the SVG of the boards' moves between the rows, each copy in its colour."""
    if room.found.boards is None and not room.found.stands and not room.found.weave:
        return
    for step in room.found.board_steps:
        css = f"rg-b {_copy_class_of_step(room, step)}".rstrip()
        if step.to_stand and step.before:
            yield _path_to_stand(css, room.table(step.before[0]), room.stand(step.to_stand))
        elif step.from_stand and step.after:
            yield _path_from_stand(css, room.stand(step.from_stand), room.table(step.after[0]))
        elif step.before and step.after:
            before, after = _nearest_tables(step, room.found)
            if before != after:
                yield _inside_path(room, css, room.table(before), room.table(after))


def _nearest_tables(step: BoardStep, shape: RoomShape) -> tuple[int, int]:
    """Return the nearest tables between which a board set moves; tables that share count as one."""
    before, after = _add_sharing_tables(step.before, shape), _add_sharing_tables(step.after, shape)

    def distance(way: tuple[int, int]) -> int:
        """Return the distance of two tables around the room."""
        apart = abs(way[0] - way[1])
        return min(apart, shape.tables - apart)

    return min(((b, a) for b in before for a in after), key=distance)


def _add_sharing_tables(tables: Sequence[int], shape: RoomShape) -> list[int]:
    """Return these tables together with those that share boards with them."""
    return sorted({*tables, *(t for share in shape.shares if {*share} & {*tables} for t in share)})


def _inside_path(room: RowPositions, css: str, start: Point, end: Point) -> str:
    """Return the SVG of a boards' move between the rows of tables."""
    (x, y), (u, v) = start, end
    side = 1 if room.is_upper(start) else -1
    way = 1 if u > x else -1
    if y == v and abs(x - u) < 1.5 * room.pitch:
        return path_element(
            css,
            BOARDS,
            f"M{x + 10 * way:.0f} {y + side * 25:.0f}"
            f"Q{(x + u) / 2:.0f} {y + side * 44:.0f} {u - 10 * way:.0f} {v + side * 27:.0f}",
        )
    if y == v:
        deep = room.middle - side * 12
        return path_element(
            css,
            BOARDS,
            f"M{x:.0f} {y + side * 25:.0f}C{x:.0f} {deep:.0f} {u:.0f} {deep:.0f}"
            f" {u:.0f} {v + side * 29:.0f}",
        )
    return path_element(
        css,
        BOARDS,
        f"M{x:.0f} {y + side * 25:.0f}Q{(x + u) / 2:.0f} {room.middle:.0f} {u:.0f} {v - side * 29:.0f}",
    )


def _path_to_stand(css: str, table: Point, stand: Point) -> str:
    """Return the SVG of a boards' move from a table to a board stand."""
    (x, y), (u, v) = table, stand
    if abs(x - u) > 130:
        level = v - 13 if y < v else v + 13
        way = 1 if u > x else -1
        down = 1 if y < v else -1
        return path_element(
            css, BOARDS, f"M{x:.0f} {y + 24 * down:.0f}V{level:.0f}H{u - way * 40:.0f}"
        )
    end = v - 26 if y < v else v + 26
    return path_element(
        css, BOARDS, f"M{_position_beside(x, u):.0f} {y:.0f}Q{u:.0f} {y:.0f} {u:.0f} {end:.0f}"
    )


def _path_from_stand(css: str, stand: Point, table: Point) -> str:
    """Return the SVG of a boards' move from a board stand to a table."""
    (x, y), (u, v) = stand, table
    start = y + 24 if v > y else y - 24
    return path_element(
        css, BOARDS, f"M{x:.0f} {start:.0f}Q{x:.0f} {v:.0f} {_position_beside(u, x, 4):.0f} {v:.0f}"
    )


def _position_beside(table: float, other_position: float, gap: float = 0) -> float:
    """Return the horizontal position beside a table, on the side of another one."""
    way = 1 if other_position > table else -1
    return table + way * (28 + gap)


def _stand_elements(room: RowPositions) -> Iterator[str]:
    """Yield the SVG of the board stands."""
    wide = 38 if room.look.has_words else 24
    stands = room.found.stands
    for index, after in enumerate(stands, 1):
        x, y = room.stand(after)
        word = pgettext("in a picture", "stand") if room.look.has_words else ""
        words = f"{word} {index}".strip() if len(stands) > 1 else word
        yield (
            f'<rect class="rg-st" x="{x - wide:.0f}" y="{y - 24:.0f}" width="{2 * wide}" height="48"'
            f' rx="9"/>{text_element("rg-t", x, y + 6, words)}'
        )


def _skip_elements(room: RowPositions) -> Iterator[str]:
    """Yield the SVG of the skip."""
    if room.top == room.look.above:
        return
    ((after, up),) = room.found.skips
    start, end = room.table(2), room.table(2 + up) if up + 2 <= room.half else room.table(room.half)
    yield path_element(
        "rg-e rg-skip",
        EW,
        f"M{start[0] - 6:.0f} {start[1] - 30:.0f}C{start[0] + 6:.0f} {start[1] - 92:.0f}"
        f" {end[0] - 6:.0f} {end[1] - 92:.0f} {end[0] + 6:.0f} {end[1] - 34:.0f}",
    )
    if not room.look.has_words:
        return
    words = gettext("once, after round %(round)s: up %(tables)s") % {"round": after, "tables": up}
    yield text_element("rg-t rg-em", (start[0] + end[0]) / 2, start[1] - 86, words)


def _words_of_shares(room: RowPositions) -> Iterator[str]:
    """Yield the SVG of the words between tables that share boards."""
    if not room.look.has_words or len(room.found.shares) != 1:
        return
    tables = room.found.shares[0]
    points = [room.table(table) for table in tables]
    if points[0][1] != points[-1][1]:
        x = sum(point[0] for point in points) / len(points)
        same, boards = gettext("same"), gettext("boards")
        yield text_element("rg-t", x, room.middle - 4, same) + text_element(
            "rg-t", x, room.middle + 18, boards
        )


def _text_in_the_middle(room: RowPositions, words: str) -> Iterator[str]:
    """Yield the SVG of a text between the rows, such as "guide cards" instead of arrows."""
    yield text_element("rg-t", (room.left + room.last) / 2, room.middle + 6, words)


def _words_of_weave(room: RowPositions) -> Iterator[str]:
    """Yield the SVG of the round after which the drawn moves are made, if others are the other way round."""
    if room.found.weave and room.found.usual:
        words = gettext("after round %(round)s") % {"round": room.found.usual.after_round}
        yield from _text_in_the_middle(room, words)


def _draw_rover_path(room: RowPositions) -> Iterator[str]:
    """Yield the SVG of the rover's moves, with the round in a circle at each of its tables."""
    ways = sorted(room.found.rover_tables.items())
    for (_round, before), (_next, after) in pairwise(ways):
        (x, y), (u, v) = room.table(before), room.table(after)
        side, other = (1 if room.is_upper(p) else -1 for p in ((x, y), (u, v)))
        bend = room.middle + (6 if y != v else -2 * side)
        yield path_element(
            "rg-r",
            ROVER,
            f"M{x + 8:.0f} {y + side * 26:.0f}"
            f"Q{(x + u) / 2:.0f} {bend:.0f} {u - 4 if u > x else u + 14:.0f} {v + other * 28:.0f}",
        )


def _table_elements(room: RowPositions) -> Iterator[str]:
    """Yield the SVG of the tables."""
    wide = room.table_width
    corners = {1, room.half, room.half + 1, room.found.tables}
    visits = {table: round for round, table in room.found.rover_tables.items()}
    for number in range(1, room.found.tables + 1):
        x, y = room.table(number)
        css = f"rg-tb {_copy_css_class(room, number)}".rstrip()
        yield (
            f'<rect class="{css}" x="{x - wide / 2:.0f}" y="{y - 22:.0f}" width="{wide:.0f}"'
            f' height="44" rx="8"/>'
        )
        if wide >= room.look.least_for_numbers or number in corners:
            yield text_element("rg-no", x, y + 9, str(number))
        if number in visits and room.pitch > 38:
            cy = y + 20 if room.is_upper((x, y)) else y - 20
            yield f'<circle class="rg-rv" cx="{x + wide / 2:.0f}" cy="{cy:.0f}" r="13"/>'
            yield text_element("rg-rt", x + wide / 2, cy + 6, str(visits[number]))
        if number in room.found.copies and room.pitch > 38:
            yield _draw_copy_sign(room, number, x + wide / 2 - 2, y - 22)


def _draw_copy_sign(room: RowPositions, table: int, x: float, y: float) -> str:
    """Return the SVG of a table's copy of the boards: colour, letter and shape."""
    name = copy_name(room.found.copies[table], max(room.found.copies.values()))
    sign = (
        f'<rect x="{x - 13:.0f}" y="{y - 13:.0f}" width="26" height="26" rx="5"/>'
        if name.key == "red"
        else f'<circle cx="{x:.0f}" cy="{y:.0f}" r="13.5"/>'
    )
    return f'<g class="rg-cp {_copy_css_class(room, table)}">{sign}{text_element("", x, y + 7, name.letter)}</g>'


def _copy_css_class(room: RowPositions, table: int) -> str:
    """Return the CSS class of the copy of the boards at a table; empty without one."""
    key = copy_key(room.found, table)
    return f"c-{key}" if key else ""


def _copy_class_of_step(room: RowPositions, step: BoardStep) -> str:
    """Return the CSS class of the copy of the boards that a move carries; empty without one."""
    tables = [table for table in (*step.before, *step.after) if table in room.found.copies]
    return _copy_css_class(room, tables[0]) if step.copy and tables else ""
