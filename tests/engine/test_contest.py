"""Differences between pairs, single players and teams."""

from dataclasses import replace

import pytest

from movements.engine import catalogue
from movements.engine.contest import Contest
from movements.engine.files.document import MovementDocument, movement_dict


@pytest.mark.parametrize(
    ("contest", "people", "is_one_of"),
    [
        (Contest.PAIRS, 2, "fills_a_side"),
        (Contest.INDIVIDUAL, 1, "plays_alone"),
        (Contest.TEAMS, 4, "has_halves"),
    ],
)
def test_a_contestant_is_one_side_of_a_table_or_a_part_of_one_or_two_of_them(
    contest, people, is_one_of
):
    questions = ("fills_a_side", "plays_alone", "has_halves")

    assert contest.people == people
    assert [name for name in questions if getattr(contest, name)] == [is_one_of]


def test_a_movement_has_the_value_where_its_contest_was_named():
    movement = replace(catalogue.build_movement("mitchell", 5), contest="teams")

    assert movement.contest is Contest.TEAMS
    assert movement_dict(MovementDocument(movement))["contest"] == "teams"


def test_a_contest_that_does_not_exist_is_refused():
    with pytest.raises(ValueError):
        replace(catalogue.build_movement("mitchell", 5), contest="chess")
