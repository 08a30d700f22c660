"""Results hang on plays: written down, corrected and taken back, and nothing that was written is lost."""

import pytest

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Play
from bridgebuddy.events.services.play.changes import ArrivingEntry, change_options, take_proposal
from bridgebuddy.events.services.play.rounds import start_next_round, take_back_round
from bridgebuddy.scoring.errors import ImpossibleResult, NoPlay, NothingToUndo, ResultChanged
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.services.results import (
    EnteredResult,
    enter_result,
    enter_results,
    undo_result,
)
from movements.engine.changes import PairArrives
from tests.factories import director_of, section_with

pytestmark = pytest.mark.django_db

FOUR_SPADES = {"contract": "4S", "declarer": "S", "tricks": 10}
FOUR_HEARTS = {"contract": "4H", "declarer": "S", "tricks": 11}


@pytest.fixture
def section():
    return section_with(8, "howell", round=1)


@pytest.fixture
def play(section):
    return section.plays.get(table=1, board=section.plays.filter(table=1).first().board)


def standing(play: Play) -> dict | None:
    found = play.results.filter(stands=True).first()
    return found.outcome if found else None


def counters(section):
    section.refresh_from_db()
    return section.plan, section.results


def test_a_result_is_written_down_and_counted_and_no_plan_is_another(section, play):
    plan, results = counters(section)
    enter_result(section, play.pk, FOUR_SPADES, after=0, by=director_of(section.club))
    assert standing(play) == FOUR_SPADES
    assert counters(section) == (plan, results + 1)


def test_the_same_once_more_changes_nothing(section, play):
    first = enter_result(section, play.pk, FOUR_SPADES, after=0, by=None)
    before = counters(section)
    assert enter_result(section, play.pk, FOUR_SPADES, after=0, by=None) == first
    assert counters(section) == before
    assert Result.objects.count() == 1


def test_of_two_who_enter_together_the_second_sees_what_the_first_wrote(section, play):
    enter_result(section, play.pk, FOUR_SPADES, after=0, by=None)
    with pytest.raises(ResultChanged) as refused:
        enter_result(section, play.pk, FOUR_HEARTS, after=0, by=None)
    assert refused.value.fields["outcome"] == FOUR_SPADES
    assert standing(play) == FOUR_SPADES


def test_a_correction_keeps_what_was_there_and_can_be_taken_back(section, play):
    enter_result(section, play.pk, FOUR_SPADES, by=None)
    corrected = enter_result(section, play.pk, FOUR_HEARTS, after=1, by=None)
    undo_result(section, corrected.pk, by=None)
    assert standing(play) == FOUR_SPADES
    assert [result.outcome for result in play.results.all()] == [
        FOUR_SPADES,
        FOUR_HEARTS,
        FOUR_SPADES,
    ]


def test_taking_back_the_only_result_leaves_none(section, play):
    undo_result(section, enter_result(section, play.pk, FOUR_SPADES, by=None).pk, by=None)
    assert standing(play) is None
    with pytest.raises(NothingToUndo):
        undo_result(section, play.results.get(stands=True).pk, by=None)


def test_only_the_result_that_stands_is_taken_back(section, play):
    first = enter_result(section, play.pk, FOUR_SPADES, by=None)
    enter_result(section, play.pk, FOUR_HEARTS, by=None)
    with pytest.raises(NothingToUndo):
        undo_result(section, first.pk, by=None)
    assert standing(play) == FOUR_HEARTS


@pytest.mark.parametrize(
    "outcome",
    [
        {"score": 36000},
        {"contract": "8H", "declarer": "S", "tricks": 10},
        {"contract": "4H", "declarer": "Q", "tricks": 10},
        {"contract": "4H", "declarer": "S", "tricks": 14},
        {"assigned": {"ns": [[30, 620], [30, -100]]}},
        {"nonsense": True},
        {},
    ],
)
def test_what_no_table_can_have_had_is_refused(section, play, outcome):
    before = counters(section)
    with pytest.raises(ImpossibleResult):
        enter_result(section, play.pk, outcome, by=None)
    assert counters(section) == before
    assert not Result.objects.exists()


def test_a_score_is_possible_by_the_vulnerability_of_its_board():
    section = section_with(8, "howell", round=1)
    for board, is_possible in ((1, False), (2, True)):
        play = section.plays.filter(board=board).first()
        if is_possible:
            enter_result(section, play.pk, {"score": 620}, by=None)
        else:
            with pytest.raises(ImpossibleResult):
                enter_result(section, play.pk, {"score": 620}, by=None)


def test_a_play_of_another_section_has_no_result_here(section, play):
    other = section_with(8, "howell", round=1)
    with pytest.raises(NoPlay):
        enter_result(other, play.pk, FOUR_SPADES, by=None)
    result = enter_result(section, play.pk, FOUR_SPADES, by=None)
    with pytest.raises(NothingToUndo):
        undo_result(other, result.pk, by=None)


def test_who_waits_at_half_a_table_has_no_result():
    section = section_with(13, "mitchell", round=1)
    waiting = section.plays.filter(ew=None).first() or section.plays.filter(ns=None).first()
    with pytest.raises(NoPlay):
        enter_result(section, waiting.pk, FOUR_SPADES, by=None)


def test_several_are_written_down_together_or_none(section):
    plays = list(section.plays.filter(table=1))
    enter_results(section, [EnteredResult(record.pk, FOUR_SPADES, 0) for record in plays], by=None)
    assert Result.objects.count() == len(plays)
    wrong = [
        EnteredResult(plays[0].pk, FOUR_HEARTS, 1),
        EnteredResult(plays[1].pk, {"score": 7}, 1),
    ]
    with pytest.raises(ImpossibleResult):
        enter_results(section, wrong, by=None)
    assert standing(plays[0]) == FOUR_SPADES


def test_of_the_same_board_twice_among_several_the_second_corrects_the_first(section, play):
    results = [EnteredResult(play.pk, FOUR_SPADES), EnteredResult(play.pk, FOUR_HEARTS, 1)]
    assert [result.number for result in enter_results(section, results, by=None)] == [1, 2]
    assert [result.outcome for result in play.results.all()] == [FOUR_SPADES, FOUR_HEARTS]
    assert standing(play) == FOUR_HEARTS


def test_what_stands_is_read_once_for_several(section, django_assert_max_num_queries):
    plays = section.plays.exclude(ns=None).exclude(ew=None)
    results = [EnteredResult(record.pk, FOUR_SPADES) for record in plays]
    with django_assert_max_num_queries(len(results) + 8):
        enter_results(section, results, by=None)
    with django_assert_max_num_queries(6):
        enter_results(section, results, by=None)


def test_a_ruling_is_recorded_with_its_reason(section, play):
    director = director_of(section.club)
    outcome = {"artificial": {"ns": "AVE+", "ew": "AVE-"}}
    enter_result(section, play.pk, outcome, reason="hesitation", by=director)
    record = AuditRecord.objects.get(action="results.ruling")
    assert (record.by, record.reason) == (director, "hesitation")
    assert record.facts == {"round": 1, "table": 1, "board": play.board}


def test_results_come_back_with_the_round_they_belong_to(section, play):
    by = director_of(section.club)
    enter_result(section, play.pk, FOUR_SPADES, by=by)
    take_back_round(section, round=1, by=by)
    with pytest.raises(NoPlay):
        enter_result(section, play.pk, FOUR_HEARTS, by=by)
    start_next_round(section, after=0, by=by)
    assert standing(play) == FOUR_SPADES


def test_nobodys_late_pair_is_refused_because_a_score_came_in():
    section = section_with(9, "mitchell", round=1)
    by = director_of(section.club)
    plan, way = section.plan, change_options(section, PairArrives())[0]
    played = section.plays.exclude(ew=None).exclude(ns=None)
    first = played.first()
    enter_result(section, first.pk, FOUR_SPADES, by=by)
    late = ArrivingEntry(names=("Eve Engel", "Max O’Reid"))
    take_proposal(section, way, PairArrives(), plan=plan, by=by, newcomer=late)
    assert standing(first) == FOUR_SPADES
    assert Play.objects.get(pk=first.pk).ns_id == first.ns_id


def test_undoing_the_third_result_brings_back_the_second(section, play):
    passed = {"passed": True}
    for outcome in (FOUR_SPADES, passed, {"not_played": "time"}):
        last = enter_result(section, play.pk, outcome, by=None)

    restored = undo_result(section, last.pk, by=None)

    assert (restored.number, restored.outcome) == (4, passed)
