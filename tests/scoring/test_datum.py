"""Datums of Butler, and cross-IMPs with missing results: worked out by hand for a few scores."""

import pytest

from bridgebuddy.scoring.rules.points import imps_of_difference

from .sessions import board, scored, values


def board_of(scores, *, expected=None, **datum):
    """Return the results of one board scored by Butler."""
    labels = [f"{line}{n}" for n in range(len(scores)) for line in "NE"]
    section = {"section": "A"} | ({"expected": expected} if expected else {})
    results = scored(
        sections=[section],
        contestants=[{"label": label} for label in labels],
        profile={"method": "butler", "datum": datum},
        plays=[
            {"board": 1, "ns": f"N{n}", "ew": f"E{n}"}
            | {"outcome": item if isinstance(item, dict) else {"score": item}}
            for n, item in enumerate(scores)
        ],
    )
    return results["boards"][0]


def many(low, high, count):
    """So many results, of which the lowest and the highest stand out."""
    return [low, *[100] * (count - 2), high]


@pytest.mark.parametrize(
    ("scores", "datum", "found"),
    [
        ([420, 170, 140], {}, 240),  # 730 / 3 = 243 1/3
        ([420, 170, 140], {"round": 1}, 243),
        ([420, 170, 140], {"round": 50}, 250),
        ([90, 100], {"trim": 0}, 100),  # a half goes away from nothing
        ([-90, -100], {"trim": 0}, -100),
        # none is left out of four, one at each end from five on, two from twelve on
        (many(-500, 180, 4), {}, -30),
        (many(-500, 180, 5), {}, 100),
        ([-500, -500, *[100] * 7, 180, 180], {}, 40),  # of eleven: -500 ... 180, of nine
        ([-500, -500, *[100] * 8, 180, 180], {}, 100),  # of twelve
        # so many as is said, from so many results on, and never all
        (many(-500, 180, 4), {"trim": 1}, 100),
        (many(-500, 180, 4), {"trim": 1, "from": 5}, -30),
        (many(-500, 180, 5), {"trim": 1, "from": 5}, 100),
        (many(-500, 180, 4), {"trim": 9}, 100),
        ([420, 170], {"trim": 1}, 300),  # 295
        # a seventh, rounded: one of four only where it is said from when on
        (many(-500, 180, 4), {"trim": "seventh"}, -30),
        (many(-500, 180, 4), {"trim": "seventh", "from": 4}, 100),
        (many(-500, 180, 5), {"trim": "seventh"}, 100),
        ([-500, -500, *[100] * 6, 180, 180], {"trim": "seventh"}, 40),  # one of ten
        ([-500, -500, *[100] * 7, 180, 180], {"trim": "seventh"}, 100),  # two of eleven
        # the middle one, or between both in the middle
        ([420, 170, -50], {"kind": "median"}, 170),
        ([420, 170, 140, -50], {"kind": "median"}, 160),
        ([420, 420, 170, 140, -50], {"kind": "median"}, 170),
        ([420, 420, 170, 170], {"kind": "median", "round": 1}, 295),
        ([420, 170, 170, 170], {"kind": "median"}, 170),
        # an exact five goes away from 0, towards 0, or up: in favour of North-South
        ([90, 100], {"halves": "away"}, 100),
        ([90, 100], {"halves": "towards"}, 90),
        ([90, 100], {"halves": "up"}, 100),
        ([-90, -100], {"halves": "towards"}, -90),
        ([-90, -100], {"halves": "up"}, -90),
        ([420, 170], {"halves": "towards"}, 290),  # 295
        ([420, 170, 140], {"halves": "up"}, 240),  # no five: 243 1/3
        ([420, 170, 140, -50], {"kind": "median", "halves": "towards"}, 150),  # 155
        ([50, -50], {"halves": "up", "round": 100}, 0),
        ([100, 0], {"halves": "up", "round": 100}, 100),  # 50, half of the unit
        ([0, -100], {"halves": "up", "round": 100}, 0),
        ([0, -100], {"halves": "towards", "round": 100}, 0),
        ([0, -100], {"round": 100}, -100),
    ],
)
def test_a_datum_is_the_mean_without_its_ends_or_the_median(scores, datum, found):
    assert board_of(scores, **datum)["datum"] == found


@pytest.mark.parametrize(
    ("scores", "expected", "datum", "found"),
    [
        ([420, 420, 420, -50, -50], 8, {"trim": 1}, 250),  # each is worth 8/5
        ([420, 170], 5, {"trim": 1}, 300),
        ([420, 170], 3, {"trim": 9, "round": 1}, 295),
    ],
)
def test_with_missing_results_each_stands_for_more(scores, expected, datum, found):
    assert board_of(scores, expected=expected, **datum)["datum"] == found


@pytest.mark.parametrize(
    ("scores", "expected", "profile", "found"),
    [
        # 420, 420, 420, 420, -50 of 8: without the best and the worst of five results 420, or each result for 8/5
        ([420, 420, 420, 420, -50], 8, {}, 370),  # 8 - 2 are left: (6.4 - 1) 420 - 0.6 · 50 of 6
        ([420, 420, 420, 420, -50], 8, {"datum": {"missing": "as-played"}}, 420),
        ([420, 420, 420, 420, -50], 8, {"unequal": "own-tops"}, 420),
        (
            [420, 420, 420, 420, -50],
            8,
            {"unequal": "own-tops", "datum": {"missing": "scaled"}},
            370,
        ),
        ([420, 420, 420, 420, -50], 5, {"datum": {"missing": "as-played"}}, 420),
        ([420, 170], 5, {"datum": {"missing": "as-played", "trim": 1}}, 300),  # never all
        ([420, 420, 420, 420, -50], 8, {"preset": "Magic"}, 420),
    ],
)
def test_missing_results_may_count_as_they_are(scores, expected, profile, found):
    plays = board(scores, expected=expected, profile={"method": "butler"} | profile)
    values_against = [imps_of_difference(score - found) for score in scores]

    assert values(plays) == values_against
    assert values(plays, "ew") == [-item for item in values_against]


def test_halves_go_up_for_north_south_in_split_scores_too():
    """North-South: 90 and 100, East-West: -90 and -100; both data are 95."""
    split = {"assigned": {"ns": [[100, 100]], "ew": [[100, 110]]}}

    found = board_of([90, split], halves="up")
    towards = board_of(
        [80, {"assigned": {"ns": [[100, 100]], "ew": [[100, 110]]}}], halves="towards"
    )

    assert (found["datum"], found["datum_ew"]) == (100, 100)
    assert (towards["datum"], towards["datum_ew"]) == (90, 90)  # 90, and 95


def test_sides_of_a_split_score_have_their_own_datum():
    split = {"assigned": {"ns": [[100, 420]], "ew": [[100, 170]]}}

    both = board_of([split, 170, 170], trim=0, round=1)
    same = board_of([420, 170, 170], trim=0, round=1)

    assert (both["datum"], both["datum_ew"]) == (253, 170)
    assert (same["datum"], same["datum_ew"]) == (253, None)


@pytest.mark.parametrize(
    ("expected", "profile", "rule", "found"),
    [
        (None, {}, "compared", [9, -4.5, -4.5]),
        (None, {"ximp": "total"}, "compared", [18, -9, -9]),
        (5, {}, "neuberg", [7.5, -3.75, -3.75]),  # 18 * 5/3 / 4
        (5, {"ximp": "total"}, "neuberg", [30, -15, -15]),
        (5, {"unequal": "own-tops"}, "own-top", [9, -4.5, -4.5]),
        (5, {"unequal": "proportion"}, "proportion", [9, -4.5, -4.5]),  # 18 · 4/2 / 4
        (5, {"unequal": "proportion", "ximp": "total"}, "proportion", [36, -18, -18]),
        (5, {"unequal": "tie-for-missing"}, "tie-for-missing", [4.5, -2.25, -2.25]),
    ],
)
def test_cross_imps_make_up_for_missing_results_or_not(expected, profile, rule, found):
    plays = board([420, 50, 50], expected=expected, profile={"method": "cross-imps"} | profile)

    assert values(plays) == found
    assert values(plays, "ew") == [-item for item in found]
    assert {play["ns"]["rule"] for play in plays} == {rule}


@pytest.mark.parametrize(
    ("expected", "profile", "rule", "top", "found"),
    [
        (None, {}, "compared", 4, [4, 1, 1]),
        (5, {}, "neuberg", 8, [7.3333, 2.3333, 2.3333]),  # (m + 1) * 5/3 - 1
        (5, {"unequal": "own-tops"}, "own-top", 4, [4, 1, 1]),
        (5, {"unequal": "proportion"}, "proportion", 8, [8, 2, 2]),  # m · 4/2 of 8
        (9, {"unequal": "proportion"}, "proportion", 16, [16, 4, 4]),  # no rule for small groups
        (5, {"unequal": "tie-for-missing"}, "tie-for-missing", 8, [6, 3, 3]),
        (None, {"ascherman": True}, "compared", 6, [5, 2, 2]),
        (5, {"ascherman": True}, "neuberg", 10, [8.3333, 3.3333, 3.3333]),
        (9, {}, "small-group", 16, [11.2, 8.8, 8.8]),  # 60 % and 5 for a point over the middle
        (8, {}, "neuberg", 14, [12.3333, 4.3333, 4.3333]),
        (9, {"small_groups": False}, "neuberg", 16, [14, 5, 5]),
    ],
)
def test_matchpoints_make_up_for_missing_results_or_not(expected, profile, rule, top, found):
    plays = board([420, 50, 50], expected=expected, profile=profile)

    assert values(plays) == found
    assert {(play["ns"]["rule"], play["ns"]["top"]) for play in plays} == {(rule, top)}


def test_total_points_are_the_scores_themselves():
    plays = board([420, -50], profile={"method": "aggregate"})

    assert (values(plays), values(plays, "ew")) == ([420, -50], [-420, 50])
    assert {play["ns"]["rule"] for play in plays} == {"compared"}


@pytest.mark.parametrize(
    ("others", "profile", "value", "rule"),
    [
        (0, {}, None, "single"),
        (1, {}, 1, "single"),  # half of 2
        (2, {}, 2.4, "single"),  # 60 per cent of 4
        (2, {"unequal": "own-tops"}, None, "not-played"),
        (2, {"method": "butler", "unequal": "own-tops"}, 0, "single"),
        (2, {"method": "cross-imps", "unequal": "own-tops"}, 0, "single"),
    ],
)
def test_an_only_result_beats_nothing(others, profile, value, rule):
    cancelled = {"not_played": "time"}

    first = board([], outcomes=[{"score": 420}, *[cancelled] * others], profile=profile)[0]

    assert [(first[line]["value"], first[line]["rule"]) for line in ("ns", "ew")] == [
        (value, rule)
    ] * 2
