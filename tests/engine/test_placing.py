"""Places of drawn matches, and draws that a director has changed by hand."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movements.engine import catalogue, laws
from movements.engine.drawing.draws import Draw, swiss_draw
from movements.engine.drawing.open_rounds import apply_draw, contestants_to_draw, drawn_meetings
from movements.engine.drawing.placing import assign_tables, exchanged_draw


def played_to_the_end(pairs, rounds, seed, stationary=()):
    """A Swiss of pairs to its end, drawn from rankings out of a hat."""
    options = {"contest": "pairs", "half": pairs % 2 == 1}
    movement = catalogue.build_movement("swiss", (pairs + 1) // 2, rounds, None, options)
    rng = Random(seed)
    while movement.open_rounds:
        ranking = contestants_to_draw(movement)
        rng.shuffle(ranking)
        byes = [s.ns for s in movement.seatings if not s.is_played]
        drawn = swiss_draw(ranking, meetings=drawn_meetings(movement), exempt=byes)
        movement = apply_draw(movement, assign_tables(movement, drawn, stationary))
    return movement


def north_south(movement, one):
    return sum(1 if s.ns == one else -1 for s in movement.seatings_of(one) if s.is_played)


@settings(deadline=None, derandomize=True, max_examples=25)
@given(st.integers(8, 20), st.integers(0, 10**6))
def test_nobody_sits_north_south_much_more_often_than_east_west(pairs, seed):
    movement = played_to_the_end(pairs, 4, seed)

    assert laws.find_errors(movement) == ()
    assert max(abs(north_south(movement, contestant)) for contestant in movement.contestants) <= 2
    for round in range(2, 5):
        for match in movement.in_round(round):
            if match.is_played:
                before = [s for s in movement.seatings if s.round < round]
                ns, ew = (
                    sum(
                        1 if s.ns == item else -1
                        for s in before
                        if s.is_played and item in s.contestants
                    )
                    for item in (match.ns, match.ew)
                )
                assert ns <= ew


@settings(deadline=None, derandomize=True, max_examples=25)
@given(st.integers(8, 20), st.integers(0, 10**6))
def test_who_must_stay_seated_keeps_table_and_direction_unless_they_meet(pairs, seed):
    stay = (1, pairs // 2)  # without a bye the last table

    movement = played_to_the_end(pairs, 4, seed, stay)

    assert laws.find_errors(movement) == ()
    for number in stay:
        home = movement.seatings_of(number)[0]
        for seating in movement.seatings_of(number):
            if seating.is_played and not set(stay) <= set(seating.contestants):
                assert (seating.table, seating.ns == number) == (home.table, home.ns == number)


def test_two_exchange_their_opponents_and_one_of_them_the_bye():
    draw = Draw(((1, 2), (3, 4)), ((5, 6, 7),), bye=8)

    assert exchanged_draw(draw, 2, 8) == Draw(((1, 8), (3, 4)), ((5, 6, 7),), bye=2)
    assert exchanged_draw(draw, 4, 6) == Draw(((1, 2), (3, 6)), ((5, 4, 7),), bye=8)


@pytest.mark.parametrize("contest", ["pairs", "teams"])
def test_a_director_may_let_two_meet_again(contest):
    tables = 4 if contest == "pairs" else 8
    movement = catalogue.build_movement(
        "swiss", tables, 3, None, {"contest": contest}
    )  # 1 v 5, 2 v 6 …
    draw = Draw(((5, 1), (2, 3), (4, 6), (7, 8)))

    assert laws.find_errors(apply_draw(movement, draw)) != ()
    assert laws.find_errors(apply_draw(movement, draw, is_repeated=True)) == ()


def test_meetings_before_a_round_may_be_left_out():
    movement = apply_draw(catalogue.build_movement("swiss", 6, 3), Draw(((1, 2), (3, 4), (5, 6))))

    assert drawn_meetings(movement, since=2) == {frozenset(two) for two in ((1, 2), (3, 4), (5, 6))}
