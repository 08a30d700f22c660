"""The shape of a movement in the room, read off its seatings."""

import pytest

from movements.engine import catalogue
from movements.engine.descriptions.shape import room_shape


def shape_of(family, tables, rounds=None, missing=None, **options):
    return room_shape(catalogue.build_movement(family, tables, rounds, missing, options))


@pytest.mark.parametrize(
    ("family", "tables", "ew", "boards"),
    [
        ("mitchell", 9, 1, -1),
        ("awl", 7, -2, -1),
        ("howell", 4, None, -1),
        ("barometer", 6, 1, None),
    ],
)
def test_the_rule_of_most_rounds_is_the_movements(family, tables, ew, boards):
    shape = shape_of(family, tables)

    assert (shape.ew, shape.boards) == (ew, boards)


def test_a_skip_is_told_with_its_round():
    assert shape_of("skip-mitchell", 8).skips == ((4, 2),)
    assert shape_of("mitchell", 9).skips == ()


def test_tables_that_share_and_stands_are_where_they_are():
    shape = shape_of("share-and-relay", 8)

    assert (shape.shares, shape.stands) == (((1, 8),), (4,))


def test_where_the_missing_pair_leaves_nobody_to_share_with_nothing_is_shared():
    whole, half = shape_of("appendix-mitchell", 8), shape_of("appendix-mitchell", 8, None, "EW 8")

    assert whole.shares == ((1, 8),)
    assert half.shares == ()


def test_a_rover_is_who_goes_another_way_every_round():
    shape = shape_of("ew-rover", 7)

    assert shape.rover == 15
    assert shape.rover_tables == {2: 2, 3: 4, 4: 6, 5: 1, 6: 3, 7: 5}
    assert shape_of("hesitation", 7).rover is None
    assert shape_of("appendix-mitchell", 8).rover is None


@pytest.mark.parametrize(
    ("family", "tables"), [("howell", 4), ("howell", 7), ("partial-howell", 6)]
)
def test_in_a_howell_everybody_follows_another(family, tables):
    movement = catalogue.build_movement(family, tables)
    shape = room_shape(movement)

    ring = [follower.contestant for follower in shape.followers]
    assert shape.follows
    assert sorted(ring + list(shape.stays)) == list(movement.contestants)
    at = {(s.round, c): s.table for s in movement.seatings for c in s.contestants}
    for round in range(1, movement.rounds):
        for item, leader in zip(ring, [*ring[1:], ring[0]], strict=True):
            assert at[round + 1, item] == at[round, leader]


def test_a_missing_pair_opens_the_ring():
    assert [follower.contestant for follower in shape_of("howell", 4, None, "3").followers] == [
        2,
        1,
        6,
        5,
        4,
        3,
    ]


def test_each_copy_of_a_web_has_tables_of_its_own():
    shape = shape_of("web", 12, 9)

    assert shape.copies == {table: 1 if table < 7 else 2 for table in range(1, 13)}
    assert shape_of("barometer", 9).copies == {}


def test_rounds_with_turned_boards_are_named():
    assert shape_of("scrambled-mitchell", 9).turned_rounds == (9,)
    assert shape_of("mitchell", 9).turned_rounds == ()


def test_every_family_has_a_shape():
    for family in catalogue.FAMILIES:
        for tables in family.sizes[:3]:
            rounds = family.default_rounds(tables) or family.possible_rounds(tables)[-1]
            shape = room_shape(catalogue.build_movement(family.name, tables, rounds))
            assert shape.tables
