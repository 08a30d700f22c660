"""Fates of plays, and the number of results that a board expects: tests of the rules, value by value."""

import json

import pytest

from bridgebuddy.scoring.rules.counted_plays import counted_plays
from bridgebuddy.scoring.rules.document import read_document

from .sessions import scored

BOTH, NONE = (True, True), (False, False)


def fates(plays, **more):
    labels = sorted({label for play in plays for label in (play["ns"], play["ew"])})
    document = {"contestants": [{"label": label} for label in labels], "plays": plays} | more
    session, _profile = read_document(json.dumps(document))
    return counted_plays(session)


def play(ns, ew, outcome=None, *, board=1, **more):
    return {"round": 1, "board": board, "ns": ns, "ew": ew, "outcome": outcome} | more


@pytest.mark.parametrize(
    ("outcome", "fate", "is_expected", "due", "is_sit_out"),
    [
        (None, "open", True, BOTH, False),
        ({"pending": True}, "pending", True, BOTH, False),
        ({"score": 420}, "scored", True, BOTH, False),
        ({"artificial": {"ns": "AVE+", "ew": None}}, "artificial", True, (True, False), False),
        ({"artificial": {"ns": None, "ew": 60}}, "artificial", True, (False, True), False),
        ({"not_played": "time"}, "not-played", True, BOTH, False),
        ({"not_played": "skipped"}, "not-played", True, BOTH, False),
        ({"not_played": "cancelled"}, "not-played", False, NONE, False),
        ({"not_played": "sit-out"}, "not-played", False, BOTH, True),
        ({"not_played": "missing"}, "not-played", False, NONE, False),
    ],
)
def test_every_outcome_has_its_fate(outcome, fate, is_expected, due, is_sit_out):
    [found] = fates([play("1", "2", outcome)])

    assert (found.fate, found.is_expected, found.due) == (fate, is_expected, due)
    assert (found.is_sit_out, found.is_awaited) == (is_sit_out, fate in ("open", "pending"))


@pytest.mark.parametrize(
    ("side", "came", "awards"),
    [
        ("ns", "12", ("AVE-", "AVE+")),
        ("ew", "12", ("AVE+", "AVE-")),
        ("ns", "2", None),  # a side that never came owes nothing, and neither do its opponents
        ("ew", "1", None),
        (None, "2", None),
        (None, "12", None),  # nobody knows who was late
    ],
)
def test_who_came_late_has_average_minus(side, came, awards):
    late = {"not_played": "missing"} | ({"side": side} if side else {})
    others = [play(item, "9", {"score": 420}, board=8) for item in came]

    found = fates([play("1", "2", late), *others])[0]

    if awards is None:
        is_unknown = came == "12"
        assert (found.fate, found.is_sit_out) == ("not-played", is_unknown)
        assert found.due == (BOTH if is_unknown else NONE)
    else:
        assert (found.fate, found.awards, found.is_sit_out) == ("artificial", awards, False)
    assert not found.is_expected


@pytest.mark.parametrize(
    ("awards", "also", "is_expected"),
    [
        ({"ns": 60, "ew": None}, [("3", "2")], False),  # 2 has a score of the board elsewhere
        ({"ns": 60, "ew": None}, [("1", "3")], True),  # the other side has
        ({"ns": None, "ew": 60}, [("1", "3")], False),
        ({"ns": 60, "ew": None}, [], True),
        ({"ns": 60, "ew": 40}, [("3", "2")], True),
    ],
)
def test_whose_score_is_elsewhere_is_expected_there(awards, also, is_expected):
    plays = [play("1", "2", {"artificial": awards}), *(play(*two, {"score": 90}) for two in also)]

    assert [item.is_expected for item in fates(plays)] == [is_expected, *[True for _ in also]]


@pytest.mark.parametrize(
    ("ruling", "is_expected"),
    [
        ({"given": {"home": 12, "away": 8}}, True),
        ({"void": {"home": "AVE+", "away": "AVE-"}}, True),
        ({"wrong_seats": "sides"}, True),
        ({"missing": "away"}, False),
        ({"given": {"home": 12, "away": 8}, "provisional": True}, None),
        ({"given": {"home": 12, "away": 8}, "aside": True}, None),
        ({}, None),
    ],
)
def test_nobody_waits_for_what_is_open_of_a_match_that_was_ruled_upon(ruling, is_expected):
    match = {"round": 1, "home": "1", "away": "2", "boards": [1, 8]} | ruling
    plays = [play("1", "2"), play("1", "2", {"score": 90}, board=8), play("3", "4")]

    open_, entered, other = fates(plays, matches=[match])

    is_open = is_expected is None
    assert (open_.fate, open_.due) == (("open", BOTH) if is_open else ("not-played", NONE))
    assert open_.is_expected is (is_open or is_expected)
    assert (entered.fate, other.fate) == ("scored", "open")


@pytest.mark.parametrize(
    ("outcome", "fate"),
    [
        ({"score": 90}, "open"),
        ({"artificial": {"ns": 60, "ew": 40}}, "open"),
        ({"pending": True}, "pending"),
        ({"not_played": "time"}, "not-played"),
    ],
)
def test_what_is_set_aside_is_told_as_open(outcome, fate):
    [found] = fates([play("1", "2", outcome, aside=True)])

    assert (found.fate, found.parts, found.awards) == (fate, None, (None, None))


# ── how many results a board expects ──


def expected(plays, sections, profile=None, sit_outs=()):
    """Return the number of expected results by section, cards and board."""
    labels = sorted({(p.get("section", "A"), p[line]) for p in plays for line in ("ns", "ew")})
    found = scored(
        sections=sections,
        contestants=[{"section": of, "label": item} for of, item in labels],
        plays=plays,
        profile=profile or {},
        sit_outs=list(sit_outs),
    )["boards"]
    return [
        (board["section"], board["deals"], board["board"], board["A"], board["E"])
        for board in found
    ]


def tables(section, board, *outcomes):
    return [
        play(f"N{n}", f"E{n}", item, board=board, section=section)
        for n, item in enumerate(outcomes, 1)
    ]


RESULT, CANCELLED = {"score": 110}, {"not_played": "cancelled"}
PLAYS = [
    *tables("A", 1, RESULT, RESULT, CANCELLED),
    *tables("A", 8, RESULT, None, RESULT),
    *tables("B", 1, RESULT),
]


@pytest.mark.parametrize(
    ("sections", "profile", "found"),
    [
        ([{}, {}], {}, [(None, None, 1, 3, 3), (None, None, 8, 2, 3)]),
        (
            [{}, {}],
            {"scope": "section"},
            [("A", None, 1, 2, 3), ("A", None, 8, 2, 3), ("B", None, 1, 1, 1)],
        ),
        (
            [{"deals": "x"}, {"deals": "y"}],
            {},
            [(None, "x", 1, 2, 3), (None, "x", 8, 2, 3), (None, "y", 1, 1, 1)],
        ),
        ([{"expected": 5}, {}], {}, [(None, None, 1, 3, 6), (None, None, 8, 2, 6)]),
        ([{"expected": 2}, {"expected": 2}], {}, [(None, None, 1, 3, 5), (None, None, 8, 2, 5)]),
        (
            [{"expected": 5}, {}],
            {"scope": "section"},
            [("A", None, 1, 2, 5), ("A", None, 8, 2, 5), ("B", None, 1, 1, 1)],
        ),
    ],
)
def test_a_board_expects_as_many_results_as_the_fullest_has(sections, profile, found):
    named = [{"section": name} | item for name, item in zip("AB", sections, strict=True)]

    assert expected(PLAYS, named, profile) == found


@pytest.mark.parametrize(
    ("profile", "expects"), [({}, 2), ({"expected": "tables"}, 3), ({"expected": "scheduled"}, 2)]
)
@pytest.mark.parametrize("scope", ["field", "section"])
def test_a_table_at_which_somebody_sat_out_may_be_expected_too(profile, expects, scope):
    plays = tables("A", 1, RESULT, RESULT)
    sit_out = {"section": "A", "round": 1, "contestant": "N1", "boards": [1], "reason": "planned"}

    found = expected(plays, [{"section": "A"}], profile | {"scope": scope}, [sit_out])

    assert [item[4] for item in found] == [expects]


@pytest.mark.parametrize(
    ("deals", "found"),
    [
        ("y", [("A", "x", 1, 1, 1), ("B", "y", 1, 2, 2)]),  # the cards of the other section
        ("z", [("A", "x", 1, 1, 1), ("A", "z", 1, 1, 1), ("B", "y", 1, 1, 1)]),
        (None, [("A", "x", 1, 2, 2), ("B", "y", 1, 1, 1)]),
    ],
)
def test_cards_of_another_section_are_compared_there(deals, found):
    first, second = tables("A", 1, RESULT, RESULT)
    plays = [first | ({"deals": deals} if deals else {}), second, *tables("B", 1, RESULT)]
    sections = [{"section": "A", "deals": "x"}, {"section": "B", "deals": "y"}]

    assert sorted(expected(plays, sections, {"scope": "section"})) == found
