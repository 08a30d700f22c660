"""Bounds of the evenness of movements."""

import pytest

from movements.engine import catalogue
from movements.engine.fairness.balance import balance
from movements.engine.fairness.bounds import eigenvalues, highest_quality, highest_score

CEILINGS = {  # proved, one winner: Qf at best
    (10, 9): 93.6, (12, 9): 73.3, (14, 9): 59.9, (14, 13): 95.7,
    (16, 9): 50.7, (16, 13): 80.7, (20, 9): 38.5, (20, 13): 60.9,
}  # fmt: skip


@pytest.mark.parametrize(("tables", "rounds"), CEILINGS)
def test_webs_in_one_field_have_their_known_ceilings(tables, rounds):
    movement = catalogue.build_movement("web", tables, rounds)

    assert round(highest_quality(movement), 1) == CEILINGS[tables, rounds]


def test_complete_mitchells_and_howells_have_no_ceiling():
    movements = [catalogue.build_movement("mitchell", 9), catalogue.build_movement("howell", 6)]

    assert [highest_score(movement) for movement in movements] == [100, 100]


def test_a_movement_that_reaches_its_ceiling_is_no_evener_than_it():
    howell = catalogue.build_movement("howell", 4)

    assert round(balance(howell).quality, 6) == round(highest_quality(howell), 6) == 100


def test_eigenvalues_keep_trace_and_squares():
    matrix = [[4, 1, -2], [1, 2, 0], [-2, 0, 3]]

    values = eigenvalues(matrix)

    assert round(sum(values), 9) == 9
    assert round(sum(value * value for value in values), 9) == 39
