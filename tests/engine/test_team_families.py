"""Movements and draws of teams: as printed, lawful at every size, and refused where there is none."""

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from movements.engine import catalogue, laws
from movements.engine.declarations import Share, Stand, Triangle
from movements.engine.descriptions.wording import round_announcement
from movements.engine.errors import (
    MovementError,
    NoMissingPair,
    OddTables,
    TooFewTables,
    UnknownOption,
    WrongRounds,
    WrongTables,
)
from movements.engine.families.team_movements.teams import read_table
from movements.engine.files import document
from movements.engine.model import Seating, set_names
from tests.proofs.searches.team_triangles import table

REFERENCE = Path(__file__).parent.parent / "data" / "reference"
NAMES = (
    "head-to-head",
    "triangle",
    "team-awl",
    "new-england-relay",
    "mitchell-teams",
    "team-round-robin",
    "team-rings",
    "knockout",
    "swiss",
)


def printed(name):
    text = (REFERENCE / f"{name}.json").read_text(encoding="utf-8")
    return document.read_movement(json.loads(text)).movement


def with_sets_as_letters(movement):
    """The movement with its sets, printed as board numbers, called A, B, C …"""
    letter = dict(zip(movement.sets, set_names(len(movement.sets)), strict=True))
    return replace(
        movement,
        sets=tuple(letter.values()),
        seatings=tuple(
            replace(s, sets=tuple(letter[name] for name in s.sets)) for s in movement.seatings
        ),
    )


def meetings(movement):
    """Return how often every two teams meet; the two tables of a match count once."""
    met = Counter()
    for seating in movement.seatings:
        if seating.is_played:
            met[frozenset((seating.ns, seating.ew))] += 1
    if movement.sets:
        met = Counter(dict.fromkeys(met, 1))
    for triangle in movement.triangles:
        met.update(map(frozenset, combinations(triangle.teams, 2)))
    return met


# ── as printed ──


@pytest.mark.parametrize("teams", [4, 7, 9, 11, 13])
def test_round_robin_is_the_printed_one(teams):
    (file,) = REFERENCE.glob(f"round-robin-{teams}.*.json")

    assert catalogue.build_movement("team-round-robin", teams) == printed(file.stem)


@pytest.mark.parametrize(
    ("name", "teams"), [("team-acbl-5x4.wikipedia", 5), ("team-9-rings.wikipedia", 9)]
)
def test_rings_are_the_printed_ones(name, teams):
    built = catalogue.build_movement("team-rings", teams)

    assert replace(built, family="team-round-robin") == printed(name)


def test_triangle_is_the_printed_one():
    built = catalogue.build_movement("triangle", 3, None, None, {"teams": ("x", "y", "z")})

    assert built == printed("triangle-3-teams.wikipedia")


def test_triangle_of_teams_with_numbers_is_the_printed_one_at_their_tables():
    first = catalogue.build_movement("triangle", 3)
    in_halves = catalogue.build_movement("triangle", 3, 4, None, {"teams": ("1", "4", "5")})

    assert first == with_sets_as_letters(printed("triangle-7-teams-matches-1-2.peach"))
    assert in_halves == with_sets_as_letters(printed("triangle-7-teams-matches-3-4.peach"))


# ── by the rules of the documents ──


def test_shortened_american_whist_moves_east_west_further_at_first_and_then_two():
    movement = catalogue.build_movement("team-awl", 7, 4)

    assert [(s.ns, s.ew, s.sets) for s in movement.in_round(1)] == [
        (1, 4, ("G",)),
        (2, 5, ("A",)),
        (3, 6, ("B",)),
        (4, 7, ("C",)),
        (5, 1, ("D",)),
        (6, 2, ("E",)),
        (7, 3, ("F",)),
    ]
    assert [(s.ew, s.sets) for s in movement.seatings_of(1) if s.ns == 1] == [
        (4, ("G",)),
        (2, ("F",)),
        (7, ("E",)),
        (5, ("D",)),
    ]


def test_complete_american_whist_is_the_league_movement_without_its_first_round():
    movement = catalogue.build_movement("team-awl", 5, None, None, {"direction": "down"})

    # E-W down two, boards down one: E-W of team t + 2r at table t on set t + r
    assert [(s.round, s.table, s.ns, s.ew, s.sets) for s in movement.seatings] == [
        (r, t + 1, t + 1, (t + 2 * r) % 5 + 1, ("ABCDE"[(t + r) % 5],))
        for r in range(1, 5)
        for t in range(5)
    ]


@pytest.mark.parametrize("teams", range(3, 41))
def test_nobody_plays_the_boards_of_home_in_american_whist(teams):
    movement = catalogue.build_movement("team-awl", teams)

    for team in movement.contestants:
        assert set_names(teams)[team - 1] not in movement.sets_played(team)


@pytest.mark.parametrize("teams", range(3, 41))
def test_american_whist_leaves_out_as_few_opponents_as_the_rounds_allow(teams):
    for rounds in catalogue.find_family("team-awl").possible_rounds(teams):
        met = meetings(catalogue.build_movement("team-awl", teams, rounds))

        assert len(met) == teams * rounds // 2
    everybody = {frozenset(two) for two in combinations(range(1, teams + 1), 2)}
    opposite = {frozenset((a, a + teams // 2)) for a in range(1, teams // 2 + 1)}
    assert everybody - set(met) == (opposite if teams % 2 == 0 else set())


def test_even_american_whist_makes_its_longer_move_twice():
    movement = catalogue.build_movement("team-awl", 8, 6)

    east_west = [(s.table - s.ew) % 8 for s in movement.seatings if s.table == 1]
    boards = [("ABCDEFGH".index(s.sets[0]) - s.table + 1) % 8 for s in movement.seatings[::8]]
    assert east_west == [2, 5, 7, 1, 3, 6]
    assert boards == [7, 6, 5, 4, 3, 1]


@pytest.mark.parametrize("teams", range(4, 41, 2))
def test_everybody_meets_everybody_once_in_the_new_england_relay(teams):
    movement = catalogue.build_movement("new-england-relay", teams)

    assert meetings(movement) == {frozenset(two): 1 for two in combinations(range(1, teams + 1), 2)}
    assert movement.shared == tuple(Share(0, (k, k + teams // 2)) for k in range(1, teams // 2 + 1))


def test_new_england_relay_starts_one_table_and_one_station_from_home():
    movement = catalogue.build_movement("new-england-relay", 4)

    assert movement.in_round(1) == (
        Seating(1, 1, 1, 4, ("D",)),
        Seating(1, 2, 2, 1, ("B",)),
        Seating(1, 3, 3, 2, ("D",)),
        Seating(1, 4, 4, 3, ("B",)),
    )
    assert movement.waiting(1) == (Stand(1, 1, ("A",)), Stand(1, 2, ("C",)))


@pytest.mark.parametrize("row", range(3, 21))
def test_each_team_of_one_row_meets_those_of_the_other_in_the_mitchell_for_teams(row):
    movement = catalogue.build_movement("mitchell-teams", 2 * row)

    met = meetings(movement)
    assert movement.rounds == row - (row % 2 == 0)
    assert set(met) <= {frozenset((a, b)) for a in range(1, row + 1) for b in range(row + 1, 61)}
    assert len(met) == row * movement.rounds


def test_teams_in_two_rows_start_against_the_team_beside():
    movement = catalogue.build_movement("mitchell-teams", 6)

    assert [(s.table, s.ns, s.ew, s.sets) for s in movement.in_round(1)] == [
        (1, 1, 4, ("A",)),
        (2, 2, 5, ("B",)),
        (3, 3, 6, ("C",)),
        (4, 4, 1, ("A",)),
        (5, 5, 2, ("B",)),
        (6, 6, 3, ("C",)),
    ]


def test_round_robin_of_eight_counts_down_beside_counting_up():
    movement = catalogue.build_movement("team-round-robin", 8)

    assert [(s.ns, s.ew) for s in movement.in_round(1)] == [(8, 1), (7, 2), (6, 3), (5, 4)]
    assert [(s.ns, s.ew) for s in movement.in_round(2)] == [(8, 2), (1, 3), (7, 4), (6, 5)]
    assert [(s.ns, s.ew) for s in movement.in_round(7)] == [(8, 7), (6, 1), (5, 2), (4, 3)]


@pytest.mark.parametrize("teams", range(15, 60, 2))
def test_one_team_is_in_every_triangle_of_a_searched_round_robin(teams):
    movement = catalogue.build_movement("team-round-robin", teams)

    assert [t.teams for t in movement.triangles] == [(1, k, k + 1) for k in range(2, teams, 2)]
    assert laws.find_violations(movement) == ()


def test_searched_table_is_what_the_search_gives():
    assert read_table("team_triangles") == table()


def test_head_to_head_plays_each_stanza_at_both_tables():
    movement = catalogue.build_movement("head-to-head", 2, 3)

    assert [(s.round, s.table, s.ns, s.ew, s.sets) for s in movement.seatings] == [
        (1, 1, 1, 2, ("A",)),
        (1, 2, 2, 1, ("A",)),
        (2, 1, 1, 2, ("B",)),
        (2, 2, 2, 1, ("B",)),
        (3, 1, 1, 2, ("C",)),
        (3, 2, 2, 1, ("C",)),
    ]


# ── what the director says ──


def test_east_west_of_the_teams_go_up_two_and_the_boards_up_one():
    said = round_announcement(catalogue.build_movement("team-awl", 7), 3)

    assert (said.ns, said.ew, said.boards) == (0, 2, 1)
    assert (said.others, said.other_boards) == ((), ())


def test_longer_move_of_an_even_american_whist_is_said_as_a_skip():
    said = [
        round_announcement(catalogue.build_movement("team-awl", 10), after) for after in range(1, 8)
    ]

    assert [(item.ew, item.is_skip) for item in said] == [
        (2, False), (3, True), (2, False), (2, False), (2, False), (3, True), (2, False),
    ]  # fmt: skip


def test_draw_says_nothing_about_tables():
    said = round_announcement(catalogue.build_movement("team-round-robin", 7), 1)

    assert (said.ns, said.ew, said.boards, said.others) == (None, None, None, ())


# ── formats that are drawn as they go ──


def test_swiss_knows_its_first_round_and_leaves_the_others_open():
    movement = catalogue.build_movement("swiss", 8, 4)

    assert [(s.round, s.ns, s.ew) for s in movement.seatings] == [
        (1, 1, 5),
        (1, 2, 6),
        (1, 3, 7),
        (1, 4, 8),
    ]
    assert movement.open_rounds == (2, 3, 4)
    assert movement.sit_outs(2) == ()


def test_swiss_drawn_one_round_behind_knows_two_rounds():
    movement = catalogue.build_movement("swiss", 8, 4, None, {"behind": True, "first": "fold"})

    assert [(s.ns, s.ew) for s in movement.in_round(1)] == [(1, 8), (2, 7), (3, 6), (4, 5)]
    assert [(s.ns, s.ew) for s in movement.in_round(2)] == [(1, 7), (2, 6), (3, 5), (4, 8)]
    assert movement.open_rounds == (3, 4)


@pytest.mark.parametrize(
    ("odd", "triangles", "bye"),
    [
        ("triangle", (Triangle((1,), (7, 8, 9)),), ()),
        ("long-triangle", (Triangle((1, 2), (7, 8, 9)),), ()),
        ("bye", (), ((9, None),)),
    ],
)
def test_odd_number_of_teams_in_a_swiss(odd, triangles, bye):
    movement = catalogue.build_movement("swiss", 9, 4, None, {"odd": odd})

    assert movement.triangles == triangles
    assert tuple((s.ns, s.ew) for s in movement.seatings if not s.is_played) == bye
    assert laws.find_violations(movement) == ()


def test_random_swiss_is_repeatable_by_its_seed():
    draws = [
        catalogue.build_movement(
            "swiss", 16, None, None, {"first": "random", "seed": seed}
        ).seatings
        for seed in (1, 1, 2)
    ]

    assert draws[0] == draws[1]
    assert draws[0] != draws[2]


def test_swiss_of_pairs_plays_the_same_boards_at_all_tables_with_a_bye_for_an_odd_number():
    movement = catalogue.build_movement("swiss", 4, 3, None, {"contest": "pairs", "half": True})

    assert movement.seatings == (
        Seating(1, 1, 1, 4, ("A",)),
        Seating(1, 2, 2, 5, ("A",)),
        Seating(1, 3, 3, 6, ("A",)),
        Seating(1, 4, 7, None, ("A",)),
    )
    assert (movement.sets, movement.copies) == (("A", "B", "C"), 4)
    assert laws.find_violations(movement) == ()


@pytest.mark.parametrize(
    ("option", "value"),
    [("contest", "individual"), ("first", "best"), ("odd", "none"), ("half", True)],
)
def test_swiss_refuses_options_it_does_not_have(option, value):
    with pytest.raises(UnknownOption):
        catalogue.build_movement("swiss", 8, None, None, {option: value})


def test_long_triangle_needs_an_even_number_of_rounds():
    with pytest.raises(WrongRounds) as refused:
        catalogue.build_movement("swiss", 9, 3, None, {"odd": "long-triangle"})

    assert refused.value.fields["allowed"] == (2, 4, 6, 8)


def test_knock_out_of_eleven_has_four_matches_and_a_triangle():
    movement = catalogue.build_movement("knockout", 11)

    assert [(s.ns, s.ew) for s in movement.seatings] == [(1, 2), (3, 4), (5, 6), (7, 8)]
    assert movement.triangles == (Triangle((1,), (9, 10, 11)),)
    assert (movement.rounds, movement.open_rounds) == (4, (2, 3, 4))


def test_knock_out_of_many_teams_is_divided_into_brackets():
    movement = catalogue.build_movement("knockout", 22)

    assert [t.teams for t in movement.triangles] == [(9, 10, 11), (20, 21, 22)]


# ── every family ──


@pytest.mark.parametrize("name", NAMES)
def test_catalogue_promises_exactly_what_the_generator_builds_lawfully(name):
    family = catalogue.find_family(name)
    for tables in range(1, 41):
        promised = set(family.possible_rounds(tables))
        assert (family.default_rounds(tables) in promised) == bool(promised)
        for rounds in {*range(1, 12), *range(tables - 2, tables + 2), *promised}:
            if rounds not in promised:
                with pytest.raises((WrongTables, WrongRounds)):
                    catalogue.build_movement(name, tables, rounds)
            elif tables <= 16 or rounds in (min(promised), max(promised)):
                movement = catalogue.build_movement(name, tables, rounds)
                assert laws.find_errors(movement) == ()
                assert movement.rounds == rounds


@pytest.mark.parametrize("name", NAMES)
def test_movement_of_teams_survives_its_json(name):
    family = catalogue.find_family(name)
    tables = next(tables for tables in (9, 8, 3, 2) if family.possible_rounds(tables))
    movement = catalogue.build_movement(name, tables)

    written = document.write_json(document.MovementDocument(movement))

    assert document.read_json(written).movement == movement


@pytest.mark.parametrize("name", NAMES)
def test_no_team_can_be_missing(name):
    family = catalogue.find_family(name)
    tables = next(tables for tables in (9, 8, 3, 2) if family.possible_rounds(tables))

    with pytest.raises(NoMissingPair):
        catalogue.build_movement(name, tables, None, "1")


@pytest.mark.parametrize(
    ("name", "tables", "rounds", "error"),
    [
        ("head-to-head", 3, None, WrongTables),
        ("head-to-head", 2, 1, WrongRounds),
        ("triangle", 4, None, WrongTables),
        ("triangle", 3, 3, WrongRounds),
        ("team-awl", 2, None, WrongTables),
        ("team-awl", 7, 5, WrongRounds),
        ("team-awl", 8, 8, WrongRounds),
        ("new-england-relay", 7, None, OddTables),
        ("new-england-relay", 8, 6, WrongRounds),
        ("mitchell-teams", 9, None, OddTables),
        ("mitchell-teams", 8, 4, WrongRounds),
        ("team-round-robin", 5, None, WrongTables),
        ("team-round-robin", 8, 6, WrongRounds),
        ("team-rings", 7, None, WrongTables),
        ("knockout", 3, None, WrongTables),
        ("knockout", 16, 3, WrongRounds),
        ("swiss", 8, 8, WrongRounds),
        ("swiss", 3, None, WrongTables),
    ],
)
def test_refusal_has_the_right_type(name, tables, rounds, error):
    refusal = catalogue.find_refusal(name, tables, rounds)

    assert type(refusal) is error


@pytest.mark.parametrize(("name", "tables"), [("mitchell-teams", 4), ("new-england-relay", 2)])
def test_generator_says_by_itself_that_there_are_too_few_teams(name, tables):
    with pytest.raises(TooFewTables):
        catalogue.find_family(name).build(tables)


def test_five_teams_are_sent_to_the_rings():
    with pytest.raises(WrongTables) as caught:
        catalogue.build_movement("team-round-robin", 5)

    assert caught.value.fields["instead"] == ("team-rings", "team-awl")


def test_a_triangle_has_three_different_teams():
    for teams in (("1", "2"), ("1", "1", "2"), ()):
        with pytest.raises(UnknownOption):
            catalogue.build_movement("triangle", 3, None, None, {"teams": teams})


def test_every_refusal_is_a_movement_error_with_a_sentence():
    for name in NAMES:
        for tables in range(1, 12):
            refusal = catalogue.find_refusal(name, tables, 3)
            assert refusal is None or isinstance(refusal, MovementError)
            assert refusal is None or str(refusal).endswith(".")


@pytest.mark.parametrize("teams", [4, 6, 7, 8, 9, 10, 11, 13, 15, 16, 21])
def test_rotated_seating_rights_are_each_teams_in_half_of_its_matches(teams):
    usual = catalogue.build_movement("team-round-robin", teams)
    movement = catalogue.build_movement("team-round-robin", teams, options={"seating": "rotated"})

    first, matches = Counter(), Counter()
    for seating in movement.seatings:
        first[seating.ns] += 1
        matches.update(seating.contestants)
    assert all(abs(2 * first[team] - matches[team]) <= matches[team] % 2 for team in matches)
    assert laws.find_errors(movement) == ()
    assert [{s.ns, s.ew} for s in movement.seatings] == [{s.ns, s.ew} for s in usual.seatings]


def test_seating_rights_by_toss_are_repeatable():
    def tossed(seed):
        options = {"seating": "toss", "seed": seed}
        return catalogue.build_movement("team-round-robin", 8, options=options)

    assert tossed(1) == tossed(1)
    assert tossed(1) != tossed(2)
    assert laws.find_errors(tossed(1)) == ()
