"""Penalties in rankings: total, percentage and deduction agree, and every list marks the row without the reason."""

import json
from decimal import Decimal
from fractions import Fraction

import pytest
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play.rounds import finish_session
from bridgebuddy.scoring.files.exports import FORMATS, exported_session
from bridgebuddy.scoring.models import Penalty
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.score import score_document
from bridgebuddy.scoring.services.publishing import publish_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import director_of
from tests.scoring.documents import a_session
from tests.scoring.sessions import scored
from tests.scoring.test_tonight import scored_section


def rows(found):
    return [
        row for ranking in found["rankings"] if not ranking["handicap"] for row in ranking["rows"]
    ]


def test_per_cent_points_are_taken_from_the_total_too():
    plays = [
        {
            "round": 1,
            "table": table,
            "board": board,
            "ns": ns,
            "ew": ew,
            "outcome": {"score": score},
        }
        for board in (1, 8)
        for table, ns, ew, score in ((1, "1", "2", 420), (2, "3", "4", 170), (3, "5", "6", -50))
    ]
    fine = {"contestant": "1", "unit": "percent", "amount": -2.5}

    results = scored(
        contestants=[{"label": digit} for digit in "123456"], plays=plays, penalties=[fine]
    )

    [row] = [row for row in results["rankings"][0]["rows"] if row["contestant"] == "1"]
    assert (row["total"], row["top"], row["percent"]) == (7.8, 8, 97.5)
    assert (row["penalty"], row["exact_total"], row["exact"]) == (-0.2, "39/5", "195/2")


@given(seed=st.integers(0, 10**6), half=st.booleans())
@settings(max_examples=20, derandomize=True, deadline=None)
def test_a_percentage_is_always_that_of_the_total_beside_it(seed, half):
    document = a_session(seed)
    document["profile"] |= {"method": "matchpoints", "display": {"half": half}}
    document["profile"]["sit_outs"] = "own-boards"
    document["penalties"] = [
        {key: item[key] for key in ("section", "contestant", "amount")} | {"unit": unit}
        for item, unit in zip(
            document["penalties"], ("percent", "top", "matchpoints"), strict=False
        )
    ]

    for row in rows(score_document(json.dumps(document))):
        if row["top"]:
            percent = 100 * Fraction(row["exact_total"]) / Fraction(str(row["top"]))
            assert abs(percent - Fraction(str(row["percent"]))) <= Fraction(1, 200)


@pytest.fixture
def section(db):
    """A published evening of which one pair was rude."""
    section = scored_section(14, "mitchell", rounds=7)
    entry = section.entries.get(contestant=1)
    Penalty.objects.create(
        entry=entry, unit="percent", amount=Decimal("-2.5"), kind="disciplinary", reason="rude"
    )
    publish_results(section, by=director_of(section.club))
    return Section.objects.get(pk=section.pk)


def test_no_file_for_other_programs_says_what_a_penalty_was_for(section):
    scored = ScoredSession(SessionSnapshot(section))

    files = [format.file(exported_session(scored)) for format in FORMATS.values()]

    assert files
    assert not any(b"rude" in file for file in files)


def test_the_room_and_the_paper_mark_the_line_too(section, client):
    finish_session(section, round=7, by=None)
    room = client.get(reverse("room-display", args=[section.code])).content.decode()
    client.force_login(director_of(section.club))
    address = reverse("print-preview", args=[section.code, "ranking"])
    paper = client.get(address).content.decode()

    assert [text.count("with a penalty") for text in (room, paper)] == [1, 1]
    assert "rude" not in room + paper


def test_every_ranking_marks_the_line_and_nobody_but_the_director_reads_what_for(section, client):
    token = section.session.scoring.token
    slug = "NS1"
    public = client.get(reverse("public-results", args=[token])).content.decode()
    sheet = client.get(reverse("public-sheet", args=[token, section.name, slug])).content.decode()
    client.force_login(director_of(section.club))
    page = client.get(reverse("ranking", args=[section.code])).content.decode()
    desk = client.get(reverse("score-sheet", args=[section.code, slug])).content.decode()

    assert [text.count("with a penalty") for text in (public, page)] == [1, 1]
    assert "rude" not in public + page + sheet
    assert "−2.5" in sheet
    assert "rude" in desk


def of_matches(profile, **fine):
    """Two matches of pairs, of one board each; pair 1 wins by 18 or 20 to 0, and is fined."""
    contestants = [{"label": label} for label in "1234"]
    tables = (("1", "2", 420), ("3", "4", 170))
    return scored(
        profile=profile,
        contestants=contestants,
        matches=[{"round": 1, "home": home, "away": away} for home, away, _ in tables],
        penalties=[{"contestant": "1", "amount": -1} | fine],
        plays=[
            {"round": 1, "table": table, "board": 1, "ns": ns, "ew": ew} | {"outcome": {"score": s}}
            for table, (ns, ew, s) in enumerate(tables, 1)
        ],
    )


@pytest.mark.parametrize("half", [False, True])
def test_victory_points_are_whole_where_matchpoints_are_shown_in_halves(half):
    """A club of the ACBL plays a Swiss of pairs: 20 of 20 is no 10."""
    profile = {"vp": "swiss-pairs", "display": {"half": half}}

    found = of_matches(profile, unit="vps")

    listed = {row["contestant"]: row for row in found["rankings"][0]["rows"]}
    assert (listed["4"]["total"], listed["1"]["total"]) == (20, 19)
    assert (listed["1"]["penalty"], listed["1"]["exact"], listed["1"]["exact_total"]) == (
        *(-1, "19", "19"),
    )
    assert [row["total"] for row in found["standings"][0]["rows"]] == [20, 19, 0, 0]


def test_what_is_taken_from_a_match_is_in_its_result_and_no_penalty_beside_the_total():
    found = of_matches({"vp": "swiss-pairs"}, unit="percent", amount=-40, round=1)

    [row] = [row for row in found["rankings"][0]["rows"] if row["contestant"] == "1"]
    assert found["matches"][0]["percent"]["home"] == 60
    assert (row["total"], row["penalty"]) == (found["matches"][0]["vps"]["home"], 0)


@pytest.mark.parametrize(
    ("round", "told"), [(None, "names no round"), (2, "a round without a match")]
)
def test_what_is_taken_from_no_match_is_told_where_matches_become_victory_points(round, told):
    found = of_matches({"vp": "swiss-pairs"}, unit="percent", amount=-40, round=round)

    [warning] = found["warnings"]
    assert warning["path"] == "penalties[0].round"
    assert told in warning["text"]
    by_points = of_matches({"vp": None}, unit="percent", amount=-40, round=round)
    assert by_points["warnings"] == of_matches({"vp": "swiss-pairs"}, unit="vps")["warnings"] == []


def test_what_is_taken_in_a_match_is_in_the_total_where_no_match_decides():
    found = of_matches({"vp": None, "method": "cross-imps"}, unit="imps", amount=-4, round=1)

    for rows_of in (found["rankings"][0]["rows"], found["standings"][0]["rows"]):
        totals = {row["contestant"]: row["total"] for row in rows_of}
        assert (totals["1"], totals["4"]) == (2, 6)
