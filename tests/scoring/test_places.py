"""Order of places, tested value by value: labels, strata, tie-breaks, units of deductions."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.model import Contestant, ContestantKey
from bridgebuddy.scoring.rules.profile import Profile
from bridgebuddy.scoring.rules.rankings.ranking import (
    label_sort_key,
    placed_scores,
    plain_tie_breaks,
    strata_of,
)
from bridgebuddy.scoring.rules.rankings.scores import Score, Scorer
from bridgebuddy.scoring.rules.rankings.tallies import Tally, check_units, contestant_tallies
from bridgebuddy.scoring.rules.reports.results import (
    MatchSides,
    PlayResult,
    Results,
    RoundStandings,
    SideResult,
)
from bridgebuddy.scoring.rules.reports.results_document import document_text
from bridgebuddy.scoring.rules.rounding import exact_mean, exact_sum, rounded_units
from bridgebuddy.scoring.rules.valuing import value_session

from .sessions import scored


def whose(label, section="A"):
    return ContestantKey(section, label)


def read_session(**document):
    return read_document(json.dumps(document))


# ── labels ──


def test_labels_are_sorted_by_their_numbers():
    labels = ["10", "9", "NS10", "NS9", "EW2", "1"]

    ordered = sorted(map(whose, labels), key=label_sort_key)

    assert [label.label for label in ordered] == ["1", "9", "10", "EW2", "NS9", "NS10"]


def test_one_label_of_two_sections_is_sorted_by_the_section():
    both = [whose("1", "B"), whose("2", "A"), whose("1", "A")]

    assert sorted(both, key=label_sort_key) == [both[2], both[0], both[1]]


# ── places ──


def score(label, printed, *, boards=4, due=4, **facts):
    tally = Tally(Contestant(whose(label), "all", **facts), boards=boards, due=due)
    printed = None if printed is None else Fraction(printed)
    return Score(tally, ranked=printed, printed=printed)


def by(**keys):
    """A tie-break that gives each label a key."""
    return lambda equals: {
        equal.contestant_key: Fraction(keys[equal.contestant_key.label]) for equal in equals
    }


LISTED = [
    score("a", 50),
    score("b", 60),
    score("c", 60),
    score("d", 60, boards=1),  # too few
    score("e", None),
    score("f", 60),
    score("g", 70, standing=False),
]


@pytest.mark.parametrize(
    ("tie_breaks", "ties", "order"),
    [
        ([], "shared", "b1= c1= f1= a4 g d e"),
        ([], "broken", "b1 c2 f3 a4 g d e"),
        ([by(a=0, b=1, c=2, d=0, e=0, f=2, g=0)], "shared", "c1= f1= b1= a4 g d e"),
        (
            # the second parts what the first has left, and begins with the first again
            [by(a=0, b=1, c=2, d=0, e=0, f=2, g=0), by(a=0, b=9, c=1, d=0, e=0, f=3, g=0)],
            "broken",
            "f1 c2 b3 a4 g d e",
        ),
    ],
)
def test_equals_are_in_the_order_of_the_tie_breaks(tie_breaks, ties, order):
    rows = placed_scores(LISTED, Profile(ties=ties), tie_breaks)

    assert " ".join(f"{row.score.contestant_key.label}{row.place or ''}" for row in rows) == order
    assert [row.order for row in rows] == [1, 2, 3, 4, 5, 6, 7]


def test_equals_that_nothing_parts_are_in_the_order_of_their_seeds():
    seeds = {"1": None, "2": 3, "3": 1, "4": None, "5": 0}

    rows = placed_scores([score(label, 50, seed=seed) for label, seed in seeds.items()], Profile())

    assert [row.score.contestant_key.label for row in rows] == ["5", "3", "2", "1", "4"]


@pytest.mark.parametrize("label", ["10", "9"])
def test_who_has_no_place_is_parted_like_everybody(label):
    without = [score(text, None) for text in ("9", "10")]

    rows = placed_scores(without, Profile(), [by(**{"9": 1, "10": 1, label: 2})])

    assert rows[0].score.contestant_key.label == label


# ── strata ──


def strata(people, **of):
    """The strata of people, each with points or with a stratum given by hand."""
    contestants = [{"label": str(n)} | item for n, item in enumerate(people, 1)]
    session, profile = read_session(
        contestants=contestants, plays=[], profile={"strata": of} if of else {}
    )
    return list(strata_of(session, profile).values())


def having(*points):
    return [{"points": point} for point in points]


THREE = {"names": ["A", "B", "C"], "limits": [None, 200, 50]}


@pytest.mark.parametrize(
    ("people", "of", "found"),
    [
        (having(500, 200, 201, 50, 51, 10, 0), THREE, [1, 2, 1, 3, 2, 3, 3]),
        (having(500, 50, 10, 20), THREE, [1, 3, 3, 3]),
        (having(500, 150, 10, 20), THREE, [1, 2, 2, 2]),  # two in C join those of B
        (having(500, 400, 10, 20), THREE, [1, 1, 1, 1]),  # and all of them those of A
        (having([10, 300], [10, 20], [10, 20], [10, 20]), THREE, [1, 3, 3, 3]),
        (having([10, 300], *[[10, 20]] * 3), THREE | {"of": "mean"}, [2, 3, 3, 3]),
        ([{}, {}, {}, *having(300)], THREE, [3, 3, 3, 1]),
        (having(10, 10, 10), {"names": ["A", "B"], "limits": [50, 20]}, [2, 2, 2]),
        (having(90, 10, 10, 10), {"names": ["A", "B"], "limits": [50, 20]}, [1, 2, 2, 2]),
        # given by hand they are as they are, however few
        ([{"stratum": 3}, *having(500, 150, 10)], THREE, [3, 1, 2, 3]),
        ([{"stratum": 2}, {"stratum": 1}, {}], {"names": ["A", "B"]}, [2, 1, 2]),
        (having(10, 10, 10), {}, []),
    ],
)
def test_strata_go_by_points_or_are_given(people, of, found):
    assert strata(people, **of) == found


def test_a_stratum_that_there_is_not_is_refused():
    with pytest.raises(ScoringError) as refused:
        strata([{"stratum": 2}, {"stratum": 4}], **THREE)

    assert str(refused.value) == "contestants: stratum 4 of 2 does not exist"


def test_a_handicap_is_a_list_of_its_own_and_a_category_too():
    plays = [
        {"board": 1, "ns": ns, "ew": ew, "outcome": {"score": score}}
        for ns, ew, score in (("1", "2", 420), ("3", "4", 170))
    ]
    contestants = [{"label": digit} for digit in "1234"]
    contestants[2] |= {"handicap": [60], "categories": ["women", "juniors"]}
    contestants[1] |= {"categories": ["juniors"]}

    found = scored(contestants=contestants, plays=plays)["rankings"]

    lists = [
        (ranking["category"], ranking["handicap"], [row["contestant"] for row in ranking["rows"]])
        for ranking in found
        if (ranking["section"], ranking["field"]) == ("A", "all")
    ]
    assert lists == [
        (None, False, ["1", "4", "2", "3"]),
        ("juniors", False, ["2", "3"]),
        ("women", False, ["3"]),
        (None, True, ["1", "4", "3", "2"]),
    ]


# ── what parts equals ──


def individual(tables):
    """Return an individual in which players are given shares; `tables` has the seats and both sides' values."""
    plays = [
        {"board": n, "n": n_, "s": s, "e": e, "w": w}
        | {"outcome": {"artificial": {"ns": ns, "ew": ew}}}
        for n, ((n_, s, e, w), ns, ew) in enumerate(tables, 1)
    ]
    labels = sorted({label for seats, _, _ in tables for label in seats})
    session, profile = read_session(
        contest="individual",
        sections=[{"expected": 2}],
        contestants=[{"label": label} for label in labels],
        plays=plays,
    )
    return value_session(session, profile), profile


def test_single_players_are_parted_by_the_company_they_had():
    valued, profile = individual(
        [
            ("AXYZ", 60, 40),
            ("BYXZ", 60, 40),
            ("YWUV", 80, 20),
            ("AWUV", 60, 40),
            ("UVBW", 40, 60),
        ]
    )
    scores = Scorer(valued).scores(contestant_tallies(valued).values())

    [company] = plain_tie_breaks(valued, replace(profile, tie_breaks=("opponents",)))

    # X has 50, Y 60, Z 40, W 200/3, U and V 100/3
    found = {player.label: value for player, value in company(scores).items()}
    u = Fraction(100, 3)
    assert found["A"] == (60 + 40 + 2 * u) / (50 + 2 * u)
    assert found["B"] == (50 + 40 + 2 * u) / (60 + 2 * u)
    assert found["Z"] == Fraction(2 * 60 + 50 + 60, 60 + 50)


def test_pairs_have_no_company():
    session, profile = read_session(contestants=[{"label": "1"}], plays=[])

    found = plain_tie_breaks(value_session(session, profile), profile)

    assert len(found) == 3  # net, count-back, lot


def test_a_lot_parts_whoever_has_drawn_one_from_those_who_have_not():
    session, profile = read_session(contestants=[{"label": "1"}], plays=[])
    by_lot = plain_tie_breaks(value_session(session, profile), Profile(tie_breaks=("lot",)))
    lots = {"1": None, "2": 2, "3": 1, "4": None}

    rows = placed_scores(
        [score(label, 50, lot=lot) for label, lot in lots.items()], Profile(), by_lot
    )

    assert [row.score.contestant_key.label for row in rows] == ["3", "2", "1", "4"]


# ── several sessions, and what is taken ──


@pytest.mark.parametrize(
    ("earlier", "overall"),
    [
        ([{"imps": 12}, {"imps": -2.5}], 13.5),
        ([{"vps": 12}, {"imps": 1}], 17),
        ([], 4),
    ],
)
def test_imps_and_victory_points_of_other_sessions_are_added(earlier, overall):
    contestants = [{"label": digit} for digit in "1234"]
    contestants[0]["earlier"] = earlier
    contestants[1]["earlier"] = [{"imps": 0}]
    awards = [("1", "2", {"ns": 4, "ew": -4}), ("3", "4", {"ns": 1, "ew": -1})]

    results = scored(
        contestants=contestants,
        profile={"method": "butler"},
        plays=[
            {"board": 1, "ns": ns, "ew": ew, "outcome": {"artificial": given}}
            for ns, ew, given in awards
        ],
    )

    rows = {row["contestant"]: row for row in results["rankings"][-1]["rows"]}
    assert (rows["1"]["total"], rows["1"]["overall"]) == (4, overall)
    assert (rows["1"]["top"], rows["3"]["overall"]) == (None, 1)


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("unit", ["matchpoints", "top"])
def test_a_matchpoint_is_taken_as_it_is_shown(half, unit):
    """Of one board at two tables the top is 2, or 1 where halves are shown; all of it is taken."""
    fine = {"contestant": "1", "unit": unit, "amount": -1}
    if unit == "matchpoints" and not half:
        fine["amount"] = -2

    results = scored(
        contestants=[{"label": digit} for digit in "1234"],
        profile={"display": {"half": half}},
        penalties=[fine],
        plays=[
            {"board": 1, "ns": ns, "ew": ew, "outcome": {"score": score}}
            for ns, ew, score in (("1", "2", 420), ("3", "4", 170))
        ],
    )

    rows = {row["contestant"]: row for row in results["rankings"][-1]["rows"]}
    assert (rows["1"]["total"], rows["1"]["top"]) == (0, 1 if half else 2)


# ── in what units ──

OF_MATCHES = [{"round": 1, "home": "1", "away": "2", "boards": [1]}]


@pytest.mark.parametrize(
    ("contest", "profile", "known"),
    [
        ("pairs", {"method": "matchpoints"}, "top percent matchpoints"),
        ("pairs", {"method": "matchpoints", "vp": "swiss-pairs"}, "top percent matchpoints vps"),
        ("pairs", {"method": "butler"}, "imps"),
        ("pairs", {"method": "cross-imps", "vp": "wbf-discrete"}, "imps vps"),
        ("pairs", {"method": "aggregate"}, "matchpoints"),
        ("teams", {"method": "team-imps"}, "imps"),
        ("teams", {"method": "bam"}, "top percent matchpoints"),
        ("teams", {"method": "aggregate"}, "matchpoints"),
    ],
)
def test_what_is_taken_is_in_a_unit_of_the_method(contest, profile, known):
    for unit in ("top", "percent", "matchpoints", "imps", "vps"):
        fine = {"contestant": "1", "unit": unit, "amount": -1}
        session, read_profile = read_session(
            contest=contest,
            contestants=[{"label": "1"}, {"label": "2"}],
            matches=OF_MATCHES,
            penalties=[fine],
            profile=profile,
        )
        if unit in known.split():
            check_units(session, read_profile)
        else:
            with pytest.raises(ScoringError) as refused:
                check_units(session, read_profile)
            assert (
                str(refused.value)
                == f"penalties[0].unit: {unit!r} is no unit of {profile['method']}"
            )


def test_without_matches_there_are_no_victory_points_to_take():
    fine = {"contestant": "1", "unit": "vps", "amount": -1}
    session, profile = read_session(
        contestants=[{"label": "1"}], penalties=[fine], profile={"vp": "swiss-pairs"}
    )

    with pytest.raises(ScoringError):
        check_units(session, profile)


# ── numbers and results as values ──


@pytest.mark.parametrize(
    ("value", "places", "middle", "found"),
    [
        ("1/2", 0, 0, 1),
        ("1/2", 0, 1, 0),
        ("1/2", 0, "1/2", 1),
        ("-1/2", 0, 0, -1),
        ("49/100", 0, 0, 0),
        ("51/100", 0, 9, 1),
        ("1/8", 2, 0, 13),
        ("1/8", 2, 50, 12),
        ("-7", 1, 0, -70),
    ],
)
def test_an_exact_half_is_rounded_away_from_the_middle(value, places, middle, found):
    assert rounded_units(Fraction(value), places, Fraction(middle)) == found


def test_sums_and_means_are_exact():
    values = [Fraction(1, 2), Fraction(1, 3), 2, Fraction(-1, 6), Fraction(1, 2)]

    assert exact_sum(values) == Fraction(19, 6)
    assert exact_sum([]) == 0
    assert exact_mean(list(map(Fraction, values))) == Fraction(19, 30)


@pytest.mark.parametrize(
    ("both", "ahead", "ordered"),
    [
        (MatchSides(12, 8), 4, (12, 8)),
        (MatchSides(3, 17), -14, (17, 3)),
        (MatchSides(12, None), 12, (12, 0)),
        (MatchSides(-2, None), -2, (0, -2)),
    ],
)
def test_what_two_sides_have(both, ahead, ordered):
    assert (both.ahead, both.greater_first) == (ahead, ordered)


@pytest.mark.parametrize(
    ("counted", "percent", "shown"),
    [("21/2", 52.5, (Fraction(105, 2), Fraction(21, 2))), ("1/8", None, (None, Fraction(12, 100)))],
)
def test_pages_print_a_side_from_what_counts_exactly(counted, percent, shown):
    side = SideResult(0, None, "mp", 20, percent, "compared", counted=Fraction(counted))
    nothing = replace(side, counted=None)

    assert (side.shown_percent, side.shown_points) == shown
    assert (nothing.shown_percent, nothing.shown_points) == (None, None)


@pytest.mark.parametrize(
    ("ns", "ew", "is_worth"), [(0, 2, 1), (None, 0, 1), (0, None, 1), (None, None, 0)]
)
def test_a_play_is_worth_something_where_a_side_has_anything(ns, ew, is_worth):
    sides = [SideResult(value, None, "mp", 2, None, "compared") for value in (ns, ew)]
    play = PlayResult(0, 420, *sides)

    assert play.has_value is bool(is_worth)
    assert (play.side("ns"), play.side("ew")) == tuple(sides)


def test_the_last_standings_are_those_after_the_last_round():
    rows = [("first",), ("second",)]
    results = Results(
        "", "teams", standings=tuple(RoundStandings(n, item) for n, item in enumerate(rows))
    )

    assert results.last_standings == ("second",)
    assert Results("", "teams").last_standings == ()


def test_a_document_is_written_in_its_own_order_and_letters():
    assert document_text({"b": "ü", "a": [1]}) == '{\n "b": "ü",\n "a": [\n  1\n ]\n}'


def test_what_an_artificial_score_brings_single_players_is_told_of_each():
    found = scored(
        contest="individual",
        sections=[{"expected": 2}],
        contestants=[{"label": digit} for digit in "1234"],
        plays=[
            {"board": 1, "n": "1", "s": "2", "e": "3", "w": "4"}
            | {"outcome": {"artificial": {"ns": "AVE+", "ew": "AVE-"}}}
        ],
    )["plays"][0]

    assert {player: side["rule"] for player, side in found["own"].items()} == {
        **dict.fromkeys("12", "AVE+"),
        **dict.fromkeys("34", "AVE-"),
    }
