"""Doubtful results: proven or unlikely ones, and no usual ones.

The page of `test_told.py` has each kind; the tests here need more tables, or a service.
"""

import pytest

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import changes
from bridgebuddy.events.services.play.rounds import finish_session
from bridgebuddy.scoring.checks.result_check import swapped_outcome
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.models import DismissedCheck, Result, ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.changes import PlayedTheOtherWay
from tests.factories import director_of, section_with

pytestmark = pytest.mark.django_db

#: what everybody plays on a board, by its number: sides, strains and scores of all sorts
USUAL = (
    {"contract": "4S", "declarer": "S", "tricks": 10},
    {"contract": "3NT", "declarer": "E", "tricks": 9},
    {"contract": "2H", "declarer": "N", "tricks": 8},
    {"contract": "4H", "declarer": "W", "tricks": 10},
    {"contract": "2D", "declarer": "S", "tricks": 8},
)


def usual(board):
    return dict(USUAL[board % len(USUAL)])


def written_down(section, outcome_of=None):
    """Give every play of a section its board's usual result, all at once."""
    outcome_of = outcome_of or (lambda play: usual(play.board))
    plays = section.plays.exclude(ns=None).exclude(ew=None)
    Result.objects.bulk_create(
        Result(play=play, number=1, outcome=outcome_of(play)) for play in plays
    )
    return Section.objects.get(pk=section.pk)


@pytest.fixture
def section():
    """Return seven tables, all of whose boards have their usual results."""
    section = written_down(section_with(14, "mitchell", round=7))
    finish_session(section, round=7, by=director_of(section.club))
    return Section.objects.get(pk=section.pk)


def play_of(section, board, place=0):
    return section.plays.filter(board=board, taken_back_at=None)[place]


def board_with(contract):
    return next(board for board in range(1, 22) if usual(board)["contract"] == contract)


def doubts(section):
    return SectionDoubts(SessionSnapshot(Section.objects.get(pk=section.pk)))


def open_doubts(section):
    return [(row.kind, [line.board for line in row.lines]) for row in doubts(section).open_doubts]


def test_nothing_is_doubted_where_all_tables_have_the_same(section):
    assert open_doubts(section) == []


def test_declarer_on_the_other_side_is_doubted_and_can_be_turned(section):
    board = board_with("4S")
    play = play_of(section, board)
    enter_result(section, play.pk, {**usual(board), "declarer": "W"}, by=None)
    (doubt,) = doubts(section).open_doubts
    assert doubt.kind == "side"
    assert [(line.play, outcome) for line, outcome in doubt.repair.outcomes] == [
        (play.pk, usual(board))
    ]
    assert len(doubt.others) == 3


def test_another_seat_of_the_same_side_is_no_doubt(section):
    board = board_with("4S")
    enter_result(section, play_of(section, board).pk, {**usual(board), "declarer": "N"}, by=None)
    assert open_doubts(section) == []


def test_with_three_other_tables_no_side_is_doubted(section):
    board = board_with("4S")
    for place in range(1, 4):
        enter_result(section, play_of(section, board, place).pk, None, by=None)
    enter_result(section, play_of(section, board).pk, {**usual(board), "declarer": "W"}, by=None)
    assert [kind for kind, _ in open_doubts(section)] == ["missing"] * 3


def test_boards_of_two_tables_are_not_taken_for_exchanged(section):
    one = section.plays.filter(round=1, table=1).first()
    other = section.plays.filter(round=1, table=2).first()
    enter_result(section, one.pk, usual(other.board), by=None)
    enter_result(section, other.pk, usual(one.board), by=None)
    assert "exchanged" not in {kind for kind, _ in open_doubts(section)}


def turn_round(section, round=2, table=3):
    plays = list(section.plays.filter(round=round, table=table))
    for play in plays:
        enter_result(section, play.pk, swapped_outcome(usual(play.board)), by=None)
    return plays


def test_a_whole_round_by_the_other_side_is_one_doubt(section):
    section.finished_at = None
    section.save()
    plays = turn_round(section)
    no_game = next(play for play in plays if usual(play.board)["contract"] in ("2D", "2H"))
    others = section.plays.filter(board=no_game.board).exclude(pk=no_game.pk)
    for play in others[:2]:  # who have declared nothing
        enter_result(section, play.pk, {"passed": True}, by=None)
    (doubt,) = doubts(section).open_doubts
    assert (doubt.kind, len(doubt.lines)) == ("other-way", len(plays))
    assert (doubt.repair.name, doubt.repair.outcomes) == ("other-way", ())


def test_a_whole_round_the_other_way_is_no_exchange_of_two_boards_in_one_strain(section):
    section.finished_at = None
    section.save()
    there = section.plays.get(round=2, board=7)  # 2H, and 4H on board 8, by the other side
    turn_round(section, there.round, there.table)
    assert [row.kind for row in doubts(section).open_doubts] == ["other-way"]


def test_after_the_live_change_the_contracts_are_still_to_be_turned(section):
    section.finished_at = None
    section.save()
    by = director_of(section.club)
    plays = turn_round(section)
    change = PlayedTheOtherWay(2, 3)
    section = Section.objects.get(pk=section.pk)
    (way, *_) = changes.change_options(section, change)
    changes.take_proposal(section, way, change, plan=section.plan, by=by)
    (doubt,) = doubts(section).open_doubts
    assert doubt.kind == "still-turned"
    assert [(line.play, outcome) for line, outcome in doubt.repair.outcomes] == [
        (play.pk, usual(play.board)) for play in plays
    ]
    for line, outcome in doubt.repair.outcomes:
        enter_result(section, line.play, outcome, by=by)
    assert open_doubts(section) == []


def test_a_live_change_that_was_undone_asks_for_no_contracts(section):
    section.finished_at = None
    section.save()
    by = director_of(section.club)
    turn_round(section)
    change = PlayedTheOtherWay(2, 3)
    section = Section.objects.get(pk=section.pk)
    (way, *_) = changes.change_options(section, change)
    section = changes.take_proposal(section, way, change, plan=section.plan, by=by)
    changes.undo_change(section, plan=section.plan, by=by)
    assert [kind for kind, _ in open_doubts(section)] == ["other-way"]


def test_passed_out_where_nobody_bid_game_is_not(section):
    enter_result(section, play_of(section, board_with("2D")).pk, {"passed": True}, by=None)
    assert open_doubts(section) == []


def test_a_score_far_from_all_others_is_doubted(section):
    board = board_with("2D")
    outcome = {"contract": "6NT", "declarer": "S", "tricks": 12}
    for place in range(1, 3):  # not all others in one contract
        enter_result(
            section,
            play_of(section, board, place).pk,
            {"contract": "1NT", "declarer": "S", "tricks": 7},
            by=None,
        )
    enter_result(section, play_of(section, board).pk, outcome, by=None)
    (doubt,) = doubts(section).open_doubts
    assert doubt.kind == "far"
    assert doubt.facts["least"] <= doubt.facts["most"] == 90


def test_what_a_director_ruled_is_no_doubt(section):
    board = board_with("4S")
    ruling = {"assigned": {"ns": [[60, -100], [40, -200]]}}
    enter_result(section, play_of(section, board).pk, ruling, by=None)
    assert open_doubts(section) == []


def test_what_was_settled_stays_settled_until_its_result_is_another(section):
    board = board_with("3NT")
    play = play_of(section, board)
    enter_result(section, play.pk, {"passed": True}, by=None)
    (doubt,) = doubts(section).open_doubts
    DismissedCheck.objects.create(section=section, doubt=doubt.key)
    assert doubts(section).open_doubts == []
    assert [row.key for row in doubts(section).dismissed_doubts] == [doubt.key]
    enter_result(section, play.pk, usual(board), by=None)
    enter_result(section, play.pk, {"passed": True}, by=None)
    assert len(doubts(section).open_doubts) == 1


def test_a_fouled_boards_groups_are_not_compared(section):
    board = board_with("4S")
    plays = list(section.plays.filter(board=board).order_by("round"))
    section.fouled_boards.create(board=board, from_round=plays[4].round)
    for play in plays[4:]:
        enter_result(section, play.pk, {**usual(board), "declarer": "W"}, by=None)
    assert open_doubts(section) == []


def test_doubts_ask_the_database_only_when_they_are_made(section, django_assert_num_queries):
    enter_result(section, play_of(section, board_with("3NT")).pk, {"passed": True}, by=None)
    made = doubts(section)
    with django_assert_num_queries(0):
        assert len(made.open_doubts) == 1
        assert made.dismissed_doubts == []


@pytest.mark.parametrize(
    ("given", "profile", "is_doubted"),
    [
        ({"ns": "AVE+", "ew": "AVE"}, {}, True),
        ({"ns": "AVE+", "ew": "AVE-"}, {}, False),
        ({"ns": "AVE+", "ew": None}, {}, False),
        ({"ns": 70, "ew": 35}, {}, True),
        ({"ns": 2, "ew": -3}, {"method": "butler"}, False),
        ({"ns": "AVE+", "ew": -1}, {"method": "butler"}, True),
        ({"ns": 0, "ew": "AVE+"}, {"method": "butler"}, True),
    ],
)
def test_averages_of_more_than_there_is_are_doubted_unless_neither_side_is_at_fault(
    section, given, profile, is_doubted
):
    ScoringSettings.objects.update_or_create(session=section.session, defaults={"profile": profile})
    play = play_of(section, board_with("3NT"))
    for outside in ({}, {"outside": True}):
        enter_result(section, play.pk, {"artificial": given, **outside}, by=None)

        expected = is_doubted and not outside
        assert ("generous" in [kind for kind, _ in open_doubts(section)]) is expected
        told = [
            warning.text for warning in ScoredSession(SessionSnapshot(section)).results.warnings
        ]
        assert any("both sides together have more" in text for text in told) is expected
