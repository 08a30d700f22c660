"""Turned boards as sentences."""

import pytest

from movements.engine.switching import Turn
from movements.switches import announced


@pytest.mark.parametrize(
    ("turns", "sentences"),
    [
        ([Turn(7)], ["In round 7 everybody turns all boards."]),
        ([Turn(6), Turn(7)], ["In rounds 6 and 7 everybody turns all boards."]),
        ([Turn(3, (), (2,))], ["In round 3 everybody turns board 2 of the set."]),
        ([Turn(3, (), (1, 3))], ["In round 3 everybody turns boards 1 and 3 of the set."]),
        ([Turn(2, (4,), (1,))], ["In round 2 table 4 turns board 1 of the set."]),
        ([Turn(2, (1, 4, 6))], ["In round 2 tables 1, 4 and 6 turn all boards."]),
        (
            [Turn(round, (4,), (2,)) for round in range(1, 10)],
            ["In rounds 1–9 table 4 turns board 2 of the set."],
        ),
        (
            [Turn(1, (), (3,)), Turn(2, (5,)), Turn(4, (), (3,))],
            [
                "In rounds 1 and 4 everybody turns board 3 of the set.",
                "In round 2 table 5 turns all boards.",
            ],
        ),
        ([], []),
    ],
)
def test_what_is_turned_is_said_in_as_few_sentences_as_possible(turns, sentences):
    assert list(announced(turns)) == sentences
