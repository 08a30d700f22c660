"""The ring diagram for a row of a list."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin

from django.utils.safestring import SafeString, mark_safe

from movements.engine.descriptions.shape import RoomShape

from .strokes import Point, copy_key


def draw_small_picture(shape: RoomShape) -> SafeString:
    """Return the small picture of a movement as SVG, without words, 96 by 44."""
    parts = list(_small_oval(shape) if shape.follows and not shape.weave else _small_rows(shape))
    return mark_safe(
        f'<svg class="ring mini" viewBox="0 0 96 44" aria-hidden="true">{"".join(parts)}</svg>'
    )


def _small_oval(shape: RoomShape) -> Iterator[str]:
    """Yield the SVG of a small oval of tables."""
    yield '<ellipse class="rg-m" cx="48" cy="22" rx="26" ry="15"/>'
    tables = min(shape.tables, 14)
    for place in range(tables):
        angle = -pi / 2 + 2 * pi * place / tables
        x, y = 48 + 26 * cos(angle), 22 + 15 * sin(angle)
        yield f'<rect class="rg-tb" x="{x - 5:.1f}" y="{y - 4:.1f}" width="10" height="8" rx="2"/>'
    for place in range(min(3, len(shape.stands))):
        yield f'<rect class="rg-st" x="86" y="{6 + 14 * place}" width="8" height="9" rx="2"/>'


def _small_rows(shape: RoomShape) -> Iterator[str]:
    """Yield the SVG of two small rows of tables."""
    half = (shape.tables + 1) // 2
    pitch = min(11, 72 / half)
    left, wide = 48 - (half - 1) * pitch / 2, pitch - min(2.4, pitch / 4)
    last = left + (half - 1) * pitch
    a, b = left - pitch / 2, last + pitch / 2

    def table_position(number: int) -> Point:
        """Return the position of a table."""
        if number <= half:
            return left + (number - 1) * pitch, 12
        indent = pitch / 2 if shape.tables % 2 else 0
        return last - (number - half - 1) * pitch - indent, 32

    if shape.ew and not shape.weave:
        if shape.ew < 0:
            a, b = b, a
        way = 6 if b > a else -6
        yield f'<path class="rg-e" d="M{a:.1f} 3H{b:.1f}M{b:.1f} 41H{a:.1f}"/>'
        yield f'<path class="rg-eh" d="M{b:.1f} -.5l{way} 3.5l{-way} 3.5z"/>'
        yield f'<path class="rg-eh" d="M{a:.1f} 37.5l{-way} 3.5l{way} 3.5z"/>'
    if shape.weave:  # people go both ways
        for line in (3, 41):
            yield f'<path class="rg-e" d="M{a:.1f} {line}H{b:.1f}"/>'
            yield f'<path class="rg-eh" d="M{b:.1f} {line - 3.5:.1f}l6 3.5l-6 3.5z"/>'
            yield f'<path class="rg-eh" d="M{a:.1f} {line - 3.5:.1f}l-6 3.5l6 3.5z"/>'
    for share in shape.shares:
        xs, ys = zip(*map(table_position, share), strict=True)
        x, y = min(xs) - wide / 2 - 1.5, min(ys) - 6
        yield (
            f'<rect class="rg-share" x="{x:.1f}" y="{y:.1f}" width="{max(xs) - min(xs) + wide + 3:.1f}"'
            f' height="{max(ys) - min(ys) + 12:.1f}" rx="3"/>'
        )
    visited = set(shape.rover_tables.values())
    for number in range(1, shape.tables + 1):
        x, y = table_position(number)
        key = copy_key(shape, number)
        css = " ".join(
            ["rg-tb", *([f"c-{key}"] if key else []), *(["rv"] if number in visited else [])]
        )
        yield (
            f'<rect class="{css}" x="{x - wide / 2:.1f}" y="{y - 4:.1f}" width="{wide:.1f}"'
            ' height="8" rx="1.6"/>'
        )
    for after in shape.stands:
        x = _small_stand(after, half, shape.tables, table_position)
        yield f'<rect class="rg-st" x="{x - 3.5:.1f}" y="16.5" width="7" height="11" rx="2"/>'
    if shape.skips and half >= 4:
        x, u = table_position(2)[0], table_position(4)[0]
        yield f'<path class="rg-e rg-skip" d="M{x:.1f} 7Q{(x + u) / 2:.1f} -5 {u:.1f} 7"/>'


def _small_stand(table_before: int, half: int, tables: int, table: object) -> float:
    """Return the horizontal position of the board stand after a table in a small picture."""
    at = table  # a function of the row that it belongs to
    assert callable(at)
    if table_before == half:
        return float(at(half)[0]) + 12
    if table_before == tables:
        return float(at(1)[0]) - 12
    return (float(at(table_before)[0]) + float(at(table_before + 1)[0])) / 2
