"""A pair comes late: free seats, rovers, party tables, a table more."""

from dataclasses import replace
from fractions import Fraction
from time import process_time

import pytest

from movements.engine import catalogue, laws
from movements.engine.changes import FewerBoards, PairArrives, PairLeaves
from movements.engine.changes.labels import next_label
from movements.engine.drawing import draws, open_rounds
from movements.engine.families.rovers.transversal import is_rover_path
from movements.engine.model import Field, Seating
from movements.engine.options import merge_fields

from .changing import found, kinds, path, printed, shown, waits, without_names

LATE = PairArrives()
IN_TIME = PairArrives(joins_running=True)


@pytest.mark.parametrize(
    ("taken", "free"),
    [(("1", "2", "3"), "4"), (("1", "3"), "2"), (("2", "3"), "1"), (("1", "A"), "2"), ((), "1")],
)
def test_a_newcomer_is_called_by_the_lowest_number_that_nobody_has(taken, free):
    movement = catalogue.build_movement("mitchell", 3)
    movement = replace(movement, fields=(movement.fields[0], Field("ew", taken)))

    assert next_label(movement, 1) == free


def test_a_pair_comes_before_the_last_round_and_not_after_it():
    assert {"rover", "new-table"} <= set(kinds(("mitchell", 5), 4, LATE))
    assert kinds(("mitchell", 5), 5, LATE) == []


# ── the missing pair's seat ──


def test_a_late_pair_takes_the_missing_pairs_seat_from_the_next_round():
    half_full = catalogue.build_movement("mitchell", 5, None, "EW 5")

    best = found(half_full, 2, LATE)[0]

    assert (best.kind, best.facts) == ("free-seat", {"running": 0})
    assert best.movement.label(best.newcomer) == "EW 5"
    assert shown(best.movement) == [
        "1-6:A  2-7:B  3-8:C  4-9:D  5-:E",
        "1-:B  2-6:C  3-7:D  4-8:E  5-9:A",
        *shown(catalogue.build_movement("mitchell", 5), 3),
    ]
    assert waits(best.movement) == [["NS 5"], ["NS 1"], [], [], []]


@pytest.mark.parametrize(("family", "tables"), [("mitchell", 5), ("howell", 5)])
def test_only_the_newcomer_has_a_new_place_where_a_free_seat_is_taken(family, tables):
    missing = "EW 5" if family == "mitchell" else "10"
    half_full = catalogue.build_movement(family, tables, None, missing)

    best = found(half_full, 2, LATE, "free-seat")[0]

    assert best.consequences.moved == (best.newcomer,)
    assert len(best.consequences.replaced) > 1  # who waited at the half table plays there now


def test_a_pair_that_comes_in_time_may_join_at_once_or_wait():
    half_full = catalogue.build_movement("mitchell", 5, None, "EW 5")

    free = found(half_full, 2, IN_TIME, "free-seat")

    assert [(item.facts["running"], item.from_round, path(item)) for item in free] == [
        (1, 2, {2: 1, 3: 2, 4: 3, 5: 4}),
        (0, 3, {3: 2, 4: 3, 5: 4}),
    ]
    assert waits(free[0].movement) == [["NS 5"], [], [], [], []]


def test_a_pair_that_comes_before_the_start_fills_the_movement():
    half_full = catalogue.build_movement("skip-mitchell", 6, None, "NS 3")

    best = found(half_full, 0, LATE)[0]

    assert best.movement == catalogue.build_movement("skip-mitchell", 6)


def test_a_howell_fills_its_phantom_too():
    half_full = catalogue.build_movement("howell", 4, None, "3")

    best = found(half_full, 3, LATE)[0]

    assert best.kind == "free-seat"
    assert best.movement.label(best.newcomer) == "3"
    assert shown(best.movement, 4) == shown(catalogue.build_movement("howell", 4), 4)


def test_a_player_who_comes_late_takes_the_seats_of_one_who_left():
    whole = catalogue.build_movement("individual", 2)
    one_short = found(whole, 1, PairLeaves(2))[0].movement

    [only] = found(one_short, 3, LATE)

    assert (only.kind, only.newcomer, waits(only.movement)[3:]) == ("free-seat", 9, [[]] * 4)
    renamed = {number: 9 if number == 2 else number for number in whole.contestants}
    expected = [
        [{renamed[number] for number in side} for side in (s.ns, s.ew)]
        for s in whole.seatings
        if s.round > 3
    ]
    assert [[set(s.ns), set(s.ew)] for s in only.movement.seatings if s.round > 3] == expected


def test_where_the_four_lines_are_ranked_apart_a_player_joins_the_line_that_is_short():
    whole = catalogue.build_movement("rainbow", 5)
    one_short = found(whole, 1, PairLeaves(whole.contestant("S 2")))[0].movement

    [only] = found(one_short, 3, LATE)

    assert only.movement.label(only.newcomer) == "S 6"
    assert waits(only.movement)[3:] == [[], []]


# ── rovers: the printed sequences ──


@pytest.mark.parametrize(
    ("reference", "base"),
    [
        ("ns-rover-mitchell-5.peach", "mitchell"),
        ("ns-rover-mitchell-7.peach", "mitchell"),
        ("ns-rover-mitchell-9.peach", "mitchell"),
        ("ns-rover-mitchell-11.peach", "mitchell"),
        ("ns-rover-skip-8.peach", "skip-mitchell"),
        ("ns-rover-skip-10.peach", "skip-mitchell"),
        ("ns-rover-skip-14.peach", "skip-mitchell"),
        ("ns-rover-share-relay-6.peach", "share-and-relay"),
        ("ns-rover-share-relay-8.peach", "share-and-relay"),
        ("ns-rover-share-relay-12.peach", "share-and-relay"),
    ],
)
@pytest.mark.parametrize("fixed", [0, 1])
def test_a_late_pair_in_round_1_gets_the_printed_north_south_sequence(reference, base, fixed):
    expected = printed(reference)
    movement = catalogue.build_movement(base, expected.tables, expected.rounds)

    rovers = [item for item in found(movement, fixed, LATE, "rover") if item.facts["ns"]]

    assert without_names(rovers[0].movement) == without_names(expected)


@pytest.mark.parametrize("fixed", [0, 1])
def test_a_late_pair_in_round_1_gets_the_printed_east_west_sequence(fixed):
    rovers = found(("mitchell", 5), fixed, LATE, "rover")

    assert [without_names(rover.movement) for rover in rovers if not rover.facts["ns"]] == [
        without_names(printed("ew-rover-5x5.wikipedia"))
    ]


def test_at_nine_tables_two_pairs_exchange_places_or_somebody_is_displaced_twice():
    rovers = found(("mitchell", 9), 1, LATE, "rover")

    told = [
        (rover.facts["exchange"], rover.facts["ns"], waits(rover.movement)[1:]) for rover in rovers
    ]
    assert told == [
        (1, 0, [["EW 1"], ["EW 2"], ["EW 3"], ["EW 5"], ["EW 7"], ["EW 8"], ["EW 9"], ["EW 6"]]),
        (1, 1, [["NS 2"], ["NS 4"], ["NS 6"], ["NS 9"], ["NS 3"], ["NS 5"], ["NS 7"], ["NS 8"]]),
        (0, 1, [["NS 1"], ["NS 1"], ["NS 4"], ["NS 6"], ["NS 3"], ["NS 9"], ["NS 2"], ["NS 5"]]),
        (0, 0, [["EW 9"], ["EW 9"], ["EW 1"], ["EW 2"], ["EW 4"], ["EW 6"], ["EW 7"], ["EW 8"]]),
    ]  # fmt: skip


def test_at_fifteen_tables_the_exchange_leaves_round_1_as_it_was_played():
    movement = catalogue.build_movement("mitchell", 15)

    exchanged = [item for item in found(movement, 1, LATE, "rover") if item.facts["exchange"]]

    assert [item.facts["rounds"] for item in exchanged] == [14, 14]
    for proposal in exchanged:
        first = [
            replace(s, ew=proposal.numbers[s.ew], ns=proposal.numbers[s.ns])
            for s in movement.in_round(1)
        ]
        assert list(proposal.movement.in_round(1)) == first


# ── rovers: searched ──


@pytest.mark.parametrize(
    ("family", "tables"),
    [
        ("mitchell", 7),
        ("mitchell", 11),
        ("skip-mitchell", 8),
        ("share-and-relay", 8),
        ("web", 10),
        ("two-stanza", 10),
        ("scrambled-mitchell", 7),
        ("bowman", 12),
    ],
)
@pytest.mark.parametrize("fixed", [2, 3, 5])
def test_a_rover_may_begin_in_any_round_of_any_movement(family, tables, fixed):
    movement = catalogue.build_movement(family, tables)

    rovers = found(movement, fixed, LATE, "rover")

    assert {rover.facts["ns"] for rover in rovers} == {0, 1}
    for proposal in rovers:
        rounds = range(fixed + 1, movement.rounds + 1)
        assert is_rover_path(movement, path(proposal))
        assert (proposal.facts["rounds"], proposal.facts["of"]) == (len(rounds), len(rounds))
        assert list(path(proposal)) == list(rounds)
        assert [len(out) for out in waits(proposal.movement)] == [0] * fixed + [1] * len(rounds)


def test_in_a_crisscross_a_rover_displaces_a_pair_twice_where_it_must():
    rovers = found(("crisscross", 8), 3, LATE, "rover")

    assert [path(rover) for rover in rovers] == [{4: 1, 5: 3, 6: 5, 7: 2, 8: 4}] * 2
    assert all(rover.movement.longest_sit_out == 1 for rover in rovers)


def test_where_no_path_lasts_to_the_end_the_longest_is_offered_and_says_so():
    rover = found(("share-and-relay", 6), 0, LATE, "rover")[0]
    short = found(("mitchell", 3), 1, LATE, "rover")

    assert (rover.facts["rounds"], rover.facts["of"]) == (5, 6)
    assert [(item.facts["rounds"], item.facts["of"]) for item in short] == [(2, 2), (2, 2)]


def test_pairs_that_must_stay_seated_are_not_displaced():
    spared = PairArrives(spared=frozenset({2, 4}))

    rovers = found(("mitchell", 7), 1, spared, "rover")

    displaced = [{out for round in waits(rover.movement)[1:] for out in round} for rover in rovers]
    assert [names & {"NS 2", "NS 4"} for names in displaced] == [set(), set()]


# ── two-way rovers ──


def test_a_two_way_rover_follows_the_printed_one_from_round_2():
    expected = printed("two-way-rover-4half-4r.wikipedia")
    movement = merge_fields(catalogue.build_movement("crisscross", 4))

    [one] = found(movement, 1, LATE, "two-way-rover")

    whole_b = [replace(s, sets=("B",)) if "B1" in s.sets else s for s in expected.seatings]
    assert [s for s in one.movement.seatings if s.round > 1] == [s for s in whole_b if s.round > 1]
    assert one.movement.longest_sit_out == Fraction(1, 2)
    assert {one.parts[name] for name in ("A1", "A2")} == {
        ("A", Fraction(0), Fraction(1, 2)),
        ("A", Fraction(1, 2), Fraction(1)),
    }


def test_with_two_winners_there_is_no_two_way_rover():
    assert found(("mitchell", 7), 1, LATE, "two-way-rover") == []


@pytest.mark.parametrize(("family", "tables"), [("scrambled-mitchell", 7), ("howell", 5)])
def test_a_two_way_rover_of_whole_sets_lets_nobody_wait_longer_than_half_a_round(family, tables):
    for item in found((family, tables), 2, LATE, "two-way-rover"):
        later = [s for s in item.consequences.sit_outs if s[1] > 2]
        assert {share for _, _, share in later} == {Fraction(1, 2)}


# ── a second late pair ──


def second(base, fixed, line):
    """The party tables for a second late pair beside a rover in a line."""
    rover = next(item for item in found(base, fixed, LATE, "rover") if item.facts["ns"] == line)
    return found(rover.movement, fixed, LATE, "party-table")


def test_rover_and_party_table_are_those_printed():
    expected = printed("rover-party-6x5.wikipedia")

    [party] = second(("mitchell", 5), 0, line=0)

    assert without_names(party.movement) == without_names(expected)
    assert set(party.movement.shared) == set(expected.shared)
    assert party.consequences.sit_outs == ()
    assert party.facts == {"table": 6}


def test_after_round_1_the_party_table_goes_on_as_printed():
    expected = printed("rover-party-6x5.wikipedia")

    [party] = second(("mitchell", 5), 1, line=0)

    later = [seating for seating in without_names(expected) if seating[0] > 1]
    assert [seating for seating in without_names(party.movement) if seating[0] > 1] == later
    assert party.consequences.shares == ((2, (2, 6)), (3, (4, 6)), (4, (1, 6)), (5, (3, 6)))


@pytest.mark.parametrize("line", [0, 1])
@pytest.mark.parametrize(
    ("family", "tables"), [("mitchell", 11), ("skip-mitchell", 8), ("web", 10)]
)
@pytest.mark.parametrize("fixed", [1, 4])
def test_beside_a_rover_of_any_line_nobody_sits_out_any_more(family, tables, fixed, line):
    [party] = second((family, tables), fixed, line)

    assert party.movement.tables == tables + 1
    assert party.consequences.sit_outs == ()
    assert party.movement.label(party.newcomer) == f"{'EW' if line else 'NS'} {tables + 1}"


def test_a_set_that_waits_is_played_at_the_party_table_before_one_is_shared():
    [party] = second(("web", 10), 1, line=1)

    on_stands = {(s.round, name) for s in party.movement.stands for name in s.sets}
    at_party = {(s.round, s.sets[0]) for s in party.movement.seatings if s.table == 11}
    assert on_stands & at_party == set()


@pytest.mark.parametrize("tables", [5, 7, 11])
def test_beside_a_two_way_rover_the_party_table_is_the_published_one(tables):
    expected = catalogue.build_movement("two-way-rover-party", tables + 1)

    [party] = found(("two-way-rover", tables), 0, LATE, "party-table")

    assert party.movement == replace(expected, family="two-way-rover", shared=party.movement.shared)
    assert set(party.movement.shared) == set(expected.shared)


def test_a_party_table_plays_whole_sets_after_boards_were_left_out():
    shorter = found(("mitchell", 7), 1, FewerBoards(2, 3))[0].movement
    rover = found(shorter, 2, LATE, "rover")[0].movement

    [party] = found(rover, 3, LATE, "party-table")

    sets = {name for s in party.movement.seatings if s.table == 8 for name in s.sets}
    assert {name[-1] for name in sets} == {"1"}


# ── a table more ──


def test_a_mitchell_gets_a_table_more_and_a_skip():
    larger = found(("mitchell", 5), 1, LATE, "new-table")

    assert [item.facts for item in larger] == [{"table": 6, "skip": 3, "rounds": 5}] * 2
    assert [proposal.movement.label(proposal.newcomer) for proposal in larger] == ["EW 6", "NS 6"]
    assert shown(larger[1].movement) == [
        "1-7:A  2-8:B  3-9:C  4-10:D  5-11:E",
        "1-:B  2-7:C  3-8:D  4-9:E  5-10:F  6-11:A",
        "1-11:C  2-:D  3-7:E  4-8:F  5-9:A  6-10:B",
        "1-9:D  2-10:E  3-11:F  4-:A  5-7:B  6-8:C",
        "1-8:E  2-9:F  3-10:A  4-11:B  5-:C  6-7:D",
    ]


def test_a_skip_mitchell_loses_its_skip_with_a_table_more():
    larger = found(("skip-mitchell", 8), 1, LATE, "new-table")

    assert [item.facts for item in larger] == [{"table": 9, "skip": 0, "rounds": 7}] * 2
    assert {item.consequences.new_sets for item in larger} == {("I",)}


def test_a_new_set_is_not_called_like_one_of_which_only_parts_are_left():
    shorter = found(("mitchell", 5), 1, FewerBoards(2, 3))[0].movement

    assert {item.consequences.new_sets for item in found(shorter, 1, LATE, "new-table")} == {("F",)}


def begun(family, tables):
    """The movements a late pair may make of one that has not begun, and who waits in round 1."""
    return [
        (proposal.movement.family, proposal.movement.rounds, waits(proposal.movement)[0])
        for proposal in found((family, tables), 0, LATE, "new-table")
    ]


def test_before_the_start_a_mitchell_becomes_one_for_an_even_number_of_tables():
    assert begun("mitchell", 7) == [
        ("skip-mitchell", 7, ["EW 8"]),
        ("share-and-relay", 7, ["EW 8"]),
        ("crisscross", 7, ["EW 8"]),
    ]


@pytest.mark.parametrize("family", ["mitchell", "skip-mitchell", "share-and-relay"])
def test_who_went_home_before_the_start_has_no_seat_in_a_larger_movement(family):
    movement = catalogue.build_movement(family, 7 if family == "mitchell" else 8)
    (left,) = found(movement, 0, PairLeaves(3), "half-table")

    offered = found(left.movement, 0, LATE)

    assert "free-seat" in [row.kind for row in offered]
    for proposal in offered:
        assert proposal.numbers[3] in proposal.movement.absent(1)


def test_before_the_start_a_crisscross_becomes_a_mitchell():
    assert begun("crisscross", 8) == [("mitchell", 8, ["EW 9"])]


# ── where there is nothing to change ──


@pytest.mark.parametrize(("family", "tables"), [("team-round-robin", 6), ("knockout", 4)])
def test_in_a_draw_of_teams_a_place_is_not_found_by_changing_seats(family, tables):
    assert kinds((family, tables, None), 1, LATE) == []


@pytest.mark.parametrize("contest", ["teams", "pairs"])
def test_whoever_comes_late_to_a_swiss_is_in_the_draws_to_come(contest):
    tables = 6 if contest == "teams" else 3 + 1
    movement = catalogue.build_movement("swiss", tables, 3, None, {"contest": contest})

    [late] = [row for row in found(movement, 1, LATE) if row.kind == "drawn-later"]

    newcomer = len(movement.contestants) + 1
    assert late.facts["first"] == 2
    assert newcomer in open_rounds.contestants_to_draw(late.movement)
    everybody = open_rounds.contestants_to_draw(late.movement)
    met = open_rounds.drawn_meetings(late.movement)
    drawn = open_rounds.apply_draw(late.movement, draws.swiss_draw(everybody, meetings=met))
    assert laws.find_errors(drawn) == ()
    assert newcomer in {contestant for s in drawn.in_round(2) for contestant in s.contestants}
    assert drawn.in_round(1) == movement.in_round(1)


def test_after_the_last_round_nobody_can_join():
    assert kinds(("mitchell", 5), 5, LATE) == []


def test_every_proposal_for_a_late_pair_is_lawful_in_every_kind_of_movement():
    for family, tables in (
        ("howell", 5),
        ("hesitation", 5),
        ("double-web", 14),
        ("twin-mitchell", 8),
    ):
        for proposal in found((family, tables), 1, IN_TIME):
            assert laws.find_errors(proposal.movement) == ()


def test_for_the_longest_evenings_less_is_tried():
    movement = catalogue.build_movement("mitchell", 59, 59)

    begin = process_time()
    kinds_found = kinds(movement, 1, PairArrives())

    assert process_time() - begin < 8  # a second or two on the machine it was written on
    assert kinds_found == ["rover", "rover", "new-table", "new-table"]


def test_a_table_may_be_added_in_the_round_after_which_somebody_leaves():
    left = found(("mitchell", 7), 2, PairLeaves(3))[0].movement

    [added, *_others] = found(left, 2, LATE, "new-table")

    gone = left.contestant("NS 3")
    assert added.movement.absent(3) == {added.numbers[gone]}
    assert [s.round for s in added.movement.seatings_of(added.numbers[gone])] == [1, 2]


def test_nobody_adds_a_table_in_the_round_in_which_another_pair_comes():
    first = found(("mitchell", 7), 2, LATE, "new-table")[0].movement

    assert found(first, 2, LATE, "new-table") == []


def test_a_pair_alone_in_a_drawn_round_keeps_its_direction_when_a_late_pair_joins_it():
    movement = catalogue.build_movement(
        "swiss", 5, 4, None, {"contest": "pairs", "behind": True, "half": True}
    )
    home = movement.seatings_of(8)[0]
    alone = Seating(2, home.table, 8, None, movement.in_round(2)[0].sets)
    others = [(1, 6), (9, 3), (2, 7), (5, 4)]
    tables = [table for table in range(1, 6) if table != home.table]
    drawn = replace(
        movement,
        seatings=(
            *movement.in_round(1),
            *(Seating(2, t, *two, alone.sets) for t, two in zip(tables, others, strict=True)),
            alone,
        ),
    )
    assert (home.ew, alone.ns) == (8, 8)

    [way] = [way for way in found(drawn, 1, LATE) if way.kind == "free-seat"]

    assert (way.movement.at(2, home.table).ns, way.movement.at(2, home.table).ew) == (10, 8)
