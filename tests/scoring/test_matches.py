"""Matches of teams and of pairs, victory points, byes, standings and draws."""

import json
from fractions import Fraction

import pytest

from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.draws.stage import draw_round
from bridgebuddy.scoring.rules.match_scoring.mismatch import points_after_mismatch
from bridgebuddy.scoring.rules.reports.results_document import document_text, drawn_round_document
from bridgebuddy.scoring.rules.scales import victory_points
from tests.scoring.sessions import both, evening_of_teams, match_of, scored

IMPS = {"method": "team-imps"}


def test_the_difference_of_both_tables_is_imped():
    assert both(match_of(IMPS, [(-460, -450)])["imps"]) == (0, 0)
    assert both(match_of(IMPS, [(630, 660)])["imps"]) == (-1, 1)


def test_board_a_match_counts_won_tied_and_lost_boards():
    boards = [(140, 100), (100, 100), (-100, 110), (-100, -110), (90, 90), (120, 110)]

    match = match_of({"method": "bam"}, boards)
    half = match_of({"method": "bam", "preset": "ACBL"}, boards)

    assert both(match["points"]) == (8, 4)
    assert both(half["points"]) == (4, 2)


def test_averages_of_a_match_stand_for_the_board_and_each_side_is_looked_up_alone():
    boards = [(200, 70), *[(100, 100)] * 6]
    fouled = {"artificial": {"ns": "AVE-", "ew": "AVE-"}}

    match = match_of({"vp": "wbf-continuous"}, [*boards, (fouled, 100)])
    whole = match_of({"vp": "wbf-discrete"}, [*boards, (fouled, 100)])

    assert both(match["imps"]) == (1, -7)
    assert both(match["vps"]) == (10.44, 7.23)
    assert both(whole["vps"]) == (11, 7)


def test_law_12c4_halves_the_difference_in_a_knock_out():
    split = {"assigned": {"ns": [[100, 140]], "ew": [[100, 620]]}}

    match = match_of(IMPS, [(100, 100), (split, 140)], stage={"kind": "knock-out"})

    # home's own side: 140 against 140; away's own side: 140 against 620
    assert both(match["imps"]) == (5, -5)


@pytest.mark.parametrize(
    ("home", "guests", "imps"),
    [
        ("AVE+", "AVE", 1.5),
        ("AVE-", "AVE-", 0),
        ("AVE+", "AVE-", 3),
        (5, 0, 2.5),
        ("AVE+", None, 3),
    ],
)
def test_artificial_scores_of_a_knock_out_are_halved_too(home, guests, imps):
    given = {"artificial": {"ns": home, "ew": guests}}

    match = match_of(IMPS, [(100, 100), (given, None)], stage={"kind": "knock-out"})

    assert both(match["imps"]) == (imps, 0 if guests is None else -imps)


def test_boards_of_a_knock_out_by_board_a_match_are_won_and_lost_as_ever():
    boards = [(140, 100), (100, 100), (140, 100)]

    match = match_of({"method": "bam"}, boards, stage={"kind": "knock-out"})

    assert both(match["points"]) == (5, 1)


@pytest.mark.parametrize(
    ("profile", "unit", "amount", "taken"),
    [
        ({"method": "bam"}, "matchpoints", -2, 2),
        ({"method": "bam"}, "percent", -25, 2),
        ({"method": "bam"}, "top", -0.5, 1),
        ({"method": "bam", "preset": "ACBL"}, "top", -0.5, 0.5),
        ({"method": "bam", "preset": "ACBL"}, "matchpoints", -1, 1),
        ({"method": "aggregate"}, "matchpoints", -30, 30),
    ],
)
def test_points_are_taken_from_a_match_or_from_the_whole(profile, unit, amount, taken):
    boards = [(140, 100), (140, 100), (140, 100), (100, 100)]
    fine = {"contestant": "H", "unit": unit, "amount": amount}

    plain, whole, in_match = (
        evening_of_teams(profile, boards, penalties=fines)
        for fines in ([], [fine], [fine | {"round": 1}])
    )

    before, guests = both(plain["matches"][0]["points"])
    assert both(whole["matches"][0]["points"]) == (before, guests)
    assert both(in_match["matches"][0]["points"]) == (before - taken, guests)
    for found in (whole, in_match):
        totals = {row["contestant"]: row["total"] for row in found["rankings"][-1]["rows"]}
        assert totals == {"H": before - taken, "A": guests}
    if profile["method"] == "bam":
        assert in_match["matches"][0]["percent"]["away"] == plain["matches"][0]["percent"]["away"]
        share = in_match["matches"][0]["percent"]["home"]
        assert share == 100 * (before - taken) / (before + guests)


def test_two_different_artificial_scores_of_a_board_are_an_error():
    plus, minus = {"artificial": {"ns": 3, "ew": -3}}, {"artificial": {"ns": 2, "ew": -2}}

    with pytest.raises(ValueError, match="another artificial score of board 1"):
        match_of(IMPS, [(plus, minus)])


def test_a_match_of_pairs_of_which_one_board_was_played_goes_by_the_shortest_column():
    assert victory_points.points_for_percentage(1, Fraction("54.71")) == 12
    assert victory_points.points_for_percentage(1, Fraction("45.28"), half=True) == 4


def test_a_team_waits_for_the_other_table_and_keeps_its_place():
    results = scored(
        contest="teams",
        profile={"vp": "wbf-continuous"},
        contestants=[{"label": "H"}, {"label": "A"}],
        plays=[
            {"round": 1, "table": 1, "board": 1, "ns": "H", "ew": "A", "outcome": {"score": 110}},
            {"round": 1, "table": 2, "board": 1, "ns": "A", "ew": "H"},
        ],
        matches=[
            {"round": 1, "home": "H", "away": "A", "boards": [1], "given": {"home": 13, "away": 7}}
        ],
    )

    rows = results["standings"][-1]["rows"]
    assert [(row["contestant"], row["place"]) for row in rows] == [("H", "1"), ("A", "2")]


def test_a_match_with_an_open_board_has_no_victory_points():
    match = match_of({"vp": "wbf-discrete"}, [(100, 50), (100, None)])

    assert (match["rule"], match["vps"]) == ("open", None)


def test_half_a_match_has_half_the_points():
    match = match_of({"vp": "wbf-continuous"}, [(100, -120), (90, 90), (90, 90)], half=True)

    assert both(match["imps"]) == (6, -6)
    assert both(match["vps"]) == (6.86, 3.14)


@pytest.mark.parametrize(
    ("facts", "vps"),
    [
        ({"void": {"home": "AVE+", "away": "AVE-"}}, (14, 6)),
        ({"wrong_seats": "sides"}, (8, 8)),
        ({"wrong_seats": "director"}, (12, 12)),
        ({"missing": "away"}, (12, 0)),
        ({"given": {"home": 17, "away": 3}}, (17, 3)),
    ],
)
def test_matches_that_were_not_played_as_they_should(facts, vps):
    match = match_of({"vp": "wbf-discrete"}, [(None, None)] * 8, **facts)

    assert both(match["vps"]) == vps


@pytest.mark.parametrize(
    ("vp", "is_half", "points", "shown"),
    [
        ("wbf-continuous", False, (12.345, 7.655), (12.35, 7.65)),
        ("acbl-30", False, (12.345, 17.655), (12.34, 17.66)),
        ("wbf-continuous", True, (6.505, 3.495), (6.51, 3.49)),
    ],
)
def test_victory_points_have_their_halves_away_from_a_draw_of_their_own_scale(
    vp, is_half, points, shown
):
    given = {"home": points[0], "away": points[1]}

    match = match_of({"vp": vp}, [(None, None)], given=given, half=is_half)

    assert both(match["vps"]) == shown


@pytest.mark.parametrize(
    ("vp", "points", "shown"),
    [
        ("wbf-continuous", (12.345, 7.655), [12.35, 7.65]),
        ("acbl-30", (12.345, 17.655), [17.66, 12.34]),
    ],
)
def test_totals_of_victory_points_have_their_halves_away_from_drawn_matches(vp, points, shown):
    given = {"home": points[0], "away": points[1]}

    results = evening_of_teams({"vp": vp}, [(None, None)], given=given)

    rows = results["standings"][-1]["rows"]
    assert [(row["total"], row["average"]) for row in rows] == [(item, item) for item in shown]


@pytest.mark.parametrize("facts", [{"wrong_seats": "sides"}, {"missing": "away"}, {"away": None}])
def test_total_points_are_mixed_with_no_victory_points(facts):
    """A federation's scale does not fit them: a match not played brings no points."""
    results = evening_of_teams(
        {"method": "aggregate", "preset": "EBU"}, [(None, None)] * 4, **facts
    )

    assert (results["matches"][0]["vps"], results["matches"][0]["points"]) == (None, None)
    assert {row["total"] for row in results["standings"][-1]["rows"]} == {0}


@pytest.mark.parametrize("preset", ["club", "EBU"])
@pytest.mark.parametrize(
    ("boards", "share"),
    [
        # what the other side leaves, who won 1 of 4
        ([(140, 100), (100, 140), (100, 140), (100, 140)], 75),
        ([(100, 100)] * 4, 60),
        ([(100, 140)] * 4, 100),
    ],
)
def test_board_a_match_whose_opponents_were_missing_is_a_share_of_its_boards(preset, boards, share):
    plays = [
        {
            "round": 1,
            "table": table,
            "board": number,
            "ns": ns,
            "ew": ew,
            "outcome": {"score": score},
        }
        for number, scores in enumerate(boards, 1)
        for table, ns, ew, score in zip((1, 2), "AB", "BA", scores, strict=True)
    ]
    results = scored(
        contest="teams",
        profile={"method": "bam", "preset": preset},
        contestants=[{"label": label} for label in "ABC"],
        plays=plays,
        matches=[
            {"round": 1, "home": "A", "away": "B", "boards": [1, 2, 3, 4]},
            {"round": 2, "home": "A", "away": "C", "boards": [1, 2, 3, 4], "missing": "home"},
        ],
    )

    match = results["matches"][1]
    assert (match["rule"], match["vps"]) == ("missing", None)
    assert (both(match["points"]), both(match["percent"])) == ((0, 8 * share / 100), (0, share))
    totals = {row["contestant"]: row["total"] for row in results["standings"][-1]["rows"]}
    assert totals["C"] == 8 * share / 100


def test_totals_and_averages_of_points_have_their_halves_away_from_nothing():
    """37.5 of four boards is 9.375, below the ten of a scale that counts nowhere."""
    assigned = {"assigned": {"ns": [[75, 50], [25, 0]]}}
    boards = [(assigned, 0), (0, 0), (0, 0), (0, 0)]

    for preset in ("club", "EBU"):
        results = evening_of_teams(
            {"method": "aggregate", "preset": preset, "board_places": None}, boards
        )
        assert [row["average"] for row in results["standings"][-1]["rows"]] == [9.38, -9.38]


def test_who_came_late_in_a_swiss_of_pairs_has_cross_imps_of_a_match():
    sides = [("1", "2"), ("3", "4"), ("5", "6")]
    plays = [
        {"round": 1, "table": table, "board": board, "ns": ns, "ew": ew}
        | {"outcome": {"score": 110 if table < 2 else -100}}
        for board in (1, 2)
        for table, (ns, ew) in enumerate(sides, 1)
    ]
    plays[0]["outcome"] = {"not_played": "missing", "side": "ns"}

    results = scored(
        contest="pairs",
        profile={"method": "cross-imps", "vp": "wbf-continuous"},
        contestants=[{"label": label} for label in "123456"],
        plays=plays,
        matches=[
            {"round": 1, "home": home, "away": away, "boards": [1, 2]} for home, away in sides
        ],
    )

    assert (results["plays"][0]["ns"]["rule"], results["plays"][0]["ew"]["rule"]) == (
        "AVE-",
        "AVE+",
    )
    # 5 IMPs against each of two on board 2, by the root of three comparisons; the late pair loses 3 of them
    assert both(results["matches"][0]["imps"]) == (3, -3)
    assert both(results["matches"][1]["imps"]) == (-3, 3)


@pytest.mark.parametrize(
    ("fines", "percent", "vps"),
    [
        ((), (55, 45), (14, 6)),
        ((("1", "percent", -10), ("2", "percent", 5)), (45, 50), (6, 10)),
        ((("1", "top", -1),), (42.5, 45), (5, 6)),  # of one of eight boards
        ((("1", "percent", -0.005), ("2", "percent", 0.005)), (55, 45), (14, 6)),
    ],
)
def test_a_void_match_of_pairs_is_55_per_cent_without_what_was_taken_in_it(fines, percent, vps):
    found = scored(
        contestants=[{"label": "1"}, {"label": "2"}],
        profile={"vp": "swiss-pairs"},
        penalties=[
            {"contestant": label, "unit": unit, "amount": amount, "kind": "procedural", "round": 1}
            for label, unit, amount in fines
        ],
        matches=[
            {
                "round": 1,
                "home": "1",
                "away": "2",
                "boards": list(range(1, 9)),
                "void": {"home": "AVE+", "away": "AVE-"},
            }
        ],
    )["matches"][0]

    assert (both(found["percent"]), both(found["vps"])) == (percent, vps)


@pytest.mark.parametrize(
    ("actual", "relief", "worth"),
    [
        (12, "as-played", 12),
        (12, "more", 14),
        (12, "less", 10.25),
        (3, "less", 3),
        (3, "more", 7.25),
    ],
)
def test_a_match_that_should_not_have_been_is_worth_more_or_less(actual, relief, worth):
    assert float(points_after_mismatch(Fraction(actual), relief, Fraction(20))) == worth


def test_a_carry_over_is_home_s():
    assert both(match_of(IMPS, [(100, 50)], carry=10)["imps"]) == (12, -12)


# ── standings, ties and draws ──


def event(results, *, profile=None, stage=None, labels="1234", **more):
    """Return the document of matches with given victory points."""
    return {
        "contest": "teams",
        "contestants": [{"label": label} for label in labels],
        "profile": {"vp": "wbf-continuous"} | (profile or {}),
        "stage": {"kind": "swiss"} | (stage or {}),
        "matches": [
            {"round": round, "home": home, "away": away}
            | ({"given": {"home": vps, "away": 20 - vps}} if vps is not None else {})
            for round, home, away, vps in results
        ],
        **more,
    }


def standing(document):
    return scored(**document)["standings"][-1]["rows"]


def drawn(document):
    data = json.loads(
        document_text(drawn_round_document(draw_round(*read_document(json.dumps(document)))))
    )
    return [(match["home"], match["away"]) for match in data["matches"]], data


def test_matches_among_equals_decide_their_order():
    results = [(1, "A", "B", 12), (2, "B", "C", 15), (3, "C", "A", 11)]
    others = [(4, "A", "D", 15), (5, "B", "D", 13), (6, "C", "D", 20)]

    rows = standing(event([*results, *others], labels="ABCD"))

    totals = {row["contestant"]: row["total"] for row in rows}
    assert totals == {"A": 36, "B": 36, "C": 36, "D": 12}
    assert [row["contestant"] for row in rows] == ["B", "A", "C", "D"]
    assert [row["place"] for row in rows] == ["1=", "1=", "1=", "4"]
    assert [row["decided"] for row in rows] == [None, "between", "between", None]


def test_opponents_scores_decide_where_not_everybody_has_met():
    results = [(1, "1", "3", 15), (1, "2", "4", 15)]

    rows = standing(event([*results, (2, "3", "4", 15)]))

    # 1's opponent has 20, 2's has 10
    assert [row["contestant"] for row in rows][:2] == ["3", "1"]
    assert [row["decided"] for row in rows] == [None, None, "opponents", None]


def test_a_bye_is_twelve_points_and_no_match():
    rows = standing(event([(1, "1", "2", 12), (1, "3", None, None)], labels="123"))

    by = {row["contestant"]: row for row in rows}
    assert (by["3"]["total"], by["3"]["matches"]) == (12, 0)


def test_points_taken_count_from_their_round_on():
    fine = {"contestant": "1", "unit": "vps", "amount": -1, "round": 2}
    results = [(1, "1", "2", 12), (2, "1", "3", 12)]

    found = scored(**event(results, penalties=[fine]))["standings"]

    assert [row["total"] for item in found for row in item["rows"] if row["contestant"] == "1"] == [
        12,
        23,
    ]


def test_neighbours_who_have_not_met_are_drawn():
    matches, found = drawn(event([(1, "1", "3", 12), (1, "2", "4", 7.71)]))

    assert matches == [("4", "1"), ("3", "2")]
    assert (found["round"], found["standings"]) == (2, ["4", "1", "3", "2"])


def test_nothing_is_drawn_while_a_result_is_missing():
    with pytest.raises(ValueError, match="round 1, 2 v 4: no result yet"):
        drawn(event([(1, "1", "3", 12), (1, "2", "4", None)]))


def test_the_last_complete_round_may_do():
    results = [(1, "1", "3", 12), (1, "2", "4", 15), (2, "2", "1", None), (2, "4", "3", 3)]

    matches, found = drawn(event(results, stage={"late": "last-complete"}))

    assert set(map(frozenset, matches)) == {frozenset("23"), frozenset("14")}
    assert found["reasons"] == [
        "drawn from the standings after round 1",
        "2 and 1 met in round 2",
    ]


def test_everybody_having_met_there_is_no_draw():
    with pytest.raises(ValueError, match="stage: everybody would meet somebody again"):
        drawn(event([(1, "1", "2", 12)], labels="12"))


def test_a_knock_out_begins_with_the_first_against_the_last_and_goes_on_with_winners():
    matches, _ = drawn(event([], stage={"kind": "knock-out"}))
    assert matches == [("1", "4"), ("2", "3")]

    played = [(1, "1", "4", 5), (1, "2", "3", 12)]
    matches, _ = drawn(event(played, stage={"kind": "knock-out"}))
    assert set(map(frozenset, matches)) == {frozenset("24")}


def test_a_round_robin_lets_everybody_meet_everybody():
    results, met = [], set()
    for round in range(1, 6):
        matches, found = drawn(event(results, stage={"kind": "round-robin"}, labels="12345"))
        met |= {frozenset(match) for match in matches}
        assert len(matches) == 2
        results += [(round, home, away, 12) for home, away in matches]
        results.append((round, found["bye"], None, None))

    assert len(met) == 10
