"""Published tables, and three real sessions recomputed to the last decimal."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from bridgebuddy.scoring.rules.model import Contract
from bridgebuddy.scoring.rules.points import (
    dealer,
    declarers_score,
    imps_of_difference,
    is_vulnerable,
    possible_scores,
)
from bridgebuddy.scoring.rules.scales.victory_points import (
    discrete_scale,
    points_for_margin,
    points_for_percentage,
)
from bridgebuddy.scoring.rules.score import score_document
from tests.scoring.sessions import board, values

FACTS = Path(__file__).parents[1] / "data" / "scoring"
SESSIONS = ("mp-mitchell-8-web", "acbl-howell-11-factored", "ximp-realbridge-3")


def facts(name):
    return json.loads((FACTS / f"{name}.json").read_text(), parse_float=Fraction)


def test_every_contract_scores_as_law_77_says():
    table = facts("score_table")["table"]

    found = {
        key: [
            declarers_score(
                Contract(int(key[0]), key[1], key.count("x")),
                tricks,
                vulnerable=key.endswith("v"),
            )
            for tricks in range(14)
        ]
        for key in table
    }

    assert found == table
    assert sum(map(len, found.values())) == 2940


def test_dealer_and_vulnerability_go_by_the_board():
    said = {
        (False, False): "none",
        (True, False): "NS",
        (False, True): "EW",
        (True, True): "both",
    }

    found = {
        number: {
            "dealer": dealer(int(number)),
            "vulnerable": said[is_vulnerable(int(number), "N"), is_vulnerable(int(number), "E")],
        }
        for number in facts("vulnerability")["boards"]
    }

    assert found == facts("vulnerability")["boards"]


def test_imps_go_by_law_78b():
    least = facts("imp_table")["least_difference_for_imps"]

    assert {number: imps_of_difference(margin) for number, margin in least.items()} == {
        number: int(number) for number in least
    }
    assert all(
        imps_of_difference(margin - 10) == int(number) - 1 for number, margin in least.items()
    )
    assert [imps_of_difference(item) for item, _ in facts("imp_table")["examples"]] == [
        found for _, found in facts("imp_table")["examples"]
    ]


def test_the_continuous_scale_has_every_published_value():
    table = facts("vp_wbf_continuous")["boards"]

    found = {
        boards: [
            points_for_margin("wbf-continuous", int(boards), margin)
            for margin in range(len(column))
        ]
        for boards, column in table.items()
    }

    assert found == table


def test_the_discrete_scale_has_every_published_bound():
    table = facts("vp_wbf_discrete")["boards"]

    assert {boards: list(discrete_scale(int(boards))) for boards in table} == table


@pytest.mark.parametrize(("scale", "first", "draw"), [("acbl-20", 11, 10), ("acbl-30", 18, 15)])
def test_the_acbl_s_scales_are_as_printed(scale, first, draw):
    for name, least in facts(f"vp_{scale.replace('-', '_')}")["boards"].items():
        boards = int(name.split("-")[0])
        assert points_for_margin(scale, boards, 0) == draw
        for points, margin in enumerate(least, first):
            assert points_for_margin(scale, boards, margin) == points
            assert points_for_margin(scale, boards, margin - 1) == (
                points - 1 if points > first else draw
            )
            assert points_for_margin(scale, boards, -margin) == 2 * draw - points


def test_percentages_of_swiss_pairs_are_looked_up():
    table = facts("vp_swiss_pairs")

    for name, most in table["boards"].items():
        for points, bound in enumerate(most, 10):
            boards = int(name.split("-")[-1])
            assert points_for_percentage(boards, bound) == points
            assert points_for_percentage(boards, bound + Fraction(1, 100)) == points + 1
    for name, most in table["half_match_10"].items():
        for points, bound in enumerate(most, 5):
            assert points_for_percentage(int(name.split("-")[0]), bound, half=True) == points
    assert [
        points_for_percentage(example["boards"], Fraction(example["percent"]))
        for example in table["examples"]
    ] == [example["vp"] for example in table["examples"]]


@pytest.mark.parametrize("example", facts("matchpoints")["doubled"])
def test_matchpoints_count_two_for_a_result_beaten_and_one_for_a_tie(example):
    plays = board(example["ns_scores"], number=_board_for(example["ns_scores"]))

    assert values(plays) == example["mp"]
    top = 2 * (len(plays) - 1)
    assert values(plays, "ew") == [top - item for item in example["mp"]]


def _board_for(scores):
    return next(number for number in range(1, 17) if set(scores) <= possible_scores(number))


@pytest.mark.parametrize("name", SESSIONS)
def test_a_real_session_is_right_to_the_last_decimal(name):
    results = score_document((FACTS / "sessions" / f"{name}.session.json").read_text())
    printed = json.loads((FACTS / "sessions" / f"{name}.results.json").read_text())

    compared = 0
    for play in printed["plays"]:
        mine = results["plays"][play["play"]]
        assert mine["score"] == play["score"]
        for line in ("ns", "ew"):
            for key, value in play[line].items():
                compared += 1
                assert _agree(mine[line][key], value), (play, mine)
    for ranking in printed["rankings"]:
        keys = ("section", "field", "stratum", "category", "handicap")
        (mine,) = [
            item for item in results["rankings"] if all(item[key] == ranking[key] for key in keys)
        ]
        rows = {row["contestant"]: row for row in mine["rows"]}
        for row in ranking["rows"]:
            for key, value in row.items():
                compared += 1
                assert _agree(rows[row["contestant"]][key], value), (ranking["field"], row)
    assert results["state"] == printed.get("state", "complete")
    assert compared > 100


def _agree(mine, printed):
    """Return whether a number agrees with the printed one, to half a unit of its last place."""
    if isinstance(printed, str) or printed is None:
        return mine == printed
    return abs(mine - printed) <= 0.005 + 1e-9


@pytest.mark.parametrize("example", facts("neuberg")["examples"])
def test_neuberg_s_examples(example):
    results, expected, points = example["A"], example["E"], example["M"]
    others = [None] * (expected - 1) if results == 1 else []  # the formula, while some are open
    scores = _scores_with(points, results)

    plays = board(
        [], outcomes=[*({"score": score} for score in scores), *others], expected=expected
    )

    assert float(example["mp"]) in values(plays)


def _scores_with(points, results):
    """Return scores of so many results of which one has so many matchpoints."""
    below, tied = divmod(points, 2)
    rising = sorted(score for score in possible_scores(1) if score > 0)
    mine = rising[below]
    return [*rising[:below], *[mine] * (1 + tied), *rising[below + 1 : results - tied]]


def test_neuberg_s_series_adds_up():
    (series,) = facts("neuberg")["series"]
    scores = [50, 100, 110, 120, 130, 140, 150, 170, 400, 430]

    plays = board(scores, expected=series["E"])

    assert sorted(values(plays), reverse=True) == [float(item) for item in series["got"]]


@pytest.mark.parametrize("which", facts("neuberg")["small_groups"]["which"])
def test_small_groups_are_those_of_a_third_of_the_results_or_less(which):
    scores = [50, 100, 110, 120][: which["A"]]
    (rule,) = {play["ns"]["rule"] for play in board(scores, expected=which["E"])}

    said = {"small group": "small-group", "Neuberg": "neuberg", "artificial score": "single"}
    assert rule == said[which["use"]]


@pytest.mark.parametrize("example", facts("butler")["examples"])
def test_butler_s_datum_and_imps(example):
    scores = [int(score) for score, many in example["scores"].items() for _ in range(many)]
    profile = {"method": "butler", "datum": {"trim": example["trim"]}}
    expected = example.get("E")

    plays = board(scores, number=_board_for(scores), expected=expected, profile=profile)

    found = {play["score"]: play["ns"]["value"] for play in plays}
    assert found == {int(score): value for score, value in example["imps"].items()}
