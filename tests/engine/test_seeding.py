"""Seats by strength: even lines, and no contestant misses all the strong ones."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movements.engine import catalogue
from movements.engine.fairness.seeding import SeedingFigure, seed_seats, seeding_figure

STRENGTHS = [3.0] * 6 + [2.0] * 6 + [1.0] * 4


def seated(movement, strengths, seats):
    by_number = [0.0] * len(strengths)
    for entry, number in enumerate(seats):
        by_number[number - 1] = strengths[entry]
    return seeding_figure(movement, by_number)


def test_all_strong_pairs_in_one_line_are_seen():
    movement = catalogue.build_movement("share-and-relay", 8)

    figure = seeding_figure(movement, [3.0] * 8 + [1.0] * 8)

    assert figure == SeedingFigure(difference=2.0, shift=0.0)


def test_seeding_evens_the_lines():
    movement = catalogue.build_movement("skip-mitchell", 8)

    before = seated(movement, STRENGTHS, list(movement.contestants))
    after = seated(movement, STRENGTHS, seed_seats(movement, STRENGTHS, rng=Random(1)))

    assert before.difference > 1
    assert after.difference <= 0.126
    assert after.cost < before.cost


def test_in_an_incomplete_movement_the_strong_are_spread():
    movement = catalogue.build_movement("mitchell", 9, 5)
    strengths = [3.0] * 5 + [1.0] * 13

    in_order = seated(movement, strengths, list(movement.contestants))
    spread = seated(movement, strengths, seed_seats(movement, strengths, rng=Random(2)))

    assert spread.shift < in_order.shift
    assert spread.cost < in_order.cost


def test_the_same_seed_gives_the_same_seats():
    movement = catalogue.build_movement("skip-mitchell", 8)

    first, second = (seed_seats(movement, STRENGTHS, rng=Random(7)) for _ in range(2))

    assert first == second


def test_whoever_has_a_seat_keeps_it():
    movement = catalogue.build_movement("skip-mitchell", 8)

    seats = seed_seats(movement, STRENGTHS, fixed_seats={0: 8, 15: 1}, rng=Random(3))

    assert (seats[0], seats[15]) == (8, 1)
    assert sorted(seats) == list(movement.contestants)


@settings(deadline=None, derandomize=True, max_examples=15)
@given(st.lists(st.sampled_from([1.0, 2.0, 3.0]), min_size=14, max_size=14), st.integers(0, 99))
def test_everybody_gets_exactly_one_seat(strengths, seed):
    movement = catalogue.build_movement("mitchell", 7, 5)

    seats = seed_seats(movement, strengths, rng=Random(seed))

    assert sorted(seats) == list(movement.contestants)


def test_a_strength_for_everybody_is_needed():
    with pytest.raises(ValueError, match="one strength"):
        seed_seats(catalogue.build_movement("mitchell", 5), [1.0], rng=Random(0))
