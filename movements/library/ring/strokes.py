"""Common parts of ring pictures: arrows, words, the frame, and the keys of copies' colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from movements.engine.descriptions.shape import RoomShape

from ...words.copies import copy_name

Size = Literal["big", "medium", "small"]
Point = tuple[float, float]

#: names of the arrowheads, by the moving people or boards
EW, BOARDS, ROVER, MOVERS = "e", "b", "r", "m"


def copy_key(shape: RoomShape, table: int) -> str:
    """Return the colour of the copy of the boards that a table uses; empty if there is only one copy."""
    number = shape.copies.get(table)
    return copy_name(number, max(shape.copies.values())).key if number else ""


def path_element(css: str, head: str, way: str) -> str:
    """Return an SVG path with an arrowhead."""
    return f'<path class="{css}" d="{way}" marker-end="url(#rg-head-{head})"/>'


def text_element(css: str, x: float, y: float, words: str) -> str:
    """Return an SVG text element; empty without words."""
    if not words:
        return ""
    named = f' class="{css}"' if css else ""
    return f'<text{named} x="{x:.0f}" y="{y:.0f}">{conditional_escape(words)}</text>'


def _arrow_heads() -> str:
    """Return the SVG definitions of arrowheads, which all pictures of a size share."""
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


def svg_element(
    css: str,
    width: float,
    height: float,
    label: str,
    parts: Sequence[str],
    start: tuple[float, ...] = (0, 0),
) -> SafeString:
    """Return an SVG picture of these elements, with arrowheads."""
    view = " ".join(f"{number:.0f}" for number in (*start, width, height))
    drawn = "".join([_arrow_heads(), *parts]).replace("rg-head", css.replace(" ", "-"))
    return mark_safe(
        f'<svg class="{css}" viewBox="{view}" role="img" aria-label="{conditional_escape(label)}">{drawn}</svg>'
    )
