"""Groups of a championship: promotions, equals at a border, and no lost players."""

import datetime
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgebuddy.seasons.rules.model import Championship, Session, SessionValue
from bridgebuddy.seasons.rules.promotion import (
    LevelTie,
    border_counts,
    group_changes,
    replace_person,
)

FIRST = datetime.date(2026, 9, 1)


def values(*amounts):
    return tuple(
        SessionValue(
            Session(str(number), FIRST + datetime.timedelta(7 * number), ()), Fraction(amount)
        )
        for number, amount in enumerate(amounts)
    )


def had(**amounts):
    return {
        (name,): values(*(many if isinstance(many, tuple) else (many,)))
        for name, many in amounts.items()
    }


def groups(*letters):
    return [[(name,) for name in group] for group in letters]


def as_letters(many):
    return ["".join(name[0] for name in group) for group in many]


SIX = {"A": 60, "B": 55, "C": 50, "D": 58, "E": 49, "F": 40}


def test_who_leads_goes_up_and_who_is_last_goes_down():
    changes = group_changes(Championship(""), groups("ABC", "DEF"), had(**SIX), 1)

    assert as_letters(changes.next) == ["ABD", "CEF"]
    assert (changes.up, changes.down) == ({("D",)}, {("C",)})
    assert [[line.place for line in group.lines] for group in changes.groups] == [[1, 2, 3]] * 2
    assert changes.level == ()


def test_for_each_who_has_left_one_fewer_goes_down():
    absent = {name: amount for name, amount in SIX.items() if name != "A"}

    by_absence = group_changes(Championship(""), groups("ABC", "DEF"), had(**absent), 1)
    said = group_changes(Championship(""), groups("ABC", "DEF"), had(**SIX), 1, [("A",)])

    for found in (by_absence, said):
        assert as_letters(found.next) == ["BCD", "EF"]
        assert found.left == {("A",)}
        assert found.borders == ((1, 0),)


def test_where_more_have_left_than_change_over_more_go_up():
    changes = group_changes(Championship(""), groups("ABC", "DEF"), had(D=58, E=49, F=40, C=30), 1)

    assert as_letters(changes.next) == ["CDE", "F"]


def test_who_is_new_is_in_the_last_group_and_can_go_up():
    changes = group_changes(Championship(""), groups("ABC", "DEF"), had(**SIX, N=70), 1)

    assert as_letters(changes.next) == ["ABN", "CDEF"]


def test_who_has_played_too_little_does_not_go_up_and_goes_down_first():
    played = {name: (amount, amount) for name, amount in SIX.items()} | {"A": 60, "D": 70}

    changes = group_changes(Championship("", least=2), groups("ABC", "DEF"), had(**played), 1)

    assert as_letters(changes.next) == ["BCE", "AFD"]


@pytest.mark.parametrize(
    ("sizes", "over", "borders"),
    [
        ([1, 3], 2, [(0, 0)]),
        ([2, 2], 2, [(1, 1)]),
        ([3, 1], 2, [(1, 1)]),
        ([3, 3, 3], 2, [(2, 2), (1, 1)]),
        ([4, 2, 4], 2, [(1, 1), (1, 1)]),
        ([3, 1, 3], 1, [(1, 1), (0, 0)]),
        ([0, 3], 1, [(0, 0)]),
        ([5, 0, 5], 1, [(0, 0), (0, 0)]),
        ([5, 5], 0, [(0, 0)]),
    ],
)
def test_of_a_small_group_fewer_change_over(sizes, over, borders):
    assert border_counts(sizes, sizes, [0] * len(sizes), over) == borders


@pytest.mark.parametrize(
    ("ties", "second", "by"),
    [
        ("", (50, 60), "single"),
        ("", (55, 55, 55), "single"),
        ("latest", (50, 60), "latest"),
        ("played", (55, 55, 55), "played"),
        ("", (56, 54), ""),
    ],
)
def test_who_is_level_at_a_border_is_put_in_order_and_it_is_said(ties, second, by):
    amounts = had(A=60, B=(56, 54), C=second, D=70, E=40)

    changes = group_changes(Championship("", ties=ties), groups("ABC", "DE"), amounts, 1)

    (level,) = changes.level
    assert level.by == by
    assert {level.first, level.second} == {("B",), ("C",)}
    assert level.group == 0
    assert changes.down == {level.second}


def test_who_is_level_in_everything_stays_as_the_group_was_made():
    amounts = had(A=50, B=50, C=50, D=50)

    changes = group_changes(Championship(""), groups("CA", "DB"), amounts, 1)

    assert as_letters(changes.next) == ["CD", "AB"]
    assert changes.level == (
        LevelTie(0, ("C",), ("A",), ""),
        LevelTie(1, ("D",), ("B",), ""),
    )


def test_a_team_that_has_gained_somebody_is_in_its_group():
    amounts = {("A", "B", "C", "D", "E"): values(60), ("F", "G", "H", "I"): values(50)}

    changes = group_changes(Championship("", of="team"), [[("A", "B", "C", "D")], []], amounts, 0)

    assert changes.next == ((("A", "B", "C", "D", "E"),), (("F", "G", "H", "I"),))


def test_who_is_merged_is_in_one_group_once():
    assert replace_person([[["1", "9"], ["2", "3"]], [["1", "4"]]], "9", "4") == [
        [["1", "4"], ["2", "3"]],
        [],
    ]


PEOPLE = [(letter,) for letter in "ABCDEFGHIJKLMNOP"]


@st.composite
def periods(draw):
    """Some in groups of any sizes, some new, some who never came or have left, values with many level."""
    people = draw(st.permutations(PEOPLE))[: draw(st.integers(1, len(PEOPLE)))]
    made: list[list[tuple[str]]] = [[] for _ in range(draw(st.integers(2, 4)))]
    new = []
    for name in people:
        where = draw(st.integers(-1, len(made) - 1))
        (new if where < 0 else made[where]).append(name)
    amounts = {
        name: values(*draw(st.lists(st.integers(48, 52), min_size=name in new, max_size=3)))
        for name in people
    }
    gone = draw(st.sets(st.sampled_from(people)))
    return made, new, amounts, gone


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    periods(),
    st.integers(0, 4),
    st.integers(1, 3),
    st.sampled_from(["", "next", "single", "played", "latest"]),
)
def test_nobody_is_lost_and_groups_keep_their_sizes_up_to_who_has_left(period, over, least, ties):
    made, new, amounts, gone = period
    whole = [*made[:-1], [*made[-1], *new]]

    changes = group_changes(Championship("", least=least, ties=ties), made, amounts, over, gone)

    after = [name for group in changes.next for name in group]
    assert len(after) == len(set(after))
    assert {*after, *changes.left} == {name for group in whole for name in group}
    assert not changes.left & set(after)
    assert not changes.up & changes.down
    sizes = [len(group) for group in whole]
    assert all(len(now) <= size for now, size in zip(changes.next[:-1], sizes, strict=False))
    if not changes.left:
        assert [len(group) for group in changes.next] == sizes
    where = {name: number for number, group in enumerate(whole) for name in group}
    for number, group in enumerate(changes.next):
        for name in group:
            assert where[name] - number == (name in changes.up) - (name in changes.down)
    for group in changes.groups:
        placed = {line.who for line in group.lines}
        assert changes.up & set(group.order) <= placed
        totals = {line.who: line.total for line in group.lines}
        ups = [totals[name] for name in group.order if name in changes.up]
        stays = [totals[name] for name in placed - changes.up - changes.left]
        assert not ups or not stays or min(ups) >= max(stays)
