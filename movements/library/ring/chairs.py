"""A ring of chairs for movements in which all follow another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import cos, dist, pi, sin

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from movements.engine.descriptions.shape import ChairFollower, RoomShape
from movements.engine.model import Movement

from ...words.sentences import LINE_LETTERS, label_of
from .strokes import MOVERS, Point, Size, path_element, svg_element, text_element

#: the oval of the chairs of followers
OVAL = {"big": (330.0, 178.0, 250.0, 132.0), "medium": (330.0, 130.0, 190.0, 88.0)}
MOST_CHAIRS = {"big": 26, "medium": 20}

#: most chairs that have space for whole words, and for initials
MOST_IN_WORDS, MOST_IN_LETTERS = 7, 15


def draw_chair_ring(movement: Movement, shape: RoomShape, size: Size, label: str) -> SafeString:
    """Return a picture of the seats as SVG, in the order in which contestants follow each other."""
    cx, cy, rx, ry = OVAL[size]
    count = len(shape.followers)
    place_of = _place_in_words if count <= MOST_IN_WORDS else _place_in_letters
    has_places = size == "big" and count <= MOST_IN_LETTERS
    parts = list(_arrows_between_chairs(shape.followers, (cx, cy, rx, ry)))
    for place, follower in enumerate(shape.followers):
        angle = _angle_on_oval(place / count, rx, ry)
        words = place_of(follower) if has_places else ""
        parts.append(
            _draw_chair(movement, follower, (cx + rx * cos(angle), cy + ry * sin(angle)), words)
        )
    parts.extend(_draw_stationary(movement, shape, (cx, cy)))
    css = "ring" if size == "big" else "ring compact"
    view = (20, 4, 620, 350) if size == "big" else (100, 2, 460, 240)
    return svg_element(css, view[2], view[3], label, parts, view[:2])


@lru_cache
def _oval_points(rx: float, ry: float) -> tuple[list[float], list[float]]:
    """Return the angles of points on an oval, with the distance along it to each."""
    angles = [-pi / 2 - 2 * pi * step / 720 for step in range(721)]
    points = [(rx * cos(angle), ry * sin(angle)) for angle in angles]
    return angles, list(accumulate((dist(*two) for two in pairwise(points)), initial=0.0))


def _angle_on_oval(way: float, rx: float, ry: float) -> float:
    """Return the angle at a part of the way round an oval.

    Equal parts have equal length, so that chairs are not crowded at the ends, where the oval bends most.
    """
    angles, lengths = _oval_points(rx, ry)
    return angles[bisect_left(lengths, way * lengths[-1])]


def _arrows_between_chairs(
    ring: Sequence[ChairFollower], oval: tuple[float, float, float, float]
) -> Iterator[str]:
    """Yield an arrow from each seat to the one that its contestant takes next."""
    cx, cy, rx, ry = oval
    gap = 0.26 if len(ring) <= 7 else 0.34
    for place in range(len(ring)):
        a, mid, b = (
            _angle_on_oval((place + way) / len(ring), rx, ry) for way in (gap, 0.5, 1 - gap)
        )
        yield path_element(
            "rg-m",
            MOVERS,
            f"M{cx + rx * cos(a):.0f} {cy + ry * sin(a):.0f}"
            f"Q{cx + rx * 1.03 * cos(mid):.0f} {cy + ry * 1.03 * sin(mid):.0f}"
            f" {cx + rx * cos(b):.0f} {cy + ry * sin(b):.0f}",
        )


def _place_in_words(follower: ChairFollower) -> str:
    """Return a follower's table and direction in words."""
    return gettext("Table %(table)s, %(line)s") % _place_facts(follower)


def _place_in_letters(follower: ChairFollower) -> str:
    """Return a follower's table and direction in letters."""
    return gettext("T%(table)s %(line)s") % _place_facts(follower)


def _place_facts(follower: ChairFollower) -> dict[str, object]:
    """Return a follower's table and direction as values for a sentence."""
    return {"table": follower.table, "line": LINE_LETTERS[follower.line]}


def _draw_chair(movement: Movement, follower: ChairFollower, at: Point, words: str) -> str:
    """Return the SVG of a seat with its contestant."""
    x, y = at
    css = "n" if follower.line == "ns" else "w"
    return (
        f'<rect class="rg-{css}" x="{x - 24:.0f}" y="{y - 34:.0f}" width="48" height="38" rx="8"/>'
        + text_element(f"rg-p{css}", x, y - 8, label_of(movement, follower.contestant))
        + text_element("rg-t", x, y + 22, words)
    )


def _draw_stationary(movement: Movement, shape: RoomShape, at: Point) -> Iterator[str]:
    """Yield the SVG of the stationary contestants in the middle of the picture."""
    stays = shape.stays[:6]
    cx, cy = at
    left = cx - 24 * len(stays) + 24
    for place, number in enumerate(stays):
        x = left + 48 * place
        yield f'<rect class="rg-n" x="{x - 22:.0f}" y="{cy - 34:.0f}" width="44" height="38" rx="8"/>'
        yield text_element("rg-pn", x, cy - 8, label_of(movement, number))
    if stays:
        word = gettext("stays") if len(stays) == 1 else gettext("stay")
        yield text_element("rg-t", cx, cy + 26, word)
