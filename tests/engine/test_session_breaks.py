"""Breaks between boards, and their cost elsewhere."""

import pytest

from movements.engine import catalogue
from movements.engine.session_breaks import (
    moved_break,
    parting_rounds,
    round_before_break,
    sets_on_both_sides,
)


@pytest.mark.parametrize(
    ("family", "tables", "rounds", "options", "parting", "best"),
    [
        ("two-stanza", 6, 6, {}, (3,), 3),
        ("two-stanza", 8, 8, {}, (4,), 4),
        ("two-stanza", 9, 9, {"stanzas": 3}, (3, 6), 6),
        ("double-web", 8, 8, {}, (5,), 5),
        ("twin-mitchell", 14, 14, {}, (7,), 7),
        ("mitchell", 7, 7, {}, (), 4),
        ("mitchell", 8, 4, {}, (), 2),
        ("barometer", 6, 5, {}, (1, 2, 3, 4), 3),
        ("team-round-robin", 8, 7, {}, (1, 2, 3, 4, 5, 6), 4),
        ("head-to-head", 2, 2, {}, (1,), 1),
    ],
)
def test_a_break_is_where_all_boards_are_new_afterwards(
    family, tables, rounds, options, parting, best
):
    movement = catalogue.build_movement(family, tables, rounds, options=options)

    assert (parting_rounds(movement), round_before_break(movement)) == (parting, best)


def test_every_movement_has_a_break_that_splits_no_more_boards_than_another_that_is_as_near():
    for family in catalogue.FAMILIES:
        for tables in family.sizes[:6]:
            movement = catalogue.build_movement(
                family.name, tables, family.possible_rounds(tables)[-1]
            )
            after = round_before_break(movement)
            if movement.rounds == 1:
                assert after is None
                continue
            assert 1 <= after < movement.rounds, (family.name, tables)
            distance = abs(after - movement.rounds / 2)
            nearer = [
                other
                for other in range(1, movement.rounds)
                if abs(other - movement.rounds / 2) <= distance
            ]
            assert after in parting_rounds(movement) or not {*nearer} & {
                *parting_rounds(movement)
            }, (family.name, tables)


def test_a_break_of_several_sections_is_where_most_of_them_part_the_boards():
    stanzas, seven, twin = (
        catalogue.build_movement("two-stanza", 6),
        catalogue.build_movement("mitchell", 7),
        catalogue.build_movement("two-stanza", 8),
    )

    assert round_before_break(stanzas, seven) == round_before_break(seven, stanzas) == 3
    assert round_before_break(seven, catalogue.build_movement("mitchell", 9)) == 4
    assert round_before_break(twin, seven) == 4


def test_a_set_counts_as_on_both_sides_by_its_plays_alone():
    """Compare with the rounds of each set, written down one by one."""
    for name, tables in (("share-and-relay", 8), ("howell", 5), ("scissors-mitchell", 6)):
        movement = catalogue.build_movement(name, tables)
        for after in range(1, movement.rounds):
            rounds_by_set = {}
            for seating in movement.seatings:
                for board_set in seating.sets:
                    rounds_by_set.setdefault(board_set, []).append(seating.round)
            both = {n for n, rounds in rounds_by_set.items() if min(rounds) <= after < max(rounds)}
            assert {*sets_on_both_sides(movement, after)} == both


@pytest.mark.parametrize(
    ("family", "tables", "rounds", "after", "moved"),
    [
        ("two-stanza", 6, 6, 4, 3),  # other boards are new only after round 3
        ("two-stanza", 6, 6, 3, 3),
        ("mitchell", 7, 7, 2, 2),  # nowhere is better, and the director chose it
        ("mitchell", 5, 5, 6, 3),  # there is no such round
        ("barometer", 6, 5, 2, 2),
    ],
)
def test_a_planned_break_stays_unless_another_round_parts_the_boards(
    family, tables, rounds, after, moved
):
    assert moved_break(catalogue.build_movement(family, tables, rounds), after) == moved
