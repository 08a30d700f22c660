"""Movements found by search: two copies for odd tables and even rounds, and opponents that meet twice."""

from collections import Counter
from random import Random

import pytest

from movements.engine import catalogue, laws
from movements.engine.board_copies.copies import copy_places
from movements.engine.descriptions.shape import room_shape
from movements.engine.fairness.balance import balance
from movements.engine.offers import movement_for
from movements.words.descriptions import movement_description
from tests.proofs.searches.two_copies import divided


@pytest.mark.parametrize(
    "tables_rounds", [(5, 4), (7, 4), (7, 6), (9, 6), (9, 8), (11, 6), (13, 8)]
)
@pytest.mark.parametrize("winners", ["1", "2"])
def test_on_two_copies_all_play_all_boards_and_north_south_stay(tables_rounds, winners):
    tables, rounds = tables_rounds
    movement = catalogue.build_movement(
        "two-copy-mitchell", tables, rounds, None, {"winners": winners}
    )

    assert laws.find_violations(movement) == ()
    assert laws.find_misplaced_boards(movement, copy_places(movement).copy_stays()) == ()
    assert (movement.copies_needed, movement.winners, movement.shared) == (2, int(winners), ())
    assert {tuple(sorted(movement.sets_played(n))) for n in movement.contestants} == {movement.sets}
    assert {n for n in movement.stationary_contestants if n <= tables} == set(range(1, tables + 1))


@pytest.mark.parametrize(
    ("tables", "rounds", "score"),
    [
        (5, 4, 73),
        (7, 4, 69),
        (7, 6, 83),
        (9, 6, 79),
        (9, 8, 87),
        (11, 6, 75),
        (11, 8, 84),
        (11, 10, 90),
        (13, 8, 80),
        (13, 10, 87),
    ],
)
def test_two_copies_with_one_winner_are_as_even_as_was_found(tables, rounds, score):
    movement = catalogue.build_movement("two-copy-mitchell", tables, rounds)
    turned = [s for s in movement.seatings if s.ew <= tables]

    assert balance(movement).score >= score
    assert 0 < len(turned) < tables * rounds / 3


def test_a_round_in_which_only_some_tables_turn_boards_is_not_called_a_turned_round():
    mostly = catalogue.build_movement(
        "scrambled-mitchell", 7, None, None, {"switched": (3,), "at": (1, 2, 3, 4)}
    )
    all_but_one = catalogue.build_movement(
        "scrambled-mitchell", 7, None, None, {"switched": (3,), "at": (1, 2, 3, 4, 5, 6)}
    )

    assert room_shape(catalogue.build_movement("two-copy-mitchell", 7, 6)).turned_rounds == ()
    assert room_shape(mostly).turned_rounds == room_shape(all_but_one).turned_rounds == ()
    assert room_shape(catalogue.build_movement("scrambled-mitchell", 7)).turned_rounds == (7,)
    assert "In round 3 tables 1–4 turn all boards." in movement_description(mostly)
    assert movement_description(catalogue.build_movement("two-copy-mitchell", 9, 8)) == (
        "East-West move up one table. Boards go as the newest table cards say.",
        "North-South stay.",
        "In some rounds some tables turn boards: cards and phones say which.",
        "There are 2 copies of the boards.",
    )


def test_thirteen_pairs_play_six_rounds_of_four_with_one_sit_out_at_most():
    movement = movement_for("two-copy-mitchell", 13, 6)

    assert laws.find_errors(movement) == ()
    assert (len(movement.contestants), movement.longest_sit_out) == (13, 1)


@pytest.mark.parametrize(
    ("tables", "rounds", "twice"), [(2, 6, 6), (3, 7, 6), (3, 10, 15), (4, 8, 4)]
)
def test_in_tiny_rooms_opponents_meet_twice_and_no_tables_share(tables, rounds, twice):
    movement = catalogue.build_movement("rematch-howell", tables, rounds)
    meetings = Counter(frozenset((s.ns, s.ew)) for s in movement.seatings)

    assert laws.find_violations(movement) == ()
    assert laws.find_misplaced_boards(movement, copy_places(movement).copy_stays()) == ()
    assert {tuple(sorted(movement.sets_played(n))) for n in movement.contestants} == {movement.sets}
    assert len(meetings) == tables * (2 * tables - 1)
    assert Counter(meetings.values())[2] == twice
    assert max(meetings.values()) == 2
    assert not any(movement.shares(round) for round in range(1, rounds + 1))


def test_a_search_divides_plays_so_that_each_table_and_each_pair_has_every_set_once():
    """Every exchange keeps the square of tables, East-West pairs and sets that `exchanged` begins with."""
    rng, skips = Random(3), [0, 1, 2, 4, 5, 6]
    sets = [[number] * 9 for number in range(6)]
    for _ in range(200):
        chosen = rng.sample(range(6), 3)
        for number, plays in zip(
            chosen, divided([sets[n] for n in chosen], skips, rng), strict=True
        ):
            sets[number] = plays

    assert all(sorted(at) == [*range(6)] for at in zip(*sets, strict=True))
    for plays in sets:
        assert {(table - skips[round]) % 9 for table, round in enumerate(plays)} == {*range(9)}
    assert max(map(len, map(set, sets))) > 1
