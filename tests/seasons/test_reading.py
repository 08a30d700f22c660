"""A season's document is read whole, and nothing in it that is not known."""

import json
from datetime import date
from fractions import Fraction

import pytest

from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.seasons.rules.document import read_season
from bridgebuddy.seasons.rules.model import Championship, Handicap, Season, SeasonRow, Session

ROW = {
    "who": ["Ann", "Bob"],
    "percentage": "375/8",
    "place": 3,
    "vps": 12.5,
    "imps": -7,
    "masterpoints": "0.25",
    "team": "Lions",
}
SESSION = {"id": "9", "date": "2026-10-06", "name": "Tuesday", "rows": [ROW]}
HANDICAP = {
    "last": 6,
    "least": 2,
    "times": "1/2",
    "months": 12,
    "band": "1/2",
    "most": 0,
    "new": "3.5",
    "by_hand": {"Ann": "-2", "Bob": None},
    "frozen": "2026-09-30",
}
LIST = {
    "name": "Cup",
    "of": "pair",
    "counts": "percentage",
    "rule": "drop",
    "best": 8,
    "least": 5,
    "each": 2,
    "handicap": HANDICAP,
    "ties": "next",
    "sessions": ["9"],
    "only": ["Ann", "Bob"],
    "same": 3,
}


def season_of(sessions=(), lists=()):
    return read_season(json.dumps({"sessions": list(sessions), "lists": list(lists)}))


def test_all_that_a_document_may_say_is_read():
    row = SeasonRow(
        ("Ann", "Bob"), Fraction(375, 8), 3, Fraction(25, 2), Fraction(-7), Fraction(1, 4), "Lions"
    )
    handicap = Handicap(
        last=6,
        least=2,
        times=Fraction(1, 2),
        months=12,
        band=Fraction(1, 2),
        most=Fraction(0),
        new=Fraction(7, 2),
        by_hand={"Ann": Fraction(-2), "Bob": Fraction(0)},
        frozen=date(2026, 9, 30),
    )
    cup = Championship(
        name="Cup",
        of="pair",
        counts="percentage",
        rule="drop",
        best=8,
        least=5,
        each=2,
        handicap=handicap,
        ties="next",
        sessions=frozenset({"9"}),
        only=frozenset({"Ann", "Bob"}),
        same=3,
    )

    assert season_of([SESSION], [LIST]) == Season(
        (Session("9", date(2026, 10, 6), (row,), "Tuesday"),), (cup,)
    )


def test_what_it_does_not_say_is_as_clubs_have_it():
    bare = {"id": "9", "date": "2026-10-06", "rows": [{"who": ["Ann"], "percentage": 50}]}

    assert season_of([bare], [{}, {"handicap": {}}]) == Season(
        (Session("9", date(2026, 10, 6), (SeasonRow(("Ann",), Fraction(50)),)),),
        (Championship(""), Championship("", handicap=Handicap())),
    )


def test_sessions_of_a_day_follow_their_numbers():
    days = {"b10": "06", "a2": "06", "b9": "06", "1": "07", "10": "05", "9": "06"}

    found = season_of([{"id": key, "date": f"2026-10-{day}"} for key, day in days.items()])

    assert [session.id for session in found.sessions] == ["10", "9", "a2", "b9", "b10", "1"]


@pytest.mark.parametrize(
    ("score", "top", "said", "percentage"),
    [
        (9, 12, None, Fraction(75)),
        (9, 12, 40, Fraction(40)),
        (9, 0, None, None),
        (9, None, None, None),
        (None, 12, None, None),
        (0, 12, None, Fraction(0)),
    ],
)
def test_a_percentage_is_that_of_score_and_top_where_it_is_not_said(score, top, said, percentage):
    row = {"who": ["Ann"], "score": score, "top": top, "percentage": said, "boards": 24}

    (session,) = season_of([SESSION | {"rows": [row]}]).sessions

    assert session.rows[0].percentage == percentage


@pytest.mark.parametrize(
    ("sessions", "lists", "said"),
    [
        ([SESSION | {"rows": [{"who": []}]}], [], "sessions[0].rows[0].who: is empty"),
        ([SESSION | {"id": ""}], [], "sessions[0].id: is empty"),
        ([SESSION | {"date": "6.10.2026"}], [], "sessions[0].date: '6.10.2026' is no date like 2026-01-31"),
        ([SESSION | {"rows": [ROW | {"place": True}]}], [], "sessions[0].rows[0].place: true is not a number from 1"),
        ([{"id": "1", "date": "2026-10-06"}, SESSION, SESSION], [], "sessions[2].id: '9' twice"),
        ([SESSION | {"days": 1}], [], "sessions[0].days: is not known"),
        ([SESSION | {"rows": [ROW | {"sex": "f"}]}], [], "sessions[0].rows[0].sex: is not known"),
        ([], [{"worst": 1}], "lists[0].worst: is not known"),
        ([], [{"handicap": {"worst": 1}}], "lists[0].handicap.worst: is not known"),
        ([], [{"handicap": {"band": -1}}], "lists[0].handicap.band: -1 is not above 0"),
        ([], [{"handicap": {"most": "-1/2"}}], "lists[0].handicap.most: -1/2 is below 0"),
        ([], [{"handicap": {"by_hand": 3}}], "lists[0].handicap.by_hand: is no object"),
        ([], [{"handicap": {"by_hand": {"Ann": "much"}}}], "lists[0].handicap.by_hand.Ann: 'much' is not a number"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_one_sentence(sessions, lists, said):
    with pytest.raises(ScoringError) as refused:
        season_of(sessions, lists)

    assert str(refused.value) == said


PLAYED = {"id": "1", "date": "2026-01-06", "rows": [{"who": ["A"], "percentage": 60}]}
PLACED = {"id": "2", "date": "2026-01-13", "rows": [{"who": ["A"], "place": 1}, {"who": ["B"]}]}


@pytest.mark.parametrize(
    ("sessions", "counts", "said"),
    [
        ([PLAYED], "places", "sessions[0].rows[0].place: is missing, and lists[0] counts it"),
        ([PLACED, PLAYED], "wins", "sessions[1].rows[0].place: is missing, and lists[0] counts it"),
        (
            [PLACED],
            "percentage",
            "sessions[0].rows[0].percentage: is missing, and lists[0] counts it",
        ),
        (
            [PLAYED | {"rows": [{"who": ["A"], "vps": None}]}],
            "vps",
            "sessions[0].rows[0].vps: has no value in this session, and lists[0] counts it",
        ),
    ],
)
def test_a_list_that_finds_nothing_to_count_is_refused_with_the_key(sessions, counts, said):
    with pytest.raises(ScoringError) as refused:
        season_of(sessions, [{"counts": counts}])

    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("sessions", "rules"),
    [
        ([PLACED], {"counts": "places"}),  # the second row has no place, which is no mistake
        ([PLAYED, PLACED], {"counts": "percentage"}),
        ([PLAYED, PLACED], {"counts": "places", "sessions": ["2"]}),
        ([PLAYED], {"counts": "evenings"}),
        ([PLAYED | {"rows": []}], {"counts": "places"}),
        ([], {"counts": "places"}),
    ],
)
def test_a_list_is_read_where_some_row_has_what_it_counts(sessions, rules):
    assert len(season_of(sessions, [rules]).lists) == 1
