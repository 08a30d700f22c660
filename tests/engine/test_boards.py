"""Board sets become board numbers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movements.engine import boards, catalogue
from movements.engine.errors import TooFewBoards


def test_the_last_set_is_shorter_when_the_total_does_not_divide():
    numbers = boards.board_numbers("ABCDE", total=24)

    assert {name: list(range_) for name, range_ in numbers.items()} == {
        "A": [1, 2, 3, 4, 5],
        "B": [6, 7, 8, 9, 10],
        "C": [11, 12, 13, 14, 15],
        "D": [16, 17, 18, 19, 20],
        "E": [21, 22, 23, 24],
    }


@settings(derandomize=True)
@given(st.integers(1, 40), st.integers(1, 200))
def test_a_total_is_dealt_out_completely_or_refused(sets, total):
    names = tuple(f"S{index}" for index in range(sets))
    try:
        numbers = boards.board_numbers(names, total=total)
    except TooFewBoards:
        assert (sets - 1) * -(-total // sets) >= total
        return
    assert [board for name in names for board in numbers[name]] == list(range(1, total + 1))
    sizes = [len(numbers[name]) for name in names]
    assert sizes[:-1] == [max(sizes)] * (sets - 1)
    assert 1 <= sizes[-1] <= max(sizes)


def test_boards_per_round_number_a_whole_movement():
    movement = catalogue.build_movement("skip-mitchell", 8)

    numbers = boards.movement_boards(movement, per_round=3)

    assert (numbers["A"], numbers["H"]) == (range(1, 4), range(22, 25))


def test_no_boards_at_all_are_refused():
    with pytest.raises(TooFewBoards):
        boards.board_numbers("ABC", per_set=0)


def test_ranges_keep_gaps():
    assert boards.board_ranges((1, 2, 3, 7, 9, 10)) == ((1, 3), (7, 7), (9, 10))


def test_dealer_and_vulnerability_follow_the_laws_of_the_game():
    assert "".join(boards.dealer(board) for board in range(1, 9)) == "NESWNESW"
    assert [boards.vulnerability(board) for board in range(1, 17)] == [
        "none", "ns", "ew", "all", "ns", "ew", "all", "none",
        "ew", "all", "none", "ns", "all", "none", "ns", "ew",
    ]  # fmt: skip
    assert boards.vulnerability(17) == "none"


@pytest.mark.parametrize(
    ("total", "rounds"),
    [(20, [4, 4, 4, 4, 4]), (24, [5, 5, 5, 5, 4]), (26, [5, 5, 5, 5, 6]), (30, [6, 6, 6, 6, 6])],
)
def test_the_scissors_howell_has_sizes_of_its_own(total, rounds):
    movement = catalogue.build_movement("scissors-howell", 3)

    numbers = boards.movement_boards(movement, total=total)

    for round in range(1, 6):
        for seating in movement.in_round(round):
            assert len(boards.boards_of_sets(seating.sets, numbers)) == rounds[round - 1]
    assert sum(len(number) for number in numbers.values()) == total


def test_a_scissors_howell_of_other_sizes_is_refused():
    with pytest.raises(TooFewBoards):
        boards.movement_boards(catalogue.build_movement("scissors-howell", 3), total=25)
