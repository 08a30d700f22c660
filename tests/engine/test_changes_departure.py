"""A contestant leaves: half a table, seats taken, tables dropped."""

import pytest

from movements.engine import catalogue, laws
from movements.engine.changes import LengthChanges, PairArrives, PairLeaves
from movements.engine.declarations import Exemption, Stand

from .changing import found, kinds, path, shown, waits


def after(movement, *steps):
    """The movement after several changes, each (fixed, change), the best proposal taken."""
    if isinstance(movement, tuple):
        movement = catalogue.build_movement(*movement)
    for fixed, change in steps:
        movement = found(movement, fixed, change)[0].movement
    return movement


def test_a_pair_that_leaves_makes_half_a_table_from_the_next_round():
    [half] = found(("mitchell", 5), 2, PairLeaves(4))

    assert (half.kind, half.from_round) == ("half-table", 3)
    assert shown(half.movement) == [
        "1-6:A  2-7:B  3-8:C  4-9:D  5-10:E",
        "1-10:B  2-6:C  3-7:D  4-8:E  5-9:A",
        "1-9:C  2-10:D  3-6:E  -7:A  5-8:B",
        "1-8:D  2-9:E  3-10:A  -6:B  5-7:C",
        "1-7:E  2-8:A  3-9:B  -10:C  5-6:D",
    ]
    assert waits(half.movement) == [[], [], ["EW 2"], ["EW 1"], ["EW 5"]]
    assert half.movement.exemptions == (Exemption("present", 0, "left", (4,), (3, 4, 5)),)
    assert half.consequences.affected == (6, 7, 10)


def test_a_pair_that_never_came_leaves_before_the_first_round():
    [half] = found(("skip-mitchell", 6), 0, PairLeaves(9))

    expected = catalogue.build_movement("skip-mitchell", 6, None, "EW 3")
    assert [(s.round, s.table, s.is_played, s.sets) for s in half.movement.seatings] == [
        (s.round, s.table, s.is_played, s.sets) for s in expected.seatings
    ]


def test_when_the_rover_leaves_everybody_it_had_displaced_sits_down_at_home():
    movement = after(("mitchell", 5), (1, PairArrives()))

    best = found(movement, 2, PairLeaves(6))[0]

    assert best.kind == "places-taken"
    assert shown(best.movement, 3) == [
        "1-10:C  2-11:D  3-7:E  4-8:A  5-9:B",
        "1-9:D  2-10:E  3-11:A  4-7:B  5-8:C",
        "1-8:E  2-9:A  3-10:B  4-11:C  5-7:D",
    ]
    assert best.consequences.sit_outs == ()


def test_when_another_pair_leaves_the_rover_takes_its_place_where_that_is_lawful():
    movement = after(("mitchell", 5), (1, PairArrives()))

    best = found(movement, 2, PairLeaves(3))[0]

    assert best.kind == "places-taken"
    assert shown(best.movement, 3) == [
        "1-10:C  2-11:D  -7:E  4-8:A  5-9:B",
        "1-9:D  2-10:E  6-11:A  4-7:B  5-8:C",
        "1-8:E  2-9:A  6-10:B  4-11:C  5-7:D",
    ]
    assert waits(best.movement)[2:] == [["NS 6", "EW 1"], [], []]


@pytest.mark.parametrize(("family", "tables", "fixed"), [("mitchell", 13, 2), ("hybrid", 8, 1)])
def test_in_long_movements_too_the_rover_and_those_it_displaces_fill_every_empty_place(
    family, tables, fixed
):
    rover = found((family, tables), fixed, PairArrives(), "rover")[0].movement

    best = found(rover, fixed, PairLeaves(5))[0]

    assert best.kind == "places-taken"
    assert best.consequences.sit_outs == ()


def test_a_free_seat_that_a_pair_left_is_the_next_late_pairs():
    movement = after(("mitchell", 7), (2, PairLeaves(4)))

    best = found(movement, 4, PairArrives())[0]

    assert best.kind == "free-seat"
    assert best.movement.label(best.newcomer) == "NS 8"
    assert path(best) == {5: 4, 6: 4, 7: 4}


def test_when_the_party_pair_leaves_its_guests_wait_again():
    movement = after(("mitchell", 5), (1, PairArrives()), (1, PairArrives()))
    party = movement.at(5, 6).contestants

    [label] = [movement.label(n) for n in party if movement.at(4, 6).contestants.count(n)]
    best = found(movement, 3, PairLeaves(movement.contestant(label)))[0]

    assert [len(names) for names in waits(best.movement)] == [0, 0, 0, 1, 1]


# ── tables at which nobody is left ──


def test_the_last_table_is_dropped_when_nobody_is_there_any_more():
    movement = after(("mitchell", 5), (2, PairLeaves(5)), (4, PairLeaves(6)))

    assert shown(movement, 5) == ["1-7:E  2-8:A  3-9:B  4-10:C"]
    assert movement.exemptions[-1] == Exemption(
        "tables", 4, "nobody plays at the last tables", (), (5,)
    )
    assert movement.stands == (Stand(5, 4, ("D",)),)
    assert laws.find_errors(movement) == ()


def test_two_tables_are_dropped_but_none_that_is_needed_again():
    movement = after(("mitchell", 5), *((3, PairLeaves(number)) for number in (4, 5, 6, 10)))

    assert shown(movement, 4) == ["1-8:D  2-9:E  3-:A  -:B  -7:C", "1-7:E  2-8:A  3-9:B"]
    assert movement.stands == (Stand(5, 3, ("C", "D")),)
    assert laws.find_errors(movement) == ()


def test_two_pairs_may_leave_one_after_the_other():
    movement = after(("mitchell", 5), (2, PairLeaves(4)), (3, PairLeaves(9)))

    assert shown(movement, 3) == [
        "1-9:C  2-10:D  3-6:E  -7:A  5-8:B",
        "1-8:D  2-:E  3-10:A  -6:B  5-7:C",
        "1-7:E  2-8:A  3-:B  -10:C  5-6:D",
    ]
    assert waits(movement) == [[], [], ["EW 2"], ["NS 2", "EW 1"], ["NS 3", "EW 5"]]


# ── before the start: another movement ──


def test_when_a_whole_table_does_not_turn_up_a_crisscross_becomes_a_mitchell():
    movement = catalogue.build_movement("crisscross", 8, None, "EW 8")

    best = found(movement, 0, PairLeaves(3))[0]

    assert (best.kind, best.movement.family, best.facts) == (
        "fewer-tables",
        "mitchell",
        {"table": 7, "rounds": 7},
    )
    assert shown(best.movement)[:2] == [
        "1-9:A  2-10:B  8-11:C  4-12:D  5-13:E  6-14:F  7-15:G",
        "1-15:B  2-9:C  8-10:D  4-11:E  5-12:F  6-13:G  7-14:A",
    ]
    assert waits(best.movement) == [[]] * 7
    assert best.consequences.score == 100


def test_two_pairs_who_do_not_turn_up_one_after_the_other_leave_a_smaller_movement():
    movement = after(("mitchell", 7), (0, PairLeaves(3)))

    smaller = found(movement, 0, PairLeaves(13))

    assert [
        (proposal.kind, proposal.movement.family, proposal.movement.rounds) for proposal in smaller
    ] == [
        ("fewer-tables", "share-and-relay", 6),
        ("fewer-tables", "skip-mitchell", 5),
        ("half-table", "mitchell", 7),
    ]
    assert shown(smaller[1].movement)[0] == "1-8:A  2-9:B  4-10:C  5-11:D  6-12:E  7-14:F"
    assert [laws.find_errors(proposal.movement) for proposal in smaller] == [(), (), ()]


# ── other contests ──


def test_when_a_player_leaves_an_individual_the_three_at_that_table_wait():
    [half] = found(("individual", 2), 5, PairLeaves(3))

    assert shown(half.movement, 6) == [
        "(8, 6)-(7, 2):F  (1, 5)-:F",
        "(8, 7)-:G  (2, 6)-(4, 5):G",
    ]
    assert waits(half.movement) == [[], [], [], [], [], ["1", "4", "5"], ["1", "7", "8"]]


def test_in_a_round_robin_of_teams_the_opponents_have_no_match():
    [half] = found(("team-round-robin", 6), 1, PairLeaves(2))

    assert shown(half.movement) == ["6-1:  5-2:  4-3:", "1-3:  5-4:", "6-3:  1-5:", "6-4:  3-5:", "6-5:  4-1:"]  # fmt: skip
    assert waits(half.movement) == [[], ["6"], ["4"], ["1"], ["3"]]


@pytest.mark.parametrize("team", range(1, 8))
@pytest.mark.parametrize("fixed", range(7))
def test_a_team_may_leave_between_the_rounds_of_a_triangle(team, fixed):
    proposed = found(("team-round-robin", 7), fixed, PairLeaves(team))

    assert [row.kind for row in proposed] == ["half-table"]
    assert laws.find_errors(proposed[0].movement) == ()


def test_in_a_swiss_a_team_that_leaves_is_in_no_round_to_be_drawn():
    [half] = found(("swiss", 6, 3), 1, PairLeaves(2))

    assert half.movement.open_rounds == (2, 3)
    assert half.movement.absent(2) == {2} == half.movement.absent(3)
    assert half.movement.absent(1) == set()


@pytest.mark.parametrize(
    ("family", "tables"),
    [
        ("team-awl", 5),
        ("mitchell-teams", 8),
        ("new-england-relay", 8),
        ("rainbow", 5),
        ("shomate", 2),
    ],
)
def test_somebody_may_leave_any_contest(family, tables):
    assert kinds((family, tables), 2, PairLeaves(1)) == ["half-table"]


def test_a_pair_may_leave_although_another_one_will_not_have_played_at_all():
    """NS5 sits out in round 1 of 2, and its opponents of round 2 leave."""
    movement = catalogue.build_movement("mitchell", 5, 2, "EW5")
    [(alone, _whole)] = movement.sit_outs(1)
    [opponents] = {*movement.seatings_of(alone)[1].contestants} - {alone}

    half = found(movement, 1, PairLeaves(opponents))[0]

    assert half.kind == "half-table"
    assert waits(half.movement) == [["NS 5"], ["NS 1", "NS 5"]]


def test_a_team_may_leave_although_the_team_of_the_bye_loses_its_only_match():
    drawn = catalogue.build_movement("swiss", 7, 2, options={"behind": True, "odd": "bye"})
    [(bye, _whole)] = drawn.sit_outs(1)
    [match] = [seating for seating in drawn.in_round(2) if bye in seating.contestants]
    [opponents] = {*match.contestants} - {bye}

    [half] = found(drawn, 1, PairLeaves(opponents))

    assert laws.find_errors(half.movement) == ()


def test_after_the_last_round_nothing_changes_for_anybody():
    [half] = found(("mitchell", 5), 5, PairLeaves(1))

    assert half.movement == catalogue.build_movement("mitchell", 5)
    assert half.consequences.differences == ()


def test_who_has_left_is_away_in_rounds_that_are_added_too():
    movement = after(("mitchell", 7, 5), (2, PairLeaves(3)), (3, LengthChanges(7)))

    assert [movement.absent(round) for round in (2, 3, 5, 6, 7)] == [frozenset(), *[{3}] * 4]
