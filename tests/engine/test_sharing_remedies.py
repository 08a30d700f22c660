"""Share-and-Relay without sharing: copies for each side, an extra copy, and another section's stand."""

from collections import Counter, defaultdict
from itertools import combinations

import pytest

from movements.engine import catalogue, laws
from movements.engine.board_copies.copies import copy_places
from movements.engine.board_copies.virtual_sharing import lent_sets
from movements.engine.errors import UnknownOption

SIZES = range(4, 31, 2)


def built(tables, rounds=None, missing=None, **options):
    return catalogue.build_movement("share-and-relay", tables, rounds, missing, options)


def plays_by_copy(movement):
    """Count the plays of each copy of each set, and the tables at which it is played."""
    where = copy_places(movement)
    plays, tables = Counter(), defaultdict(set)
    for seating in movement.seatings:
        for name in seating.sets if seating.is_played else ():
            copy = where.copy_at(seating.round, seating.table, name)
            plays[name, copy] += 1
            tables[copy].add(seating.table)
    return plays, tables


@pytest.mark.parametrize("option", ["two_copies", "each_side", "extra"])
def test_no_tables_share_and_every_length_and_half_table_is_lawful(option):
    for tables in SIZES:
        for rounds in {2, tables // 2, tables // 2 + 1, tables - 1, tables}:
            for missing in (None, "NS 1", f"EW {tables}"):
                movement = built(tables, rounds, missing, **{option: True})
                assert laws.find_errors(movement) == (), (tables, rounds, missing)
                where = copy_places(movement)
                assert laws.find_misplaced_boards(movement, where.copy_stays()) == (), (
                    tables,
                    rounds,
                    missing,
                )
                assert movement.shared == ()
                assert movement.copies == 2


@pytest.mark.parametrize("place", [None, 0.5])
def test_each_side_plays_a_copy_of_its_own_at_half_of_the_tables(place):
    for tables in SIZES:
        share = tables if place is None else tables // 2
        movement = built(tables, each_side=True, share=share)
        plays, tables_of = plays_by_copy(movement)

        low, high = {*range(1, tables // 2 + 1)}, {*range(tables // 2 + 1, tables + 1)}
        assert tables_of == {1: low, 2: high}, tables
        assert set(plays.values()) == {tables // 2}, tables
        assert laws.find_misplaced_boards(movement, copy_places(movement).copy_stays()) == ()


def test_a_second_copy_enters_and_the_first_one_retires():
    movement = built(8, two_copies=True)
    plays, _tables = plays_by_copy(movement)

    assert [plays[name, 1] for name in movement.sets] == [1, 2, 3, 4, 4, 5, 6, 7]
    assert [plays[name, 1] + plays[name, 2] for name in movement.sets] == [8] * 8


def test_an_extra_copy_is_played_once_a_set_and_only_at_the_last_table():
    for tables in SIZES:
        movement = built(tables, extra=True)
        plays, tables_of = plays_by_copy(movement)

        assert tables_of[2] == {tables}, tables
        assert {plays[name, 2] for name in movement.sets} == {1}
        assert {plays[name, 1] for name in movement.sets} == {tables - 1}


def test_sections_that_begin_with_different_sets_use_the_same_extra_copy():
    """In no round do two sections want the same set of the extra copy."""
    for tables in SIZES:
        wanted = Counter()
        for begins in range(1, min(tables, 4) + 1):
            movement = built(tables, extra=True, begins=begins)
            assert laws.find_errors(movement) == ()
            where = copy_places(movement)
            for seating in movement.seatings:
                for name in seating.sets:
                    if where.copy_at(seating.round, seating.table, name) == 2:
                        wanted[seating.round, name] += 1
        assert set(wanted.values()) == {1}, tables


def test_two_sections_with_opposite_places_need_no_sharing():
    """Each round both sharing tables have a copy: their own section's, and that on the other's stand."""
    for tables in SIZES:
        for rounds in {2, tables - 1, tables}:
            first, second = built(tables, rounds), built(tables, rounds, opposite=True)
            assert laws.find_errors(second) == ()
            for lender, borrower in ((first, second), (second, first)):
                lent = lent_sets(lender, borrower)
                assert [item.round for item in lent] == [*range(1, rounds + 1)]
                for item in lent:
                    sharing = borrower.shares(item.round)[item.name]
                    assert item.table in sharing
                    assert len(sharing) == 2
                    waiting = {
                        name: stand.after_table
                        for stand in lender.waiting(item.round)
                        for name in stand.sets
                    }
                    assert waiting[item.name] == item.after_table
                    # nobody of the lender's section plays it then
                    assert item.name not in {
                        name for s in lender.in_round(item.round) for name in s.sets
                    }


def test_sections_that_share_at_the_same_place_lend_nothing():
    assert lent_sets(built(8), built(8)) == ()
    assert lent_sets(built(8, share=4), built(8)) == ()
    assert lent_sets(built(10), built(8, opposite=True)) == ()


@pytest.mark.parametrize(
    ("options", "option", "allowed"),
    [
        ({"each_side": True, "share": 3}, "share", "4, 8"),
        ({"extra": True, "share": 4}, "share", "8"),
        ({"extra": True, "each_side": True}, "extra", "no, with each_side"),
        ({"opposite": True, "two_copies": True}, "opposite", "no, with two_copies"),
        ({"begins": 9}, "begins", "1 to 8"),
        ({"begins": 0}, "begins", "1 to 8"),
    ],
)
def test_remedies_that_cannot_be_are_refused(options, option, allowed):
    with pytest.raises(UnknownOption) as refused:
        built(8, **options)

    fields = refused.value.fields
    assert (fields["option"], fields["allowed"]) == (option, allowed)


def test_no_length_is_promised_where_two_remedies_are_chosen_together():
    family = catalogue.find_family("share-and-relay")
    remedies = ("two_copies", "each_side", "extra", "opposite")

    for item, other in combinations(remedies, 2):
        assert list(family.possible_rounds(8, {item: True})) == [*range(2, 9)]
        assert list(family.possible_rounds(8, {item: True, other: False})) == [*range(2, 9)]
        assert list(family.possible_rounds(8, {item: True, other: True})) == []
    assert list(family.possible_rounds(7, {"extra": True})) == []
