"""Every number can explain itself: in a sentence for each rule, with a sum that is right."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from bridgebuddy.scoring.explaining import explain_value, has_own_average, parts_sum
from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.profile import Profile
from bridgebuddy.scoring.rules.reports.results import SideResult
from bridgebuddy.scoring.rules.score import score_session

SCORES = (420, 400, 170, 140, 110, 90, -50, -100, -110, -140, -170)


def scored(outcomes, **profile):
    """Score one board with a given number of plays, and one other board with all results."""
    pairs = len(outcomes)
    document = {
        "name": "",
        "contest": "pairs",
        "profile": profile,
        "sections": [{"section": "A", "winners": 2}],
        "contestants": [
            {"label": f"{line}{n}", "section": "A", "field": line.upper(), "names": []}
            for line in ("ns", "ew")
            for n in range(1, pairs + 1)
        ],
        "plays": [
            {"section": "A", "round": board, "table": n, "board": board}
            | {"ns": f"ns{n}", "ew": f"ew{n}", "outcome": outcome}
            for board, found in ((1, outcomes), (8, [{"score": 50}] * pairs))
            for n, outcome in enumerate(found, start=1)
        ],
    }
    session, profile = read_document(json.dumps(document))
    return score_session(session, profile), profile


def explanation(outcomes, play=0, side="ns", **profile):
    found, how = scored(outcomes, **profile)
    return explain_value(found.plays[play].side(side), how, datum=found.boards[0].datum)


def outcomes_of(*scores):
    return [{"score": score} for score in scores]


NOT = {"not_played": "time"}


@pytest.mark.parametrize(
    ("outcomes", "sentence"),
    [
        (outcomes_of(420, 50, 50, -50), "Beats 3, ties 0. 2 · 3 = 6 of 6."),
        (outcomes_of(50, 420, 50, -50), "Beats 1, ties 1. 2 · 1 + 1 = 3 of 6."),
        (
            [*outcomes_of(*SCORES), NOT],
            "Beats 10, ties 0. 11 results of 12 expected. (20 + 1) · 12 / 11 − 1 = 21.91 of 22.",
        ),
        (
            [*outcomes_of(420, 50), *[NOT] * 7],
            "Beats 1, ties 0. 2 results of 9 expected. 60 % + (2 − 1) · 5 % = 65 %.",
        ),
        ([*outcomes_of(420), NOT, NOT], "It is the only result of the board: 60 % of 4."),
        ([*outcomes_of(420), NOT], "It is the only result of the board: 50 % of 2."),
        (
            [{"assigned": {"ns": [[60, 420], [40, -50]]}}, *outcomes_of(400, 110)],
            "A weighted ruling: 60 % · 4.4 + 40 % · −0.6 = 2.4 of 4.",
        ),
        (
            [{"artificial": {"ns": "AVE", "ew": "AVE"}}, *outcomes_of(50, 90)],
            "Average: 50 % of 4 = 2.",
        ),
        (
            [{"artificial": {"ns": "AVE+", "ew": "AVE-"}}, *outcomes_of(50, 90)],
            "Average plus: 60 % of 4 = 2.4.",
        ),
        (
            [{"artificial": {"ns": 55, "ew": 45}}, *outcomes_of(50, 90)],
            "As the director has ruled: 55 % of 4 = 2.2.",
        ),
        ([None, *outcomes_of(50)], "There is no result yet."),
        ([{"pending": True}, *outcomes_of(50)], "It will be played later."),
        ([NOT, *outcomes_of(50, 90)], "It does not count."),
        (
            [{"assigned": {"ns": [[100, 90]]}}, *outcomes_of(50, 50)],
            "A ruling, compared as a result: 4 of 4.",
        ),
    ],
)
def test_matchpoints_say_their_sum(outcomes, sentence):
    assert explanation(outcomes) == sentence


def test_who_is_compared_with_a_weighted_score_is_told_so():
    outcomes = [*outcomes_of(400), {"assigned": {"ns": [[60, 420], [40, -50]]}}, *outcomes_of(110)]
    assert explanation(outcomes) == "Compared with results some of which count in parts: 2.8 of 4."


def test_halves_are_told_as_halves():
    outcomes = outcomes_of(50, 420, 50, -50)
    assert explanation(outcomes, preset="ACBL") == "Beats 1, ties 1. (2 · 1 + 1) / 2 = 1.5 of 3."


@pytest.mark.parametrize(
    ("unequal", "sentence"),
    [
        ("own-tops", "Beats 2, ties 0. 2 · 2 = 4 of 4."),
        ("tie-for-missing", "Beats 2, ties 0. 3 results of 4 expected. 4 + 1 = 5 of 6."),
    ],
)
def test_other_rules_for_missing_results_say_theirs(unequal, sentence):
    assert explanation([*outcomes_of(420, 50, -50), NOT], unequal=unequal) == sentence


def test_an_own_average_that_is_better_than_the_usual_is_named():
    plus = {"artificial": {"ns": "AVE+", "ew": "AVE-"}}
    worth = Fraction("2.54")
    side = SideResult(2.54, worth, "mp", 4, 63.5, "AVE+", 2, 3, counted=worth)
    assert explain_value(side, Profile()) == (
        "Average plus: their own average, which is more than 60 %. 63.5 % of 4 = 2.54."
    )
    worth = Fraction("1.4")
    side = replace(side, rule="AVE-", exact=worth, counted=worth, percent=35)
    assert explain_value(side, Profile()) == (
        "Average minus: their own average, which is less than 40 %. 35 % of 4 = 1.4."
    )
    assert explanation([plus, *outcomes_of(50, 90)], side="ew") == "Average minus: 40 % of 4 = 1.6."
    side = SideResult(-4, Fraction(-4), "imps", None, None, "AVE-", 2, 3, counted=Fraction(-4))
    sentence = "Average minus: −4. Their own average counts: it is lower."
    assert explain_value(side, Profile(method="butler")) == sentence


def test_a_usual_average_that_the_profile_rounds_is_not_taken_for_an_own_one():
    half = Fraction(12, 5)  # 40 % of 6, stored as 2
    side = SideResult(2, half, "mp", 6, 33.33, "AVE-", 3, 4, counted=Fraction(2))
    assert not has_own_average(side, Profile())


@pytest.mark.parametrize(
    ("outcomes", "profile", "sentence"),
    [
        (
            outcomes_of(420, 50, 50),
            {"method": "cross-imps"},
            "IMPs against 2 other results: +9.",
        ),
        (
            [*outcomes_of(420, 50, 50), NOT],
            {"method": "cross-imps"},
            "IMPs against 2 other results: +8. 3 results of 4 expected.",
        ),
        (outcomes_of(420, 50, 50), {"method": "butler"}, "Against a datum of +170: +6."),
        (outcomes_of(420, 50, 50), {"method": "aggregate"}, "The score counts as it is."),
        (outcomes_of(420), {"method": "butler"}, "It does not count."),
        ([*outcomes_of(420), NOT], {"method": "butler"}, "It is the only result of the board: 0."),
        (
            [{"artificial": {"ns": "AVE+", "ew": "AVE-"}}, *outcomes_of(50, 50)],
            {"method": "butler"},
            "Average plus: +3.",
        ),
        (
            [{"artificial": {"ns": "AVE+", "ew": "AVE"}}, *outcomes_of(50, 50)],
            {"method": "butler", "side": "ew"},
            "Average: 0.",
        ),
        (
            [{"artificial": {"ns": "AVE+", "ew": "AVE-"}}, *outcomes_of(50, 50)],
            {"method": "butler", "side": "ew"},
            "Average minus: −3.",
        ),
        (
            [{"artificial": {"ns": 2, "ew": -2}}, *outcomes_of(50, 50)],
            {"method": "butler"},
            "As the director has ruled: +2.",
        ),
        (
            [{"assigned": {"ns": [[60, 420], [40, -50]]}}, *outcomes_of(50, 50)],
            {"method": "cross-imps"},
            "A weighted ruling: 60 % · 11 + 40 % · −6 = +4.2.",
        ),
    ],
)
def test_imps_say_with_what_they_compare(outcomes, profile, sentence):
    assert explanation(outcomes, **profile) == sentence


def test_a_board_of_teams_is_compared_with_the_other_table():
    side = SideResult(-5, Fraction(-5), "imps", None, None, "compared", 2, 2, counted=Fraction(-5))
    assert explain_value(side, Profile(method="team-imps")) == "Compared with the other table: −5."


@pytest.mark.parametrize(
    "outcomes",
    [
        outcomes_of(*SCORES),
        [*outcomes_of(*SCORES), NOT],
        [*outcomes_of(90, 90, 50, 50, 50, -50), NOT],
        [*outcomes_of(90, 90, 50), *[NOT] * 4],
    ],
)
def test_the_sum_in_the_sentence_is_the_value(outcomes):
    found, how = scored(outcomes)
    for row in found.plays:
        for side in (row.ns, row.ew):
            sentence = explain_value(side, how)
            if side.value is None or "=" not in sentence:
                continue
            written = sentence.split(" = ")[0].rsplit(". ", 1)[1]
            if "%" in written:
                continue
            value = eval(written.replace("·", "*").replace("−", "-"))
            assert round(value, 4) == side.value


def test_a_third_is_written_as_a_fraction():
    assert parts_sum([(Fraction(1, 3), 9), (Fraction(2, 3), 3)]) == "1/3 · 9 + 2/3 · 3"
