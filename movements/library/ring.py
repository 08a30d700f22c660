"""The ring diagram: a movement drawn as it stands in the room, as SVG without any style of its own.

Tables stand in two rows, the first half from left to right and the rest back, so that "one table up" is
always the way round. Outside go East-West, inside the boards; a dashed box is a stand, a ground under
two tables the boards they share, a high dashed arrow the call that is another one, a circle the rover
with the round in it. Where everybody follows another the chairs stand in a ring, who stays in its middle.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, pairwise
from math import cos, dist, pi, sin
from typing import Literal

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, pgettext

from movements.engine.model import Movement
from movements.engine.shape import Follower, Shape, goes_by_cards, shape
from movements.engine.wording import BoardStep

from ..words.copies import copy_name
from ..words.going import going
from ..words.numbers import are_in_hundreds
from ..words.sentences import LINE_LETTERS, label_of

Size = Literal["big", "medium", "small"]
Point = tuple[float, float]

#: names of the arrowheads: who goes there
EW, BOARDS, ROVER, MOVERS = "e", "b", "r", "m"


@dataclass(frozen=True, slots=True)
class Look:
    """Measures of a size: pitch of the tables, room beside the rows, height between them."""

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
    "big": Look(84, 900, 92, 150, 74, 150, 52, 34, has_words=True),
    "medium": Look(58, 560, 70, 96, 44, 104, 42, 31, has_words=False),
}
ROOM_FOR_SKIP = 46
#: the oval on which the chairs of those who follow each other stand
OVAL = {"big": (330.0, 178.0, 250.0, 132.0), "medium": (330.0, 130.0, 190.0, 88.0)}
MOST_CHAIRS = {"big": 26, "medium": 20}
#: beside so many chairs there is room for whole words, or for their first letters
MOST_IN_WORDS, MOST_IN_LETTERS = 7, 15


def ring(movement: Movement, size: Size = "big") -> SafeString:
    """Draw a movement; nothing of a draw, which stands nowhere before it is made."""
    return _drawn(movement, size, get_language() or "", are_in_hundreds())


def small_ring(movement: Movement) -> SafeString:
    """Draw the picture for a row of a list: no words, hidden from those who hear the sentence beside it."""
    return ring(movement, "small")


def medium_ring(movement: Movement) -> SafeString:
    """Draw the picture that stands beside the first suggestion, in few words."""
    return ring(movement, "medium")


@lru_cache(maxsize=512)
def _drawn(movement: Movement, size: Size, language: str, in_hundreds: bool) -> SafeString:
    """Draw a picture in the language and with the numbers of whoever looks, which are named to tell it apart."""
    if not movement.sets:
        return mark_safe("")
    found = shape(movement)
    if size == "small":
        return _small(found)
    label = " ".join(going(movement))
    if found.follows and len(found.followers) <= MOST_CHAIRS[size]:
        return _oval(movement, found, size, label)
    return _rows(found, size, label, by_cards=goes_by_cards(movement))


# ── two rows of tables ──


@dataclass
class Room:
    """Where everything stands."""

    found: Shape
    look: Look
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
        self.top = look.above + ROOM_FOR_SKIP * bool(self._drawn_skip)

    @property
    def _drawn_skip(self) -> bool:
        return len(self.found.skips) == 1 and self.found.ew == 1 and self.half >= 4

    @property
    def bottom(self) -> float:
        return self.top + self.look.between

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def last(self) -> float:
        """Where the right end of the rows is."""
        return self.left + (self.half - 1) * self.pitch

    @property
    def width(self) -> float:
        return self.last + self.right

    @property
    def height(self) -> float:
        return self.bottom + self.look.above

    @property
    def table_width(self) -> float:
        return min(self.look.table, self.pitch - 6)

    def table(self, number: int) -> Point:
        if number <= self.half:
            return self.left + (number - 1) * self.pitch, self.top
        indent = self.pitch / 2 if self.found.tables % 2 else 0
        return self.last - (number - self.half - 1) * self.pitch - indent, self.bottom

    def stand(self, after: int) -> Point:
        away = 84 if self.look.has_words else 62
        if after == self.half:
            return self.last + away, self.middle
        if after == self.found.tables:
            return self.left - away, self.middle
        x = (self.table(after)[0] + self.table(after + 1)[0]) / 2
        return x, self.middle + (-14 if after < self.half else 14)

    def is_upper(self, point: Point) -> bool:
        return point[1] < self.middle


def _rows(found: Shape, size: Size, label: str, *, by_cards: bool) -> SafeString:
    room = Room(found, LOOKS[size])
    parts = [
        *_grounds(room),
        *_east_west(room),
        *_boards(room),
        *_stands(room),
        *_skip(room),
        *_words_of_shares(room),
        *(_by_cards(room) if by_cards else ()),
        *_rover(room),
        *_tables(room),
    ]
    css = "ring" if size == "big" else "ring compact"
    return _svg(css, room.width, room.height, label, parts)


def _grounds(room: Room) -> Iterator[str]:
    """One ground under tables that play the same boards."""
    wide = room.table_width + 16
    for share in room.found.shares:
        xs, ys = zip(*map(room.table, share), strict=True)
        yield (
            f'<rect class="rg-share" x="{min(xs) - wide / 2:.0f}" y="{min(ys) - 30:.0f}"'
            f' width="{max(xs) - min(xs) + wide:.0f}" height="{max(ys) - min(ys) + 60:.0f}" rx="16"/>'
        )


def _east_west(room: Room) -> Iterator[str]:
    """The way of East-West, outside; round the ends where a row is over."""
    up = room.found.ew or 0
    if not up:
        return
    tables = room.found.tables
    for number in range(1, tables + 1):
        start, end = room.table(number), room.table((number - 1 + up) % tables + 1)
        yield _outside(room, start, end)


def _outside(room: Room, start: Point, end: Point) -> str:
    (x, y), (u, v) = start, end
    way = 1 if u > x else -1
    if y == v:
        side = -1 if room.is_upper(start) else 1
        return _path(
            "rg-e",
            EW,
            f"M{x + 14 * way:.0f} {y + side * 27:.0f}"
            f"Q{(x + u) / 2:.0f} {y + side * 52:.0f} {u - 14 * way:.0f} {v + side * 29:.0f}",
        )
    is_right = (x + u) / 2 > (room.left + room.last) / 2
    far = room.width - 26 if is_right else 26
    way = 1 if is_right else -1
    a, b = (-1, 1) if room.is_upper(start) else (1, -1)
    return _path(
        "rg-e",
        EW,
        f"M{x + 12 * way:.0f} {y + a * 27:.0f}C{far:.0f} {y + a * 48:.0f}"
        f" {far:.0f} {v + b * 48:.0f} {u + 14 * way:.0f} {v + b * 29:.0f}",
    )


def _boards(room: Room) -> Iterator[str]:
    """The way of the boards, inside, each copy in its colour."""
    if room.found.boards is None and not room.found.stands:
        return
    for step in room.found.board_steps:
        css = f"rg-b {_copy_class(room, step)}".rstrip()
        if step.to_stand and step.before:
            yield _to_stand(css, room.table(step.before[0]), room.stand(step.to_stand))
        elif step.from_stand and step.after:
            yield _from_stand(css, room.stand(step.from_stand), room.table(step.after[0]))
        elif step.before and step.after:
            before, after = _nearest(step, room.found)
            if before != after:
                yield _inside(room, css, room.table(before), room.table(after))


def _nearest(step: BoardStep, found: Shape) -> tuple[int, int]:
    """From which table to which a set goes; tables that share are as good as one."""
    before, after = _with_shares(step.before, found), _with_shares(step.after, found)

    def far(way: tuple[int, int]) -> int:
        apart = abs(way[0] - way[1])
        return min(apart, found.tables - apart)

    return min(((b, a) for b in before for a in after), key=far)


def _with_shares(tables: Sequence[int], found: Shape) -> list[int]:
    return sorted({*tables, *(t for share in found.shares if {*share} & {*tables} for t in share)})


def _inside(room: Room, css: str, start: Point, end: Point) -> str:
    (x, y), (u, v) = start, end
    side = 1 if room.is_upper(start) else -1
    way = 1 if u > x else -1
    if y == v and abs(x - u) < 1.5 * room.pitch:
        return _path(
            css,
            BOARDS,
            f"M{x + 10 * way:.0f} {y + side * 25:.0f}"
            f"Q{(x + u) / 2:.0f} {y + side * 44:.0f} {u - 10 * way:.0f} {v + side * 27:.0f}",
        )
    if y == v:
        deep = room.middle - side * 12
        return _path(
            css,
            BOARDS,
            f"M{x:.0f} {y + side * 25:.0f}C{x:.0f} {deep:.0f} {u:.0f} {deep:.0f}"
            f" {u:.0f} {v + side * 29:.0f}",
        )
    return _path(
        css,
        BOARDS,
        f"M{x:.0f} {y + side * 25:.0f}Q{(x + u) / 2:.0f} {room.middle:.0f} {u:.0f} {v - side * 29:.0f}",
    )


def _to_stand(css: str, table: Point, stand: Point) -> str:
    (x, y), (u, v) = table, stand
    if abs(x - u) > 130:
        level = v - 13 if y < v else v + 13
        way = 1 if u > x else -1
        down = 1 if y < v else -1
        return _path(css, BOARDS, f"M{x:.0f} {y + 24 * down:.0f}V{level:.0f}H{u - way * 40:.0f}")
    end = v - 26 if y < v else v + 26
    return _path(css, BOARDS, f"M{_beside(x, u):.0f} {y:.0f}Q{u:.0f} {y:.0f} {u:.0f} {end:.0f}")


def _from_stand(css: str, stand: Point, table: Point) -> str:
    (x, y), (u, v) = stand, table
    start = y + 24 if v > y else y - 24
    return _path(
        css, BOARDS, f"M{x:.0f} {start:.0f}Q{x:.0f} {v:.0f} {_beside(u, x, 4):.0f} {v:.0f}"
    )


def _beside(table: float, other: float, gap: float = 0) -> float:
    way = 1 if other > table else -1
    return table + way * (28 + gap)


def _stands(room: Room) -> Iterator[str]:
    wide = 38 if room.look.has_words else 24
    stands = room.found.stands
    for index, after in enumerate(stands, 1):
        x, y = room.stand(after)
        word = pgettext("in a picture", "stand") if room.look.has_words else ""
        text = f"{word} {index}".strip() if len(stands) > 1 else word
        yield (
            f'<rect class="rg-st" x="{x - wide:.0f}" y="{y - 24:.0f}" width="{2 * wide}" height="48"'
            f' rx="9"/>{_text("rg-t", x, y + 6, text)}'
        )


def _skip(room: Room) -> Iterator[str]:
    if room.top == room.look.above:
        return
    ((after, up),) = room.found.skips
    start, end = room.table(2), room.table(2 + up) if up + 2 <= room.half else room.table(room.half)
    yield _path(
        "rg-e rg-skip",
        EW,
        f"M{start[0] - 6:.0f} {start[1] - 30:.0f}C{start[0] + 6:.0f} {start[1] - 92:.0f}"
        f" {end[0] - 6:.0f} {end[1] - 92:.0f} {end[0] + 6:.0f} {end[1] - 34:.0f}",
    )
    if not room.look.has_words:
        return
    words = gettext("once, after round %(round)s: up %(tables)s") % {"round": after, "tables": up}
    yield _text("rg-t rg-em", (start[0] + end[0]) / 2, start[1] - 86, words)


def _words_of_shares(room: Room) -> Iterator[str]:
    if not room.look.has_words or len(room.found.shares) != 1:
        return
    tables = room.found.shares[0]
    points = [room.table(table) for table in tables]
    if points[0][1] != points[-1][1]:
        x = sum(point[0] for point in points) / len(points)
        same, boards = gettext("same"), gettext("boards")
        yield _text("rg-t", x, room.middle - 4, same) + _text("rg-t", x, room.middle + 18, boards)


def _by_cards(room: Room) -> Iterator[str]:
    """Where no arrow can be drawn: by what people go."""
    yield _text("rg-t", (room.left + room.last) / 2, room.middle + 6, gettext("guide cards"))


def _rover(room: Room) -> Iterator[str]:
    """The rover's way; the circle at a table has the round in which it sits there."""
    ways = sorted(room.found.rover_tables.items())
    for (_round, before), (_next, after) in pairwise(ways):
        (x, y), (u, v) = room.table(before), room.table(after)
        side, other = (1 if room.is_upper(p) else -1 for p in ((x, y), (u, v)))
        bend = room.middle + (6 if y != v else -2 * side)
        yield _path(
            "rg-r",
            ROVER,
            f"M{x + 8:.0f} {y + side * 26:.0f}"
            f"Q{(x + u) / 2:.0f} {bend:.0f} {u - 4 if u > x else u + 14:.0f} {v + other * 28:.0f}",
        )


def _tables(room: Room) -> Iterator[str]:
    wide = room.table_width
    corners = {1, room.half, room.half + 1, room.found.tables}
    visits = {table: round for round, table in room.found.rover_tables.items()}
    for number in range(1, room.found.tables + 1):
        x, y = room.table(number)
        css = f"rg-tb {_copy_key(room, number)}".rstrip()
        yield (
            f'<rect class="{css}" x="{x - wide / 2:.0f}" y="{y - 22:.0f}" width="{wide:.0f}"'
            f' height="44" rx="8"/>'
        )
        if wide >= room.look.least_for_numbers or number in corners:
            yield _text("rg-no", x, y + 9, str(number))
        if number in visits and room.pitch > 38:
            cy = y + 20 if room.is_upper((x, y)) else y - 20
            yield f'<circle class="rg-rv" cx="{x + wide / 2:.0f}" cy="{cy:.0f}" r="13"/>'
            yield _text("rg-rt", x + wide / 2, cy + 6, str(visits[number]))
        if number in room.found.copies and room.pitch > 38:
            yield _copy(room, number, x + wide / 2 - 2, y - 22)


def _copy(room: Room, table: int, x: float, y: float) -> str:
    """The sign of the copy a table has: colour, letter and shape."""
    name = copy_name(room.found.copies[table], max(room.found.copies.values()))
    sign = (
        f'<rect x="{x - 13:.0f}" y="{y - 13:.0f}" width="26" height="26" rx="5"/>'
        if name.key == "red"
        else f'<circle cx="{x:.0f}" cy="{y:.0f}" r="13.5"/>'
    )
    return f'<g class="rg-cp {_copy_key(room, table)}">{sign}{_text("", x, y + 7, name.letter)}</g>'


def _copy_key(room: Room, table: int) -> str:
    key = _key(room.found, table)
    return f"c-{key}" if key else ""


def _key(found: Shape, table: int) -> str:
    """The colour of the copy a table has; nothing where there is one for all."""
    number = found.copies.get(table)
    return copy_name(number, max(found.copies.values())).key if number else ""


def _copy_class(room: Room, step: BoardStep) -> str:
    tables = [table for table in (*step.before, *step.after) if table in room.found.copies]
    return _copy_key(room, tables[0]) if step.copy and tables else ""


# ── a ring of chairs ──


def _oval(movement: Movement, found: Shape, size: Size, label: str) -> SafeString:
    cx, cy, rx, ry = OVAL[size]
    count = len(found.followers)
    place_of = _place_in_words if count <= MOST_IN_WORDS else _place_in_letters
    has_places = size == "big" and count <= MOST_IN_LETTERS
    parts = list(_followed(found.followers, (cx, cy, rx, ry)))
    for place, follower in enumerate(found.followers):
        angle = _angle(place / count, rx, ry)
        words = place_of(follower) if has_places else ""
        parts.append(
            _chair(movement, follower, (cx + rx * cos(angle), cy + ry * sin(angle)), words)
        )
    parts.extend(_stayers(movement, found, (cx, cy)))
    css = "ring" if size == "big" else "ring compact"
    view = (20, 4, 620, 350) if size == "big" else (100, 2, 460, 240)
    return _svg(css, view[2], view[3], label, parts, view[:2])


@lru_cache
def _way_round(rx: float, ry: float) -> tuple[list[float], list[float]]:
    """Return the angles of points on an oval, from the top to the left, and how far it is to each."""
    angles = [-pi / 2 - 2 * pi * step / 720 for step in range(721)]
    points = [(rx * cos(angle), ry * sin(angle)) for angle in angles]
    return angles, list(accumulate((dist(*two) for two in pairwise(points)), initial=0.0))


def _angle(way: float, rx: float, ry: float) -> float:
    """Return the angle after a part of the way round an oval.

    Equal parts are equally long, so that chairs do not crowd at the ends, where the oval bends most.
    """
    angles, lengths = _way_round(rx, ry)
    return angles[bisect_left(lengths, way * lengths[-1])]


def _followed(ring: Sequence[Follower], oval: tuple[float, float, float, float]) -> Iterator[str]:
    """An arrow from each chair to the one that is taken next."""
    cx, cy, rx, ry = oval
    gap = 0.26 if len(ring) <= 7 else 0.34
    for place in range(len(ring)):
        a, mid, b = (_angle((place + way) / len(ring), rx, ry) for way in (gap, 0.5, 1 - gap))
        yield _path(
            "rg-m",
            MOVERS,
            f"M{cx + rx * cos(a):.0f} {cy + ry * sin(a):.0f}"
            f"Q{cx + rx * 1.03 * cos(mid):.0f} {cy + ry * 1.03 * sin(mid):.0f}"
            f" {cx + rx * cos(b):.0f} {cy + ry * sin(b):.0f}",
        )


def _place_in_words(follower: Follower) -> str:
    return gettext("Table %(table)s, %(line)s") % _place(follower)


def _place_in_letters(follower: Follower) -> str:
    return gettext("T%(table)s %(line)s") % _place(follower)


def _place(follower: Follower) -> dict[str, object]:
    return {"table": follower.table, "line": LINE_LETTERS[follower.line]}


def _chair(movement: Movement, follower: Follower, at: Point, words: str) -> str:
    x, y = at
    css = "n" if follower.line == "ns" else "w"
    return (
        f'<rect class="rg-{css}" x="{x - 24:.0f}" y="{y - 34:.0f}" width="48" height="38" rx="8"/>'
        + _text(f"rg-p{css}", x, y - 8, label_of(movement, follower.contestant))
        + _text("rg-t", x, y + 22, words)
    )


def _stayers(movement: Movement, found: Shape, at: Point) -> Iterator[str]:
    """Who stays, in the middle: up to six side by side."""
    stays = found.stays[:6]
    cx, cy = at
    left = cx - 24 * len(stays) + 24
    for place, number in enumerate(stays):
        x = left + 48 * place
        yield f'<rect class="rg-n" x="{x - 22:.0f}" y="{cy - 34:.0f}" width="44" height="38" rx="8"/>'
        yield _text("rg-pn", x, cy - 8, label_of(movement, number))
    if stays:
        word = gettext("stays") if len(stays) == 1 else gettext("stay")
        yield _text("rg-t", cx, cy + 26, word)


# ── a row of a list ──


def _small(found: Shape) -> SafeString:
    """The same picture without a word, 96 by 44."""
    parts = list(_small_oval(found) if found.follows else _small_rows(found))
    return mark_safe(
        f'<svg class="ring mini" viewBox="0 0 96 44" aria-hidden="true">{"".join(parts)}</svg>'
    )


def _small_oval(found: Shape) -> Iterator[str]:
    yield '<ellipse class="rg-m" cx="48" cy="22" rx="26" ry="15"/>'
    tables = min(found.tables, 14)
    for place in range(tables):
        angle = -pi / 2 + 2 * pi * place / tables
        x, y = 48 + 26 * cos(angle), 22 + 15 * sin(angle)
        yield f'<rect class="rg-tb" x="{x - 5:.1f}" y="{y - 4:.1f}" width="10" height="8" rx="2"/>'
    for place in range(min(3, len(found.stands))):
        yield f'<rect class="rg-st" x="86" y="{6 + 14 * place}" width="8" height="9" rx="2"/>'


def _small_rows(found: Shape) -> Iterator[str]:
    half = (found.tables + 1) // 2
    pitch = min(11, 72 / half)
    left, wide = 48 - (half - 1) * pitch / 2, pitch - min(2.4, pitch / 4)
    last = left + (half - 1) * pitch
    a, b = left - pitch / 2, last + pitch / 2

    def table(number: int) -> Point:
        if number <= half:
            return left + (number - 1) * pitch, 12
        indent = pitch / 2 if found.tables % 2 else 0
        return last - (number - half - 1) * pitch - indent, 32

    if found.ew:
        if found.ew < 0:
            a, b = b, a
        way = 6 if b > a else -6
        yield f'<path class="rg-e" d="M{a:.1f} 3H{b:.1f}M{b:.1f} 41H{a:.1f}"/>'
        yield f'<path class="rg-eh" d="M{b:.1f} -.5l{way} 3.5l{-way} 3.5z"/>'
        yield f'<path class="rg-eh" d="M{a:.1f} 37.5l{-way} 3.5l{way} 3.5z"/>'
    for share in found.shares:
        xs, ys = zip(*map(table, share), strict=True)
        x, y = min(xs) - wide / 2 - 1.5, min(ys) - 6
        yield (
            f'<rect class="rg-share" x="{x:.1f}" y="{y:.1f}" width="{max(xs) - min(xs) + wide + 3:.1f}"'
            f' height="{max(ys) - min(ys) + 12:.1f}" rx="3"/>'
        )
    visited = set(found.rover_tables.values())
    for number in range(1, found.tables + 1):
        x, y = table(number)
        key = _key(found, number)
        css = " ".join(
            ["rg-tb", *([f"c-{key}"] if key else []), *(["rv"] if number in visited else [])]
        )
        yield (
            f'<rect class="{css}" x="{x - wide / 2:.1f}" y="{y - 4:.1f}" width="{wide:.1f}"'
            ' height="8" rx="1.6"/>'
        )
    for after in found.stands:
        x = _small_stand(after, half, found.tables, table)
        yield f'<rect class="rg-st" x="{x - 3.5:.1f}" y="16.5" width="7" height="11" rx="2"/>'
    if found.skips and half >= 4:
        x, u = table(2)[0], table(4)[0]
        yield f'<path class="rg-e rg-skip" d="M{x:.1f} 7Q{(x + u) / 2:.1f} -5 {u:.1f} 7"/>'


def _small_stand(after: int, half: int, tables: int, table: object) -> float:
    at = table  # a function of the row it is drawn in
    assert callable(at)
    if after == half:
        return float(at(half)[0]) + 12
    if after == tables:
        return float(at(1)[0]) - 12
    return (float(at(after)[0]) + float(at(after + 1)[0])) / 2


# ── strokes ──


def _path(css: str, head: str, way: str) -> str:
    return f'<path class="{css}" d="{way}" marker-end="url(#rg-head-{head})"/>'


def _text(css: str, x: float, y: float, words: str) -> str:
    if not words:
        return ""
    named = f' class="{css}"' if css else ""
    return f'<text{named} x="{x:.0f}" y="{y:.0f}">{conditional_escape(words)}</text>'


def _heads() -> str:
    """Arrowheads; the pictures of one size share theirs, so that hiding those of another takes none away."""
    return (
        "<defs>"
        + "".join(
            f'<marker id="rg-head-{name}" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="4.4"'
            f' markerHeight="4.4" orient="auto-start-reverse"><path class="rg-{name}h"'
            ' d="M0 0 10 5 0 10z"/></marker>'
            for name in (EW, BOARDS, ROVER, MOVERS)
        )
        + "</defs>"
    )


def _svg(
    css: str,
    width: float,
    height: float,
    label: str,
    parts: Sequence[str],
    start: tuple[float, ...] = (0, 0),
) -> SafeString:
    view = " ".join(f"{number:.0f}" for number in (*start, width, height))
    drawn = "".join([_heads(), *parts]).replace("rg-head", css.replace(" ", "-"))
    return mark_safe(
        f'<svg class="{css}" viewBox="{view}" role="img" aria-label="{conditional_escape(label)}">{drawn}</svg>'
    )
