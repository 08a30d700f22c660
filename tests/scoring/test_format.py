"""The scoring command's output, key by key: documents of all kinds, walked whole."""

import json
from fractions import Fraction

import pytest

from bridgebuddy.scoring.rules.model import RefusedOutcome
from bridgebuddy.scoring.rules.outcomes import stored_outcome
from bridgebuddy.scoring.rules.score import score_document
from tests.scoring.documents import a_session, of_matches
from tests.scoring.sessions import board, evening_of_teams, scored

NUMBER, TEXT, WHOLE, FLAG, EXACT = "number", "text", "whole", "flag", "exact"
#: two values after one another, not one of two kinds
BOTH = "both"
RULES = {
    *("compared", "neuberg", "small-group", "own-top", "tie-for-missing", "assigned"),
    *("AVE+", "AVE", "AVE-", "fixed", "single", "open", "pending", "not-played"),
}
MATCH_RULES = {"match", "bye", "given", "void", "missing", "wrong-seats", "open", "cancelled"}
TWO = {"home": (NUMBER, None), "away": (NUMBER, None)}
SIDE = {
    "value": (NUMBER, None),
    "exact": (EXACT, None),
    "unit": {"mp", "imps", "points"},
    "top": (NUMBER, None),
    "percent": (NUMBER, None),
    "rule": RULES,
    "A": (WHOLE, None),
    "E": (WHOLE, None),
    "beaten": (WHOLE, None),
    "tied": (WHOLE, None),
    "parts": [(BOTH, EXACT, NUMBER)],
}
FREQUENCY = {
    "score": (WHOLE,),
    "count": (NUMBER,),
    "ns": (NUMBER, None),
    "ew": (NUMBER, None),
}
#: a dict has these keys, a list has any number of these, a set or a tuple says what a value may be
RESULTS = {
    "name": (TEXT,),
    "state": {"provisional", "complete"},
    "results": (BOTH, WHOLE, WHOLE),
    "plays": [{"play": (WHOLE,), "score": (WHOLE, None), "ns": SIDE, "ew": SIDE}],
    "boards": [
        {
            "section": (TEXT, None),
            "deals": (TEXT, None),
            "board": (WHOLE,),
            "group": (TEXT, None),
            "state": {"open", "complete"},
            "A": (WHOLE,),
            "E": (WHOLE,),
            "datum": (NUMBER, None),
            "datum_ew": (NUMBER, None),
            "frequency": [FREQUENCY],
            "frequency_ew": ([FREQUENCY], None),
            "artificial": [(WHOLE,)],
        }
    ],
    "rankings": [
        {
            "section": (TEXT, None),
            "field": (TEXT, None),
            "stratum": (WHOLE, None),
            "category": (TEXT, None),
            "handicap": (FLAG,),
            "rows": [
                {
                    "order": (WHOLE,),
                    "place": (TEXT, None),
                    "contestant": (TEXT,),
                    "section": (TEXT,),
                    "field": (TEXT,),
                    "percent": (NUMBER, None),
                    "total": (NUMBER, None),
                    "top": (NUMBER, None),
                    "average": (NUMBER, None),
                    "overall": (NUMBER, None),
                    "exact": (EXACT, None),
                    "boards": (WHOLE,),
                    "due": (WHOLE,),
                    "penalty": (NUMBER, None),
                }
            ],
        }
    ],
    "matches": [
        {
            "match": (WHOLE,),
            "round": (WHOLE,),
            "home": (TEXT,),
            "away": (TEXT, None),
            "imps": (TWO, None),
            "points": (TWO, None),
            "percent": (TWO, None),
            "vps": (TWO, None),
            "boards": [{"board": (WHOLE,), **TWO}],
            "rule": MATCH_RULES,
        }
    ],
    "standings": [
        {
            "round": (WHOLE,),
            "rows": [
                {
                    "order": (WHOLE,),
                    "place": (TEXT, None),
                    "contestant": (TEXT,),
                    "total": (NUMBER, None),
                    "average": (NUMBER, None),
                    **dict.fromkeys(("boards", "matches", "wins", "draws", "losses"), (WHOLE,)),
                    "net": (NUMBER, None),
                    "tie_break": (NUMBER, None),
                    "decided": (TEXT, None),
                }
            ],
        }
    ],
    "pairs": [
        {
            "pair": (TEXT,),
            "team": (TEXT,),
            "boards": (WHOLE,),
            "total": (NUMBER, None),
            "average": (NUMBER, None),
        }
    ],
    "warnings": [{"path": (TEXT,), "text": (TEXT,)}],
}
OF_TEAMS = {"pair": ({"ns": (NUMBER, None), "ew": (NUMBER, None)}, None)}


def is_a(kind, value):
    match kind:
        case None:
            return value is None
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "whole":
            return type(value) is int
        case "flag":
            return isinstance(value, bool)
        case "text":
            return isinstance(value, str)
        case "exact":
            return isinstance(value, str) and str(Fraction(value)) == value
    return list(walked(kind, value, "")) == []


def walked(form, value, path):
    """Yield where a value is not of a form."""
    match form:
        case dict():
            if not isinstance(value, dict) or not form.keys() <= value.keys():
                yield f"{path}: has not {form.keys() - set(value or ())}"
                return
            for key, of in form.items():
                yield from walked(of, value[key], f"{path}.{key}")
        case list():
            if not isinstance(value, list):
                yield f"{path}: no list"
                return
            for index, item in enumerate(value):
                yield from walked(form[0], item, f"{path}[{index}]")
        case ("both", *kinds):
            if len(value) != len(kinds) or not all(map(is_a, kinds, value)):
                yield f"{path}: {value}"
        case set():
            if value not in form:
                yield f"{path}: {value} is none of {form}"
        case _:
            if not any(is_a(kind, value) for kind in form):
                yield f"{path}: {value} is no {form}"


@pytest.fixture(scope="module")
def every():
    """Return a hundred documents with their results."""
    documents = [a_session(seed) for seed in range(40)] + [of_matches(seed) for seed in range(60)]
    texts = [json.dumps(document) for document in documents]
    return [(item, score_document(text)) for item, text in zip(documents, texts, strict=True)]


def test_every_key_stands_where_it_is_promised_and_is_what_it_should_be(every):
    for document, results in every:
        assert list(results) == list(RESULTS)
        assert list(walked(RESULTS, results, document["name"])) == []
        if document["contest"] == "teams":
            assert list(walked({"plays": [OF_TEAMS]}, results, document["name"])) == []


def test_the_documents_have_all_that_the_format_names(every):
    """Else a walk over them would not say much."""
    sides = [play[line] for _, found in every for play in found["plays"] for line in ("ns", "ew")]
    matches = [match for _, found in every for match in found["matches"]]
    places = [
        row["place"]
        for _, found in every
        for ranking in found["rankings"]
        for row in ranking["rows"]
    ]

    assert {side["rule"] for side in sides} == RULES
    assert {side["unit"] for side in sides} == {"mp", "imps", "points"}
    assert {match["rule"] for match in matches} == MATCH_RULES
    assert {found["state"] for _, found in every} == {"provisional", "complete"}
    assert None in places
    assert any(place and place.endswith("=") for place in places)
    for key in ("imps", "points", "percent", "vps"):
        assert any(match[key] for match in matches)
    lists = [ranking for _, found in every for ranking in found["rankings"]]
    for key in ("section", "field", "stratum", "category", "handicap"):
        assert len({str(ranking[key]) for ranking in lists}) > 1


def test_only_open_pending_and_not_played_sides_have_no_value_but_the_only_result_of_one_table(
    every,
):
    for _, found in every:
        for play in found["plays"]:
            for side in (play["ns"], play["ew"]):
                is_without = side["rule"] in ("open", "pending", "not-played")
                is_alone = side["rule"] == "single" and side["E"] < 2
                assert (side["value"] is None) == (is_without or is_alone)


#: what may be left out, by the list it stands in; of a profile what null has no meaning of its own for
OPTIONAL = {
    "": "name contest profile stage sections contestants plays sit_outs deals penalties matches",
    "profile": "preset method scope unequal small_groups expected ave ave_imps ximp ximp_session datum sit_outs bam"
    " pairs_method bye tie_breaks ties min_played sessions strata handicap display",
    "stage": "kind rounds boards first seed odd ignore_before behind late stationary balance exchange qualifiers carry",
    "sections": "winners expected deals",
    "contestants": "field names pairs seed lot stratum points categories handicap recent earlier standing left",
    "plays": "round table ns_pair ew_pair group deals outcome",
    "sit_outs": "round boards reason",
    "penalties": "board round kind reason by",
    "matches": "rounds away boards deals half vp carry stanza given provisional void missing wrong_seats",
}
OUTCOME = "contract declarer tricks lead passed pending score beside assigned artificial outside not_played side"


def with_nulls(document):
    """Return the same document with null for every omitted key."""
    found = dict.fromkeys(OPTIONAL[""].split()) | document
    for name, keys in OPTIONAL.items():
        without = dict.fromkeys(keys.split())
        match found.get(name):
            case dict() as one:
                found[name] = without | one
            case list() as several:
                found[name] = [without | item for item in several]
    for play in found["plays"] or ():
        if play["outcome"] is not None:
            play["outcome"] = dict.fromkeys(OUTCOME.split()) | play["outcome"]
    return found


def test_whatever_may_be_left_out_may_be_null(every):
    for document, results in every:
        assert score_document(json.dumps(with_nulls(document))) == results


# ── line by line ──


def test_a_play_of_teams_says_what_its_pairs_have():
    """The pairs' values are cross-IMPs over the four tables, or Butler; only for plays with known pairs."""
    plays = []
    for table, (home, away, score) in enumerate(
        (("1", "2", 420), ("2", "1", 170), ("3", "4", 420), ("4", "3", -50)), 1
    ):
        half, other = (1, 2) if table % 2 else (2, 1)
        play = {"round": 1, "table": table, "board": 1, "ns": home, "ew": away}
        play |= {"outcome": {"score": score}}
        plays.append(play | {"ns_pair": f"{home}-{half}", "ew_pair": f"{away}-{other}"})
    plays.append(plays[0] | {"board": 8, "ns_pair": None})
    document = {
        "contest": "teams",
        "contestants": [{"label": digit} for digit in "1234"],
        "plays": plays,
    }

    crossed = scored(**document)["plays"]
    butler = scored(**document, profile={"pairs_method": "butler"})["plays"]

    # 420 beats 170 by 6 IMPs and -50 by 10, and is level with itself: 16 / 3
    assert crossed[0]["pair"] == {"ns": 5.33, "ew": -5.33}
    assert butler[0]["pair"] == {"ns": 5, "ew": -5}  # datum 240
    assert crossed[4]["pair"] is None


def test_exact_is_what_it_was_before_the_board_was_rounded():
    teams = evening_of_teams(
        {"method": "team-imps", "board_places": 2},
        [({"assigned": {"ns": [["1/3", 420], ["2/3", 170]]}}, 170)],
    )
    side = teams["plays"][0]["ns"]

    assert (side["value"], side["exact"]) == (2, "2")
    uneven = evening_of_teams(
        {"method": "team-imps", "board_places": 2},
        [({"assigned": {"ns": [["1/3", 420], ["2/3", 140]]}}, 170)],
    )
    side = uneven["plays"][0]["ns"]
    assert (side["value"], side["exact"], side["counted"]) == (1.33, "4/3", "133/100")
    assert uneven["matches"][0]["imps"] == {"home": 1.33, "away": -1.33}


def of_a_play(outcome):
    """A document of one play with an outcome."""
    play = {"board": 1, "ns": "1", "ew": "2", "outcome": outcome}
    return {"contestants": [{"label": digit} for digit in "12"], "plays": [play]}


def test_what_an_outcome_does_not_say_may_be_null():
    every = dict.fromkeys(("contract", "declarer", "tricks", "lead", "passed", "score", "beside"))

    [play] = scored(**of_a_play(every | {"score": 420}))["plays"]
    [other] = scored(**of_a_play(every | {"contract": "4S", "declarer": "N", "tricks": 10}))[
        "plays"
    ]

    assert play["score"] == other["score"] == 420


def test_all_outcomes_that_cannot_be_are_told_at_once_in_the_order_of_the_plays():
    plays = [
        {"board": number, "ns": "1", "ew": "2", "outcome": outcome}
        for number, outcome in enumerate(
            (
                {"score": 620},
                {"contract": "4S", "declarer": "S", "tricks": 14},
                {"contract": "8NT", "declarer": "S", "tricks": 9},
                {"score": 36000},
                {"contract": "3NT", "declarer": "Z", "tricks": 9},
                {"passed": True},
                {"contract": "3ST", "declarer": "N", "tricks": 9},
                {"contract": "3NT", "declarer": "N", "tricks": -1},
                {"passed": True, "doubled": 1},
                {"contract": "Passx"},
                {"contract": "3NT", "declarer": "N", "tricks": "9"},
            ),
            1,
        )
    ]

    with pytest.raises(ValueError, match="impossible") as refused:
        scored(contestants=[{"label": "1"}, {"label": "2"}], plays=plays)

    assert str(refused.value).splitlines() == [
        "plays[0] (section A board 1): N-S +620 is impossible",
        "plays[1] (section A board 2): tricks 14 is more than 13",
        "plays[2] (section A board 3): contract '8NT' is no contract",
        "plays[3] (section A board 4): N-S +36000 is impossible",
        "plays[4] (section A board 5): declarer 'Z' is not N, E, S or W",
        "plays[6] (section A board 7): contract '3ST' is no contract",
        "plays[7] (section A board 8): tricks -1 is less than 0",
        "plays[8] (section A board 9): doubled cannot be said of a pass-out",
        "plays[9] (section A board 10): contract 'Passx' is a doubled pass-out",
        "plays[10].outcome.tricks: '9' is not a whole number",  # its form is wrong, not the bridge
    ]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"playz": []}, "playz: is not known"),
        ({"stage": {"pairing": 1}}, "stage.pairing: is not known"),
        ({"profile": {"ave": {"pluss": 1}}}, "profile.ave.pluss: is not known"),
        ({"contestants": [{"label": "1", "nome": 1}]}, "contestants[0].nome: is not known"),
        (of_a_play({"scor": 420}), "plays[0].outcome.scor: is not known"),
        (of_a_play({"score": 420, "lede": None}), "plays[0].outcome.lede: is not known"),
        (of_a_play({"passed": True, "lead": "S2"}), "plays[0].outcome.lead: is not known"),
    ],
)
def test_a_key_that_is_not_known_is_told_by_its_path(document, said):
    with pytest.raises(ValueError, match="is not known") as refused:
        scored(**document)

    assert str(refused.value) == said


@pytest.mark.parametrize("bye", [60, "own-average"])
def test_points_the_director_has_set_count_for_byes_by_the_own_average(bye):
    matches = [
        {"round": 1, "home": "1", "away": "2", "given": {"home": 18, "away": 2}},
        {"round": 2, "home": "1", "away": "3", "given": {"home": 12, "away": 8}},
        {"round": 3, "home": "1", "away": None},
    ]
    results = scored(
        contest="teams",
        profile={"vp": "wbf-continuous", "bye": bye},
        contestants=[{"label": digit} for digit in "123"],
        matches=matches,
    )

    assert results["matches"][2]["vps"]["home"] == (12 if bye == 60 else 15)


def test_an_open_match_has_the_imps_so_far_and_no_victory_points():
    results = evening_of_teams(
        {"method": "team-imps", "vp": "wbf-continuous"}, [(420, 170), (110, None)]
    )

    [match] = results["matches"]
    assert (match["rule"], match["imps"], match["vps"]) == ("open", {"home": 6, "away": -6}, None)
    assert results["standings"][0]["rows"][0]["matches"] == 0


def test_nobody_is_across_from_a_bye():
    results = scored(
        contest="teams",
        profile={"method": "bam"},
        stage={"boards": 10},
        contestants=[{"label": "1"}],
        matches=[{"round": 1, "home": "1"}],
    )

    assert results["matches"][0]["points"] == {"home": 12, "away": None}


def test_the_only_result_of_one_table_is_a_single_without_value():
    [play] = board([420])

    assert [(play[line]["rule"], play[line]["value"]) for line in ("ns", "ew")] == [
        ("single", None),
        ("single", None),
    ]


def test_the_average_of_total_points_is_that_of_a_board():
    results = evening_of_teams({"method": "aggregate"}, [(420, 170), (110, 140), (-50, 90), (0, 0)])

    rows = {row["contestant"]: row for row in results["standings"][0]["rows"]}
    assert (rows["H"]["total"], rows["H"]["average"], rows["H"]["matches"]) == (80, 20, 1)


def test_a_pair_that_never_came_owes_what_its_match_would_have_had():
    plays = [
        {"round": 1, "table": table, "board": 1, "ns": ns, "ew": ew}
        | ({"outcome": {"score": score}} if score else {})
        for table, (ns, ew, score) in enumerate((("1", "2", 0), ("3", "4", 110), ("5", "6", 90)), 1)
    ]
    matches = [
        {"round": 1, "home": ns, "away": ew} | ({"missing": "away"} if ns == "1" else {})
        for ns, ew in ("12", "34", "56")
    ]
    results = scored(
        contestants=[{"label": digit} for digit in "123456"],
        plays=plays,
        matches=matches,
        profile={"method": "butler", "vp": "wbf-continuous"},
    )

    rows = {row["contestant"]: row for row in results["rankings"][0]["rows"]}
    assert {row["due"] for row in rows.values()} == {1}
    assert all(row["place"] for row in rows.values())
    assert (results["state"], results["results"]) == ("complete", [2, 2])


def test_a_match_may_have_a_scale_of_its_own():
    own = {"total": 4, "draw": 2, "least": [1, 6]}
    matches = [
        {"round": 1, "home": "1", "away": "2", "boards": [1]},
        {"round": 1, "home": "3", "away": "4", "boards": [1], "vp": own},
        {"round": 1, "home": "5", "boards": [1], "vp": own},
    ]
    plays = [
        {"round": 1, "board": 1, "ns": ns, "ew": ew, "outcome": {"score": score}}
        for item, other in ("12", "34")
        for ns, ew, score in ((item, other, 420), (other, item, 170))
    ]
    results = scored(
        contest="teams",
        profile={"vp": "win-draw-loss"},
        contestants=[{"label": digit} for digit in "12345"],
        plays=plays,
        matches=matches,
    )

    assert [match["vps"] for match in results["matches"]] == [
        {"home": 2, "away": 0},
        {"home": 4, "away": 0},
        {"home": 2.4, "away": 0},
    ]


def test_a_scale_of_a_match_that_is_none_is_told_by_its_path():
    with pytest.raises(ValueError, match=r"^matches\[0\]\.vp: 'x' is not "):
        scored(
            contest="teams",
            contestants=[{"label": "1"}],
            matches=[{"round": 1, "home": "1", "vp": "x"}],
        )


def test_as_many_ends_as_somebody_may_type_leave_one_result():
    plays = board([420, 170, -50, 110], profile={"method": "butler", "datum": {"trim": 10**9}})

    assert [play["ns"]["value"] for play in plays] == [7, 1, -5, -1]  # 140, the mean of 170 and 110


@pytest.mark.parametrize("scope", ["field", "section"])
def test_a_play_may_be_of_the_cards_of_another_section(scope):
    """A table of A had board 20 of B by mistake: it is compared with B's results of it in any scope."""
    results = scored(
        profile={"scope": scope},
        sections=[{"section": "A", "deals": "A"}, {"section": "B", "deals": "B"}],
        contestants=[{"section": name, "label": digit} for name in "AB" for digit in "1234"],
        plays=[
            {"section": name, "board": board, "ns": ns, "ew": ew, "outcome": {"score": score}} | of
            for name, board, ns, ew, score, of in (
                ("A", 1, "1", "2", 140, {}),
                ("A", 20, "3", "4", 630, {"deals": "B"}),
                ("B", 20, "1", "2", 600, {}),
                ("B", 20, "3", "4", 100, {}),
            )
        ],
    )

    sides = [play["ns"] for play in results["plays"]]
    assert [side["value"] for side in sides] == [None, 4, 2, 0]
    assert [side["A"] for side in sides] == [1, 3, 3, 3]
    assert {row["deals"]: row["A"] for row in results["boards"]} == {"A": 1, "B": 3}
    [row] = [row for row in results["rankings"][0]["rows"] if row["contestant"] == "3"]
    assert (row["section"], row["percent"]) == ("A", 100)


@pytest.mark.parametrize(
    "outcome",
    [
        *({"score": item} for item in (10**50, 10.5, float("nan"), float("inf"), True, "420")),
        {"contract": "3NT", "declarer": "N", "tricks": 14},
        {"artificial": {"ns": float("nan"), "ew": 50}},
        {"assigned": {"ns": ((50, 420), (40, 50))}},
    ],
)
def test_what_is_kept_and_says_nothing_that_can_be_read_is_refused_too(outcome):
    assert isinstance(stored_outcome(outcome), RefusedOutcome)
