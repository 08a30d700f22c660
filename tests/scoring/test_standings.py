"""Matches and their standings, tested value by value: tie-breaks, byes, missing sides, matches not played."""

import pytest

from bridgebuddy.scoring.rules.errors import ScoringError

from .sessions import both, match_of, scored

TEAMS = {"method": "team-imps", "vp": "win-draw-loss"}


def document(matches, profile=None, *, contestants=None, **more):
    """Return teams whose matches have given points, IMPs for each board, or other facts."""
    plays, told = [], []
    for round, home, away, came in matches:
        match = {"round": round, "home": home, "away": away}
        if isinstance(came, dict):
            match |= came
        elif isinstance(came, tuple):
            match["boards"] = list(range(1, len(came) + 1))
            plays += [
                {"round": round, "board": board, "ns": home, "ew": away}
                | {"outcome": {"artificial": {"ns": imps, "ew": -imps}}}
                for board, imps in enumerate(came, 1)
            ]
        elif came is not None:
            match["given"] = {"home": came, "away": 20 - came}
        told.append(match)
    labels = sorted({label for _, *sides, _ in matches for label in sides if label})
    facts = contestants or {}
    return {
        "contest": "teams",
        "contestants": [{"label": label} | facts.get(label, {}) for label in labels],
        "profile": TEAMS | (profile or {}),
        "plays": plays,
        "matches": told,
        **more,
    }


def rows_of(*asked, **more):
    return scored(**document(*asked, **more))["standings"][-1]["rows"]


def columns_of(rows, *names):
    return [tuple(row[name] for name in names) for row in rows]


# ── what parts equals ──

#: everybody has won once and lost once, 1 by 8 and -3, 2 by 6 and -2
EQUAL = [
    (1, "1", "3", (10, -2)),
    (1, "2", "4", (5, 1)),
    (2, "1", "4", (-3, 0)),
    (2, "3", "2", (1, 1)),
]


def test_standings_count_matches_boards_and_what_was_won():
    rows = rows_of([*EQUAL, (3, "1", "2", (4, -4))])

    assert columns_of(
        rows, "contestant", *["total", "matches", "wins", "draws", "losses", "boards", "net"]
    ) == [
        ("1", 3, 3, 1, 1, 1, 6, 5),
        ("2", 3, 3, 1, 1, 1, 6, 4),
        ("4", 2, 2, 1, 0, 1, 4, -3),
        ("3", 2, 2, 1, 0, 1, 4, -6),
    ]


@pytest.mark.parametrize(
    ("tie_breaks", "order"),
    [
        (
            ["net"],
            [
                ("1", "1", None, None),
                ("2", "2", "net", 4),
                ("4", "3", "net", -3),
                ("3", "4", "net", -6),
            ],
        ),
        (
            ["quotient"],
            [
                ("2", "1", None, None),
                ("1", "2", "quotient", 2),
                ("4", "3", "quotient", 0.5),
                ("3", "4", "quotient", 0.4),
            ],
        ),
        (
            # boards won, half of those that were level
            ["count-back"],
            [
                ("3", "1", None, None),
                ("2", "2", "count-back", 2),
                ("1", "3", "count-back", 1.5),
                ("4", "4", "number", None),
            ],
        ),
        (
            ["wins", "between", "opponents"],
            [
                ("1", "1", None, None),
                ("2", "2", "number", None),
                ("3", "3", "number", None),
                ("4", "4", "number", None),
            ],
        ),
        (
            ["count-back", "lot"],
            [
                ("3", "1", None, None),
                ("2", "2", "count-back", 2),
                ("4", "3", "count-back", 1.5),
                ("1", "4", "lot", -2),
            ],
        ),
        (
            ["lot"],
            [
                ("4", "1", None, None),
                ("1", "2", "lot", -2),
                ("2", "3", "lot", -3),
                ("3", "4", "number", None),
            ],
        ),
    ],
)
def test_equals_are_parted_by_one_thing_after_the_other(tie_breaks, order):
    lots = {"4": {"lot": 1}, "1": {"lot": 2}}
    profile = {"tie_breaks": tie_breaks, "ties": "broken"}

    rows = rows_of(EQUAL, profile, contestants=lots)

    assert columns_of(rows, "contestant", "place", "decided", "tie_break") == order


def test_equals_share_a_place_whatever_parts_them():
    rows = rows_of([*EQUAL, (3, "4", "3", (1,))], {"tie_breaks": ["net"]})

    assert columns_of(rows, "contestant", "place") == [
        ("4", "1"),
        ("1", "2="),
        ("2", "2="),
        ("3", "2="),
    ]


def test_a_seed_parts_those_that_nothing_else_parts():
    rows = rows_of(EQUAL, {"tie_breaks": []}, contestants={"3": {"seed": 1}, "2": {"seed": 2}})

    assert columns_of(rows, "contestant", "decided") == [
        ("3", None),
        ("2", "seed"),
        ("1", "seed"),
        ("4", "number"),
    ]


def test_who_has_lost_nothing_has_the_best_quotient_and_who_has_nothing_none():
    matches = [(1, "5", "6", (0,)), (1, "3", "4", (9, -1)), (1, "1", "2", (2,))]
    one_more = {"contestant": "5", "unit": "vps", "amount": 1}

    rows = rows_of(matches, {"tie_breaks": ["quotient"]}, penalties=[one_more])

    assert columns_of(rows, "contestant", "total")[:3] == [("1", 2), ("3", 2), ("5", 2)]
    assert columns_of(rows, "tie_break")[1:3] == [(9,), (0,)]


def test_more_wins_come_before_more_draws():
    """A, B, C and D have 30: of two wins, three draws, one win, and a win, a draw and a loss."""
    matches = [(1, "A", "D", 14), (1, "B", "E", 10), (1, "C", "F", 18)]
    matches += [(2, "A", "E", 13), (2, "B", "F", 10), (2, "C", "D", 6)]
    matches += [(3, "A", "F", 3), (3, "B", "D", 10), (3, "C", "E", 6)]

    rows = rows_of(matches, {"vp": "wbf-continuous", "tie_breaks": ["wins"]})

    assert columns_of(rows, "contestant", "total", "tie_break") == [
        ("E", 31, None),
        ("A", 30, None),
        ("B", 30, 1.5),
        ("D", 30, None),
        ("C", 30, 1),
        ("F", 29, None),
    ]


def test_opponents_count_by_the_match_where_not_all_have_had_as_many():
    matches = [(1, "A", "B", 12), (1, "C", "D", 12), (1, "E", None, None)]
    matches += [(2, "A", "C", 8), (2, "B", "E", 12), (2, "D", None, None)]

    rows = rows_of(matches, {"vp": "wbf-continuous", "tie_breaks": ["opponents"]})

    # A met B with 20 and C with 24, D met C and had a bye of 12
    assert columns_of(rows, "contestant", "total", "tie_break") == [
        ("C", 24, None),
        ("A", 20, None),
        ("B", 20, 20),
        ("D", 20, 18),
        ("E", 20, 16),
    ]


def test_opponents_are_added_where_all_have_had_as_many():
    matches = [(1, "A", "B", 12), (1, "C", "D", 12), (2, "A", "C", 8), (2, "B", "D", 12)]

    rows = rows_of(matches, {"vp": "wbf-continuous", "tie_breaks": ["opponents"]})

    assert columns_of(rows, "contestant", "total", "decided", "tie_break") == [
        ("C", 24, None, None),
        ("A", 20, None, None),  # B with 20 and C with 24
        ("B", 20, "opponents", 36),
        ("D", 16, None, None),
    ]


def test_two_who_have_beaten_each_other_go_by_the_net_of_their_matches():
    rows = rows_of([(1, "1", "2", (8,)), (2, "2", "1", (9,))])

    assert columns_of(rows, "contestant", "place", "decided", "tie_break") == [
        ("2", "1=", None, None),
        ("1", "1=", "between", -1),
    ]


def test_who_takes_no_part_comes_last_and_has_no_place():
    rows = rows_of(
        EQUAL, {"tie_breaks": ["net"], "ties": "broken"}, contestants={"1": {"standing": False}}
    )

    assert columns_of(rows, "order", "place", "contestant") == [
        (1, "1", "2"),
        (2, "2", "4"),
        (3, "3", "3"),
        (4, None, "1"),
    ]


def test_without_victory_points_and_with_more_boards_the_average_decides():
    matches = [(1, "1", "3", (5, 3)), (1, "2", "4", (3, 3, 3, 3)), (1, "5", None, None)]

    rows = rows_of(matches, {"vp": None})
    same = rows_of([(1, "1", "3", (5, 3)), (1, "2", "4", (3, 3))], {"vp": None})

    assert columns_of(rows, "contestant", "total") == [
        ("1", 8),
        ("2", 12),
        ("4", -12),
        ("3", -8),
        ("5", 0),
    ]
    assert columns_of(same, "contestant", "total") == [("1", 8), ("2", 6), ("4", -6), ("3", -8)]


def test_there_are_standings_after_every_round_with_what_was_taken_until_then():
    fines = [
        {"contestant": "1", "unit": "vps", "amount": -1, "round": 1},
        {"contestant": "2", "unit": "vps", "amount": -2, "round": 2},
        {"contestant": "3", "unit": "vps", "amount": -3},
    ]

    found = scored(**document(EQUAL, penalties=fines))["standings"]

    assert [standing["round"] for standing in found] == [1, 2]
    totals = [{row["contestant"]: row["total"] for row in standing["rows"]} for standing in found]
    assert totals == [{"1": 1, "2": 2, "3": 0, "4": 0}, {"1": 1, "2": 0, "3": -1, "4": 2}]


# ── byes, and who was missing ──

VPS = {"vp": "wbf-continuous"}


def vps_of(matches, profile=None, **more):
    found = scored(**document(matches, VPS | (profile or {}), **more))["matches"]
    return [(match["rule"], match["vps"] and both(match["vps"])) for match in found]


@pytest.mark.parametrize(
    ("profile", "own", "bye"),
    [
        ({}, 17, 12),
        ({"bye": 50}, 17, 10),
        ({"bye": "own-average"}, 17, 17),
        ({"bye": "own-average"}, 11, 12),
    ],
)
@pytest.mark.parametrize("half", [False, True])
def test_a_bye_is_60_per_cent_or_the_own_average(profile, own, bye, half):
    matches = [(1, "1", "2", own), (1, "3", None, {}), (2, "1", None, {"half": half})]

    found = vps_of(matches, profile)

    assert found[2] == ("bye", (bye / 2 if half else bye, 0))


@pytest.mark.parametrize(
    ("own", "theirs", "missing", "points"),
    [
        (13, 10, "away", (13, 0)),
        (11, 9, "away", (12, 0)),
        (11, 5, "away", (15, 0)),
        (11, 5, "home", (0, 15)),
        (16, 5, "home", (0, 16)),
    ],
)
def test_whose_opponents_are_missing_has_the_best_of_three(own, theirs, missing, points):
    two = ("1", "3") if missing == "away" else ("3", "1")
    matches = [(1, "1", "2", own), (1, "3", "4", theirs)]

    whole = vps_of([*matches, (2, *two, {"missing": missing})])
    half = vps_of([*matches, (2, *two, {"missing": missing, "half": True})])

    assert whole[2] == ("missing", points)
    assert half[2] == ("missing", tuple(point / 2 for point in points))


def test_an_average_is_of_matches_played_and_half_a_match_is_half_of_one():
    half = {"half": True, "given": {"home": 9, "away": 1}}
    matches = [
        (1, "1", "2", 15),
        (2, "1", "2", half),
        (3, "1", None, {}),
        (4, "1", "3", {"missing": "away"}),
    ]

    assert vps_of(matches)[3] == ("missing", (16, 0))  # 24 in one match and a half


@pytest.mark.parametrize(
    ("left", "came", "rule", "vps"),
    [
        ({"3": 1}, {}, "missing", (12, 0)),  # nothing of it was played
        ({"1": 1}, {}, "missing", (0, 12)),
        ({"3": 1}, (0,), "match", (10, 10)),  # all of it was
        ({"3": 2}, {}, "open", None),  # they leave after it
        ({"2": 1}, {}, "open", None),  # somebody else has left
        ({"3": 1}, {"given": {"home": 3, "away": 17}}, "given", (3, 17)),
        ({"3": 1}, {"aside": True}, "open", None),
    ],
)
def test_a_match_that_somebodys_leaving_has_cut_off_is_one_without_them(left, came, rule, vps):
    matches = [(1, "1", "2", (0,)), (1, "3", "4", (0,)), (2, "1", "3", came)]
    gone = {label: {"left": {"after_round": last}} for label, last in left.items()}

    found = vps_of(matches, contestants=gone)

    assert found[2] == (rule, vps)


def test_without_victory_points_nobody_gets_any_for_who_is_missing():
    matches = [(1, "1", "2", {"missing": "away"}), (1, "3", None, {})]

    assert vps_of(matches, {"vp": None}) == [("missing", None), ("bye", None)]


def test_boards_of_a_match_without_opponents_stand_there_empty():
    [found] = scored(**document([(1, "1", "2", {"missing": "away", "boards": [1, 2]})]))["matches"]

    assert [(board["board"], board["home"], board["away"]) for board in found["boards"]] == [
        (1, None, None),
        (2, None, None),
    ]


def test_a_match_that_is_open_is_none_yet():
    rows = rows_of([*EQUAL, (3, "1", "2", {"boards": [1]})], {"tie_breaks": ["net"]})

    assert columns_of(rows, "contestant", "matches", "boards") == [
        ("1", 2, 4),
        ("2", 2, 4),
        ("4", 2, 4),
        ("3", 2, 4),
    ]


@pytest.mark.parametrize(
    ("more", "boards", "many"),
    [
        ({}, {"boards": [1, 2, 3, 4, 5]}, 5),
        ({"stage": {"boards": 6}}, {}, 6),
        ({}, {}, 2),  # as many as other matches have
    ],
)
def test_board_a_match_without_opponents_is_a_share_of_its_boards(more, boards, many):
    matches = [
        (1, "1", "2", (2, 2)),
        (1, "3", None, boards),
        (2, "1", "3", {"wrong_seats": "sides"} | boards),
        (2, "2", "4", {"void": {"home": "AVE+", "away": "AVE-"}} | boards),
    ]

    found = scored(**document(matches, {"method": "bam", "vp": None}, **more))["matches"]

    assert (found[1]["points"], both(found[1]["percent"])) == (
        {"home": round(1.2 * many, 2), "away": None},
        (60, 0),
    )
    assert (both(found[2]["points"]), both(found[2]["percent"])) == (
        (round(0.8 * many, 2),) * 2,
        (40, 40),
    )
    plus = (many + 1) // 2 * 60 + many // 2 * 50  # average plus on half the boards, rounded up
    assert found[3]["percent"]["home"] == pytest.approx(plus / many, abs=0.005)
    assert found[3]["points"]["home"] == pytest.approx(plus / 50, abs=0.005)


# ── what was not played as it should ──


@pytest.mark.parametrize(
    ("profile", "facts", "found"),
    [
        ({}, {"void": {"home": "AVE+", "away": "AVE-"}}, {"imps": (9, -9), "lead": 9}),
        ({}, {"void": {"home": "AVE+", "away": None}}, {"imps": (9, 0), "lead": 4.5}),
        ({}, {"void": {"home": 2, "away": -1}, "carry": 4}, {"imps": (10, -7), "lead": 8.5}),
        ({"vp": "wbf-discrete"}, {"wrong_seats": "director"}, {"vps": (12, 12)}),
        ({"vp": "wbf-discrete"}, {"wrong_seats": "sides", "half": True}, {"vps": (4, 4)}),
        ({"vp": None}, {"wrong_seats": "sides"}, {}),
        ({"method": "aggregate"}, {"void": {"home": "AVE+", "away": None}}, {"points": (0, 0)}),
        ({}, {"given": {"home": 1.5, "away": 0.5}}, {"vps": (1.5, 0.5)}),
        ({}, {"given": {"home": 2, "away": 0}, "aside": True}, {}),
    ],
)
def test_a_match_that_was_not_played_as_it_should(profile, facts, found):
    """Of five boards three count as half of them."""
    known = facts | {"boards": [1, 2, 3, 4, 5]}

    [match] = scored(**document([(1, "1", "2", known)], profile))["matches"]

    for name in ("imps", "points", "vps", "lead"):
        if name == "vps" and "imps" in found:
            continue  # that of the scale
        one = match[name]
        assert (both(one) if isinstance(one, dict) else one) == found.get(name), name
    assert match["rule"] == ("open" if facts.get("aside") else next(iter(facts)).replace("_", "-"))


@pytest.mark.parametrize(
    ("own_scale", "vps"),
    [(None, (2, 0)), ("wbf-discrete", (14, 6)), ({"total": 8, "draw": 4, "least": [2, 7]}, (5, 3))],
)
def test_a_match_may_have_a_scale_of_its_own(own_scale, vps):
    came = {"boards": [1], "vp": own_scale}
    play = {"round": 1, "board": 1, "ns": "1", "ew": "2"}
    outcome = {"artificial": {"ns": 4, "ew": -4}}

    results = scored(**document([(1, "1", "2", came)]) | {"plays": [play | {"outcome": outcome}]})

    assert both(results["matches"][0]["vps"]) == vps


@pytest.mark.parametrize(
    ("vp_floor", "vps"), [({}, (20, 0)), ({"vp_floor": None}, (20, -3)), ({"vp_floor": 2}, (20, 2))]
)
def test_nobody_has_less_than_the_floor(vp_floor, vps):
    own = {"total": 20, "draw": 10, "least": [*range(1, 11)]}
    fine = {"contestant": "2", "unit": "imps", "amount": -3, "round": 1}
    found = scored(**document([(1, "1", "2", (40,))], {"vp": own} | vp_floor, penalties=[fine]))[
        "matches"
    ][0]

    assert found["imps"] == {"home": 40, "away": -43}
    assert found["lead"] == 43


def test_artificial_scores_of_board_a_match_are_shares_of_a_board():
    came = [{"ns": "AVE+", "ew": "AVE-"}, {"ns": "AVE", "ew": 75}, {"ns": None, "ew": "AVE+"}]
    plays = [
        {"round": 1, "board": n, "ns": "1", "ew": "2", "outcome": {"artificial": item}}
        for n, item in enumerate(came, 1)
    ]
    match = (1, "1", "2", {"boards": [1, 2, 3]})

    results = scored(**document([match], {"method": "bam"}) | {"plays": plays})

    boards = [(board["home"], board["away"]) for board in results["matches"][0]["boards"]]
    assert boards == [(1.2, 0.8), (1, 1.5), (None, 1.2)]


@pytest.mark.parametrize(
    ("places", "imps"), [(2, (1.33, -1.33)), (0, (1, -1)), (None, (1.33, -1.33))]
)
def test_boards_are_rounded_one_by_one_where_the_profile_says_so(places, imps):
    weighted = {"assigned": {"ns": [["1/3", 420], ["2/3", 140]]}}  # 4/3 of an IMP more than 170

    found = match_of({"board_places": places}, [(weighted, 170)])

    assert both(found["imps"]) == imps


def test_boards_of_one_number_in_two_rounds_are_two():
    results = scored(**document([(1, "1", "2", (3, 1)), (2, "1", "2", (2, 4))]))

    rows = results["rankings"][-1]["rows"]
    assert columns_of(rows, "contestant", "boards", "due") == [("1", 4, 4), ("2", 4, 4)]


# ── matches of pairs ──


def of_pairs(profile, *fines, **match):
    """A match of two pairs over two boards, each played at another table too; the first has 75 per cent."""
    plays = [
        {"round": 1, "table": table, "board": board, "ns": ns, "ew": ew, "outcome": {"score": s}}
        for board, scores in ((1, (420, 170)), (8, (110, 110)))
        for table, (ns, ew, s) in enumerate(zip("13", "24", scores, strict=True), 1)
    ]
    return scored(
        contestants=[{"label": digit} for digit in "1234"],
        plays=plays,
        matches=[{"round": 1, "home": "1", "away": "2", "boards": [1, 8]} | match],
        profile=profile,
        penalties=[
            {"contestant": label, "unit": unit, "amount": amount, "round": 1}
            for label, unit, amount in fines
        ],
    )["matches"][0]


@pytest.mark.parametrize(
    ("half", "fines", "percent"),
    [
        (False, [], (75, 25)),
        (False, [("1", "matchpoints", -1)], (50, 25)),
        (True, [("1", "matchpoints", -0.5), ("2", "matchpoints", 0.5)], (50, 50)),
        (False, [("1", "top", -1)], (25, 25)),
        (True, [("1", "percent", -10), ("1", "percent", 5)], (70, 25)),
    ],
)
def test_points_are_taken_from_the_percentage_of_a_match(half, fines, percent):
    found = of_pairs({"vp": "swiss-pairs", "display": {"half": half}}, *fines)

    assert both(found["percent"]) == percent


@pytest.mark.parametrize(
    ("method", "second", "imps"),
    [
        ("cross-imps", (110, -50, -50), (14, -14)),  # 16 and 8, by the root of 3
        ("cross-imps", (-50, 110, 110), (5, -5)),
        (
            "cross-imps",
            ({"artificial": {"ns": "AVE+", "ew": "AVE"}}, 90, 90),
            (17, -9),
        ),  # 8 as on the other board
        ("cross-imps", ({"assigned": {"ns": [[50, 110], [50, -50]]}}, -50, -50), (12, -12)),
        ("butler", (110, -50, -50), (9, -9)),  # 420 against 180, 110 against 0
    ],
)
def test_imps_of_pairs_are_worth_more_where_more_tables_compare(method, second, imps):
    plays = [
        {"round": 1, "table": table, "board": board, "ns": f"{2 * table - 1}", "ew": f"{2 * table}"}
        | {"outcome": item if isinstance(item, dict) else {"score": item}}
        for board, row in ((1, (420, 170, -50)), (8, second))
        for table, item in enumerate(row, 1)
    ]

    found = scored(
        contestants=[{"label": digit} for digit in "123456"],
        plays=plays,
        matches=[{"round": 1, "home": "1", "away": "2", "boards": [1, 8]}],
        profile={"method": method, "vp": "wbf-discrete"},
    )["matches"][0]

    assert both(found["imps"]) == imps


@pytest.mark.parametrize(
    ("void", "percent"),
    [
        ({"home": 51.01, "away": 48.99}, (50.51, 49.49)),  # 50.505 and 49.495
        ({"home": "AVE-", "away": None}, (45, 50)),
    ],
)
def test_a_void_match_is_rounded_away_from_fifty(void, percent):
    found = of_pairs({"vp": "swiss-pairs"}, void=void, boards=[*range(1, 9)])

    assert both(found["percent"]) == percent


@pytest.mark.parametrize(
    ("profile", "own", "where"),
    [
        ({"vp": "wbf-discrete"}, {}, "profile.vp"),
        ({"vp": "swiss-pairs"}, {"vp": "wbf-discrete"}, "matches[0].vp"),
        ({"vp": {"least": [1, 2]}}, {}, "profile.vp"),
    ],
)
def test_per_cent_want_a_scale_of_per_cent(profile, own, where):
    with pytest.raises(ScoringError) as refused:
        of_pairs(profile, **own)

    assert str(refused.value) == f"{where}: is no scale of percentages: swiss-pairs is"


def test_teams_that_tell_no_matches_have_one_for_all_they_play_in_a_round():
    plays = [
        {
            "round": round,
            "table": table,
            "board": board,
            "ns": ns,
            "ew": ew,
            "outcome": {"score": s},
        }
        for round, board in ((1, 1), (1, 8), (2, 1))
        for table, ns, ew, s in (
            (1, "1", "2", 420),
            (2, "2", "1", 170),
            (3, "3", "4", 170),
            (4, "4", "3", 170),
        )
    ]

    found = scored(
        contest="teams",
        profile={"method": "team-imps"},
        contestants=[{"label": digit} for digit in "1234"],
        plays=plays,
    )["matches"]

    assert [
        (match["round"], match["home"], match["away"], both(match["imps"])) for match in found
    ] == [
        (1, "1", "2", (12, -12)),
        (1, "3", "4", (0, 0)),
        (2, "1", "2", (6, -6)),
        (2, "3", "4", (0, 0)),
    ]
    assert [[board["board"] for board in match["boards"]] for match in found] == [
        [1, 8],
        [1, 8],
        [1],
        [1],
    ]
