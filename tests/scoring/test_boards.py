"""A board: compared, weighted, adjusted, fouled, not played."""

import json
import re
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string

from bridgebuddy.scoring.results.scored import SideScore
from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.reports import results
from bridgebuddy.scoring.rules.score import score_session
from bridgebuddy.scoring.templatetags.results import percent, points
from tests.scoring.sessions import board, scored, values

PART = {"score": 100}
SCORES = (650, 620, 170, 140, 120, 110, 90, 80, -90, -110, -140, -420)


def artificial(ns, ew, **more):
    return {"artificial": {"ns": ns, "ew": ew}} | more


def assigned(ns, ew=None):
    return {"assigned": {"ns": ns} | ({"ew": ew} if ew else {})}


def percents(plays, line="ns"):
    return [play[line]["percent"] for play in plays]


# ── weighted and split ──

OTHERS = [{"score": score} for score in (650, -100, -100, -200, -200)]


def test_parts_are_converted_first_and_weighed_then():
    mine = assigned([[30, 650], [70, -100]])

    plays = board([], outcomes=[mine, *OTHERS], number=2)

    assert (plays[0]["ns"]["value"], plays[0]["ew"]["value"]) == (6.9, 3.1)
    assert plays[0]["ns"]["parts"] == [["3/10", 9.7], ["7/10", 5.7]]
    assert plays[1]["ns"]["value"] == 9.7
    assert plays[0]["ns"]["rule"] == "assigned"


def test_weights_are_weighed_before_missing_results_are_made_up_for():
    mine = assigned([[30, 650], [70, -100]])

    plays = board([], outcomes=[mine, *OTHERS], number=2, expected=7)

    assert plays[0]["ns"]["exact"] == "493/60"
    assert (plays[0]["ns"]["value"], plays[0]["ew"]["value"]) == (8.2167, 3.7833)


def test_an_assigned_score_of_one_part_is_a_score():
    typed = board([650, -100, -200], number=2)
    ruled = board([], outcomes=[assigned([[100, 650]]), {"score": -100}, {"score": -200}], number=2)

    assert [values(typed, line) for line in ("ns", "ew")] == [
        values(ruled, line) for line in ("ns", "ew")
    ]


def test_split_scores_compare_each_side_with_its_own():
    split = assigned([[100, 140]], [[100, 620]])

    plays = board([], outcomes=[split, {"score": 140}, {"score": 620}], number=2)

    assert values(plays) == [1, 1, 4]
    assert values(plays, "ew") == [1, 4, 1]


def test_thirds_may_be_written_as_fractions():
    plays = board([], outcomes=[assigned([["1/3", 650], ["2/3", -100]]), *OTHERS], number=2)

    assert plays[0]["ns"]["exact"] == "7"


# ── artificial ──


def session(own, outcome, **profile):
    """Return pair 1's value of an adjusted board, with this percentage on four others."""
    plays = [
        {"round": number, "table": table, "board": number, "ns": ns, "ew": ew, "outcome": PART}
        for number in range(1, 5)
        for table, (ns, ew) in enumerate((("1", "3"), ("2", "4")), 1)
    ]
    for number in range(1, 5):
        mine = {"score": 140 if number <= own else 90}
        plays[2 * number - 2]["outcome"] = mine
    plays.append(
        {"round": 5, "table": 1, "board": 5, "ns": "1", "ew": "3", "outcome": outcome},
    )
    plays.append({"round": 5, "table": 2, "board": 5, "ns": "2", "ew": "4", "outcome": PART})
    results = scored(
        contestants=[{"label": str(number)} for number in range(1, 5)], plays=plays, profile=profile
    )
    return results["plays"][8]


def test_average_plus_is_sixty_per_cent_or_the_own_average():
    assert session(2, artificial("AVE+", "AVE-"))["ns"]["percent"] == 60
    assert session(3, artificial("AVE+", "AVE-"))["ns"]["percent"] == 75
    assert session(3, artificial("AVE+", "AVE-"))["ew"]["percent"] == 25
    assert session(2, artificial("AVE+", "AVE-"))["ew"]["percent"] == 40


def test_average_is_half_and_a_fixed_number_stays_what_it_is():
    adjusted = session(3, artificial("AVE", 70))

    assert (adjusted["ns"]["percent"], adjusted["ns"]["rule"]) == (50, "AVE")
    assert (adjusted["ew"]["percent"], adjusted["ew"]["rule"]) == (70, "fixed")


def test_a_profile_may_leave_the_own_average_out():
    assert session(3, artificial("AVE+", "AVE-"), ave={"own": False})["ns"]["percent"] == 60


def test_in_imps_average_plus_is_three():
    adjusted = session(2, artificial("AVE+", "AVE-"), method="butler")

    assert (adjusted["ns"]["value"], adjusted["ew"]["value"]) == (3, -3)


def test_totals_of_cross_imps_scale_averages_and_no_fixed_number():
    profile = {"method": "cross-imps", "ximp": "total"}
    plays = board([], outcomes=[artificial("AVE+", 2), PART, PART, PART], profile=profile)

    assert (plays[0]["ns"]["value"], plays[0]["ew"]["value"]) == (9, 2)


def test_a_side_without_a_score_owes_none():
    plays = board([], outcomes=[artificial("AVE+", None), PART, PART])

    assert plays[0]["ew"] == plays[0]["ew"] | {"value": None, "rule": "not-played"}


# ── fewer results than expected ──


def test_two_results_of_nine_are_a_small_group_only_when_nothing_is_awaited():
    two = [{"score": 400}, {"score": 50}]
    time = {"not_played": "time"}

    waiting = board([], outcomes=[*two, *[None] * 7])
    over = board([], outcomes=[*two, *[time] * 7])

    assert values(waiting)[:2] == [12.5, 3.5]
    assert values(over)[:2] == [10.4, 8.8]
    assert percents(over)[:2] == [65, 55]


def test_an_only_result_is_average_plus_for_both_and_average_for_two():
    time = {"not_played": "time"}

    assert percents(board([], outcomes=[PART, time, time]))[0] == 60
    assert percents(board([], outcomes=[PART, time, time]), "ew")[0] == 60
    assert percents(board([], outcomes=[PART, time]))[0] == 50
    assert board([], outcomes=[PART])[0]["ns"]["value"] is None


def test_a_cancelled_play_is_not_expected_and_a_skipped_one_is():
    scores = [{"score": score} for score in (50, 100, 110, 120)]

    cancelled = board([], outcomes=[*scores, {"not_played": "cancelled"}])
    skipped = board([], outcomes=[*scores, {"not_played": "skipped"}])

    assert (cancelled[0]["ns"]["E"], cancelled[0]["ns"]["rule"]) == (4, "compared")
    assert (skipped[0]["ns"]["E"], skipped[0]["ns"]["rule"]) == (5, "neuberg")


@pytest.mark.parametrize(
    ("unequal", "best"), [("neuberg", 9.5), ("own-tops", 6), ("tie-for-missing", 8)]
)
def test_what_makes_up_for_missing_results_is_the_profile_s(unequal, best):
    plays = board([50, 100, 110, 120], expected=6, profile={"unequal": unequal})

    assert plays[3]["ns"]["value"] == best


def test_board_places_round_both_sides_up_in_size():
    plays = board([50, 50, 100, 110, 120, 130, 140, 150], expected=9, profile={"board_places": 2})

    assert (plays[2]["ns"]["value"], plays[2]["ew"]["value"]) == (4.63, 11.38)
    assert (plays[2]["ns"]["exact"], plays[2]["ew"]["exact"]) == ("37/8", "91/8")
    assert (plays[2]["ns"]["counted"], plays[2]["ew"]["counted"]) == ("463/100", "569/50")


def test_a_fouled_board_is_compared_in_its_groups():
    nine = [50, 90, 100, 110, 120, 130, 140, 150, 200]
    three = [50, 100, 110]
    contestants = [{"label": f"{line}{table}"} for table in range(1, 13) for line in "NE"]
    plays = [
        {
            "round": 1,
            "table": table,
            "board": 1,
            "ns": f"N{table}",
            "ew": f"E{table}",
            "group": "as dealt" if table <= 9 else "wrong",
            "outcome": {"score": score},
        }
        for table, score in enumerate([*nine, *three], 1)
    ]

    numbers = values(scored(contestants=contestants, plays=plays)["plays"])

    assert numbers[:9] == [0.3333, 3, 5.6667, 8.3333, 11, 13.6667, 16.3333, 19, 21.6667]
    assert numbers[9:] == [11, 13.2, 15.4]


# ── cross-IMPs ──


def test_cross_imps_are_averaged_over_the_results_expected():
    time = {"not_played": "time"}
    outcomes = [{"score": -50}, {"score": 110}, {"score": 110}, time]

    plays = board([], outcomes=outcomes, profile={"method": "cross-imps"})

    assert [play["ns"]["value"] and round(play["ns"]["value"], 2) for play in plays] == [
        -3.56,
        1.78,
        1.78,
        None,
    ]


def test_cross_imps_against_everybody_else():
    plays = board([420, 450, -100, -200, 400], profile={"method": "cross-imps", "ximp": "total"})

    assert values(plays) == [23, 26, -30, -39, 20]


# ── deals ──


def test_results_of_different_cards_are_never_compared():
    contestants = [
        {"label": f"{line}{table}", "section": section}
        for section in "AB"
        for table in range(1, 5)
        for line in "NE"
    ]
    scores = {"A": (420, 420, 450, 170), "B": (-100, -100, -130, 110)}
    plays = [
        {
            "section": section,
            "round": 1,
            "table": table,
            "board": 1,
            "ns": f"N{table}",
            "ew": f"E{table}",
            "outcome": {"score": score},
        }
        for section in "AB"
        for table, score in enumerate(scores[section], 1)
    ]

    def scored_plays(**deals):
        sections = [{"section": name} | ({"deals": deals[name]} if deals else {}) for name in "AB"]
        return scored(sections=sections, contestants=contestants, plays=plays)["plays"]

    assert percents(scored_plays(A="one", B="two")) == [50, 50, 100, 0, 50, 50, 0, 100]
    assert percents(scored_plays())[:4] == [78.57, 78.57, 100, 57.14]


# ── what a table cannot have had ──


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ({"score": 620}, "plays[0] (section A round 1 table 1 board 1): N-S +620 is impossible"),
        (
            {"score": 36000},
            "plays[0] (section A round 1 table 1 board 1): N-S +36000 is impossible",
        ),
        (
            {"contract": "8C", "declarer": "N", "tricks": 7},
            "plays[0] (section A round 1 table 1 board 1): contract '8C' is no contract",
        ),
        (
            {"contract": "3NT", "declarer": "N", "tricks": 14},
            "plays[0] (section A round 1 table 1 board 1): tricks 14 is more than 13",
        ),
        ({"contract": "3NT", "tricks": 9}, "plays[0].outcome.declarer: is missing"),
        (
            assigned([[60, 100], [50, 50]]),
            "plays[0].outcome.assigned.ns: weights add to 110 %, not 100",
        ),
        (
            assigned([["3/2", 100], ["-1/2", 50]]),
            "plays[0].outcome.assigned.ns[0][0]: is no share of 100 %",
        ),
        ({"passed": True, "x": 1}, "plays[0].outcome.x: is not known"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(outcome, said):
    with pytest.raises(ValueError) as refused:
        board([], outcomes=[outcome, PART])

    assert str(refused.value) == said


def test_all_impossible_outcomes_are_told_at_once():
    with pytest.raises(ValueError) as refused:
        board([620, 50, 36000])

    assert str(refused.value).splitlines() == [
        "plays[0] (section A round 1 table 1 board 1): N-S +620 is impossible",
        "plays[2] (section A round 1 table 3 board 1): N-S +36000 is impossible",
    ]


def test_a_score_is_possible_by_the_board_s_vulnerability():
    assert values(board([620, 50], number=2)) == [2, 0]


def shown_values(scores, expected=None):
    """Return both sides' values of each play as pages show them."""
    plays = [
        {"table": n, "board": 2, "ns": f"N{n}", "ew": f"E{n}", "outcome": {"score": item}}
        for n, item in enumerate(scores, 1)
    ]
    labels = [{"label": play[line]} for play in plays for line in ("ns", "ew")]
    sections = [{"section": "A", "expected": expected}]
    document = {"contest": "pairs", "contestants": labels, "plays": plays, "sections": sections}
    results = score_session(*read_document(json.dumps(document)))
    return [SideScore(side) for play in results.plays for side in (play.ns, play.ew)]


def test_what_pages_show_of_both_sides_makes_the_top():
    """Percentages are rounded once from the exact value: 10 of 22 is 45.5 %, not a shortened 45.45 %."""
    twelve = shown_values(SCORES)
    for ns, ew in zip(twelve[::2], twelve[1::2], strict=True):
        assert Decimal(percent(ns.percent, 1)) + Decimal(percent(ew.percent, 1)) == 100
    ten, eighth = Fraction(10), Fraction(1, 8)
    side = results.SideResult(10, ten, "mp", 22, 45.45, "compared", counted=ten)
    assert percent(SideScore(side).percent, 1) == "45.5"

    eight = shown_values(SCORES[:8], expected=9)
    for ns, ew in zip(eight[::2], eight[1::2], strict=True):
        assert Decimal(points(ns.points)) + Decimal(points(ew.points)) == 16
    side = results.SideResult(0.125, eighth, "mp", 16, 0.78, "compared", counted=eighth)
    assert points(SideScore(side).points) == "0.12"


def session_of_eight(profile):
    """Eight results of nine that were expected: eighths."""
    return scored(
        profile=profile,
        contestants=[{"label": f"{line}{n}"} for n in range(8) for line in "NE"],
        sections=[{"section": "A", "expected": 9}],
        plays=[
            {"round": 1, "table": n + 1, "board": 2, "ns": f"N{n}", "ew": f"E{n}"}
            | {"outcome": {"score": score}}
            for n, score in enumerate(SCORES[:8])
        ],
    )


def test_how_often_each_score_was_made_has_the_points_of_the_lines():
    [field] = session_of_eight({})["boards"]

    text = render_to_string(
        "results/frequency.html",
        {
            "rows": field["frequency"],
            "top": field["top"],
            "scored": SimpleNamespace(value_places=2),
        },
    )

    cells = re.findall(r'<td class="r">([\d.]+)</td>', text)
    shown = list(zip(cells[1::3], cells[2::3], strict=True))
    assert len(shown) == 8
    assert all(Decimal(ns) + Decimal(ew) == 16 for ns, ew in shown)


def test_how_often_each_score_was_made_is_rounded_as_the_lines_are():
    """England's programs print 9.63 and 5.38: so do both lists of a board."""
    results = session_of_eight({"preset": "EBU"})

    [field] = results["boards"]

    ns, ew = ({play[side]["value"] for play in results["plays"]} for side in ("ns", "ew"))
    assert {row["ns"] for row in field["frequency"]} == ns
    assert {row["ew"] for row in field["frequency"]} == ew


def test_what_is_told_twice_is_named_as_it_stands_in_the_document():
    one = {"round": 1, "board": 1, "ns": "1", "ew": "2", "outcome": {"score": 110}}
    contestants = [{"label": name, "section": "A"} for name in "12"]
    with pytest.raises(ValueError) as refused:
        scored(contestants=contestants, plays=[one, one | {"table": 1}, one | {"table": 1}])

    assert str(refused.value) == "plays[2]: is plays[1] once more"
