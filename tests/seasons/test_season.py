"""A season's lists: counted twice, in clubs' own examples, and refused in one sentence."""

import io
import json
from fractions import Fraction

import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.seasons.rules.document import read_season
from bridgebuddy.seasons.rules.report import season_report
from bridgebuddy.seasons.rules.totals import RULES

from .recount import TOTALS, recount

PLAYERS = [f"P{n:02}" for n in range(1, 9)]
AS_A_LIST = {"name": "", "best": 3, "least": 2, "each": 2, "handicap": None}


def session(number, *rows, **more):
    return {
        "id": str(number),
        "date": f"2026-01-{number:02}",
        "name": "",
        "rows": list(rows),
    } | more


def row(percentage, *people, place=1, **more):
    return {"who": list(people or ("P01",)), "percentage": percentage, "place": place} | more


def lists_of(document):
    return season_report(read_season(json.dumps(document)))["lists"]


def test_text_rounds_an_exact_half_as_pages_do(tmp_path):
    """Percentages are rounded away from 50, points away from 0: not to the even digit, as a float is written."""
    rows = [row("56.125", "P01", vps="6.125"), row("43.875", "P02", vps="6.135")]
    lists = [
        AS_A_LIST | {"counts": text, "rule": "mean", "least": 1} for text in ("percentage", "vps")
    ]
    path = tmp_path / "season.json"
    path.write_text(json.dumps({"sessions": [session(1, *rows)], "lists": lists}))
    said = io.StringIO()

    call_command("season", str(path), "--format", "text", stdout=said)

    values = [line.split()[2] for line in said.getvalue().splitlines() if " P0" in line]
    assert values == ["56.13", "43.87", "6.14", "6.13"]


@st.composite
def seasons(draw):
    """Sessions of pairs in some order of days, with exact percentages and shared places."""
    found = []
    for day in draw(st.permutations(range(1, draw(st.integers(1, 7)) + 1))):
        seats = draw(st.permutations(PLAYERS))[: draw(st.sampled_from([2, 4, 6, 8]))]
        pairs = [seats[index : index + 2] for index in range(0, len(seats), 2)]
        percentages = [Fraction(draw(st.integers(0, 300)), draw(st.integers(1, 7))) for _ in pairs]
        rows = [
            row(str(percentage), *pair, place=1 + sum(other > percentage for other in percentages))
            | {
                "vps": str(percentage / 5),
                "imps": draw(st.integers(-40, 40)),
                "masterpoints": "0.25",
            }
            for pair, percentage in zip(pairs, percentages, strict=True)
        ]
        found.append(session(day, *rows))
    return found


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    seasons(),
    st.sampled_from(["player", "pair"]),
    st.sampled_from(
        ["percentage", "imps", "vps", "places", "masterpoints", "wins", "evenings", "handicap"]
    ),
    st.sampled_from(sorted(TOTALS)),
    st.integers(1, 4),
)
def test_every_list_counted_in_another_way_is_the_same(sessions, of, counts, rule, each):
    rules = AS_A_LIST | {"of": of, "counts": counts, "rule": rule, "each": each, "best": each}
    if counts == "handicap":
        rules |= {"counts": "percentage", "handicap": {"last": 3, "least": 2, "times": "1/2"}}
    document = {"sessions": sessions, "lists": [rules]}

    (found,) = lists_of(document)

    rows = {tuple(item["who"]): (Fraction(item["value"]), item["place"]) for item in found["rows"]}
    assert rows == recount(document, rules)
    assert list(rows) == sorted(rows, key=lambda people: (rows[people][1], people))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seasons(), st.randoms(use_true_random=False))
def test_the_order_in_which_sessions_and_rows_are_entered_changes_nothing(sessions, rng):
    rules = AS_A_LIST | {"handicap": {"last": 3, "least": 1, "times": 1}}
    before = lists_of({"sessions": sessions, "lists": [rules]})

    rng.shuffle(sessions)
    for item in sessions:
        rng.shuffle(item["rows"])

    assert lists_of({"sessions": sessions, "lists": [rules]}) == before


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seasons())
def test_points_for_places_add_up_to_what_so_many_places_have(sessions):
    rules = AS_A_LIST | {"of": "pair", "counts": "places", "rule": "sum", "best": None, "least": 1}

    (found,) = lists_of({"sessions": sessions, "lists": [rules]})

    due = sum(n * (n + 1) // 2 for n in (len(item["rows"]) for item in sessions))
    assert sum(Fraction(item["value"]) for item in found["rows"]) == due


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seasons(), st.integers(1, 50))
def test_a_better_evening_never_lowers_a_place_under_the_best_of_some(sessions, more):
    rules = AS_A_LIST | {"least": 1}
    pair = sessions[0]["rows"][0]

    def place():
        (found,) = lists_of({"sessions": sessions, "lists": [rules | {"of": "pair"}]})
        return next(item["place"] for item in found["rows"] if item["who"] == sorted(pair["who"]))

    before = place()
    pair["percentage"] = str(Fraction(pair["percentage"]) + more)

    assert place() <= before


@pytest.mark.parametrize(("played", "best"), [(5, 5), (6, 6), (7, 6), (9, 7), (15, 10)])
def test_the_lowest_of_every_two_above_five_is_dropped(played, best):
    sessions = [session(day, row(40 + day)) for day in range(1, played + 1)]
    rules = {"rule": "drop", "least": 5, "each": 2}

    ((found,),) = ([item["rows"]] for item in lists_of({"sessions": sessions, "lists": [rules]}))

    assert sum(item["counts"] for item in found[0]["sessions"]) == best
    dropped = [item for item in found[0]["sessions"] if not item["counts"]]
    assert [item["id"] for item in dropped] == [str(day) for day in range(1, played - best + 1)]
    assert {item.get("why") for item in dropped} <= {"dropped"}


def test_a_line_says_which_sessions_count_and_what_each_gave():
    sessions = [session(5, row("41", "P10", "P11")), session(3, row("62", "P10", "P12"))]
    rules = {"name": "Best one", "of": "player", "counts": "percentage", "rule": "mean", "best": 1}

    report = season_report(read_season(json.dumps({"sessions": sessions, "lists": [rules]})))

    assert report["lists"][0]["name"] == "Best one"
    assert report["lists"][0]["rows"][0] == {
        "who": ["P10"],
        "value": "62",
        "place": 1,
        "sessions": [
            {"id": "3", "value": "62", "counts": True},
            {"id": "5", "value": "41", "counts": False, "why": "dropped"},
        ],
    }
    assert [item["place"] for item in report["lists"][0]["rows"]] == [1, 1, 3]
    assert "handicaps" not in report


def test_a_handicap_is_told_after_the_last_session_of_the_first_list_that_asks():
    sessions = [session(1, row(56, "A", "B")), session(2, row(44, "A", "C"))]
    asked = {"handicap": {"last": 6, "least": 2, "times": "1/2"}}
    later = {"handicap": {"last": 1, "least": 1, "times": 1}}

    report = season_report(
        read_season(json.dumps({"sessions": sessions, "lists": [{}, asked, later]}))
    )

    assert report["handicaps"] == {"A": "0", "B": "0", "C": "0"}
    values = {item["who"][0]: item["value"] for item in report["lists"][2]["rows"]}
    assert values == {"A": "97/2", "B": "56", "C": "41"}


def test_whoever_played_twice_in_a_session_has_one_value_of_it():
    twice = session(1, row(40, "A", "B"), row(60, "A", "C", place=2), row(50, "D", "E", place=3))

    by_percentage, by_evenings = lists_of(
        {"sessions": [twice], "lists": [{}, {"counts": "evenings", "rule": "sum"}]}
    )

    assert {item["who"][0]: item["value"] for item in by_percentage["rows"]}["A"] == "50"
    assert {item["value"] for item in by_evenings["rows"]} == {"1"}


def test_rows_without_what_counts_do_not_count():
    mixed = session(1, row(None, "A", vps="12.5"), row(60, "B", place=None), row(None, "C"))

    by_vps, by_place = lists_of(
        {"sessions": [mixed], "lists": [{"counts": "vps"}, {"counts": "places"}]}
    )

    assert [(item["who"], item["value"]) for item in by_vps["rows"]] == [(["A"], "25/2")]
    assert [(item["who"], item["value"]) for item in by_place["rows"]] == [
        (["A"], "3/2"),
        (["C"], "3/2"),
    ]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("[]", "document: is no object"),
        ("{", "no JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ({"lists": [{}, {}, {"best": 0}]}, "lists[2].best: 0 is not a number from 1"),
        ({"lists": [{"least": "three"}]}, "lists[0].least: 'three' is not a number from 1"),
        ({"lists": [{"each": 1.5}]}, "lists[0].each: 1.5 is not a number from 1"),
        ({"lists": [{"best": []}]}, "lists[0].best: this is not a number from 1"),
        ({"lists": [{"rule": "drop"}]}, "lists[0].each: is missing"),
        ({"lists": [{"rule": "best"}]}, f"lists[0].rule: 'best' is not {', '.join([*RULES][:-1])} or {[*RULES][-1]}"),
        ({"lists": [{"of": "club"}]}, "lists[0].of: 'club' is not player, pair, partnership or team"),
        ({"lists": [{"handicap": {"last": 0}}]}, "lists[0].handicap.last: 0 is not a number from 1"),
        (
            {"lists": [{"counts": "wins", "handicap": {}}]},
            "lists[0].handicap: goes with percentage alone",
        ),
        ({"sessions": [session(1), session(1)]}, "sessions[1].id: '1' twice"),
        ({"sessions": [session(1, date="2026-13-01")]}, "sessions[0].date: '2026-13-01' is no date like 2026-01-31"),
        ({"sessions": [session(1, row(50, "A", "A"))]}, "sessions[0].rows[0].who: 'A' twice"),
        ({"sessions": [session(1, row("1/0"))]}, "sessions[0].rows[0].percentage: '1/0' is not a number"),
        ({"sessions": [session(1, row(50, place=0))]}, "sessions[0].rows[0].place: 0 is not a number from 1"),
        ({"sessions": [session(1, {"percentage": 50})]}, "sessions[0].rows[0].who: is missing"),
        ({"season": []}, "season: is not known"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_season_is_one_sentence(document, said):
    with pytest.raises(ScoringError) as refused:
        read_season(document if isinstance(document, str) else json.dumps(document))

    assert str(refused.value) == said


def test_the_command_prints_lists_and_refuses_with_exit_code_two(tmp_path, capsys):
    path = tmp_path / "season.json"
    path.write_text(
        json.dumps({"sessions": [session(1, row("305/6", "Łukasz", "Ann"))], "lists": [{}]})
    )
    out = io.StringIO()

    call_command("season", str(path), stdout=out)
    assert json.loads(out.getvalue())["lists"][0]["rows"][0]["value"] == "305/6"
    out = io.StringIO()
    call_command("season", str(path), format="text", stdout=out)
    assert "   1  Ann" in out.getvalue()
    assert "50.83" in out.getvalue()

    path.write_text('{"lists": [{"best": 0}]}')
    with pytest.raises(SystemExit) as left:
        call_command("season", str(path))
    assert left.value.code == 2
    said = capsys.readouterr()
    assert (said.out, said.err.strip()) == ("", "lists[0].best: 0 is not a number from 1")
