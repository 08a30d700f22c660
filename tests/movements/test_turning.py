"""Turned boards of a movement, and the movement as people sit down for it."""

from dataclasses import replace

from movements.engine import catalogue
from movements.engine.changes import PairArrives, PairStays, SatInEachOthersPlace
from movements.engine.changes.repairs.mistakes import recorded_mistake
from movements.engine.fairness.switching import RoundSwitch
from movements.engine.model import Seating
from movements.engine.options import merge_fields
from movements.switches.turning import turns_between, unturned_movement
from tests.engine.changing import found

HALVES = {name: (f"{name}1", f"{name}2") for name in "ABCDE"}
NUMBERS = {
    part: range(3 * index + 1 + 2 * half, 3 * index + 3 + half)
    for index, parts in enumerate(HALVES.values())
    for half, part in enumerate(parts)
}


def plain():
    """Five tables with one winner, nothing turned; every set in two parts of two and one boards."""
    movement = merge_fields(catalogue.build_movement("mitchell", 5))
    return replace(
        movement,
        sets=tuple(NUMBERS),
        seatings=tuple(replace(s, sets=HALVES[s.sets[0]]) for s in movement.seatings),
    )


def switched():
    """The same with the third board of every set turned in round 4."""
    movement = plain()
    seatings: list[Seating] = []
    for s in movement.seatings:
        if s.round == 4:
            seatings.append(replace(s, sets=s.sets[:1]))
            seatings.append(replace(s.turned(), sets=s.sets[1:]))
        else:
            seatings.append(s)
    return replace(movement, seatings=tuple(seatings))


def same(movement):
    return {number: number for number in movement.contestants}


def test_turned_back_it_is_the_movement_it_was():
    assert unturned_movement(switched(), plain(), same(plain())) == plain()


def test_the_last_board_that_one_table_turns_is_not_said_of_all():
    seatings = []
    for seating in plain().seatings:
        if (seating.round, seating.table) == (4, 2):
            seatings.append(replace(seating, sets=seating.sets[:1]))
            seatings.append(replace(seating.turned(), sets=seating.sets[1:]))
        else:
            seatings.append(seating)
    turned = replace(plain(), seatings=tuple(seatings))

    assert turns_between(plain(), NUMBERS, turned, NUMBERS) == (RoundSwitch(4, (2,), (3,)),)


def test_after_a_rover_has_come_the_same_boards_are_turned():
    [rover, *_others] = found(switched(), 2, PairArrives(), "rover")

    seated = unturned_movement(rover.movement, plain(), rover.numbers)

    assert turns_between(seated, NUMBERS, rover.movement, NUMBERS) == (RoundSwitch(4, (), (3,)),)
    assert {len(seated.seatings_at_table(4, table)) for table in range(1, 6)} == {1}


def test_a_pair_whose_table_is_kept_brings_its_opponents_in_their_lines():
    [kept, *_others] = found(switched(), 2, PairStays(9), "table-kept")

    seated = unturned_movement(kept.movement, plain(), kept.numbers)

    assert turns_between(seated, NUMBERS, kept.movement, NUMBERS) == (RoundSwitch(4, (), (3,)),)


def test_where_the_old_plan_knows_both_in_one_line_they_sit_as_they_play():
    mistake = recorded_mistake(plain(), 2, SatInEachOthersPlace(2, 1, 7))

    assert unturned_movement(mistake, plain(), same(plain())) == mistake
