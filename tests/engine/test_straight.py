"""Two lines that are scored as one field: as people sit, and where the boards are turned."""

import pytest

from movements.engine import catalogue, laws
from movements.engine.fairness.switching import Turn
from movements.engine.straight import straight


@pytest.mark.parametrize(("tables", "rounds"), [(7, (7,)), (9, (9,)), (13, (12, 13))])
def test_the_turned_rounds_of_a_scrambled_mitchell_are_found(tables, rounds):
    plain, turns = straight(catalogue.build("scrambled-mitchell", tables))

    assert turns == tuple(Turn(round) for round in rounds)
    assert {s.ns for s in plain.seatings} & {s.ew for s in plain.seatings} == set()
    assert laws.check(plain) == ()


def test_tables_that_alone_are_turned_are_named():
    movement = catalogue.build(
        "scrambled-mitchell", 7, None, None, {"switched": (6,), "at": (2, 3)}
    )

    assert straight(movement)[1] == (Turn(6, (2, 3)),)


def test_where_more_is_turned_than_not_the_others_are_called_turned():
    movement = catalogue.build("scrambled-mitchell", 7, None, None, {"switched": (1, 2, 3, 4, 5)})

    assert [turn.round for turn in straight(movement)[1]] == [6, 7]


def test_a_half_table_is_turned_with_the_others():
    movement = catalogue.build("scrambled-mitchell", 7, None, "14")

    plain, turns = straight(movement)

    assert turns == (Turn(7),)
    assert all(s.ns is None or s.ns <= 7 for s in plain.seatings)


@pytest.mark.parametrize("family", ["mitchell", "howell", "rainbow", "team-round-robin"])
def test_nothing_is_turned_back_where_nobody_has_a_line_or_there_are_two_fields(family):
    assert straight(catalogue.build(family, 7)) is None
