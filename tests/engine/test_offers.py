"Movements for this number of pairs."

import pytest

from movements.engine.catalogue import find_family
from movements.engine.errors import MovementError
from movements.engine.offers import MovementSize, movement_for, possible_sizes


def test_sizes_stay_within_the_boards_wanted():
    assert possible_sizes(find_family("skip-mitchell"), 8, 24, 28)[0] == MovementSize(7, 4)
    assert all(
        24 <= size.boards <= 28 for size in possible_sizes(find_family("skip-mitchell"), 8, 24, 28)
    )


def test_a_shorter_last_set_is_offered_when_nothing_complete_fits():
    assert possible_sizes(find_family("mitchell"), 7, 25, 27, sets=7)[0] == MovementSize(7, 4, 27)


def test_impossible_numbers_of_pairs_are_refused():
    for name, pairs in (("mitchell", 3), ("skip-mitchell", 18), ("mitchell", 16)):
        with pytest.raises(MovementError):
            movement_for(name, pairs)


def test_the_missing_pair_is_the_last_of_its_line():
    movement = movement_for("mitchell", 9, missing_line="ns")

    assert movement.contestant("NS 5") is None
    assert movement.contestant("EW 5") is not None
