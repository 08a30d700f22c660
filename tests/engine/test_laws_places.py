"""The checker of the places of every copy of every set: right ones, and ones broken in one place."""

from dataclasses import replace
from fractions import Fraction

import pytest

from movements.engine import laws
from movements.engine.board_copies.copies import copy_places
from movements.engine.board_copies.spots import CopySpot, CopyStay
from movements.engine.declarations import Exemption, Share, Stand
from movements.engine.laws import Violation
from tests.engine.written import evening

WHOLE = (Fraction(0), Fraction(1))
FIRST, SECOND = (Fraction(0), Fraction(1, 2)), (Fraction(1, 2), Fraction(1))


def lying(name, copy, round, spot, span=WHOLE):
    return CopyStay(name, copy, round, *span, spot)


def table(*numbers):
    return CopySpot("table", numbers)


def stand(after):
    return CopySpot("stand", (after,))


def aside(number):
    return CopySpot("aside", (number,))


def broken(movement, *lying):
    """Return the places that break the law: (round, table, sets)."""
    errors = laws.find_misplaced_boards(movement, lying)
    assert errors == tuple(Violation("places", v.round, v.table, sets=v.sets) for v in errors)
    return sorted((v.round, v.table, *v.sets) for v in errors)


#: two tables, two rounds, two copies of A; in round 2 one waits on the stand after table 2
SMALL = evening("1-2:A 3-4:A", "5-6:A 7-8:B", copies=2, stands=(Stand(2, 2, ("A",)),))
A1, A1_NEXT = lying("A", 1, 1, table(1)), lying("A", 1, 2, table(1))
A2, A2_NEXT = lying("A", 2, 1, table(2)), lying("A", 2, 2, stand(2))
B = lying("B", 1, 2, table(2))
RIGHT = (A1, A1_NEXT, A2, A2_NEXT, B)
#: one round in halves: the tables exchange their sets
HALVES = evening("1-2:A/1-2:B 3-4:B/3-4:A")


def mistake(round):
    return Exemption("copies", 0, "by mistake", (), (round,))


def test_what_is_right_breaks_nothing_in_whatever_order_it_is_told():
    assert broken(SMALL, *RIGHT) == broken(SMALL, *reversed(RIGHT)) == []
    where = copy_places(SMALL).copy_stays()
    assert sorted(where, key=lambda stay: (stay.name, stay.copy, stay.round)) == [*RIGHT]


@pytest.mark.parametrize(
    "stranger",
    [
        lying("Z", 1, 1, table(1)),
        lying("B", 3, 1, aside(1)),
        lying("B", 0, 1, aside(1)),
        lying("B", 2, 0, table(1)),
        lying("B", 2, 3, table(1)),
        lying("B", 2, 1, table(1), (Fraction(1, 2), Fraction(1, 2))),
        lying("B", 2, 1, table(1), (Fraction(-1, 2), Fraction(1, 2))),
        lying("B", 2, 1, table(1), (Fraction(1, 2), Fraction(3, 2))),
        lying("B", 2, 1, table()),
    ],
)
def test_copies_and_times_that_do_not_exist_are_found(stranger):
    where = stranger.spot.tables[0] if stranger.spot.tables else 0

    assert broken(SMALL, *RIGHT, stranger) == [(stranger.round, where, stranger.name)]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        # at two places at once; lost from sight; come from nowhere; a gap within a round
        ((A1, A1_NEXT, replace(A2, copy=1), A2_NEXT, B), [(1, 2, "A")]),
        ((A1, A2, A2_NEXT, B), [(1, 1, "A"), (2, 1, "A")]),
        ((*RIGHT, lying("B", 2, 2, aside(1))), [(2, 1, "B")]),
        ((A1, A1_NEXT, A2, A2_NEXT, lying("B", 1, 2, table(2), SECOND)), [(2, 2, "B")]),
        # a table without what it plays; boards where nobody wants them; two copies at one table
        ((A1, A1_NEXT, A2, A2_NEXT), [(2, 2, "B")]),
        ((*RIGHT, lying("B", 1, 1, table(2))), [(1, 2, "B")]),
        (
            (A1, A1_NEXT, lying("A", 2, 1, table(1)), A2_NEXT, B),
            [(1, 1, "A"), (1, 1, "A"), (1, 2, "A")],
        ),
        # not on the stand, or only for half of the round
        ((A1, A1_NEXT, A2, lying("A", 2, 2, aside(2)), B), [(2, 2, "A")]),
        (
            (
                *(A1, A1_NEXT, A2, B),
                lying("A", 2, 2, stand(2), FIRST),
                lying("A", 2, 2, aside(2), SECOND),
            ),
            [(2, 2, "A")],
        ),
        # aside where it was not
        ((A1, A1_NEXT, A2, lying("A", 2, 2, aside(1)), B), [(2, 1, "A"), (2, 2, "A")]),
    ],
)
def test_each_fault_is_found_where_it_is(said, found):
    assert broken(SMALL, *said) == found


def test_a_copy_may_be_told_of_in_parts():
    halves = (lying("A", 1, 1, table(1), SECOND), lying("A", 1, 1, table(1), FIRST))

    assert broken(SMALL, *halves, *RIGHT[1:]) == []


def test_a_copy_on_a_stand_may_be_told_of_in_parts():
    halves = (lying("A", 2, 2, stand(2), FIRST), lying("A", 2, 2, stand(2), SECOND))

    assert broken(SMALL, A1, A1_NEXT, A2, B, *halves) == []


def test_copies_may_change_places_within_a_round():
    movement = evening("1-2:A 3-4:A", copies=2)
    spans = ((1, 1, FIRST), (1, 2, SECOND), (2, 2, FIRST), (2, 1, SECOND))

    assert broken(movement, *(lying("A", copy, 1, table(t), span) for copy, t, span in spans)) == []


@pytest.mark.parametrize(
    ("spans", "found"),
    [
        ([("A", 1, FIRST), ("A", 2, SECOND), ("B", 2, FIRST), ("B", 1, SECOND)], []),
        ([("A", 1, WHOLE), ("B", 2, WHOLE)], [(1, 1, "B"), (1, 2, "A")]),
        (
            [("A", 2, FIRST), ("A", 1, SECOND), ("B", 1, FIRST), ("B", 2, SECOND)],
            [(1, 1, "A"), (1, 1, "B"), (1, 2, "A"), (1, 2, "B")],
        ),
    ],
)
def test_a_part_of_a_round_has_its_set_while_it_is_played(spans, found):
    said = [lying(name, 1, 1, table(number), span) for name, number, span in spans]

    assert broken(HALVES, *said) == found


@pytest.mark.parametrize("cell", ["1-0:A", "0-1:A"])
def test_where_nobody_is_met_the_set_may_lie_or_not(cell):
    movement = evening(f"{cell} 2-3:B")
    b = lying("B", 1, 1, table(2))

    assert broken(movement, b) == broken(movement, b, lying("A", 1, 1, table(1))) == []


def test_a_copy_is_between_two_tables_where_they_share_or_had_it_by_mistake():
    movement = evening("1-2:A 3-4:A")
    both = lying("A", 1, 1, table(1, 2))

    assert broken(movement, both) == [(1, 1, "A")]
    for names, found in (((), []), (("A",), []), (("B",), [(1, 1, "A")])):
        assert broken(replace(movement, shared=(Share(1, (1, 2), names),)), both) == found
    assert broken(replace(movement, exemptions=(mistake(1),)), both) == []
    assert broken(replace(movement, exemptions=(mistake(2),)), both) == [(1, 1, "A")]
    other = replace(mistake(1), law="stands")
    assert broken(replace(movement, exemptions=(other,)), both) == [(1, 1, "A")]


def test_on_the_stands_waits_what_is_declared_but_for_a_mistake():
    missing = (A1, A1_NEXT, A2, lying("A", 2, 2, aside(2)), B)
    elsewhere = replace(SMALL, stands=(Stand(2, 1, ("A",)),))

    assert broken(replace(SMALL, stands=()), *RIGHT) == [(2, 2, "A")]
    assert broken(elsewhere, *RIGHT) == [(2, 1, "A"), (2, 2, "A")]
    assert broken(replace(SMALL, exemptions=(mistake(2),)), *missing) == []
    assert broken(replace(SMALL, exemptions=(mistake(1),)), *missing) == [(2, 2, "A")]


def test_what_is_put_aside_lies_where_it_was():
    movement = evening("1-2:A", "3-4:B")
    right = (lying("A", 1, 1, table(1)), lying("B", 1, 2, table(1)))

    assert broken(movement, *right, lying("A", 1, 2, aside(1))) == []
    assert broken(movement, *right, lying("A", 1, 2, aside(2))) == [(2, 2, "A")]
