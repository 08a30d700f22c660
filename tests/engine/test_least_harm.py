"""Rovers in long evenings without a complete and clean path: the costs by pair."""

from collections import Counter

import pytest

from movements.engine import catalogue
from movements.engine.changes import PairArrives
from movements.engine.changes.arrivals.least_harm import least_harmful_path, path_harm
from movements.engine.families.rovers.transversal import is_rover_path

from .changing import found, path, waits


def displaced(movement, rover, line):
    """Return how often a rover's path displaces each pair."""
    return Counter(getattr(movement.at(round, table), line) for round, table in rover.items())


@pytest.mark.parametrize("line", ["ns", "ew"])
@pytest.mark.parametrize(
    ("family", "tables", "first"),
    [
        ("skip-mitchell", 40, 3),
        ("share-and-relay", 40, 4),
        ("mitchell", 27, 3),
        ("crisscross", 40, 5),
        ("two-stanza", 20, 3),
    ],
)
def test_a_complete_path_is_found_in_the_longest_evenings(family, tables, first, line):
    movement = catalogue.build_movement(family, tables)

    rover = least_harmful_path(movement, first, line)

    assert list(rover) == list(range(first, movement.rounds + 1))
    assert is_rover_path(movement, rover)


@pytest.mark.parametrize("line", ["ns", "ew"])
@pytest.mark.parametrize(
    ("family", "tables", "most"),
    [("mitchell", 27, 11), ("crisscross", 40, 22), ("share-and-relay", 30, 21), ("hybrid", 20, 53)],
)
def test_where_there_is_none_hardly_anybody_waits_twice(family, tables, most, line):
    movement = catalogue.build_movement(family, tables)

    rover = least_harmful_path(movement, 1, line)

    times = displaced(movement, rover, line)
    assert max(times.values()) <= 2
    assert path_harm(times.elements(), movement.rounds - len(rover), came_late=False) <= most


def test_opponents_and_sets_are_all_different_even_where_somebody_waits_twice():
    movement = catalogue.build_movement("mitchell", 9)

    rover = least_harmful_path(movement, 1, "ew")

    there = [movement.at(round, table) for round, table in rover.items()]
    assert len({s.ns for s in there}) == len({s.sets for s in there}) == len(there)


def test_a_third_time_is_twice_as_bad_as_a_second():
    for_others = [
        path_harm(times, 0, came_late=True) for times in ([1, 2, 3], [1, 1, 2], [1, 1, 1])
    ]

    assert for_others == [0, 10, 30]


def test_a_pair_that_came_late_has_waited_already():
    assert [path_harm([1, 2], waits, came_late=False) for waits in (0, 1, 2, 3)] == [0, 1, 12, 33]
    assert [path_harm([1, 2], waits, came_late=True) for waits in (0, 1, 2, 3)] == [0, 11, 32, 63]


def test_nobody_who_must_stay_seated_is_displaced_and_a_second_search_says_the_same():
    movement = catalogue.build_movement("mitchell", 27)
    spared = {1, 5, 20}

    rover = least_harmful_path(movement, 2, "ns", spared)

    assert spared & set(displaced(movement, rover, "ns")) == set()
    assert least_harmful_path(movement, 2, "ns", spared) == rover


def test_a_round_with_nothing_but_half_tables_is_one_in_which_the_rover_waits():
    movement = catalogue.build_movement("mitchell", 3)

    assert least_harmful_path(movement, 2, "ns", {1, 2, 3}) == {}


def test_a_late_pair_at_forty_tables_plays_every_round_from_the_third_on():
    rovers = found(("skip-mitchell", 40, 39), 2, PairArrives(), "rover")

    assert [(rover.facts["rounds"], rover.facts["of"]) for rover in rovers] == [(37, 37), (37, 37)]
    for proposal in rovers:
        assert list(path(proposal)) == list(range(3, 40))
        assert (
            max(Counter(out for round in waits(proposal.movement)[2:] for out in round).values())
            == 1
        )
