"""Places, ties, sit-outs, penalties, strata, handicaps, several sessions, leavers."""

import json

import pytest

from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.rankings.ranking import strata_of
from tests.scoring.sessions import scored


def evening(rows, profile=None, *, boards=4, **more):
    """Return the results of pairs that have these percentages over so many boards, by a fixed score.

    `rows` has each pair's percentage: one number for every board, or one for each.
    """
    contestants, plays = [], []
    for table, (label, percent, facts) in enumerate(
        (row if len(row) == 3 else (*row, {}) for row in rows), 1
    ):
        contestants += [{"label": label} | facts, {"label": f"x{table}", "standing": False}]
        for number in range(1, facts.get("_boards", boards) + 1):
            given = percent[number - 1] if isinstance(percent, list) else percent
            artificial = {"ns": given, "ew": None}
            plays.append(
                {
                    "round": number,
                    "table": table,
                    "board": number,
                    "ns": label,
                    "ew": f"x{table}",
                    "outcome": {"artificial": artificial},
                }
            )
    for contestant in contestants:
        contestant.pop("_boards", None)
    return scored(contestants=contestants, plays=plays, profile=profile or {}, **more)


def ranking(found, **keys):
    wanted = {"section": None, "field": None, "stratum": None, "category": None, "handicap": False}
    wanted |= keys
    (one,) = [r for r in found["rankings"] if all(r[key] == wanted[key] for key in wanted)]
    return [row for row in one["rows"] if not row["contestant"].startswith("x")]


def places(found, **keys):
    return {row["contestant"]: row["place"] for row in ranking(found, **keys)}


def test_equal_printed_percentages_share_a_place_and_the_next_is_left_out():
    results = evening([("1", 60.15), ("2", 60.154), ("3", 58)])

    assert places(results) == {"1": "1=", "2": "1=", "3": "3"}
    assert [row["order"] for row in ranking(results)] == [1, 2, 3]


def test_ties_may_be_broken_by_the_profile():
    results = evening([("1", 60), ("2", 60, {"lot": 1}), ("3", 60, {"lot": 2})], {"ties": "broken"})

    assert places(results) == {"2": "1", "3": "2", "1": "3"}


def test_boards_won_break_a_tie_before_the_lot_and_an_even_one_is_half_won():
    rows = [("1", [70, 45, 35], {"lot": 1}), ("2", [50, 50, 50]), ("3", [55, 55, 40])]

    results = evening(rows, {"ties": "broken"}, boards=3)

    assert places(results) == {"3": "1", "2": "2", "1": "3"}


@pytest.mark.parametrize(("boards", "percent"), [(24, 53.96), (27, 54.07)])
def test_a_quarter_of_a_top_weighs_by_the_boards_played(boards, percent):
    fine = {"contestant": "1", "unit": "top", "amount": -0.25, "reason": "late"}

    results = evening([("1", 55), ("2", 50)], boards=boards, penalties=[fine])

    assert ranking(results)[0]["percent"] == percent


def test_percent_and_matchpoints_are_units_too():
    fines = [
        {"contestant": "1", "unit": "percent", "amount": -2.5},
        {"contestant": "2", "unit": "matchpoints", "amount": 1},
    ]

    results = evening([("1", 55), ("2", 50)], penalties=fines)

    rows = {row["contestant"]: row for row in ranking(results)}
    assert rows["1"]["percent"] == 52.5
    assert rows["2"]["total"] - 1 == rows["2"]["top"] / 2


@pytest.mark.parametrize("unit", ["imps", "vps"])
def test_a_unit_that_the_method_does_not_have_is_refused(unit):
    fine = {"contestant": "1", "unit": unit, "amount": -1}

    with pytest.raises(ValueError, match=f"penalties\\[0\\].unit: '{unit}' is no unit"):
        evening([("1", 55)], penalties=[fine])


def test_who_has_played_too_little_has_no_place():
    results = evening([("1", 60, {"_boards": 4}), ("2", 55)], {"min_played": 75})
    assert places(results) == {"1": "1", "2": "2"}


@pytest.mark.parametrize(("not_played", "has_place"), [(2, True), (3, False)])
def test_who_has_played_exactly_as_much_as_is_wanted_has_a_place(not_played, has_place):
    outcomes = [{"artificial": {"ns": 60, "ew": None}}] * 2 + [{"not_played": "time"}] * not_played
    plays = [
        {"round": n, "table": table, "board": n, "ns": f"{table}", "ew": "x", "outcome": outcome}
        for n, outcome in enumerate(outcomes, 1)
        for table in (1, 2)
    ]
    contestants = [{"label": "1"}, {"label": "2"}, {"label": "x", "standing": False}]

    few = scored(contestants=contestants, plays=plays, profile={"min_played": 50})

    assert set(places(few).values()) == ({"1="} if has_place else {None})
    assert {row["due"] for row in ranking(few)} == {2 + not_played}


def test_a_sit_out_counts_as_played():
    plays = [{"round": 1, "table": 1, "board": 1, "ns": "1", "ew": "2", "outcome": {"score": 100}}]
    contestants = [{"label": label} for label in "123"]
    sit_outs = [{"round": 2, "contestant": "1", "boards": [2, 3]}]

    results = scored(
        contestants=contestants,
        plays=[*plays, plays[0] | {"table": 2, "ns": "3", "ew": "2"}][:1],
        sit_outs=sit_outs,
        sections=[{"expected": 2}],
    )

    (row,) = [row for row in ranking(results) if row["contestant"] == "1"]
    assert (row["boards"], row["due"], row["place"]) == (1, 3, "1=")


def test_imps_go_by_the_average_where_numbers_of_boards_differ():
    profile = {"method": "butler"}

    equal = evening([("1", -0.5), ("2", -0.55)], profile, boards=20)
    unequal = evening(
        [("1", -0.5, {"_boards": 24}), ("2", -0.55, {"_boards": 21})], profile, boards=24
    )

    assert [row["total"] for row in ranking(equal)] == [-10, -11]
    assert [row["total"] for row in ranking(unequal)] == [-12, -11.55]
    assert [row["contestant"] for row in ranking(unequal)] == ["1", "2"]


def test_the_fullest_contestant_s_boards_may_be_the_measure():
    results = evening(
        [("1", -0.0806, {"_boards": 16}), ("2", 1, {"_boards": 24})],
        {"method": "cross-imps", "sit_outs": "fullest"},
    )

    rows = {row["contestant"]: row["total"] for row in ranking(results)}
    assert rows["1"] == -1.94


# ── strata, categories, handicap ──


def test_strata_compete_in_all_above_and_small_ones_are_joined():
    points = {"1": 500, "2": 150, "3": 100, "4": 40, "5": 10}
    strata = {"names": ["A", "B", "C"], "limits": [None, 200, 50]}

    results = evening(
        [(label, 60 - int(label), {"points": [many]}) for label, many in points.items()],
        {"strata": strata},
    )

    assert list(places(results, stratum=1)) == ["1", "2", "3", "4", "5"]
    assert places(results, stratum=2) == {"2": "1", "3": "2", "4": "3", "5": "4"}
    assert max(r["stratum"] or 0 for r in results["rankings"]) >= 2


@pytest.mark.parametrize(("of_c", "lowest"), [(2, 2), (3, 3)])
def test_a_stratum_of_exactly_three_stands_alone(of_c, lowest):
    points = [500, 150, 100] + [10] * of_c
    session, profile = read_document(
        json.dumps(
            {
                "contestants": [
                    {"label": str(n), "points": [many]} for n, many in enumerate(points, 1)
                ],
                "plays": [],
                "profile": {"strata": {"names": ["A", "B", "C"], "limits": [None, 200, 50]}},
            }
        )
    )

    found = strata_of(session, profile)

    assert sorted(found.values()) == [1, 2, 2] + [lowest] * of_c


def test_categories_are_lists_of_their_own():
    results = evening([("1", 60), ("2", 55, {"categories": ["juniors"]}), ("3", 50)])

    assert places(results, category="juniors") == {"2": "1"}


def test_a_handicap_is_added_once_to_the_exact_percentage():
    results = evening([("1", 57.39, {"handicap": [-6.42, 0]}), ("2", 50)])

    rows = {row["contestant"]: row["percent"] for row in ranking(results, handicap=True)}
    assert rows == {"1": 54.18, "2": 50}
    assert ranking(results)[0]["percent"] == 57.39


def test_a_handicap_may_come_from_the_last_results():
    results = evening(
        [("1", 50, {"recent": [30, 40, 44]}), ("2", 51)], {"handicap": {"factor": 1, "last": 2}}
    )

    assert {row["contestant"]: row["percent"] for row in ranking(results, handicap=True)} == {
        "1": 58,
        "2": 51,
    }


# ── several sessions ──


@pytest.mark.parametrize(("how", "overall"), [("weighted", 57.65), ("plain", 57.5)])
def test_sessions_are_averaged(how, overall):
    earlier = [{"percent": 55, "boards": 24}]

    results = evening([("1", 60, {"earlier": earlier}), ("2", 50)], {"sessions": how}, boards=27)

    assert ranking(results)[0]["overall"] == overall


def test_a_score_is_carried_forward():
    earlier = [{"score": 600, "max": 1056, "boards": 48}]
    contestants = [{"label": "1", "earlier": earlier}] + [
        {"label": str(number)} for number in range(2, 27)
    ]
    plays = [
        {
            "round": number,
            "table": table,
            "board": number,
            "ns": str(table),
            "ew": str(table + 13),
            "outcome": {"score": 100},
        }
        for number in range(1, 25)
        for table in range(1, 14)
    ]

    results = scored(contestants=contestants, plays=plays, profile={"sessions": "carry-forward"})

    (row,) = [row for row in ranking(results) if row["contestant"] == "1"]
    assert (row["total"], row["top"], row["overall"]) == (288, 576, 615.27)


#: two pairs: 2 points a board to be had, or 1 as halves are shown
BEFORE = {"score": 40, "max": 92, "boards": 46}


@pytest.mark.parametrize(
    ("how", "overall"), [("weighted", 55), ("plain", 55), ("sum", 55), ("carry-forward", None)]
)
def test_before_the_first_result_of_tonight_everybody_has_what_they_brought(how, overall):
    earlier = [{"score": 55, "max": 100, "boards": 24}]
    contestants = [{"label": "1", "earlier": earlier}, {"label": "2"}]
    plays = [{"round": 1, "table": 1, "board": 1, "ns": "1", "ew": "2"}]

    results = scored(contestants=contestants, plays=plays, profile={"sessions": how})

    assert ranking(results)[0]["overall"] == overall


def test_sessions_added_up_are_per_cent_whose_exact_half_goes_away_from_fifty():
    earlier = [{"score": 360, "max": 798, "boards": 99}]

    results = evening([("1", 50, {"earlier": earlier}), ("2", 50)], {"sessions": "sum"}, boards=1)

    assert (ranking(results)[1]["exact"], ranking(results)[1]["overall"]) == ("361/8", 45.12)


def test_what_is_brought_along_may_be_an_exact_fraction():
    earlier = [{"percent": "15802/300", "boards": 3}]

    results = evening([("1", 50, {"earlier": earlier}), ("2", 50)], boards=1)

    assert (ranking(results)[0]["exact"], ranking(results)[0]["overall"]) == ("10401/200", 52.01)


@pytest.mark.parametrize("wrong", [{"boards": 0}, {"boards": "1/0"}, {"boards": "1/3/5"}])
def test_nobody_has_played_no_board_before(wrong):
    with pytest.raises(ValueError, match=r"contestants\[0\].earlier\[0\].boards"):
        evening([("1", 50, {"earlier": [BEFORE | wrong]})])


@pytest.mark.parametrize(("how", "overall"), [("sum", 43.75), ("carry-forward", 12)])
def test_halves_are_added_to_halves(how, overall):
    """4 boards at 50 % are 2 of 4 halves; half of 40/92 of 46 boards is 10 of them."""
    rows = [("1", 50, {"earlier": [BEFORE]}), ("2", 50)]

    results = evening(rows, {"preset": "ACBL", "sessions": how})

    (row,) = [row for row in ranking(results) if row["contestant"] == "1"]
    assert (row["total"], row["top"], row["overall"]) == (2, 4, overall)


def test_boards_sat_out_do_not_raise_what_is_carried_forward():
    earlier = [{"score": 24, "max": 48, "boards": 12}]
    rows = [("1", 50, {"earlier": earlier, "_boards": 2}), ("2", 50)]

    results = evening(rows, {"sit_outs": "in-play", "sessions": "carry-forward"})

    (row,) = [row for row in ranking(results) if row["contestant"] == "1"]
    assert (row["total"], row["overall"]) == (4, 10)


@pytest.mark.parametrize(("how", "overall"), [("sum", 43.2), ("carry-forward", 23.2)])
def test_per_cent_that_were_taken_are_taken_from_all_sessions_together(how, overall):
    fine = {"contestant": "1", "unit": "percent", "amount": -10}
    rows = [("1", 50, {"earlier": [BEFORE]}), ("2", 50)]

    results = evening(rows, {"sessions": how}, penalties=[fine])

    (row,) = [row for row in ranking(results) if row["contestant"] == "1"]
    assert (row["total"], row["percent"], row["overall"]) == (3.2, 40, overall)


def test_points_are_never_halved_when_they_are_taken():
    fine = {"contestant": "1", "unit": "matchpoints", "amount": -100}
    profile = {"preset": "ACBL", "method": "aggregate"}

    results = evening([("1", 60), ("2", 50)], profile, penalties=[fine])

    assert {row["contestant"]: row["total"] for row in ranking(results)} == {"1": 140, "2": 200}


# ── left, missing ──


def leaving(after, listed=False, aside=(), boards=21):
    """Return three pairs' plays against each other when pair 4 leaves after so many boards."""
    plays, contestants = [], []
    for label in "1234":
        contestants.append({"label": label})
    contestants[3]["left"] = {"after_round": after, "listed": listed}
    opponents = {1: ("12", "34"), 2: ("13", "24"), 3: ("14", "23")}
    for round in range(1, boards + 1):
        for table, (ns, ew) in enumerate(opponents[(round - 1) // 7 + 1], 1):
            is_over = round <= after or "4" not in ns + ew
            plays.append(
                {"round": round, "table": table, "board": round, "ns": ns, "ew": ew}
                | ({"outcome": {"score": 100 * table}} if is_over else {})
                | {"aside": round in aside}
            )
    return scored(contestants=contestants, plays=plays)


def test_what_half_a_session_was_played_with_stands_and_later_opponents_have_average_plus():
    results = leaving(12)

    later = [play for play in results["plays"] if play["ns"]["rule"] == "AVE+"]
    assert len(later) == 9
    assert {play["ew"]["value"] for play in later} <= {None, later[0]["ew"]["value"]}
    assert results["state"] == "complete"
    assert places(results)["4"] is None


def test_less_than_half_is_cancelled_for_everybody():
    results = leaving(9)

    rules = {play["ns"]["rule"] for play in results["plays"]}
    assert rules == {"not-played"} | rules - {"AVE+"}
    rows = {row["contestant"]: row for row in ranking(results)}
    assert (rows["4"]["boards"], rows["4"]["due"]) == (0, 0)
    assert rows["1"]["due"] == 14


@pytest.mark.parametrize(("after", "stands"), [(10, True), (9, False)])
def test_exactly_half_of_the_boards_is_enough(after, stands):
    rows = {row["contestant"]: row for row in ranking(leaving(after, boards=20))}

    assert rows["4"]["boards"] == (after if stands else 0)


def test_a_leaver_who_is_listed_has_average_minus_for_as_many_boards_as_were_played():
    results = leaving(12, listed=True)

    mine = [
        side["rule"]
        for play in results["plays"]
        for side in (play["ns"], play["ew"])
        if side["rule"] == "AVE-"
    ]
    assert len(mine) == 9
    assert places(results)["4"] is not None


def test_what_is_set_aside_still_tells_who_has_played_half():
    results = leaving(12, aside=range(6, 22))

    rules = [(play["ns"]["rule"], play["score"]) for play in results["plays"]]
    assert rules == [("compared", 100), ("compared", 200)] * 5 + [("open", None)] * 32
    assert leaving(9, aside=range(6, 22))["plays"][1]["ns"]["rule"] == "not-played"


@pytest.mark.parametrize("order", ["123456", "654321", "143256"])
def test_of_two_who_left_each_has_what_their_own_leaving_brings(order):
    """3 and 4 leave after three of five rounds; they were to meet twice."""
    rounds = ["12 35 46", "13 26 45", "14 25 36", "15 26 34", "16 25 34"]
    left = {"left": {"after_round": 3, "listed": True}}
    plays = [
        {"round": round, "table": table, "board": round, "ns": sides[0], "ew": sides[1]}
        | ({} if sides == "34" else {"outcome": {"score": 100 * table}})
        for round, of in enumerate(rounds, 1)
        for table, sides in enumerate(of.split(), 1)
    ]

    results = scored(
        contestants=[{"label": item} | (left if item in "34" else {}) for item in order],
        plays=plays,
    )

    between = [
        item for item, play in zip(results["plays"], plays, strict=True) if play["ns"] == "3"
    ]
    rules = [(item["ns"]["rule"], item["ew"]["rule"]) for item in between]
    assert rules == [("compared", "compared")] * 2 + [("AVE-", "AVE-")] * 2


def test_who_came_late_has_average_minus_and_who_never_came_nothing():
    def play(round, ns, ew, outcome):
        return {"round": round, "table": 1, "board": round, "ns": ns, "ew": ew, "outcome": outcome}

    missing = {"not_played": "missing", "side": "ew"}
    contestants = [{"label": label} for label in "123"]
    came = [play(1, "1", "2", missing), play(2, "1", "2", {"score": 100})]
    never = [play(1, "1", "3", missing), play(2, "1", "2", {"score": 100})]
    found = [
        scored(contestants=contestants, plays=item, sections=[{"expected": 2}])["plays"][0]
        for item in (came, never)
    ]

    assert [(row["ns"]["rule"], row["ew"]["rule"]) for row in found] == [
        ("AVE+", "AVE-"),
        ("not-played", "not-played"),
    ]


def test_both_players_of_an_individual_have_their_own_average():
    contestants = [{"label": label} for label in "NSEWnsew"]
    plays = []

    def add(board, table, seats, outcome):
        keys = dict(zip("nsew", seats, strict=True))
        plays.append({"round": board, "table": table, "board": board, **keys, "outcome": outcome})

    add(1, 1, "NsEW", {"score": 100})
    add(1, 2, "nSew", {"score": 50})
    add(2, 1, "NSEW", {"artificial": {"ns": "AVE+", "ew": "AVE-"}})
    add(2, 2, "nsew", {"score": 50})
    results = scored(contest="individual", contestants=contestants, plays=plays)

    rows = {row["contestant"]: row for row in ranking(results)}
    assert (rows["N"]["percent"], rows["S"]["percent"]) == (100, 30)
    assert results["plays"][2]["ns"]["percent"] == 60


@pytest.mark.parametrize("way", ["weighted", "plain", "sum", "carry-forward"])
def test_a_handicap_counts_in_every_session(way):
    """A pair with two points more in both sessions has them together."""
    earlier = [{"percent": 60, "boards": 8}]
    two = {"handicap": [2, 2], "earlier": earlier}
    results = evening(
        [("1", 54, two), ("2", 56, {"earlier": [{"percent": 62, "boards": 8}]})], {"sessions": way}
    )

    rows = {row["contestant"]: row for row in ranking(results, handicap=True)}

    assert rows["1"]["percent"] == rows["2"]["percent"] == 56
    assert rows["1"]["overall"] == rows["2"]["overall"]
    assert rows["1"]["place"] == rows["2"]["place"] == "1="
    assert [row["place"] for row in ranking(results)] == ["1", "2"]


def test_a_total_raised_for_boards_sat_out_is_a_mean_of_as_many():
    rows = [("1", [3, 3], {"_boards": 2}), ("2", [1, 1, 1, 1])]
    profile = {"method": "butler", "sit_outs": "fullest"}

    found = {row["contestant"]: row for row in ranking(evening(rows, profile))}

    assert (found["1"]["total"], found["1"]["average"]) == (12, 3)
    assert (found["2"]["total"], found["2"]["average"]) == (4, 1)


def test_who_brings_no_victory_points_along_has_those_of_tonight():
    labels = ("1", "2", "3", "4")
    brought = {"1": {"earlier": [{"vps": 30}]}, "2": {"earlier": [{"vps": 25}]}}
    results = scored(
        profile={"vp": "swiss-pairs", "sessions": "sum"},
        contestants=[{"label": label} | brought.get(label, {}) for label in labels],
        matches=[
            {"round": 1, "home": home, "away": away, "boards": [1]} for home, away in ("12", "34")
        ],
        plays=[
            {"round": 1, "table": table, "board": 1, "ns": ns, "ew": ew, "outcome": {"score": s}}
            for table, ns, ew, s in ((1, "1", "2", 90), (2, "3", "4", -50))
        ],
    )

    rows = {row["contestant"]: row for row in ranking(results)}

    for label, before in (("1", 30), ("2", 25), ("3", 0), ("4", 0)):
        assert rows[label]["overall"] == before + rows[label]["total"]


def test_a_percentage_is_rounded_once_an_exact_half_away_from_fifty():
    results = evening([("1", [54, 54.25]), ("2", [46, 45.75])], boards=2)

    assert {row["contestant"]: row["percent"] for row in ranking(results)} == {
        "1": 54.13,
        "2": 45.87,
    }


@pytest.mark.parametrize("method", ["cross-imps", "butler", "aggregate"])
def test_what_is_added_has_places_too(method):
    scores = {"1": 420, "2": 170, "3": 420, "4": 980}
    contestants = [{"label": label} for label in scores]
    contestants += [{"label": f"x{label}", "standing": False} for label in scores]
    plays = [
        {"round": 1, "table": n, "board": 1, "ns": label, "ew": f"x{label}"}
        | {"outcome": {"score": score}}
        for n, (label, score) in enumerate(scores.items(), 1)
    ]

    results = scored(contestants=contestants, plays=plays, profile={"method": method})

    assert places(results) == {"4": "1", "1": "2=", "3": "2=", "2": "4"}


def of_an_absent_pair(**left):
    """Pair 2 was to meet pair 1 on board 1 and has played board 2; with `left` pair 1 left instead of never coming."""
    missing = {"not_played": "missing", "side": "ns"}
    plays = [
        {"round": 1, "board": 1, "ns": "1", "ew": "2", "outcome": None if left else missing},
        {"round": 2, "board": 2, "ns": "3", "ew": "2", "outcome": {"score": 620}},
        {"round": 2, "board": 2, "ns": "5", "ew": "4", "outcome": {"score": 170}},
    ]
    contestants = [{"label": label} | (left if label == "1" else {}) for label in "12345"]
    found = scored(contestants=contestants, plays=plays)["rankings"][-1]["rows"]
    return {row["contestant"]: (row["boards"], row["due"], row["place"]) for row in found}


def test_a_board_against_a_pair_that_never_came_is_due_for_nobody():
    absent = of_an_absent_pair()

    assert (absent["2"], absent["1"]) == ((1, 1, "3="), (0, 0, None))
    assert absent == of_an_absent_pair(left={"after_round": 0})


def test_a_pair_keeps_its_place_that_played_half_of_what_it_could():
    """Of nine boards four were played: too few. The three against an absent pair change nothing."""
    outcomes = [{"score": 90}] * 4 + [{"not_played": "time"}] * 5
    outcomes += [{"not_played": "missing", "side": "ns"}] * 3
    plays = [
        {"board": board, "ns": "1" if board > 9 else "3", "ew": "2", "outcome": outcome}
        for board, outcome in enumerate(outcomes, 1)
    ] + [{"board": board, "ns": "5", "ew": "4", "outcome": {"score": 90}} for board in range(1, 5)]
    rows = scored(contestants=[{"label": label} for label in "12345"], plays=plays)["rankings"][-1][
        "rows"
    ]

    assert [row["place"] for row in rows if row["contestant"] == "2"] == [None]
    assert [row["due"] for row in rows if row["contestant"] == "2"] == [9]


def with_a_sit_out(profile, *, percent_of_a_board=75, reason="planned"):
    """Pairs 1 and 3 have the given share of two boards of 4 results; pair 1 sat out board 3, which 2 and 4 pairs
    played.
    """
    plays = [
        {
            "round": 1,
            "table": table,
            "board": board,
            "ns": ns,
            "ew": ew,
            "outcome": {"score": score},
        }
        for board in (1, 2)
        for table, (ns, ew, score) in enumerate(
            (("1", "5", 110), ("2", "6", 50), ("3", "7", 110), ("4", "8", 140)), 1
        )
    ] + [
        {"round": 2, "table": table, "board": 3, "ns": ns, "ew": ew, "outcome": {"score": 110}}
        for table, (ns, ew) in enumerate((("2", "5"), ("3", "6"), ("4", "7")), 1)
    ]
    results = scored(
        contestants=[{"label": label} for label in "12345678"],
        plays=plays,
        sit_outs=[{"round": 2, "contestant": "1", "boards": [3, 9], "reason": reason}],
        profile=profile,
    )
    return next(row for row in results["rankings"][-1]["rows"] if row["contestant"] == "1")


@pytest.mark.parametrize(
    ("sit_outs", "boards", "total", "top", "percent"),
    [
        ("own-boards", 2, 6, 12, 50),
        # 6 of 12, and 60 % of a top of 6; of board 9, which nobody played, nothing
        (60, 3, 9.6, 18, 53.33),
        (0, 3, 6, 18, 33.33),
        (100, 3, 12, 18, 66.67),
    ],
)
def test_a_sit_out_may_be_worth_a_percentage(sit_outs, boards, total, top, percent):
    row = with_a_sit_out({"sit_outs": sit_outs})

    assert (row["boards"], row["total"], row["top"]) == (boards, total, top)
    assert row["percent"] == percent
    assert row["due"] == 4  # two boards played, two sat out


def test_a_sit_out_is_worth_its_percentage_in_halves_and_by_own_tops():
    halves = with_a_sit_out({"sit_outs": 60, "display": {"half": True}})
    own = with_a_sit_out({"sit_outs": 60, "unequal": "own-tops"})

    assert (halves["total"], halves["top"], halves["percent"]) == (4.8, 9, 53.33)
    assert (own["total"], own["top"], own["percent"]) == (8.4, 16, 52.5)  # board 3 has a top of 4


def test_opponents_of_a_missing_pair_have_the_percentage_too():
    missing = with_a_sit_out({"sit_outs": 60}, reason="missing")

    assert (missing["boards"], missing["due"], missing["percent"]) == (3, 3, 53.33)
    absent = {"not_played": "missing", "side": "ew"}
    plays = [
        {"board": 1, "ns": "1", "ew": "9", "outcome": absent},
        {"board": 1, "ns": "2", "ew": "4", "outcome": {"score": 90}},
        {"board": 1, "ns": "3", "ew": "5", "outcome": {"score": 70}},
        {"board": 2, "ns": "1", "ew": "5", "outcome": {"score": 90}},
        {"board": 2, "ns": "3", "ew": "4", "outcome": {"score": 90}},
    ]
    rows = scored(
        contestants=[{"label": digit} for digit in "123459"],
        plays=plays,
        profile={"sit_outs": 60},
    )["rankings"][-1]["rows"]
    found = {row["contestant"]: (row["boards"], row["due"], row["percent"]) for row in rows}
    assert found["1"] == (2, 2, 55)
    assert found["9"] == (0, 0, None)


@pytest.mark.parametrize(
    ("sit_outs", "said"),
    [
        (-1, "profile.sit_outs: -1 is no percentage"),
        (100.5, "profile.sit_outs: 100.5 is no percentage"),
        ("60", "profile.sit_outs: '60' is not own-boards, in-play or fullest"),
        (True, "profile.sit_outs: true is not own-boards, in-play or fullest"),
    ],
)
def test_what_is_no_percentage_of_a_sit_out_is_refused(sit_outs, said):
    with pytest.raises(ValueError, match="sit_outs") as refused:
        scored(profile={"sit_outs": sit_outs})

    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("percentage", "percent"),
    [("of-points", 66.67), ("mean-of-boards", 75)],
)
@pytest.mark.parametrize("penalty", [0, -1])
def test_a_percentage_may_be_the_mean_of_the_boards(percentage, percent, penalty):
    """By their own tops: 2 of 4 on board 1 with three results, 2 of 2 on board 2 with two; a fine of 1 of 6 points."""
    plays = [
        {"board": 1, "ns": ns, "ew": ew, "outcome": {"score": score}}
        for ns, ew, score in (("1", "4", 110), ("2", "5", 50), ("3", "6", 140))
    ] + [
        {"board": 2, "ns": "1", "ew": "5", "outcome": {"score": 110}},
        {"board": 2, "ns": "2", "ew": "4", "outcome": {"score": 90}},
    ]
    fine = {"contestant": "1", "unit": "matchpoints", "amount": penalty}
    rows = scored(
        contestants=[{"label": digit} for digit in "123456"],
        plays=plays,
        profile={"unequal": "own-tops", "percentage": percentage},
        penalties=[fine] if penalty else [],
    )["rankings"][-1]["rows"]
    [row] = [row for row in rows if row["contestant"] == "1"]

    assert (row["total"], row["top"]) == (4 + penalty, 6)
    assert row["percent"] == round(percent + penalty * 100 / 6, 2)
