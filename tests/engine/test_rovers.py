"""Rovers: every size that is promised, the printed sequences, and paths in any movement."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from movements.engine import catalogue, laws
from movements.engine.errors import MovementError, NoMissingPair
from movements.engine.families.rovers.rover import (
    BASES,
    exchange_pairs,
    late_rover_path,
    stored_path,
    tables_by_formula,
)
from movements.engine.families.rovers.transversal import (
    add_rover,
    is_rover_path,
    path_from_tables,
    rover_path,
)
from movements.engine.families.tables import read_data_table
from movements.engine.files import document
from movements.engine.model import set_names

REFERENCE = Path(__file__).parent.parent / "data" / "reference"
NAMES = ["ns-rover", "ew-rover", "rover-party"]


def printed(name):
    """A printed movement, its sets in letters and the reasons of its exceptions left out."""
    data = json.loads((REFERENCE / f"{name}.json").read_text(encoding="utf-8"))
    return lettered(document.read_movement(data).movement)


def lettered(movement):
    names = dict(zip(movement.sets, set_names(len(movement.sets)), strict=True))

    def letters(sets):
        return tuple(names[name] for name in sets)

    return replace(
        movement,
        sets=letters(movement.sets),
        seatings=tuple(replace(s, sets=letters(s.sets)) for s in movement.seatings),
        stands=tuple(replace(s, sets=letters(s.sets)) for s in movement.stands),
        exemptions=tuple(replace(e, why="") for e in movement.exemptions),
    )


@pytest.mark.parametrize(
    ("reference", "base", "revenge"),
    [
        ("ns-rover-mitchell-5.peach", "mitchell", False),
        ("ns-rover-mitchell-7.peach", "mitchell", False),
        ("ns-rover-mitchell-9.peach", "mitchell", False),
        ("ns-rover-mitchell-11.peach", "mitchell", False),
        ("ns-rover-skip-8.peach", "skip-mitchell", False),
        ("ns-rover-skip-8-revenge.peach", "skip-mitchell", True),
        ("ns-rover-skip-10.peach", "skip-mitchell", False),
        ("ns-rover-skip-10-revenge.peach", "skip-mitchell", True),
        ("ns-rover-skip-14.peach", "skip-mitchell", False),
        ("ns-rover-skip-14-revenge.peach", "skip-mitchell", True),
        ("ns-rover-share-relay-6.peach", "share-and-relay", False),
        ("ns-rover-share-relay-8.peach", "share-and-relay", False),
        ("ns-rover-share-relay-12.peach", "share-and-relay", False),
    ],
)
def test_the_printed_sequences_are_given(reference, base, revenge):
    expected = printed(reference)
    options = {"base": base} | ({"revenge": True} if revenge else {})

    built = catalogue.build_movement("ns-rover", expected.tables, expected.rounds, None, options)

    assert lettered(built) == expected


@pytest.mark.parametrize(
    ("reference", "name"),
    [("ew-rover-5x5.wikipedia", "ew-rover"), ("rover-party-6x5.wikipedia", "rover-party")],
)
def test_the_printed_east_west_rovers_are_given(reference, name):
    expected = printed(reference)

    assert catalogue.build_movement(name, expected.tables) == expected


@pytest.mark.parametrize(
    ("base", "tables", "sequence"),
    [
        ("mitchell", 13, (2, 4, 6, 8, 10, 12, 1, 3, 5, 7, 9, 11)),
        ("skip-mitchell", 12, (2, 10, 8, 6, 4, 1, 11, 9, 5, 3)),
        ("share-and-relay", 10, (1, 7, 2, 8, 3, 9, 4, 10, 5)),
        ("share-and-relay", 14, (1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7)),
    ],
)
def test_sequences_of_which_no_table_is_printed(base, tables, sequence):
    assert tables_by_formula(base, tables) == sequence


@pytest.mark.parametrize("name", NAMES)
def test_whatever_is_promised_is_lawful_and_nobody_sits_out_twice(name):
    family = catalogue.find_family(name)
    for tables in range(4, 41):
        legal = list(family.possible_rounds(tables))
        for rounds in sorted({*legal[:2], *legal[-2:]}):
            movement = catalogue.build_movement(name, tables, rounds)
            assert laws.find_errors(movement) == (), (tables, rounds)
            assert movement.longest_sit_out == (0 if name == "rover-party" else 1)


@pytest.mark.parametrize("name", NAMES)
def test_promise_and_ability_agree_in_both_directions(name):
    family = catalogue.find_family(name)
    for tables in range(1, 18):
        for rounds in range(1, tables + 2):
            is_promised = rounds in family.possible_rounds(tables)
            assert (catalogue.find_refusal(name, tables, rounds) is None) == is_promised, (
                tables,
                rounds,
            )


@pytest.mark.parametrize("base", ["share-and-relay", "crisscross"])
def test_other_bases_are_lawful_where_they_can_be_had(base):
    for tables in range(4, 41, 2):
        try:
            movement = catalogue.build_movement("ns-rover", tables, None, None, {"base": base})
        except MovementError:
            assert not late_rover_path(base, tables)
            continue
        assert laws.find_errors(movement) == (), tables
        assert movement.rounds == tables


def test_a_rover_is_the_half_table_so_nobody_else_is_missing():
    with pytest.raises(NoMissingPair):
        catalogue.build_movement("ns-rover", 7, None, "EW 1")


def test_every_stored_path_is_a_path():
    for entry in read_data_table("rovers")["paths"]:
        movement = BASES[entry["base"]](entry["tables"])
        path = path_from_tables(entry["path"], 2 if entry["kind"] == "late" else 1)
        if entry["kind"] == "exchange":
            path = path_from_tables(entry["path"])
            movement = exchange_pairs(movement)
        if entry["kind"] == "twice":  # the pair of round 1 comes again
            assert not is_rover_path(movement, path), entry
            path.pop(1)
        assert is_rover_path(movement, path), entry


def test_a_search_finds_paths_from_any_round_and_says_so_where_there_is_none():
    mitchell = BASES["mitchell"](9)
    assert rover_path(mitchell, 2) is None  # proved: 3 divides the tables

    for first in range(3, 9):
        path = rover_path(mitchell, first)
        assert path is not None
        assert is_rover_path(mitchell, path)
        for line in ("ns", "ew"):
            assert laws.find_errors(add_rover(mitchell, line, path)) == ()


def test_a_search_works_in_webs_and_stanzas_too():
    for name, tables, rounds in (("web", 10, 9), ("two-stanza", 10, 10), ("web", 14, 13)):
        movement = catalogue.build_movement(name, tables, rounds)
        path = rover_path(movement, 2)
        assert path is not None
        assert laws.find_errors(add_rover(movement, "ns", path)) == ()


def test_a_full_path_lets_a_rover_play_every_round():
    for base in ("skip-mitchell", "crisscross"):
        path = stored_path(base, 16, "full")
        assert len(path) == BASES[base](16).rounds


@pytest.mark.parametrize("tables", [5, 7, 9, 11])
def test_a_party_table_shares_with_both_tables_that_share_already(tables):
    movement = catalogue.build_movement("rover-party", tables, options={"base": "share-and-relay"})

    assert laws.find_errors(movement) == ()
    assert max(len(share.tables) for share in movement.shared) == 3


@pytest.mark.parametrize(
    ("tables", "rounds", "lender"), [(6, 4, 5), (7, 3, 6), (7, None, 4), (8, 4, 7)]
)
def test_in_round_1_the_party_table_shares_with_the_highest_table_it_can(tables, rounds, lender):
    movement = catalogue.build_movement("rover-party", tables, rounds)

    assert movement.at(1, tables).sets == movement.at(1, lender).sets
