"""A club's options of a season's rules: tie-breaks, handicaps in bands, points still needed."""

import datetime
import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.seasons.rules.document import read_season
from bridgebuddy.seasons.rules.handicap import RecentResults
from bridgebuddy.seasons.rules.model import (
    Championship,
    Handicap,
    SeasonRow,
    Session,
    SessionValue,
    StandingLine,
)
from bridgebuddy.seasons.rules.projections import value_needed
from bridgebuddy.seasons.rules.standing import line_of, list_standing

from .test_season import lists_of, row, session

VALUES = st.integers(0, 300).map(lambda number: Fraction(number, 3))


def day(number):
    return datetime.date(2026, 1, 1) + datetime.timedelta(days=number)


def form_of(rule, *percentages):
    form = RecentResults(rule)
    for number, percentage in enumerate(percentages):
        form.add(Session(str(number), day(30 * number), (SeasonRow(("A",), Fraction(percentage)),)))
    return form


@pytest.mark.parametrize(
    ("rule", "had", "handicap"),
    [
        (Handicap(last=2), [40, 60, 56], -8),
        (Handicap(last=2, band=Fraction(3)), [40, 60, 57], -9),
        (Handicap(last=2, band=Fraction(1, 2)), [60, Fraction(113, 2)], Fraction(-17, 2)),
        (Handicap(most=Fraction(5)), [20, 40], 5),
        (Handicap(most=Fraction(5)), [80], -5),
        (Handicap(least=3, new=Fraction(2)), [40, 40], 2),
        (Handicap(), [], 0),
        (Handicap(times=Fraction(1, 2)), [40], 5),
        (Handicap(by_hand={"A": Fraction(-3)}), [40, 40], -3),
        (Handicap(months=1), [20, 20, 20, 40, 40], 10),
        (Handicap(frozen=day(30)), [40, 70, 70], 10),
        (Handicap(), [120], -70),
    ],
)
def test_a_handicap_is_worked_out_as_the_club_says(rule, had, handicap):
    assert form_of(rule, *had).handicap_of("A") == handicap


def test_a_cap_and_what_is_set_by_hand_say_so():
    capped = form_of(Handicap(most=Fraction(5)), 20, 40).derived_handicap("A")
    by_hand = form_of(Handicap(by_hand={"A": Fraction(1)}), 20).derived_handicap("A")
    new = form_of(Handicap(least=2), 20).derived_handicap("A")

    assert (capped.is_capped, capped.exact, capped.mean) == (True, 20, 30)
    assert (by_hand.is_by_hand, by_hand.mean) == (True, 20)
    assert (new.is_new, new.handicap) == (True, 0)


def two_level(ties):
    """A and B have 110 of their best two; A's third is better, B's best single, and B's last."""
    sessions = [
        session(1, row("60", "A"), row("65", "B")),
        session(2, row("50", "A"), row("45", "B")),
        session(3, row("49", "A"), row("40", "B")),
        session(4, row("10", "B")),
    ]
    rules = {"name": "", "of": "player", "counts": "percentage", "rule": "sum", "best": 2}
    (found,) = lists_of({"sessions": sessions, "lists": [rules | {"ties": ties}]})
    return [(item["who"][0], item["place"]) for item in found["rows"]]


@pytest.mark.parametrize(
    ("ties", "order"),
    [
        (None, [("A", 1), ("B", 1)]),
        ("next", [("A", 1), ("B", 2)]),
        ("single", [("B", 1), ("A", 2)]),
        ("played", [("B", 1), ("A", 2)]),
        ("latest", [("B", 1), ("A", 2)]),
    ],
)
def test_who_is_level_is_split_as_the_club_says(ties, order):
    assert two_level(ties) == order


def test_a_list_has_only_its_sessions_and_its_people():
    sessions = [session(1, row("60", "A", "B")), session(2, row("40", "A", "C"))]
    rules = {"name": "", "of": "player", "counts": "percentage", "rule": "mean"}
    document = {"sessions": sessions, "lists": [rules | {"sessions": ["1"], "only": ["A", "C"]}]}

    (found,) = lists_of(document)

    assert [(item["who"], item["value"]) for item in found["rows"]] == [(["A"], "60")]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"ties": "lot"}, "lists[0].ties"),
        ({"sessions": "1"}, "lists[0].sessions"),
        ({"handicap": {"band": 0}}, "lists[0].handicap.band"),
        ({"handicap": {"most": -1}}, "lists[0].handicap.most"),
        ({"handicap": {"frozen": "soon"}}, "lists[0].handicap.frozen"),
        ({"handicap": {"by_hand": []}}, "lists[0].handicap.by_hand"),
    ],
)
def test_what_no_list_can_have_is_told_with_its_path(more, said):
    rules = {"name": "", "of": "player", "counts": "percentage", "rule": "mean"}

    with pytest.raises(ScoringError) as refused:
        read_season(json.dumps({"sessions": [], "lists": [rules | more]}))

    assert said in str(refused.value)


def line(amounts):
    values = tuple(
        SessionValue(Session(str(n), day(n), ()), item) for n, item in enumerate(amounts)
    )
    return StandingLine(("A",), Fraction(0), 2, values)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.lists(VALUES, min_size=1, max_size=8),
    VALUES,
    st.integers(1, 3),
    st.sampled_from(["mean", "sum", "drop"]),
    st.integers(1, 4),
)
def test_what_is_needed_is_enough_and_nothing_less_is(amounts, goal, times, rule, best):
    rules = Championship("", rule=rule, best=None if rule == "drop" else best, each=best)

    def total(value):
        more = [SessionValue(Session("x", day(99), ()), value)] * times
        return line_of(rules, ("A",), [*line(amounts).values, *more]).total

    found = value_needed(rules, line(amounts), goal, times)

    if found is None:
        assert total(Fraction(100)) < goal or max(amounts) > 100
    else:
        assert total(found) >= goal
        assert found <= min([Fraction(0), *amounts]) or total(found - Fraction(1, 1000)) < goal


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.lists(VALUES, min_size=3, max_size=3), min_size=1, max_size=6), VALUES)
def test_a_better_percentage_never_lowers_ones_own_place(evenings, more):
    def place(last):
        sessions = [
            session(n, *(row(str(item), name) for item, name in zip(had, "ABC", strict=True)))
            for n, had in enumerate([*evenings[:-1], last], 1)
        ]
        season = read_season(json.dumps({"sessions": sessions, "lists": []}))
        found = list_standing(season, Championship("", best=2))
        return next(item.place for item in found if item.who == ("A",))

    before = evenings[-1]

    assert place([before[0] + more, *before[1:]]) <= place(before)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.lists(VALUES, min_size=1, max_size=9))
def test_points_for_places_add_up_to_the_same_whoever_is_level(percentages):
    rows = [
        row(str(item), f"P{n}", place=1 + sum(other > item for other in percentages))
        for n, item in enumerate(percentages)
    ]
    rules = {"name": "", "of": "player", "counts": "places", "rule": "sum"}

    (found,) = lists_of({"sessions": [session(1, *rows)], "lists": [rules]})

    count = len(percentages)
    assert sum(Fraction(item["value"]) for item in found["rows"]) == count * (count + 1) // 2


@pytest.mark.parametrize("played", range(1, 9))
def test_what_is_played_by_few_or_is_odd_is_counted(played):
    """One session, all players on 50, thirty on one place, percentages over 100."""
    everybody = [f"P{n}" for n in range(30)]
    sessions = [
        session(n, *(row("50", name) for name in everybody), row("130", "Q"))
        for n in range(1, played + 1)
    ]
    rules = {"name": "", "of": "player", "counts": "percentage", "rule": "mean", "best": 8}

    few, many = lists_of(
        {"sessions": sessions, "lists": [rules | {"least": 4}, rules | {"least": 99}]}
    )

    assert [(item["value"], item["place"]) for item in few["rows"]] == (
        [("130", 1), *[("50", 2)] * 30] if played >= 4 else []
    )
    assert many["rows"] == []


@given(
    had=st.lists(st.fractions(0, 100, max_denominator=240), min_size=1, max_size=30),
    last=st.integers(1, 6),
    asked=st.sets(st.integers(0, 29)),
)
def test_a_handicap_is_the_same_however_often_it_was_asked_before(had, last, asked):
    rule = Handicap(last=last, band=Fraction(1, 2), most=Fraction(10))
    form = RecentResults(rule)
    for number, percentage in enumerate(had):
        form.add_all(day(number + 1), [(("A",), percentage.numerator, percentage.denominator)])
        if number in asked:
            form.handicap_of("A")

    worked = form.derived_handicap("A")

    assert worked.of == tuple(had[-last:])
    assert worked.exact == 50 - sum(had[-last:]) / len(had[-last:])
    assert worked.handicap == form.handicap_of("A")


def test_who_played_twice_in_a_session_has_the_mean_of_both_in_a_handicap():
    form = RecentResults(Handicap())

    form.add_all(day(1), [(("A", "B"), 40, 1), (("A", "C"), 121, 2)])

    assert [str(form.handicap_of(name)) for name in "ABC"] == ["-1/4", "10", "-21/2"]


def three_level(**ties):
    """A, B and C have 60 of their best one; A's second is better than theirs, and C's last is better than B's."""
    sessions = [
        session(1, row("60", "A"), row("60", "B"), row("40", "C")),
        session(2, row("50", "A"), row("40", "B"), row("60", "C")),
    ]
    rules = {"name": "", "of": "player", "counts": "percentage", "rule": "sum", "best": 1}
    (rules,) = read_season(json.dumps({"sessions": [], "lists": [rules | ties]})).lists
    season = read_season(json.dumps({"sessions": sessions, "lists": []}))
    return [(item.who[0], item.place, item.split_by) for item in list_standing(season, rules)]


@pytest.mark.parametrize(
    ("ties", "lines"),
    [
        ({}, [("A", 1, ""), ("B", 1, ""), ("C", 1, "")]),
        ({"ties": "next"}, [("A", 1, "next"), ("B", 2, "next"), ("C", 2, "next")]),
        (
            {"ties": "next", "then": "latest"},
            [("A", 1, "next"), ("C", 2, "latest"), ("B", 3, "latest")],
        ),
        ({"then": "latest"}, [("C", 1, "latest"), ("A", 2, "latest"), ("B", 3, "latest")]),
        ({"ties": "played", "then": "played"}, [("A", 1, ""), ("B", 1, ""), ("C", 1, "")]),
    ],
)
def test_who_is_level_in_the_first_rule_too_is_split_by_the_second_and_each_says_by_which(
    ties, lines
):
    assert three_level(**ties) == lines


def test_thirty_may_share_a_place_and_the_next_is_the_thirty_first():
    rows = [row("50", f"P{number}") for number in range(30)]
    rules = {"name": "", "of": "player", "counts": "percentage", "rule": "mean", "ties": "next"}

    (found,) = lists_of({"sessions": [session(1, *rows, row("49.99", "last"))], "lists": [rules]})

    assert [item["place"] for item in found["rows"]] == [1] * 30 + [31]


def test_a_percentage_over_a_hundred_counts_as_it_is():
    had = {day(at): Fraction(amount) for at, amount in enumerate((120, 40))}
    values = [SessionValue(Session(str(at), at, ()), amount) for at, amount in had.items()]
    rules = Championship("", rule="mean", best=2)
    line = line_of(rules, ("A",), values)

    assert line.total == 80
    assert value_needed(rules, line, Fraction(100), 1) == 80
    assert value_needed(rules, line, Fraction(111), 1) is None
