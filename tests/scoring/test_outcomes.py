"""Outcomes of plays: reading, impossible ones, and unlikely ones for the scorer."""

import json
from fractions import Fraction

import pytest

from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.laws import exceeds_full_score, normal_card, unlikely_results
from bridgebuddy.scoring.rules.model import (
    ArtificialScore,
    AssignedScore,
    Contract,
    NotPlayed,
    PartialContract,
    PassedOut,
    PendingResult,
    PlayedContract,
    ScoreOnly,
)
from bridgebuddy.scoring.rules.outcomes import outcome_of_play, read_outcome
from bridgebuddy.scoring.rules.reading import DocumentNode

HALF = Fraction(1, 2)


def played(contract="4S", declarer="N", tricks=10, **more):
    return {"contract": contract, "declarer": declarer, "tricks": tricks, **more}


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        (None, None),
        (played(), PlayedContract(Contract(4, "S"), "N", 10)),
        (played("3ntXX", "W", 0, lead="S10"), PlayedContract(Contract(3, "N", 2), "W", 0, "S10")),
        (played("7Cx", "E", 13, lead="HT"), PlayedContract(Contract(7, "C", 1), "E", 13, "HT")),
        ({"passed": True}, PassedOut()),
        ({"pending": True}, PendingResult()),
        ({"score": -50}, ScoreOnly(-50)),
        (
            {"score": 420, "beside": played(lead="anything")},
            ScoreOnly(
                420,
                PartialContract(Contract(4, "S"), "N", 10, "anything"),
            ),
        ),
        ({"score": 420, "beside": {}}, ScoreOnly(420)),
        (
            {"assigned": {"ns": [[50, 420], ["1/2", -50]]}},
            AssignedScore(((HALF, 420), (HALF, -50)), ((HALF, 420), (HALF, -50))),
        ),
        (
            {"assigned": {"ns": [[100, 420]], "ew": [[100, 170]]}},
            AssignedScore(((Fraction(1), 420),), ((Fraction(1), 170),)),
        ),
        ({"artificial": {"ns": "AVE+", "ew": "AVE-"}}, ArtificialScore("AVE+", "AVE-")),
        ({"artificial": {"ns": 55, "ew": None}, "outside": True}, ArtificialScore(55, None, True)),
        ({"not_played": "time"}, NotPlayed("time")),
        ({"not_played": "missing", "side": "ew"}, NotPlayed("missing", "ew")),
    ],
)
def test_every_kind_of_outcome_is_read(told, outcome):
    assert outcome_of_play(DocumentNode(told, "")) == outcome


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ([], "document: is no object"),
        ({}, "document: says nothing of what came of the play"),
        ({"tricks": 9}, "document: says nothing of what came of the play"),
        (played(tricks=14), "tricks: 14 is more than 13"),
        (played(tricks=-1), "tricks: -1 is less than 0"),
        (played("0S"), "contract: '0S' is no contract"),
        (played("4Sxxx"), "contract: '4Sxxx' is no contract"),
        (played(declarer=None), "declarer: is missing"),
        (played(lead="S1"), "lead: 'S1' is no card"),
        (played(outside=True), "outside: is not known"),
        ({"passed": False}, "passed: is not true"),
        ({"passed": True, "tricks": 3}, "tricks: is not known"),
        ({"pending": False}, "pending: is not true"),
        ({"pending": True, "side": "ns"}, "side: is not known"),
        ({"score": 420, "beside": {"trick": 3}}, "beside.trick: is not known"),
        ({"score": 420, "beside": {"contract": "8S"}}, "beside.contract: '8S' is no contract"),
        ({"score": 420, "beside": {"declarer": "Z"}}, "beside.declarer: 'Z' is not N, E, S or W"),
        ({"score": 420, "beside": {"tricks": -1}}, "beside.tricks: -1 is less than 0"),
        ({"score": 420, "beside": {"lead": 3}}, "beside.lead: 3 is not a text"),
        ({"score": 420, "side": "ns"}, "side: is not known"),
        ({"assigned": {"ns": []}}, "assigned.ns: has 0 parts, not 1 to 5"),
        ({"assigned": {"ns": [["1/6", 50]] * 6}}, "assigned.ns: has 6 parts, not 1 to 5"),
        ({"assigned": {"ns": [[50, 420]]}}, "assigned.ns: weights add to 50 %, not 100"),
        ({"assigned": {"ns": [[100]]}}, "assigned.ns[0]: is not a weight and a score"),
        ({"assigned": {"ns": [100]}}, "assigned.ns[0]: is not a weight and a score"),
        ({"assigned": {"ns": [["1", 420]]}}, "assigned.ns[0][0]: '1' is no fraction"),
        ({"assigned": {"ns": [["1/0", 420]]}}, "assigned.ns[0][0]: '1/0' is no fraction"),
        ({"assigned": {"ns": [[0, 420]]}}, "assigned.ns[0][0]: is no share of 100 %"),
        ({"assigned": {"ns": [[101, 420]]}}, "assigned.ns[0][0]: is no share of 100 %"),
        ({"assigned": {"ns": [[100, 420]], "n": 1}}, "assigned.n: is not known"),
        ({"assigned": {"ns": [[100, 420]]}, "side": "ns"}, "side: is not known"),
        (
            {"artificial": {"ns": "AVG", "ew": None}},
            "artificial.ns: 'AVG' is not AVE+, AVE or AVE-",
        ),
        ({"artificial": {"n": 60}}, "artificial.n: is not known"),
        ({"artificial": {"ns": 60}, "lead": "SA"}, "lead: is not known"),
        ({"artificial": {"ns": 60}, "outside": 1}, "outside: 1 is not true or false"),
        (
            {"not_played": "late"},
            "not_played: 'late' is not time, skipped, sit-out, missing or cancelled",
        ),
        ({"not_played": "time", "side": "n"}, "side: 'n' is not ns or ew"),
        ({"not_played": "time", "outside": True}, "outside: is not known"),
        ({"nothing": 1}, "nothing: is not known"),
    ],
)
def test_what_is_no_outcome_says_where_and_why(told, said):
    with pytest.raises(ScoringError) as refused:
        outcome_of_play(DocumentNode(told, ""))

    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"score": 421}, "N-S +421 is impossible"),
        ({"score": -620}, "N-S -620 is impossible"),  # nobody is vulnerable
        ({"assigned": {"ns": [[100, 420]], "ew": [[100, 5]]}}, "N-S +5 is impossible"),
        ({"assigned": {"ns": [[50, 420], [50, 15]]}}, "N-S +15 is impossible"),
    ],
)
def test_no_table_can_have_had_a_score_that_no_contract_has(told, said):
    with pytest.raises(ScoringError) as refused:
        read_outcome(told, 1)

    assert str(refused.value) == said


@pytest.mark.parametrize("told", [None, {"score": 420}, {"assigned": {"ns": [[100, -50]]}}])
def test_what_a_table_can_have_had_is_let_be(told):
    assert read_outcome(told, 1) == outcome_of_play(DocumentNode(told, ""))


# ── cards ──

SUIT = "AKQJT98765432"
#: North has all spades, East all hearts, South all diamonds, West all clubs
PBN = f"N:{SUIT}... .{SUIT}.. ..{SUIT}. ...{SUIT}"


def of_one_board(outcomes, deals=(), sections=("A",), board=1):
    """A session of one board, played at one table of a section for each outcome."""
    labels = [f"{line}{n}" for n in range(len(outcomes)) for line in "NE"]
    document = {
        "sections": [{"section": section} for section in sections],
        "contestants": [{"label": label, "section": of} for of in sections for label in labels],
        "plays": [
            {"section": of, "board": board, "ns": f"N{n}", "ew": f"E{n}", "outcome": outcome}
            for of in sections
            for n, outcome in enumerate(outcomes)
        ],
        "deals": list(deals),
    }
    session, _profile = read_document(json.dumps(document))
    return session


@pytest.mark.parametrize(
    ("declarer", "lead"), [("W", "SA"), ("N", "H10"), ("N", "HT"), ("E", "D2"), ("S", "CK")]
)
def test_a_card_is_led_by_who_sits_behind_declarer(declarer, lead):
    deal = {"board": 1, "pbn": PBN}

    of_one_board([played("1C", declarer, 7, lead=lead)], [deal])

    leader = {"N": "E", "E": "S", "S": "W", "W": "N"}[declarer]
    others = {"N": "SA", "E": "HA", "S": "DA", "W": "CA"}
    for seat, wrong in others.items():
        if seat != leader:
            with pytest.raises(ScoringError, match=f"{wrong} was not in {leader}'s hand"):
                of_one_board([played("1C", declarer, 7, lead=wrong)], [deal])


def test_cards_are_those_of_a_section_or_of_all():
    wrong = [played("1C", "N", 7, lead="SA")]
    deal = {"board": 1, "pbn": PBN}

    of_one_board(wrong, [deal | {"board": 2}])
    of_one_board(wrong, [deal], board=2)
    for deals, refused in (([deal], ["A", "B"]), ([deal | {"section": "B"}], ["B"])):
        with pytest.raises(ScoringError) as found:
            of_one_board(wrong, deals, sections=("A", "B"))

        where = [line.partition("(section ")[2][0] for line in str(found.value).splitlines()]
        assert where == refused


def test_a_ten_is_written_in_one_way():
    assert [normal_card(text) for text in ("S10", "ST", "HA")] == ["ST", "ST", "HA"]


# ── what is unlikely ──


def unlikely_tables(outcomes, **more):
    """Return the unlikely outcomes, by the number of the table."""
    return [
        (int(path.partition("[")[2].partition("]")[0]), what)
        for path, what in unlikely_results(of_one_board(outcomes, **more))
    ]


GAME = played("4S", "N", 10)
OTHER_SIDE = "the other side scored at every other table"


@pytest.mark.parametrize(
    ("outcome", "what"),
    [
        (played(tricks=3), ["declarer made only 3 tricks"]),
        (played(tricks=4), []),
        (played("7Sx", "N", 7), ["a penalty of 1400"]),
        (played("7Cx", "N", 8), []),  # 1100
        (played("1NTxx", "N", 7), ["redoubled"]),
        (played("1NTx", "N", 7), []),
        ({"score": 420, "beside": played()}, []),
        (
            {"score": 450, "beside": played()},
            ["the score is not that of the contract beside it"],
        ),
        ({"score": 450, "beside": {"contract": "4S", "tricks": 10}}, []),
        ({"score": 450, "beside": {"contract": "4S", "declarer": "N"}}, []),
        ({"score": 450, "beside": {"declarer": "N", "tricks": 10}}, []),
        ({"score": 450, "beside": {}}, []),
        ({"score": 450}, []),
    ],
)
def test_what_is_unlikely_by_itself(outcome, what):
    assert unlikely_tables([outcome]) == [(0, item) for item in what]


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([420, -50, -50, -50, -50], [(0, OTHER_SIDE)]),
        ([-50, 420, 420, 170, 140], [(0, OTHER_SIDE)]),
        ([420, -50, -50, -50], []),  # too few to say so
        ([420, -50, -50, -50, 140], []),
        ([0, -50, -50, -50, -50], []),
        ([420, -50, -50, -50, 0], []),
        ([None, 420, -50, -50, -50, -50], [(1, OTHER_SIDE)]),
        ([420, -50, -50, -50, None], []),
    ],
)
def test_who_scores_where_the_other_side_does_everywhere_else(scores, found):
    assert (
        unlikely_tables([None if score is None else {"score": score} for score in scores]) == found
    )


@pytest.mark.parametrize(
    ("others", "is_seen"),
    [
        ([GAME] * 3, True),
        ([GAME] * 2 + [{"score": 420}], False),
        ([GAME] * 2 + [played("3S", "N", 10)], False),
        ([GAME] * 2 + [played("3NT", "N", 9)], True),
        ([GAME] * 2 + [played("2NT", "N", 9)], False),
        ([GAME] * 2 + [played("4H", "N", 10)], True),
        ([GAME] * 2 + [played("5D", "N", 11)], True),
        ([GAME] * 2 + [played("4D", "N", 11)], False),
        ([GAME] * 2 + [played("5C", "N", 11)], True),
        ([GAME] * 2 + [played("4C", "N", 11)], False),
    ],
)
def test_a_board_is_passed_out_where_three_bid_game(others, is_seen):
    found = unlikely_tables([{"passed": True}, *others])

    assert found == ([(0, "passed out where 3 bid game")] if is_seen else [])


def test_boards_of_other_sections_are_not_beside_it():
    found = unlikely_results(of_one_board([{"passed": True}, GAME, GAME], sections=("A", "B")))

    assert found == []


@pytest.mark.parametrize(
    ("outcome", "what"),
    [
        (played(tricks=9), []),
        (played(tricks=8), ["8 tricks, double dummy 12"]),
        (played("3NT", "N", 9), ["9 tricks, double dummy 5"]),
        (played("3NT", "N", 8), []),
        (played("2H", "N", 8), []),  # nobody has worked that out
        (played("2S", "E", 8), []),
        ({"score": 420}, []),
    ],
)
@pytest.mark.parametrize("section", [None, "A", "B"])
def test_tricks_are_far_from_double_dummy(outcome, what, section):
    deal = {"board": 1, "pbn": PBN, "section": section, "dd": {"N": {"S": 12, "NT": 5}}}

    found = unlikely_results(of_one_board([outcome], [deal], sections=("A", "B")))

    places = {"A": "plays[0] (section A board 1)", "B": "plays[1] (section B board 1)"}
    assert found == [
        (place, item) for of, place in places.items() if section in (None, of) for item in what
    ]


@pytest.mark.parametrize(
    ("awards", "in_per_cent", "is_too_much"),
    [
        (("AVE+", "AVE+"), True, True),
        (("AVE+", "AVE-"), True, False),
        (("AVE", "AVE"), True, False),
        ((60, "AVE"), True, True),
        ((Fraction("50.5"), 50), True, True),
        ((60, None), True, False),
        (("AVE+", "AVE+"), False, True),
        (("AVE+", "AVE-"), False, False),
        (("AVE", 1), False, True),
        (("AVE", 0), False, False),
        ((1, None), False, False),
        ((None, None), False, False),
    ],
)
def test_two_have_more_than_there_is(awards, in_per_cent, is_too_much):
    assert exceeds_full_score(ArtificialScore(*awards), in_per_cent=in_per_cent) is is_too_much
    assert not exceeds_full_score(ArtificialScore(*awards, outside=True), in_per_cent=in_per_cent)
    assert not exceeds_full_score(ScoreOnly(420), in_per_cent=in_per_cent)
