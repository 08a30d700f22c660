"""Two-winner pairs: every size that is promised is lawful, everything else is refused."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from movements.engine import catalogue, laws
from movements.engine.declarations import Share
from movements.engine.errors import MovementError, UnknownOption
from movements.engine.files import document

REFERENCE = Path(__file__).parent.parent / "data" / "reference"
NAMES = [
    "barometer",
    "crisscross",
    "awl",
    "two-stanza",
    "scissors-mitchell",
    "web",
    "bowman",
    "double-web",
    "twin-mitchell",
    "one-and-a-half-appendix",
    "appendix-mitchell",
]


def printed(name):
    """A printed movement; its sets may be numbered where ours have letters."""
    data = json.loads((REFERENCE / f"{name}.json").read_text(encoding="utf-8"))
    return document.read_movement(data).movement


def sample(legal, tables):
    """Every number of rounds of a small movement, some of a large one."""
    legal = list(legal)
    return legal if tables <= 10 else sorted({legal[0], legal[len(legal) // 2], legal[-1]})


@pytest.mark.parametrize("name", NAMES)
def test_whatever_is_promised_is_lawful_with_either_half_table(name):
    family = catalogue.find_family(name)
    for tables in range(2, 41):
        legal = family.possible_rounds(tables)
        for rounds in sample(legal, tables) if legal else ():
            movement = catalogue.build_movement(name, tables, rounds)
            assert laws.find_errors(movement) == (), (tables, rounds)
            if family.takes_missing_pair and tables <= 13:
                for label in ("NS 1", f"EW {tables}"):
                    half = catalogue.build_movement(name, tables, rounds, label)
                    assert laws.find_errors(half) == (), (tables, rounds, label)


@pytest.mark.parametrize("name", NAMES)
def test_promise_and_ability_agree_in_both_directions(name):
    family = catalogue.find_family(name)
    for tables in range(1, 20):
        for rounds in range(1, tables + 3):
            is_promised = rounds in family.possible_rounds(tables)
            refused = catalogue.find_refusal(name, tables, rounds)
            assert (refused is None) == is_promised, (tables, rounds)
            assert refused is None or str(refused)


@pytest.mark.parametrize(
    ("reference", "name", "options"),
    [
        ("awl-5x5.wikipedia", "awl", {}),
        ("two-stanza-6x6.wikipedia", "two-stanza", {}),
        ("web-6x5.wikipedia", "web", {}),
        ("web-11x5.wikipedia", "web", {}),
        ("web-10x5.wikipedia", "web", {}),
        ("web-10x5-natural.wikipedia", "web", {"layout": "natural"}),
    ],
)
def test_generators_give_the_printed_tables(reference, name, options):
    expected = printed(reference)

    assert (
        catalogue.build_movement(name, expected.tables, expected.rounds, None, options) == expected
    )


def test_the_barometer_gives_the_printed_table_under_its_own_name():
    expected = replace(printed("barometer-mitchell-6x6.wikipedia"), family="barometer")

    assert catalogue.build_movement("barometer", 6) == expected


@pytest.mark.parametrize("name", ["crisscross", "awl", "two-stanza", "double-web"])
def test_complete_movements_meet_everybody_on_every_set(name):
    for tables in range(4, 17):
        if tables not in catalogue.find_family(name).possible_rounds(tables):
            continue
        movement = catalogue.build_movement(name, tables, tables)
        for pair in movement.contestants:
            assert (
                len({s.ns if pair == s.ew else s.ew for s in movement.seatings_of(pair)}) == tables
            )
            assert sorted(movement.sets_played(pair)) == sorted(movement.sets)


def test_stanzas_play_their_own_boards_before_and_after_the_break():
    for tables in range(4, 31, 2):
        movement = catalogue.build_movement("two-stanza", tables)
        before = {n for s in movement.seatings if s.round <= tables // 2 for n in s.sets}
        after = {n for s in movement.seatings if s.round > tables // 2 for n in s.sets}
        assert before.isdisjoint(after)


@pytest.mark.parametrize(
    ("tables", "pattern"), [(6, "up"), (8, "eight"), (12, "twelve"), (16, "whist")]
)
def test_every_published_pattern_of_two_stanzas_is_lawful(tables, pattern):
    movement = catalogue.build_movement("two-stanza", tables, None, None, {"pattern": pattern})

    assert laws.find_violations(movement) == ()


def test_a_pattern_that_repeats_opponents_is_refused_with_those_that_work():
    with pytest.raises(UnknownOption) as refused:
        catalogue.build_movement("two-stanza", 8, None, None, {"pattern": "up"})

    assert refused.value.fields["allowed"] == "usual, whist, eight"


@pytest.mark.parametrize(("tables", "stanzas"), [(9, 3), (15, 3), (20, 4), (15, 5)])
def test_three_and_more_stanzas_are_lawful(tables, stanzas):
    movement = catalogue.build_movement("two-stanza", tables, None, None, {"stanzas": stanzas})

    assert laws.find_errors(movement) == ()
    assert movement.copies == stanzas


@pytest.mark.parametrize("tables", [4, 6, 8, 10, 12])
def test_scissors_work_in_every_round_of_the_first_half(tables):
    for scissors in range(1, tables // 2 + 1):
        movement = catalogue.build_movement(
            "scissors-mitchell", tables, None, None, {"scissors": scissors}
        )
        assert laws.find_violations(movement) == ()
        assert sum(len(movement.seatings_at_table(r, 1)) == 2 for r in range(1, tables + 1)) == 2


@pytest.mark.parametrize("tables", range(6, 21))
def test_every_base_and_step_of_an_appendix_is_lawful(tables):
    from movements.engine.families.mitchells.appendix import STEPS, possible_bases

    for base in possible_bases(tables):
        for steps in STEPS:
            options = {"base": base, "steps": steps}
            assert (
                laws.find_errors(
                    catalogue.build_movement("appendix-mitchell", tables, base, None, options)
                )
                == ()
            )


def test_in_the_1_and_a_half_appendix_two_pairs_never_sit_out():
    for tables in range(6, 20):
        movement = catalogue.build_movement("one-and-a-half-appendix", tables)
        out = [number for r in range(1, movement.rounds + 1) for number, _ in movement.sit_outs(r)]
        assert len(out) == len(set(out)) == tables - 2
        assert len(set(movement.members(movement.fields[1])) - set(out)) == 2


def test_a_twin_of_two_runs_meets_the_other_row_too():
    movement = catalogue.build_movement("twin-mitchell", 10)

    for pair in range(1, 11):
        assert len({s.ew for s in movement.seatings_of(pair)}) == 10


def test_web_stands_hold_every_set_that_is_not_on_their_half():
    for tables, rounds in ((6, 5), (11, 5), (14, 9), (20, 13)):
        movement = catalogue.build_movement("web", tables, rounds)
        for round in range(1, rounds + 1):
            at_tables = [name for s in movement.in_round(round) for name in s.sets]
            waiting = [name for stand in movement.waiting(round) for name in stand.sets]
            counts = {name: (at_tables + waiting).count(name) for name in movement.sets}
            assert counts == dict.fromkeys(movement.sets, movement.copies)


def on_stand(movement, after_table):
    return [
        "".join(
            name
            for stand in movement.waiting(r)
            if stand.after_table == after_table
            for name in stand.sets
        )
        for r in range(1, movement.rounds + 1)
    ]


def test_a_web_of_two_tables_does_with_one_copy_shared_in_the_middle_round():
    movement = catalogue.build_movement("web", 12, 5)

    assert movement.copies == 3
    assert movement.shared == (Share(3, (11, 12)),)
    assert on_stand(movement, 11) == ["BC", "CE", "DE", "E", "B"]
    assert on_stand(movement, 12) == ["D", "A", "BA", "AC", "DC"]


@pytest.mark.parametrize("tables", range(5, 21))
def test_every_set_of_a_bowman_is_at_a_table_or_on_a_stand(tables):
    movement = catalogue.build_movement("bowman", tables)

    for round in range(1, movement.rounds + 1):
        front = [s.sets[0] for s in movement.in_round(round) if s.table <= tables - 2]
        back = {s.sets[0] for s in movement.in_round(round) if s.table > tables - 2}
        waiting = [name for stand in movement.waiting(round) for name in stand.sets]
        assert sorted(front) == sorted(movement.sets)
        assert sorted([*back, *waiting]) == sorted(movement.sets)


def test_the_web_and_the_bowman_of_two_tables_more_than_rounds_are_one_movement():
    assert catalogue.build_movement("bowman", 9) == replace(
        catalogue.build_movement("web", 9, 7), family="bowman"
    )


def test_eight_tables_play_their_double_web_in_five_and_three_rounds():
    movement = catalogue.build_movement("double-web", 8)

    assert {n for s in movement.seatings if s.round <= 5 for n in s.sets} == set("ABCDE")
    assert {n for s in movement.seatings if s.round > 5 for n in s.sets} == set("FGH")
    assert on_stand(movement, 4) == ["E", "A", "B", "C", "D", "", "", ""]
    assert on_stand(movement, 8) == ["D", "C", "B", "A", "E", "", "F", "G"]
    assert on_stand(movement, 7) == ["", "", "", "", "", "G", "H", ""]
    assert movement.shared == (Share(7, (7, 8)),)


@pytest.mark.parametrize(
    ("tables", "rounds", "first"), [(12, 12, 5), (12, 12, 7), (14, 12, 6), (16, 16, 9), (12, 10, 3)]
)
def test_the_rounds_of_a_double_web_can_be_split_as_the_director_likes(tables, rounds, first):
    movement = catalogue.build_movement("double-web", tables, rounds, None, {"first": first})

    before = {name for s in movement.seatings if s.round <= first for name in s.sets}
    after = {name for s in movement.seatings if s.round > first for name in s.sets}
    assert laws.find_errors(movement) == ()
    assert (len(before), len(after)) == (first, rounds - first)
    assert before.isdisjoint(after)


@pytest.mark.parametrize("name", NAMES)
def test_nonsense_options_are_refused_by_name(name):
    family = catalogue.find_family(name)
    tables = next(t for t in range(8, 20) if family.possible_rounds(t))
    for option in family.options:
        with pytest.raises(MovementError):
            catalogue.build_movement(
                name, tables, None, None, {option.name: "foxtrot" if option.choices else 999}
            )
