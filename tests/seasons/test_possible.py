"""Points still needed, and tie-breaks: worked out by hand."""

import datetime
from fractions import Fraction

import pytest

from bridgebuddy.seasons.rules.model import Championship, Session, SessionValue
from bridgebuddy.seasons.rules.projections import value_needed, weakest_counting
from bridgebuddy.seasons.rules.standing import line_of
from bridgebuddy.seasons.rules.ties import TIES


def line(rules, *amounts):
    values = [
        SessionValue(Session(str(n), datetime.date(2026, 1, n), ()), Fraction(item))
        for n, item in enumerate(amounts, 1)
    ]
    return line_of(rules, ("A",), values)


@pytest.mark.parametrize(
    ("rules", "had", "goal", "times", "needed"),
    [
        # points of a session have no end: (10 + 0 + 2 × 15) ÷ 4
        ({"counts": "vps"}, [10, 0], 10, 2, 15),
        ({"counts": "imps", "rule": "sum"}, [10, 0], 15, 1, 5),
        ({"counts": "imps", "rule": "sum"}, [-30], 500, 1, 530),
        ({"counts": "imps", "rule": "sum", "best": 1}, [-30], -40, 1, -30),
        # a percentage has: (50 + 100) ÷ 2
        ({}, [50], 75, 1, 100),
        ({}, [50], 76, 1, None),
        ({"best": 2}, [60, 50], 55, 1, 0),
        # what cannot be named, or would still be too little
        ({"counts": "wins", "rule": "sum"}, [1], 2, 1, None),
        ({"rule": "improved"}, [50, 60], 5, 1, None),
        ({}, [50], 40, 0, None),
        ({"least": 3}, [50], 40, 1, None),
        ({"least": 3}, [50], 50, 2, 50),
    ],
)
def test_what_somebody_needs_is_said_exactly(rules, had, goal, times, needed):
    rules = Championship("", **rules)

    assert value_needed(rules, line(rules, *had), Fraction(goal), times) == needed


@pytest.mark.parametrize(
    ("rules", "had", "amount"),
    [
        ({"best": 2}, [50, 40, 60], 50),
        ({"rule": "sum", "best": 2}, [50, 40], 40),
        ({"best": 3}, [50, 40], None),
        ({}, [50, 40], None),
        ({"rule": "drop", "best": 2, "each": 2}, [50, 40, 60], None),
        ({"rule": "improved", "best": 2}, [50, 40, 60], None),
    ],
)
def test_the_weakest_that_counts_is_told_where_a_better_one_replaces_it(rules, had, amount):
    rules = Championship("", **rules)

    found = weakest_counting(rules, line(rules, *had))

    assert (found and found.amount) == amount


def test_what_counts_of_a_line_is_told_in_the_order_in_which_it_was_played():
    assert line(Championship("", best=2), 60, 10, 50).counted == [60, 50]


@pytest.mark.parametrize(
    ("ties", "key"),
    [
        ("next", (49, 10)),
        ("single", (60, 50, 49, 10)),
        ("played", (4,)),
        ("latest", (datetime.date(2026, 1, 4).toordinal(), 50)),
    ],
)
def test_what_splits_the_level_is_looked_at_in_its_order(ties, key):
    rules = Championship("", rule="sum", best=2)

    assert TIES[ties](line(rules, 60, 10, 49, 50)) == key
