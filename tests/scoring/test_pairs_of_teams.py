"""The pairs of teams, each against all pairs with the same cards: tests of the rules, value by value."""

import json
from fractions import Fraction

import pytest

from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.reports.pairs_in_teams import (
    PairBoard,
    PairSession,
    ScoreFrequency,
    boards_with_results,
    pairs_by_average,
    score_as_pairs,
)

from .sessions import scored


def document(scores, *, pairs_method="butler", **more):
    """Two matches over boards at four tables; `scores`: by board, from table to table. 3-2 plays the first board
    alone.
    """
    tables = (("1-1", "2-1"), ("2-2", "1-2"), ("3-1", "4-1"), ("4-2", "3-2"))
    plays = [
        {"round": 1, "table": table, "board": board, "ns": ns[0], "ew": ew[0]}
        | {"ns_pair": ns, "ew_pair": ew, "outcome": {"score": score}}
        for board, row in scores.items()
        for table, ((ns, ew), score) in enumerate(zip(tables, row, strict=True), 1)
        if score is not None
    ]
    return {
        "contest": "teams",
        "contestants": [{"label": digit} for digit in "1234"],
        "profile": {"pairs_method": pairs_method},
        "plays": plays,
    } | more


def found_in(*asked, **more):
    session, profile = read_document(json.dumps(document(*asked, **more)))
    return score_as_pairs(session, profile)


SCORES = {1: (420, 170, 420, -50), 8: (140, 140, 110, None), 15: (90, 90, None, None)}
SCORES |= dict.fromkeys((16, 17), (100, 100, 100, None))


def test_pairs_stand_by_their_average_and_who_has_hardly_played_after_them():
    rows = pairs_by_average(found_in(SCORES, pairs_method="cross-imps"))

    told = [(row.pair, row.team, row.boards, row.total, row.average, row.few) for row in rows]
    assert [item[0] for item in told][-2:] == ["3-2", "4-2"]
    assert told[-2:] == [("3-2", "3", 1, 8.67, 8.67, True), ("4-2", "4", 1, -8.67, -8.67, True)]
    averages = [row.average for row in rows[:-2]]
    assert averages == sorted(averages, reverse=True)
    assert told[0] == ("1-1", "1", 5, 5.78, 1.16, False)  # 16/3 and 4/9
    assert [row.section for row in rows] == ["A"] * 8


@pytest.mark.parametrize(("boards", "few"), [(3, False), (4, True)])
def test_a_third_of_the_most_is_enough(boards, few):
    scores = {n: (100, 100, 100, 100 if n == 1 else None) for n in range(1, boards + 1)}

    rows = pairs_by_average(found_in(scores))

    assert {row.pair for row in rows if row.few} == ({"3-2", "4-2"} if few else set())


def test_values_are_those_of_the_plays_whose_pairs_are_known():
    document_ = document({1: (420, 170, 420, -50)})
    del document_["plays"][0]["ns_pair"]
    session, profile = read_document(json.dumps(document_))

    found = score_as_pairs(session, profile)

    assert found.plays == (1, 2, 3)
    assert {index: ns for index, (ns, _ew) in found.values.items()} == {1: 0, 2: 6, 3: -6}
    assert found.team_of[("A", "1-2")] == "1"
    assert len(found.team_of) == 6


def test_no_pair_is_known_where_none_is_told():
    plays = [{"round": 1, "board": 1, "ns": "1", "ew": "2", "outcome": {"score": 90}}]
    session, profile = read_document(json.dumps(document({}, plays=plays)))

    found = score_as_pairs(session, profile)

    assert found == PairSession(None, {})
    assert (found.values, pairs_by_average(found), boards_with_results(found)) == ({}, (), ())
    assert scored(**document({}, plays=plays))["pairs"] == []


def test_a_board_tells_its_average_and_what_that_leaves_out():
    boards = boards_with_results(
        found_in(
            {1: (420, 170, 420, -50)}, profile={"pairs_method": "butler", "datum": {"trim": 1}}
        )
    )

    assert boards == (
        PairBoard(
            None,
            1,
            1,
            4,
            300,
            (ScoreFrequency(420, 2, 1), ScoreFrequency(170, 1, 0), ScoreFrequency(-50, 1, 1)),
        ),
    )


def test_boards_are_in_order_and_those_without_a_result_are_left_out():
    scores = {8: (90, 90, 90, 90), 1: (90, 90, 90, 90), 2: (None, None, None, None)}
    document_ = document(scores)
    document_["plays"] += [document_["plays"][0] | {"board": 3, "outcome": None}]
    session, profile = read_document(json.dumps(document_))

    boards = boards_with_results(score_as_pairs(session, profile))

    assert [(board.board, board.results, board.datum) for board in boards] == [
        (1, 4, 90),
        (8, 4, 90),
    ]


def test_pairs_are_compared_where_the_cards_were_the_same():
    matches = [
        {"round": 1, "home": item, "away": other, "boards": [1], "deals": deals}
        for item, other, deals in (("1", "2", "x"), ("3", "4", "y"))
    ]

    boards = boards_with_results(found_in({1: (420, 170, 90, -50)}, matches=matches))

    assert [(board.deals, board.results, board.datum) for board in boards] == [
        ("x", 2, 300),
        ("y", 2, 20),
    ]


def test_a_median_leaves_nothing_out():
    profile = {"pairs_method": "butler", "datum": {"kind": "median", "trim": 1}}

    [found] = boards_with_results(found_in({1: (420, 170, 420, -50)}, profile=profile))

    assert (found.datum, [item.out for item in found.frequency]) == (300, [0, 0, 0])


def test_an_only_result_has_no_datum():
    [found] = boards_with_results(found_in({1: (90, None, None, None)}))

    assert (found.results, found.datum) == (1, None)


def test_cross_imps_have_no_datum():
    [found] = boards_with_results(found_in({1: (90, 90, 90, 90)}, pairs_method="cross-imps"))

    assert (found.datum, found.frequency[0].count) == (None, 4)
    assert Fraction(found.frequency[0].out) == 0
