"""A movement has a picture of its moves, or a sentence that guide cards show them."""

import pytest

from movements.engine import catalogue
from movements.engine.descriptions.shape import needs_guide_cards, room_shape
from movements.library.ring import draw_ring


def built(family):
    for tables in (8, 7, 9, 6, 5, 4):
        try:
            return catalogue.build_movement(family, tables)
        except ValueError:
            continue
    return None


@pytest.mark.parametrize("family", [row.name for row in catalogue.FAMILIES])
def test_every_picture_says_how_people_go(family):
    movement = built(family)
    if movement is None or not movement.sets or movement.contest.has_halves:
        return
    shape = room_shape(movement)

    assert needs_guide_cards(movement) != (shape.circles_room or shape.follows)
    says_by_cards = "guide cards" in draw_ring(movement, "medium")
    assert says_by_cards == (needs_guide_cards(movement) and not shape.weave)  # both ways are drawn


def test_the_crisscross_needs_guide_cards():
    assert needs_guide_cards(catalogue.build_movement("crisscross", 8))
