"""Arrow-switches: how even they make one field, at what cost, and that the result is lawful."""

import json
from collections import Counter, defaultdict
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movements.engine import catalogue, laws
from movements.engine.fairness.balance import balance
from movements.engine.fairness.switching import RoundSwitch, switchings, with_single_board_sets
from movements.engine.fairness.switching_room import SwitchState
from movements.engine.fairness.switching_search import _SwitchGains, rounds_to_switch
from movements.engine.files import document
from movements.engine.options import arrow_switched, merge_fields, remove_contestant

from .possible import howell_bound_by_boards, mitchell_bound

REFERENCE = Path(__file__).parent.parent / "data" / "reference"


def printed(name):
    text = (REFERENCE / f"{name}.json").read_text(encoding="utf-8")
    return document.read_movement(json.loads(text)).movement


def complete(tables):
    return catalogue.build_movement("mitchell" if tables % 2 else "share-and-relay", tables)


@cache
def front(tables, boards, iterations=20_000):
    return switchings(complete(tables), boards, rng=Random(1), iterations=iterations)


def best(movement, boards=1, iterations=20_000):
    return switchings(movement, boards, rng=Random(1), iterations=iterations)[-1]


# ── whole rounds ──


@pytest.mark.parametrize(
    ("rounds", "switched"),
    [(4, 1), (6, 1), (7, 1), (8, 1), (9, 1), (12, 2), (13, 2), (16, 2), (24, 3)],
)
def test_an_eighth_of_the_rounds_is_switched(rounds, switched):
    assert rounds_to_switch(rounds) == switched


@pytest.mark.parametrize("rounds", range(2, 41))
def test_an_eighth_brings_couples_that_meet_and_couples_of_a_line_closest(rounds):
    """Couples that meet: 4s more in one direction; of one line: r - 4s (with s rounds switched)."""
    gaps = {s: abs(4 * s - (rounds - 4 * s)) for s in range(1, rounds // 2 + 1)}

    assert gaps[rounds_to_switch(rounds)] == min(gaps.values())


@pytest.mark.parametrize(
    ("tables", "sd", "quality", "luck"),
    [
        (5, 1.618, 65.4, 21.8),
        (6, 1.462, 77.7, 14.8),
        (7, 1.049, 90.5, 8.4),
        (8, 1.237, 90.1, 8.0),
        (9, 1.165, 93.0, 6.3),
        (10, 1.643, 89.3, 7.6),
        (11, 1.875, 88.6, 7.5),
        (12, 2.069, 88.5, 7.2),
        (13, 1.773, 92.5, 5.5),
        (14, 1.770, 93.5, 4.9),
        (15, 1.633, 95.2, 4.0),
        (16, 1.866, 94.5, 4.2),
    ],
)
def test_the_last_rounds_switched_have_the_known_evenness(tables, sd, quality, luck):
    found = switchings(complete(tables), rng=Random(1), iterations=10)[1]

    assert found.level == "rounds"
    assert found.switches == tables * rounds_to_switch(tables)
    assert found.turns == tuple(
        RoundSwitch(round) for round in range(tables - rounds_to_switch(tables) + 1, tables + 1)
    )
    assert found.balance.sd == pytest.approx(sd, abs=0.0006)
    assert found.balance.quality == pytest.approx(quality, abs=0.06)
    assert 100 * found.balance.luck == pytest.approx(luck, abs=0.06)


@pytest.mark.parametrize(("tables", "sd"), [(12, 2.012), (14, 1.722), (16, 1.831)])
def test_other_rounds_than_the_last_may_be_better(tables, sd):
    levels = [s for s in front(tables, 1) if s.level == "rounds"]

    assert len(levels) == 2
    assert levels[1].balance.sd <= sd + 0.0006
    assert len(levels[1].turns) == rounds_to_switch(tables)
    assert all(turn.tables == turn.boards == () for turn in levels[1].turns)


# ── any table ──


def test_no_switching_of_four_tables_is_better_than_the_one_found():
    """Try all 2 to the 12 ways to turn tables, with one table of each set fixed."""
    movement = merge_fields(complete(4))
    stays = {}
    for index, seating in enumerate(movement.seatings):
        stays.setdefault(seating.sets, index)
    others = [index for index in range(16) if index not in stays.values()]
    room = SwitchState(movement, 1, 1)

    fewest = room.squares
    for choice in product((False, True), repeat=len(others)):
        wanted = {index for index, is_turned in zip(others, choice, strict=True) if is_turned}
        room.turn_all([i for i, is_turned in enumerate(room.turned) if is_turned != (i in wanted)])
        fewest = min(fewest, room.squares)

    found = front(4, 1)[-1]
    assert round(found.balance.sd, 3) == 1.278
    weights = found.balance.weights
    assert sum(weights[p][q] ** 2 for p, q in combinations(range(8), 2)) == fewest


@pytest.mark.parametrize(
    ("tables", "sd", "switches"), [(4, 1.278, 2), (5, 1.381, 3), (6, 1.286, 5)]
)
def test_small_mitchells_reach_the_proved_optimum_with_the_fewest_switches(tables, sd, switches):
    found = front(tables, 1)[-1]

    assert found.level == "tables"
    assert (round(found.balance.sd, 3), found.switches) == (sd, switches)


def test_of_equally_even_switches_the_unluckiest_pair_decides():
    """Skip Mitchell of 6 tables and 3 rounds: 33 ways of 4 switches are even, tried all of them."""
    found = best(catalogue.build_movement("skip-mitchell", 6, 3))

    assert (round(found.balance.sd, 3), found.switches) == (1.157, 4)
    assert round(found.balance.largest_luck, 3) == 0.661


@pytest.mark.parametrize("tables", [7, 8, 9])
def test_where_a_switched_round_is_as_good_as_any_nothing_harder_is_proposed(tables):
    assert [s.level for s in front(tables, 1)] == ["none", "rounds"]


@pytest.mark.parametrize(
    ("tables", "quality"), [(10, 92.0), (11, 91.7), (12, 92.3), (13, 92.6), (14, 93.9)]
)
def test_larger_mitchells_gain_by_turning_single_tables(tables, quality):
    """Run with a fifteenth of the usual trials; the benchmark shows the result of the usual number."""
    found = front(tables, 1)[-1]

    assert found.balance.quality > quality
    assert found.balance.sd > mitchell_bound(tables)


@pytest.mark.parametrize(
    ("movement", "quality"),
    [
        (catalogue.build_movement("mitchell", 9, 8), 72.8),
        (catalogue.build_movement("mitchell", 13, 12), 84.0),
        (catalogue.build_movement("mitchell", 13, 9), 51.0),
        (catalogue.build_movement("skip-mitchell", 8), 74.4),
        (catalogue.build_movement("skip-mitchell", 10), 80.8),
        (printed("hesitation-5x6.wikipedia"), 75.1),
        (printed("partial-howell-6x8.wikipedia"), 90.9),
    ],
    ids=lambda value: (
        f"{value.family}-{value.tables}x{value.rounds}" if hasattr(value, "family") else ""
    ),
)
def test_incomplete_movements_reach_the_known_quality(movement, quality):
    assert best(movement).balance.quality >= quality - 0.05


# ── single boards ──


@pytest.mark.parametrize(
    ("tables", "boards", "quality", "slots"),
    [(7, 3, 97.4, 3), (7, 4, 98.3, 4), (8, 3, 96.2, 3), (9, 3, 97.7, 4), (10, 2, 95.5, 3)],
)
def test_the_whole_room_turns_one_board_in_a_few_different_rounds(tables, boards, quality, slots):
    (found,) = (s for s in front(tables, boards) if s.level == "room")

    assert found.balance.quality >= quality - 0.06
    assert len(found.turns) == slots
    assert len({turn.round for turn in found.turns}) == slots
    assert all(turn.tables == () and len(turn.boards) == 1 for turn in found.turns)
    assert found.switches == slots * tables


@pytest.mark.parametrize(
    ("tables", "boards", "quality"),
    [(4, 6, 98.4), (7, 3, 97.5), (7, 4, 98.4), (8, 3, 97.6), (9, 3, 98.0)],
)
def test_any_board_at_any_table_is_fairer_still(tables, boards, quality):
    found = front(tables, boards)[-1]

    assert found.level == "tables"
    assert found.balance.quality >= quality


def test_a_three_table_howell_is_perfect_where_half_a_set_may_be_turned():
    movement = printed("howell-3x5.wikipedia")

    assert best(movement, 2).balance.sd == 0.0
    assert best(movement, 3).balance.sd == pytest.approx(howell_bound_by_boards(3, 3))


# ── what every result must be ──

RESULTS = [
    (complete(6), 1),
    (complete(7), 3),
    (complete(8), 2),
    (catalogue.build_movement("mitchell", 9, 8), 2),
    (remove_contestant(catalogue.build_movement("skip-mitchell", 8), "EW 3"), 2),
    (remove_contestant(catalogue.build_movement("mitchell", 7, 3), "EW 4"), 2),
    (printed("web-11x5.wikipedia"), 2),
    (printed("rover-party-6x5.wikipedia"), 2),
    (printed("scissors-howell-3x5.wikipedia"), 1),
    (printed("two-way-rover-4half-4r.wikipedia"), 1),
    (printed("two-way-rover-4half-4r.wikipedia"), 3),
    (printed("howell-3x5.wikipedia"), 3),
]


@pytest.fixture(
    scope="module",
    params=RESULTS,
    ids=lambda case: f"{case[0].family}-{case[0].tables}x{case[0].rounds}x{case[1]}",
)
def result(request):
    movement, boards = request.param
    return movement, boards, switchings(movement, boards, rng=Random(7), iterations=3_000)


def test_a_switched_movement_is_lawful_and_can_be_written_and_read(result):
    for found in result[2]:
        data = document.movement_dict(document.MovementDocument(found.movement))
        assert laws.find_errors(found.movement) == ()
        assert document.read_movement(data).movement == found.movement


def test_everybody_plays_the_same_boards_against_the_same_people_as_before(result):
    movement, boards, found_all = result
    before = with_single_board_sets(merge_fields(movement), boards)

    def meetings(one):
        return Counter(
            (s.round, s.table, frozenset((s.ns, s.ew)), name)
            for s in one.seatings
            if s.is_played
            for name in s.sets
        )

    for found in found_all:
        assert meetings(with_single_board_sets(found.movement, found.boards_per_set)) == meetings(
            before
        )


def test_no_more_than_half_the_tables_are_turned_on_a_board(result):
    movement, boards, found_all = result
    before = with_single_board_sets(merge_fields(movement), boards)
    sides = {(s.round, s.table, n): (s.ns, s.ew) for s in before.seatings for n in s.sets}
    tables = Counter(n for s in before.seatings if s.is_played for n in s.sets)

    for found in found_all:
        turned = Counter(
            name
            for s in with_single_board_sets(found.movement, found.boards_per_set).seatings
            for name in s.sets
            if (s.ns, s.ew) != sides[s.round, s.table, name] and s.is_played
        )
        assert turned.total() == found.switches
        # a table that plays in parts turns several boards at once, perhaps one of them too many
        if found.level == "tables" and "two-way" not in movement.family:
            assert all(2 * count <= tables[name] for name, count in turned.items())


def test_what_is_said_is_what_is_turned(result):
    movement, boards, found_all = result
    before = with_single_board_sets(merge_fields(movement), boards)

    for found in found_all:
        said = defaultdict(set)
        for turn in found.turns:
            for s in before.in_round(turn.round):
                if s.is_played and (not turn.tables or s.table in turn.tables):
                    said[s.round, s.table] |= {
                        name
                        for place, name in enumerate(s.sets, start=1)
                        if not turn.boards or place in turn.boards
                    }
        sides = {(s.round, s.table, n): (s.ns, s.ew) for s in before.seatings for n in s.sets}
        turned = defaultdict(set)
        for s in with_single_board_sets(found.movement, found.boards_per_set).seatings:
            for name in s.sets:
                if s.is_played and (s.ns, s.ew) != sides[s.round, s.table, name]:
                    turned[s.round, s.table].add(name)
        # a table that plays in parts turns whole parts: what is said names the table only
        in_parts = {place for place in said if len(before.seatings_at_table(*place)) > 1}
        assert {p: said[p] for p in said if p not in in_parts} == {
            p: turned[p] for p in turned if p not in in_parts
        }
        assert set(said) == set(turned)


def test_turning_keeps_the_mean_and_every_level_is_fairer_than_the_easier_ones(result):
    found_all = result[2]

    assert {found.balance.mean for found in found_all} == {found_all[0].balance.mean}
    assert [found.balance for found in found_all] == [
        balance(found.movement, found.boards_per_set) for found in found_all
    ]
    for easier, harder in pairwise(found_all):
        assert harder.balance.sd < easier.balance.sd
        assert harder.balance.luck < easier.balance.luck


def test_tables_that_play_in_parts_keep_their_parts():
    movement = printed("two-way-rover-4half-4r.wikipedia")
    found = best(movement, 3)

    assert found.level == "tables"
    for round, table in {(s.round, s.table) for s in movement.seatings}:
        parts = movement.seatings_at_table(round, table)
        if len(parts) > 1:
            assert len(found.movement.seatings_at_table(round, table)) == len(parts)


def test_a_table_that_turns_one_board_plays_the_others_first_in_the_usual_direction():
    found = next(s for s in front(7, 3) if s.level == "room")
    turn = found.turns[0]
    usual, turned = found.movement.seatings_at_table(turn.round, 1)

    assert found.boards_per_set == 1
    assert (turned.ns, turned.ew) == (usual.ew, usual.ns)
    assert len(usual.sets) == 2
    assert turned.sets == (
        found.movement.sets[3 * (ord(turned.sets[0][0]) - 65) + turn.boards[0] - 1],
    )


def test_sets_stay_sets_where_whole_rounds_are_turned():
    found = next(s for s in front(7, 3) if s.level == "rounds")

    assert found.boards_per_set == 3
    assert found.movement == arrow_switched(merge_fields(complete(7)), {7})
    assert (found.switches, found.turns) == (21, (RoundSwitch(7),))


def test_rounds_already_played_keep_their_directions():
    movement = merge_fields(complete(10))
    found = switchings(movement, 2, rng=Random(1), iterations=4_000, from_round=4)

    assert [s.level for s in found] == ["none", "rounds", "room", "tables"]
    for switching in found[1:]:
        assert min(turn.round for turn in switching.turns) >= 4
        played = with_single_board_sets(switching.movement, switching.boards_per_set)
        for round in (1, 2, 3):
            assert played.in_round(round) == with_single_board_sets(movement, 2).in_round(round)


def test_the_same_seed_gives_the_same_switches():
    def search(seed):
        return switchings(complete(6), 2, rng=Random(seed), iterations=1_500)

    assert search(5) == search(5)
    assert len({search(seed)[-1].movement for seed in range(4)}) > 1


@pytest.mark.parametrize(
    "name", ["team-acbl-5x4.wikipedia", "shomate-2x7.wikipedia", "rainbow-5x5.wikipedia"]
)
def test_teams_and_individuals_are_left_as_they_are(name):
    (found,) = switchings(printed(name), 2, rng=Random(1))

    assert (found.level, found.movement, found.switches) == ("none", printed(name), 0)


def test_a_perfect_movement_needs_no_switches():
    (found,) = switchings(printed("howell-4x7.wikipedia"), 3, rng=Random(1))

    assert (found.level, found.balance.score) == ("none", 100)


# ── sets and their boards ──


def test_a_set_is_divided_into_its_boards():
    movement = complete(8)
    divided = with_single_board_sets(movement, 2)

    assert divided.sets[:4] == ("A1", "A2", "B1", "B2")
    assert divided.at(1, 1).sets == ("A1", "A2")
    assert divided.waiting(1)[0].sets == tuple(
        n + b for n in movement.waiting(1)[0].sets for b in "12"
    )
    assert laws.find_violations(divided) == ()
    assert balance(divided) == balance(movement, 2)
    assert with_single_board_sets(movement, 1) is movement


def test_names_that_end_in_a_number_keep_their_boards_apart():
    divided = with_single_board_sets(printed("scissors-howell-3x5.wikipedia"), 2)

    assert divided.sets[:4] == ("A1.1", "A1.2", "A2.1", "A2.2")
    assert len(set(divided.sets)) == len(divided.sets)


# ── the arithmetic of the search ──


@settings(deadline=None, derandomize=True, max_examples=30)
@given(
    st.sampled_from(
        [
            complete(6),
            catalogue.build_movement("mitchell", 7, 3),
            remove_contestant(catalogue.build_movement("mitchell", 7, 3), "EW 4"),
            printed("two-way-rover-4half-4r.wikipedia"),
            printed("partial-howell-6x8.wikipedia"),
        ]
    ),
    st.integers(1, 3),
    st.data(),
)
def test_what_turning_a_board_is_said_to_cost_is_what_it_costs(movement, boards, data):
    movement = merge_fields(movement)
    room = SwitchState(movement, boards, 1)
    for index in data.draw(st.lists(st.sampled_from(room.free), max_size=12)):
        room.turn_play(index, room.gain_of_turn(index))

    divided = with_single_board_sets(movement, boards)
    turned = {
        (room.plays[i].seating, room.plays[i].position)
        for i, is_on in enumerate(room.turned)
        if is_on
    }
    seatings = []
    for index, seating in enumerate(divided.seatings):
        for position, name in enumerate(seating.sets):
            one = type(seating)(seating.round, seating.table, seating.ns, seating.ew, (name,))
            seatings.append(one.turned() if (index, position) in turned else one)
    measured = balance(type(divided)(**{**vars_of(divided), "seatings": tuple(seatings)}))
    unit = (
        next(play.factor * (room.tables[play.board] - 1) for play in room.plays)
        if measured.is_percentage
        else 1
    )

    assert room.weights == [[weight * unit for weight in row] for row in measured.weights]
    assert room.squares == sum(w * w for row in room.weights for w in row) // 2


@pytest.mark.parametrize(
    ("movement", "boards"),
    [
        (complete(6), 2),
        (remove_contestant(catalogue.build_movement("mitchell", 7, 3), "EW 4"), 2),
        (catalogue.build_movement("partial-howell", 5, 7), 1),
    ],
)
def test_what_turning_a_board_would_gain_is_kept_up_to_date(movement, boards):
    room = SwitchState(merge_fields(movement), boards, 1)
    gains = _SwitchGains(room, room.free)
    rng = Random(4)

    for _ in range(50):
        gains.turn_board(rng.randrange(len(gains.all)))
        assert gains.all == [room.gain_of_turn(index) for index in gains.order]


def test_a_second_is_enough_for_the_best_balance_known():
    """Measure one room; the benchmark measures more."""
    found = switchings(complete(11), 2, rng=Random(1))[-1]

    assert found.balance.quality >= 97.23


def vars_of(movement):
    return {name: getattr(movement, name) for name in movement.__dataclass_fields__}


@pytest.mark.parametrize(("tables", "boards"), [(5, 2), (7, 4), (9, 2)])
def test_one_table_that_turns_half_of_its_boards_makes_odd_howells_perfect(tables, boards):
    howell = catalogue.build_movement("howell", tables)

    found = switchings(howell, boards, rng=Random(1), iterations=2_000)[-1]

    half = tuple(range(boards // 2 + 1, boards + 1))
    assert found.balance.sd == 0
    assert {turn.boards for turn in found.turns} == {half}
    assert {turn.tables for turn in found.turns} == {found.turns[0].tables}
    assert [turn.round for turn in found.turns] == list(range(1, 2 * tables))
