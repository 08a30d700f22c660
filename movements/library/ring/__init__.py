"""The ring diagram: a movement drawn as in the room, as SVG without styles.

Tables form two rows, the first half from left to right and the rest back, so that "one table up" is always the way
round. East-West go outside, the boards inside. A dashed box is a stand, a background under two tables the boards they
share, a high dashed arrow the unusual call, and a circle the rover with the round in it. If all follow another, the
seats form a ring, with the stationary contestants in the middle.
"""

from __future__ import annotations

from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from movements.engine.descriptions.shape import needs_guide_cards, room_shape
from movements.engine.model import Movement
from movements.words.descriptions import movement_description

from ...words.numbers import uses_hundreds
from .chairs import MOST_CHAIRS, draw_chair_ring
from .rows import draw_rows
from .small import draw_small_picture
from .strokes import Size


def draw_ring(movement: Movement, size: Size = "big") -> SafeString:
    """Return a picture of a movement's tables and moves as SVG; empty if its rounds are not drawn yet."""
    return _draw_picture(movement, size, get_language() or "", uses_hundreds())


def draw_small_ring(movement: Movement) -> SafeString:
    """Return the small picture of a movement for a list, without words, hidden from screen readers."""
    return draw_ring(movement, "small")


def draw_medium_ring(movement: Movement) -> SafeString:
    """Return the picture of a movement beside the first suggestion, with few words."""
    return draw_ring(movement, "medium")


@lru_cache(maxsize=512)
def _draw_picture(movement: Movement, size: Size, language: str, in_hundreds: bool) -> SafeString:
    """Return the picture of a movement as SVG; cached by language and numbering."""
    if not movement.sets:
        return mark_safe("")
    the_shape = room_shape(movement)
    if size == "small":
        return draw_small_picture(the_shape)
    label = " ".join(movement_description(movement))
    if the_shape.weave:
        return draw_rows(the_shape, size, label, by_cards=False)
    if the_shape.follows and len(the_shape.followers) <= MOST_CHAIRS[size]:
        return draw_chair_ring(movement, the_shape, size, label)
    return draw_rows(the_shape, size, label, by_cards=needs_guide_cards(movement))
