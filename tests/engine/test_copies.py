"""Places of every copy of every board set: worked out once, and checked by an independent law."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movements.engine import catalogue, laws
from movements.engine.board_copies.copies import CarriedCopy, CopyRoute, SetCopy, copy_places
from movements.engine.board_copies.spots import CopySpot
from movements.engine.changes import PlayedOtherBoards, proposals
from movements.engine.declarations import Exemption
from movements.engine.errors import MovementError
from movements.engine.model import Field, Movement, Seating, set_name
from tests.engine.test_changes_laws import changes

LARGEST = 26


def table(*numbers):
    return CopySpot("table", numbers)


def stand(after):
    return CopySpot("stand", (after,))


def tiny(seatings, **more):
    """A movement of pairs 1 to 8 by its seatings: (round, table, sets), or without its E-W."""
    rows = [
        Seating(
            round, number, 2 * number - 1, None if more.get("no_ew") == number else 2 * number, sets
        )
        for round, number, sets in seatings
    ]
    more.pop("no_ew", None)
    return Movement(
        "tiny",
        "pairs",
        tables=max(row.table for row in rows),
        rounds=max(row.round for row in rows),
        fields=(Field("pairs", tuple(map(str, range(1, 9)))),),
        sets=tuple(sorted({name for row in rows for name in row.sets})),
        seatings=tuple(rows),
        **more,
    )


def copies_in_round(movement, round):
    """Return the copies in a round: {(set, table): copy}."""
    where = copy_places(movement)
    return {
        (name, seating.table): where.copy_at(round, seating.table, name)
        for seating in movement.in_round(round)
        for name in seating.sets
    }


# ── a web, as it is printed ──


@pytest.fixture
def web():
    """16 tables, 13 rounds: the copies go round tables 1-8 and 9-16, each over its stand."""
    return catalogue.build_movement("web", 16)


def test_each_copy_of_a_web_stays_in_its_half(web):
    where = copy_places(web)

    assert [where.tables_of(copy) for copy in (1, 2)] == [tuple(range(1, 9)), tuple(range(9, 17))]
    assert where.keep_apart(web.sets)
    assert where.stands == (8, 16)


def test_no_two_tables_of_a_web_send_their_boards_to_one_place(web):
    where = copy_places(web)

    for round in range(1, web.rounds):
        ways = [
            (name, where.next_route(round, s.table, name))
            for s in web.in_round(round)
            for name in s.sets
        ]
        assert len(ways) == len(set(ways)) == 16


def test_the_lowest_table_of_each_half_brings_to_its_stand_and_the_highest_takes_from_it(web):
    where = copy_places(web)

    assert where.next_route(3, 1, "C") == CopyRoute("stand", (8,))
    assert where.next_route(3, 9, "E") == CopyRoute("stand", (16,))
    assert where.next_route(3, 8, "J") == CopyRoute("tables", (7,))
    assert where.previous_spot(4, 8, "K") == stand(8)
    assert where.previous_spot(4, 16, "J") == stand(16)
    assert SetCopy("C", 1) in where.copies_on_stand(4, 8)
    assert SetCopy("K", 1) in where.copies_on_stand(3, 8)


def test_a_web_with_a_block_has_a_copy_for_the_block_and_one_for_each_half():
    where = copy_places(catalogue.build_movement("web", 17))

    assert [where.tables_of(copy) for copy in (1, 2, 3)] == [
        tuple(range(1, 14)),
        (14, 15),
        (16, 17),
    ]


def test_the_last_two_tables_of_a_bowman_pass_their_copy_in_the_middle_round():
    where = copy_places(catalogue.build_movement("bowman", 9))

    assert where.copy_at(4, 8, "D") == where.copy_at(4, 9, "D") == 2
    assert where.copy_at(4, 4, "G") == 1
    assert where.next_route(4, 8, "D") == CopyRoute("stand", (9,))


def test_each_stanza_has_its_copies_go_round_their_own_halves():
    movement = catalogue.build_movement("two-stanza", 6)
    where = copy_places(movement)

    assert where.next_route(1, 1, "A") == CopyRoute("tables", (3,))
    assert where.next_route(1, 4, "A") == CopyRoute("tables", (6,))
    assert where.next_route(3, 1, "C") == CopyRoute("done")
    assert where.previous_spot(4, 1, "D") is None


def test_the_second_copy_of_a_share_and_relay_goes_in_where_the_first_comes_out():
    movement = catalogue.build_movement("share-and-relay", 8, options={"two_copies": True})
    where = copy_places(movement)

    assert where.next_route(1, 2, "B") == CopyRoute("tables", (1,))
    assert (where.copy_at(2, 1, "B"), where.copy_at(2, 8, "B")) == (1, 2)
    assert where.previous_spot(2, 8, "B") is None
    assert where.next_route(2, 1, "B") == CopyRoute("done")
    assert where.copies_on_stand(1, 4) == (SetCopy("E", 1),)


def test_a_hybrid_says_where_its_sets_wait():
    movement = catalogue.build_movement("hybrid", 8)

    assert copy_places(movement).next_route(1, 5, "F") == CopyRoute("stand", (4,))
    assert {s.round for s in movement.stands} == set(range(1, 16))


def test_in_a_barometer_nothing_goes_from_table_to_table():
    movement = catalogue.build_movement("barometer", 5)
    where = copy_places(movement)

    assert {
        way.kind
        for s in movement.seatings
        for way in [where.next_route(s.round, s.table, s.sets[0])]
    } == {"done"}
    assert copies_in_round(movement, 2) == {("B", number): number for number in range(1, 6)}


def test_sets_of_which_one_copy_is_enough_say_so():
    where = copy_places(catalogue.build_movement("hybrid", 7))

    assert where.copies == 5
    assert (where.copies_used["A"], where.copies_used["I"]) == (1, 5)
    assert not where.keep_apart(("A", "B"))


# ── one copy ──


def test_the_only_copy_is_passed_between_tables_that_share():
    where = copy_places(catalogue.build_movement("share-and-relay", 8))

    assert where.next_route(1, 2, "B") == CopyRoute("tables", (1, 8))
    assert where.copy_at(1, 8, "A") == where.copy_at(1, 1, "A") == 1
    assert where.next_route(1, 8, "A") == CopyRoute("tables", (7,))


def test_a_set_lies_at_a_table_whose_opponents_are_missing():
    movement = catalogue.build_movement("mitchell", 5, None, "EW 5")
    where = copy_places(movement)
    without = next(s for s in movement.in_round(2) if not s.is_played)

    assert where.copy_at(2, without.table, without.sets[0]) == 1
    assert where.next_route(2, without.table, without.sets[0]).kind == "tables"


def test_a_table_without_opponents_has_no_boards_where_another_needs_the_only_copy():
    movement = tiny([(1, 1, ("A",)), (1, 2, ("A",))], no_ew=2)

    assert copies_in_round(movement, 1) == {("A", 1): 1, ("A", 2): None}
    assert copy_places(movement).next_route(1, 2, "A") == CopyRoute("done")
    assert copy_places(movement).previous_spot(1, 2, "A") is None


def test_sets_are_exchanged_between_the_parts_of_a_round():
    movement = tiny(
        [(1, 1, ("A",)), (1, 1, ("B",)), (1, 2, ("B",)), (1, 2, ("A",)), (2, 1, ("A",))]
    )
    where = copy_places(movement)

    assert where.next_route(1, 1, "A", part=1) == CopyRoute("tables", (2,))
    assert where.next_route(1, 2, "A", part=2) == CopyRoute("tables", (1,))
    assert where.previous_spot(1, 2, "A", part=2) == table(1)
    assert where.next_route(1, 1, "B", part=2) == CopyRoute("done")


def test_a_set_lies_at_its_table_before_and_after_its_part_of_the_round():
    movement = tiny(
        [(1, 1, ("A",)), (1, 1, ("B",)), (2, 2, ("A",)), (2, 2, ("B",)), (2, 1, ("C",))]
    )
    where = copy_places(movement)

    assert where.previous_spot(1, 1, "B", part=2) == table(1)
    assert where.next_route(1, 1, "A", part=1) == CopyRoute("tables", (2,))
    assert [item.before for item in where.carried(1)] == [(table(1),), (table(1),), ()]
    assert where.next_route(2, 2, "A", part=1) == CopyRoute("done")


def test_a_set_that_stays_stays_and_one_that_comes_back_later_is_put_aside():
    movement = tiny(
        [
            *[(1, 1, ("A",)), (1, 2, ("B",)), (2, 1, ("A",)), (2, 2, ("C",))],
            *[(3, 1, ("B",)), (3, 2, ("D",))],
        ]
    )
    where = copy_places(movement)

    assert where.next_route(1, 1, "A") == CopyRoute("stay")
    assert where.next_route(1, 2, "B") == CopyRoute("aside")
    assert where.next_route(2, 1, "A") == CopyRoute("done")
    assert where.previous_spot(3, 1, "B") == CopySpot("aside", (2,))
    assert where.carried(2) == (
        CarriedCopy(SetCopy("A", 1), (table(1),), (CopySpot("aside", (1,)),)),
        CarriedCopy(SetCopy("B", 1), (CopySpot("aside", (2,)),), (table(1),)),
        CarriedCopy(SetCopy("C", 1), (table(2),), (CopySpot("aside", (2,)),)),
        CarriedCopy(SetCopy("D", 1), (), (table(2),)),
    )


# ── which copy, where the rule leaves a choice ──


def test_copies_do_not_overtake_each_other():
    movement = tiny([(1, 1, ("A",)), (1, 3, ("A",)), (2, 2, ("A",)), (2, 4, ("A",))], copies=2)

    assert copies_in_round(movement, 1) == {("A", 1): 1, ("A", 3): 2}
    assert copies_in_round(movement, 2) == {("A", 2): 1, ("A", 4): 2}


def test_the_nearer_of_two_copies_is_taken_and_the_other_put_aside():
    movement = tiny(
        [(1, 1, ("A",)), (1, 4, ("A",)), (2, 3, ("A",)), (3, 1, ("A",)), (3, 3, ("A",))], copies=2
    )

    assert copies_in_round(movement, 2) == {("A", 3): 2}
    assert copies_in_round(movement, 3) == {("A", 1): 1, ("A", 3): 2}


def test_a_copy_in_use_is_preferred_to_a_nearer_one_that_was_put_aside():
    movement = tiny([(1, 1, ("A",)), (1, 4, ("A",)), (2, 4, ("A",)), (3, 1, ("A",))], copies=2)

    assert copies_in_round(movement, 3) == {("A", 1): 2}


def test_the_nearest_of_two_places_gets_the_copy_in_use_and_the_other_a_fresh_one():
    movement = tiny([(1, 3, ("A",)), (2, 1, ("A",)), (2, 4, ("A",))], copies=2)

    assert copies_in_round(movement, 2) == {("A", 1): 2, ("A", 4): 1}


def test_copies_known_to_have_been_played_are_taken_as_they_are():
    movement = tiny([(1, 1, ("A",)), (1, 3, ("A",)), (2, 2, ("A",)), (2, 4, ("A",))], copies=2)

    known = copy_places(movement, {(1, 1, 1, "A"): 2, (1, 3, 1, "A"): 1, (2, 4, 1, "A"): 9})

    assert [known.copy_at(2, 2, "A"), known.copy_at(2, 4, "A")] == [2, 1]
    assert laws.find_misplaced_boards(movement, known.copy_stays()) == ()


def test_tables_that_exchanged_their_boards_by_mistake_have_had_each_others():
    movement = catalogue.build_movement("mitchell", 5)
    one = next(iter(proposals(movement, 1, PlayedOtherBoards(1, 1, 2))))
    where = copy_places(one.movement)

    assert (one.movement.at(1, 1).sets, one.movement.at(1, 2).sets) == (("B",), ("A",))
    assert [where.copy_at(1, 1, "B"), where.copy_at(1, 2, "A")] == [1, 1]
    assert laws.find_misplaced_boards(one.movement, where.copy_stays()) == ()


def test_tables_that_played_the_same_boards_by_mistake_had_the_only_copy_between_them():
    mistake = Exemption("copies", 0, "by mistake", (), (1,))
    movement = tiny([(1, 1, ("A",)), (1, 2, ("A",)), (2, 2, ("A",))], exemptions=(mistake,))
    where = copy_places(movement)

    assert copies_in_round(movement, 1) == {("A", 1): 1, ("A", 2): 1}
    assert where.next_route(1, 1, "A") == CopyRoute("tables", (2,))
    assert laws.find_misplaced_boards(movement, where.copy_stays()) == ()


# ── everything that can be played ──


@st.composite
def plans(draw):
    """Any movement of the catalogue with several copies, stands or tables that share."""
    family = draw(
        st.sampled_from([f for f in catalogue.FAMILIES if f.name not in ("swiss", "knockout")])
    )
    sizes = [tables for tables in range(2, LARGEST + 1) if family.possible_rounds(tables)]
    tables = draw(st.sampled_from(sizes))
    rounds = draw(st.sampled_from(sorted(family.possible_rounds(tables))))
    options = {}
    for option in family.options:
        if option.kind == "flag":
            options[option.name] = draw(st.booleans())
        elif option.kind == "choice":
            options[option.name] = draw(st.sampled_from(option.choices))
    try:
        whole = catalogue.build_movement(family.name, tables, rounds, None, options)
    except MovementError:
        whole = catalogue.build_movement(family.name, tables, rounds)
    if family.takes_missing_pair and rounds > 2 and draw(st.booleans()):
        missing = whole.label(draw(st.sampled_from(list(whole.contestants))))
        try:
            return catalogue.build_movement(family.name, tables, rounds, missing, options)
        except MovementError:
            return whole
    return whole


@settings(max_examples=250, deadline=None, derandomize=True)
@given(plans())
def test_every_copy_has_a_place_whatever_is_played(movement):
    where = copy_places(movement)

    assert laws.find_misplaced_boards(movement, where.copy_stays()) == ()
    assert copy_places(movement, where.known_copies).known_copies == where.known_copies


@pytest.mark.parametrize("tables", range(4, LARGEST + 1))
def test_in_every_web_each_copy_has_tables_of_its_own(tables):
    for rounds in catalogue.find_family("web").possible_rounds(tables):
        movement = catalogue.build_movement("web", tables, rounds)
        where = copy_places(movement)

        assert laws.find_misplaced_boards(movement, where.copy_stays()) == ()
        assert where.keep_apart(movement.sets)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(changes())
def test_a_change_leaves_the_copies_of_fixed_rounds_where_they_were(case):
    movement, fixed, change = case
    before = copy_places(movement)

    for proposal in proposals(movement, fixed, change):
        after = copy_places(proposal.movement)
        assert laws.find_misplaced_boards(proposal.movement, after.copy_stays()) == ()
        is_same = all(
            [(s.table, s.sets) for s in proposal.movement.in_round(round)]
            == [(s.table, s.sets) for s in movement.in_round(round)]
            for round in range(1, fixed + 1)
        )
        if is_same and proposal.from_round > fixed:
            assert {k: v for k, v in after.known_copies.items() if k[0] <= fixed} == {
                k: v for k, v in before.known_copies.items() if k[0] <= fixed
            }


def test_the_names_of_sets_do_not_matter():
    movement = catalogue.build_movement("web", 8)
    other = {name: set_name(40 - index) for index, name in enumerate(movement.sets)}
    renamed = replace(
        movement,
        sets=tuple(other[name] for name in movement.sets),
        seatings=tuple(replace(s, sets=(other[s.sets[0]],)) for s in movement.seatings),
        stands=tuple(replace(s, sets=tuple(other[n] for n in s.sets)) for s in movement.stands),
    )

    assert {
        (r, t, p, other[n]): c for (r, t, p, n), c in copy_places(movement).known_copies.items()
    } == copy_places(renamed).known_copies
