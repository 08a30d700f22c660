"""Whist rovers: their printed path, cell by cell, and the declared repeated meetings."""

from collections import Counter

import pytest

from movements.engine import catalogue, laws
from movements.engine.model import set_names

#: bridgecentral.com, whist rover pairs: the rover's tables from round 2 on, and the rounds marked as a repeat against
#: an East-West pair. For 18 tables the mark of round 17 is missing: EW 15 was met in round 6.
PRINTED = {
    6: ("1 2 4 5 6", {6}),
    9: ("1 2 3 5 7 4 9 6", {9}),
    12: ("1 2 3 4 5 6 8 9 10 11 12", {6, 12}),
    15: ("1 2 3 4 5 7 8 10 11 6 13 14 9 15", {11, 14}),
    18: ("1 2 3 4 5 6 8 9 10 11 12 13 14 15 16 18", {16, 17}),
}
ROVER = catalogue.find_family("whist-rover")


def longest(tables):
    return catalogue.build_movement(ROVER.name, tables, ROVER.possible_rounds(tables)[-1])


def met(movement):
    """Return the rover's opponents by round."""
    rover = len(movement.fields[0].labels)
    return {s.round: s.ew for s in movement.seatings_of(rover)}


def declared(movement):
    """Return how often the rover may meet each pair."""
    rover = len(movement.fields[0].labels)
    return {e.contestants[1]: e.limit for e in movement.exemptions if rover in e.contestants}


@pytest.mark.parametrize("tables", PRINTED)
def test_every_cell_of_the_printed_schedules_is_given(tables):
    sequence, repeats = PRINTED[tables]
    movement = longest(tables)
    letters = set_names(tables)
    rover = tables + 1
    for round, table in enumerate(map(int, sequence.split()), start=2):
        # boards down one from their table, East-West down two; the rover takes the North-South seat
        [seating] = [s for s in movement.seatings_of(rover) if s.round == round]
        assert (seating.table, seating.ns) == (table, rover)
        assert seating.sets == (letters[(table + round - 2) % tables],)
        assert [number for number, _line in movement.sit_outs(round)] == [table]

    there = met(movement)
    again = {
        round for round, pair in there.items() if pair in [there[r] for r in there if r < round]
    }
    assert again == repeats


@pytest.mark.parametrize("tables", [5, 7, 11, 13])
def test_with_a_prime_number_of_tables_the_rover_goes_up_one_from_table_2_and_meets_nobody_again(
    tables,
):
    movement = longest(tables)

    assert [s.table for s in movement.seatings_of(tables + 1)] == [*range(2, tables + 1)]
    assert movement.exemptions == ()


@pytest.mark.parametrize(("tables", "sequence"), [(8, "2 3 4 6 7 8 1"), (10, "2 3 4 5 7 8 9 10 1")])
def test_with_an_even_number_of_tables_the_rover_skips_a_table_when_the_others_do(tables, sequence):
    movement = longest(tables)
    pair = {s.round: s.table for s in movement.seatings_of(tables + 2)}
    moves = [(pair[r] - pair[r + 1]) % tables for r in range(1, tables - 1)]

    assert [s.table for s in movement.seatings_of(tables + 1)] == [
        int(table) for table in sequence.split()
    ]
    assert moves == [2 + (after == tables // 2) for after in range(1, tables - 1)]


def test_with_18_tables_two_sets_are_left_for_the_last_round_as_printed():
    movement = longest(18)
    left = {*movement.sets} - {*movement.sets_played(19)}
    letters = set_names(18)

    # a last round would need the boards that are then at tables 1 and 15
    assert left == {letters[(table + 18 - 2) % 18] for table in (1, 15)}


@pytest.mark.parametrize("tables", [4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 25, 40])
def test_whatever_is_promised_is_lawful_and_declares_no_more_than_happens(tables):
    for rounds in ROVER.possible_rounds(tables):
        movement = catalogue.build_movement(ROVER.name, tables, rounds)
        assert laws.find_errors(movement) == (), rounds
        assert movement.longest_sit_out == 1
        assert declared(movement) == {
            pair: times for pair, times in Counter(met(movement).values()).items() if times > 1
        }


def test_with_an_even_number_of_tables_the_last_round_against_old_opponents_must_be_wished():
    for tables in (8, 12):
        usual, wished = catalogue.build_movement(ROVER.name, tables), longest(tables)
        assert (usual.rounds, wished.rounds) == (tables - 1, tables)
        assert [e for e in usual.exemptions if not e.contestants] == []
        [revenge] = [e for e in wished.exemptions if not e.contestants]
        assert revenge.rounds[-1] == tables


def test_promise_and_ability_agree_in_both_directions():
    for tables in range(1, 28):
        for rounds in range(1, tables + 2):
            is_promised = rounds in ROVER.possible_rounds(tables)
            assert (catalogue.find_refusal(ROVER.name, tables, rounds) is None) == is_promised
    assert not ROVER.possible_rounds(21)
