"""Two lines that are scored as one field: as people sit, and where the boards are turned."""

import pytest

from movements.engine import catalogue, laws
from movements.engine.fairness.switching import RoundSwitch
from movements.engine.straight import movement_as_seated


@pytest.mark.parametrize(("tables", "rounds"), [(7, (7,)), (9, (9,)), (13, (12, 13))])
def test_the_turned_rounds_of_a_scrambled_mitchell_are_found(tables, rounds):
    plain, turns = movement_as_seated(catalogue.build_movement("scrambled-mitchell", tables))

    assert turns == tuple(RoundSwitch(round) for round in rounds)
    assert {s.ns for s in plain.seatings} & {s.ew for s in plain.seatings} == set()
    assert laws.find_violations(plain) == ()


def test_tables_that_alone_are_turned_are_named():
    movement = catalogue.build_movement(
        "scrambled-mitchell", 7, None, None, {"switched": (6,), "at": (2, 3)}
    )

    assert movement_as_seated(movement)[1] == (RoundSwitch(6, (2, 3)),)


def test_where_more_is_turned_than_not_the_others_are_called_turned():
    movement = catalogue.build_movement(
        "scrambled-mitchell", 7, None, None, {"switched": (1, 2, 3, 4, 5)}
    )

    assert [turn.round for turn in movement_as_seated(movement)[1]] == [6, 7]


def test_a_half_table_is_turned_with_the_others():
    movement = catalogue.build_movement("scrambled-mitchell", 7, None, "14")

    plain, turns = movement_as_seated(movement)

    assert turns == (RoundSwitch(7),)
    assert all(s.ns is None or s.ns <= 7 for s in plain.seatings)


@pytest.mark.parametrize("family", ["mitchell", "howell", "rainbow", "team-round-robin"])
def test_nothing_is_turned_back_where_nobody_has_a_line_or_there_are_two_fields(family):
    assert movement_as_seated(catalogue.build_movement(family, 7)) is None


# ── movements in which moving pairs meet pairs of both kinds ──

STAYING = [
    *(("hesitation", tables, None) for tables in (3, 5, 7, 11)),
    *(("double-hesitation", tables, None) for tables in (6, 8)),
    ("extended-hesitation", 3, None),
    *(("partial-howell", tables, rounds) for tables, rounds in ((6, 8), (7, 9), (8, 10), (8, 13))),
    *(("hybrid", tables, None) for tables in (4, 5, 6)),
]


@pytest.mark.parametrize(("family", "tables", "rounds"), STAYING)
def test_pairs_that_stay_at_their_table_keep_their_chair(family, tables, rounds):
    movement = catalogue.build_movement(family, tables, rounds)

    plain, _turns = movement_as_seated(movement)

    assert plain.stationary == movement.stationary_contestants


@pytest.mark.parametrize(("family", "tables", "rounds"), STAYING)
def test_turning_the_boards_that_are_named_gives_the_movement_back(family, tables, rounds):
    movement = catalogue.build_movement(family, tables, rounds)

    plain, turns = movement_as_seated(movement)

    turned = {(turn.round, table) for turn in turns for table in turn.tables}
    whole = {turn.round for turn in turns if not turn.tables}
    assert movement.seatings == tuple(
        seating.turned()
        if seating.round in whole or (seating.round, seating.table) in turned
        else seating
        for seating in plain.seatings
    )


def test_in_the_last_round_of_a_hesitation_all_tables_but_the_last_turn_boards():
    assert movement_as_seated(catalogue.build_movement("hesitation", 7))[1] == (
        RoundSwitch(8, (1, 2, 3, 4, 5, 6)),
    )


@pytest.mark.parametrize("missing", ["3", "12"])
def test_a_pair_at_a_half_table_sits_where_it_would_sit_with_opponents(missing):
    plain, _turns = movement_as_seated(catalogue.build_movement("hesitation", 7, None, missing))

    usual, _turns = movement_as_seated(catalogue.build_movement("hesitation", 7))
    left_out = int(missing)
    places = {
        (s.round, s.table, line, contestant)
        for s in usual.seatings
        for line, contestant in _sides(s)
    }
    assert {
        (s.round, s.table, line, contestant + (contestant >= left_out))
        for s in plain.seatings
        for line, contestant in _sides(s)
        if contestant
    } == {place for place in places if place[3] != left_out}


def _sides(seating):
    return ("ns", seating.ns), ("ew", seating.ew)


def test_both_pairs_of_a_short_stay_change_chairs_as_the_movement_says():
    assert movement_as_seated(catalogue.build_movement("howell", 7)) is None


def chairs_of_stays(movement):
    """Yield the chairs in which each pair sits while it stays three rounds or longer at a table."""
    for pair in movement.contestants:
        stay = []
        for round in range(1, movement.rounds + 2):
            here = [s for s in movement.seatings_of(pair) if s.round == round]
            if here and stay and here[0].table == stay[0].table:
                stay += here
            else:
                if len(stay) >= 3:
                    yield {"ns" if seating.ns == pair else "ew" for seating in stay}
                stay = here


@pytest.mark.parametrize(
    ("family", "tables"),
    [("rematch-howell", 4), *(("hybrid", tables) for tables in (4, 5, 6, 7, 8, 9, 12, 13))],
)
def test_two_pairs_that_stay_at_a_table_at_the_same_time_both_keep_their_chairs(family, tables):
    movement = catalogue.build_movement(family, tables)

    plain, turns = movement_as_seated(movement)

    kept = [*chairs_of_stays(plain)]
    assert len(kept) > 1
    assert all(len(chairs) == 1 for chairs in kept)
    turned = {(t.round, n) for t in turns for n in t.tables or range(1, tables + 1)}
    for seating in movement.seatings:
        is_turned = (seating.round, seating.table) in turned and seating.is_played
        assert (
            plain.at(seating.round, seating.table).ns == (seating.ew if is_turned else seating.ns)
            or not seating.is_played
        )
