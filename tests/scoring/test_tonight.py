"""A session's document: past plays, plays to come, sit-outs and meetings."""

import json
import random

import pytest

from bridgebuddy.events.services.play.rounds import finish_session
from bridgebuddy.scoring.models import FouledBoard, Penalty, ScoringSettings
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.reports.results_document import results_document
from bridgebuddy.scoring.rules.score import score_document
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import ClubFactory, begun, director_of, section_with
from tests.proofs.documents import as_json
from tests.remembered import ABOVE_RESULTS
from tests.remembered import EVENINGS as EVENINGS_MADE

pytestmark = pytest.mark.django_db

CONTRACTS = ("3NT", "4S", "2H", "5D", "1NT")


def scored_section(pairs=8, family="howell", rounds=None, contest="pairs", seed=1, **kwargs):
    """Make a section with so many rounds begun, usually two, and a result for every board of them.

    Of a Swiss one: the next round is drawn from its results.
    """
    rounds = (1 if family == "swiss" else 2) if rounds is None else rounds
    club = kwargs.pop("club", None) or ClubFactory()
    by = kwargs.pop("by", None) or director_of(club)

    def make():
        section = section_with(
            pairs, family, round=rounds, contest=contest, club=club, by=by, **kwargs
        )
        enter_by_chance(section, seed)
        section.refresh_from_db()
        return section

    asked = ("with results", pairs, family, rounds, contest, seed, sorted(kwargs.items()))
    return EVENINGS_MADE.of(asked, club, by, make, ABOVE_RESULTS)


def enter_by_chance(section, seed=1):
    """Enter a result for every board of the rounds begun, at one go."""
    rng = random.Random(seed)
    played = section.plays.exclude(ns=None).exclude(ew=None)
    results = [EnteredResult(play.pk, chance_result(rng)) for play in played]
    enter_results(section, results, source=ResultSource.DESK, by=None)


def chance_result(rng):
    return {
        "contract": rng.choice(CONTRACTS),
        "declarer": rng.choice("NESW"),
        "tricks": rng.randint(6, 11),
    }


EVENINGS = [
    (13, "mitchell", "pairs"),
    (8, "howell", "pairs"),
    (9, "howell", "pairs"),
    (12, "individual", "individual"),
    (8, "team-round-robin", "teams"),
    (9, "swiss", "teams"),
    (8, "mitchell-teams", "teams"),
    (14, "scrambled-mitchell", "pairs"),
    (20, "share-and-relay", "pairs"),
]


@pytest.mark.parametrize(("pairs", "family", "contest"), EVENINGS)
def test_every_evening_has_a_document_that_can_be_scored(pairs, family, contest):
    section = scored_section(pairs, family, contest=contest)
    tonight = SessionSnapshot(section)
    scored = ScoredSession(tonight)
    assert scored.problem == ""
    played = section.plays.exclude(ns=None).exclude(ew=None).count()
    assert scored.entered_count == played
    assert scored.due_count == len(tonight.lines)
    assert scored.due_count > played or family == "swiss"  # whose next round is not drawn yet
    assert scored.main_lists
    listed = [
        standing.contestant.slug for found in scored.main_lists for standing in found.standings
    ]
    assert sorted(listed) == sorted(contestant.slug for contestant in tonight.contestants.values())


@pytest.mark.parametrize(("pairs", "family", "contest"), EVENINGS)
def test_anybody_with_the_document_gets_the_same_results(pairs, family, contest):
    tonight = SessionSnapshot(scored_section(pairs, family, contest=contest))
    text = json.dumps(as_json(tonight.document))
    scored = ScoredSession(tonight)
    assert read_document(text) == (tonight.document.session, tonight.document.profile)
    assert score_document(text) == results_document(scored.results)
    assert scored.impossible == {}


def test_two_lines_are_two_lists_and_one_field_is_one():
    assert [
        row.key for row in ScoredSession(SessionSnapshot(scored_section(14, "mitchell"))).main_lists
    ] == [
        "all-NS",
        "all-EW",
    ]
    assert [
        row.key for row in ScoredSession(SessionSnapshot(scored_section(8, "howell"))).main_lists
    ] == ["all-all"]


def test_who_waits_at_half_a_table_sits_out_the_boards_there():
    tonight = SessionSnapshot(scored_section(13, "mitchell", rounds=2))
    boards = {play.round: play.boards for play in tonight.document.session.sit_outs}
    assert sorted(boards) == list(range(1, 8))
    assert all(len(board) == 3 for board in boards.values())


def test_a_match_of_teams_has_the_boards_of_both_tables_and_its_own_deals():
    tonight = SessionSnapshot(scored_section(8, "swiss", contest="teams"))
    session = tonight.document.session
    matches = [match for match in session.matches if match.round == 1]
    assert len(matches) == 4
    assert len({match.deals for match in matches}) == 4
    for match in matches:
        mine = [
            play
            for play in session.plays
            if play.round == 1 and {*play.ns, *play.ew} == {match.home, match.away}
        ]
        assert len(mine) == 2 * len(match.boards)


def test_a_fouled_board_is_two_fields():
    section = scored_section(14, "mitchell", rounds=4)
    FouledBoard.objects.create(section=section, board=1, from_round=3)
    scored = ScoredSession(SessionSnapshot(section))
    groups = {field.group is None: field.results for field in scored.fields_of("A", 1)}
    before = section.plays.filter(board=1, round__lt=3).count()
    assert groups == {True: before, False: section.plays.filter(board=1, round__gte=3).count()}


def test_a_penalty_is_taken_from_whoever_it_was_given_to():
    section = scored_section(8, "howell")
    entry = section.entries.get(contestant=3)
    before = {
        row.label: row.row.percent
        for row in ScoredSession(SessionSnapshot(section)).main_lists[0].standings
    }
    Penalty.objects.create(entry=entry, unit="percent", amount=-5, kind="procedural")
    after = {
        row.label: row.row.percent
        for row in ScoredSession(SessionSnapshot(section)).main_lists[0].standings
    }
    label = section.stored.without_seatings.label(3)
    assert {item for item in before if before[item] != after[item]} == {label}
    assert round(before[label] - after[label], 2) == 5


def test_a_penalty_that_was_taken_back_takes_nothing():
    section = scored_section(8, "howell")
    before = ScoredSession(SessionSnapshot(section)).results
    entry = section.entries.get(contestant=3)
    Penalty.objects.create(
        entry=entry, unit="percent", amount=-5, kind="time", taken_back_at="2026-11-24T22:00Z"
    )
    assert ScoredSession(SessionSnapshot(section)).results == before


def test_what_cannot_have_been_is_set_aside_and_the_others_are_scored():
    section = scored_section(8, "howell")
    play = section.plays.filter(board=1).first()
    play.results.filter(stands=True).update(outcome={"score": 620})
    scored = ScoredSession(SessionSnapshot(section))
    assert scored.problem == ""
    assert list(scored.impossible.values()) == ["N-S +620 is impossible"]
    assert scored.missing_count == scored.due_count - section.plays.count() + 1


@pytest.mark.parametrize(
    ("outcome", "what"),
    [
        ({"contract": "3NT", "declarer": "N", "tricks": 14}, "tricks 14 is more than 13"),
        ({"contract": ["3NT"], "declarer": "N", "tricks": 9}, "this is not a text"),
        ({"contract": "3NT", "declarer": "N", "tricks": True}, "true is not a whole number"),
        ({}, "says nothing of what came of the play"),
    ],
)
def test_what_is_kept_and_cannot_be_read_is_set_aside_too(outcome, what):
    section = scored_section(8, "howell")
    play = section.plays.filter(board=1).first()
    play.results.filter(stands=True).update(outcome=outcome)
    tonight = SessionSnapshot(section)
    scored = ScoredSession(tonight)
    assert scored.problem == ""
    assert scored.impossible == {tonight.line_of(play.pk).index: what}
    assert scored.missing_count == scored.due_count - section.plays.count() + 1


def test_a_way_of_scoring_that_cannot_be_read_is_told_and_nothing_is_counted():
    section = scored_section(8, "howell")
    ScoringSettings.objects.create(session=section.session, profile={"datum": {"trim": "a fifth"}})
    scored = ScoredSession(SessionSnapshot(section))
    assert scored.problem == "profile.datum.trim: 'a fifth' is not a whole number"
    assert scored.lists == []
    assert not scored.has_results


def test_what_is_kept_of_results_is_another_with_everything_that_is_said():
    """A result, a penalty, a way of scoring, a name: each alone gives other results, and taken back the same."""
    section = scored_section(14, "mitchell", rounds=3)
    first = ScoredSession(SessionSnapshot(section)).results
    assert ScoredSession(SessionSnapshot(section)).results is first
    entry = section.entries.get(contestant=3)
    Penalty.objects.create(entry=entry, unit="percent", amount=-5, kind="procedural")
    fined = ScoredSession(SessionSnapshot(section)).results
    ScoringSettings.objects.create(session=section.session, profile={"unequal": "own-tops"})
    otherwise = ScoredSession(SessionSnapshot(section)).results
    section.plays.first().results.filter(stands=True).update(outcome={"passed": True})
    corrected = ScoredSession(SessionSnapshot(section)).results
    assert len({id(item) for item in (first, fined, otherwise, corrected)}) == 4


def test_an_evening_ended_early_has_nothing_more_to_come():
    section = scored_section(8, "howell", rounds=3)
    section = finish_session(section, round=3, by=director_of(section.club))
    scored = ScoredSession(SessionSnapshot(section))
    assert scored.missing_count == 0
    assert scored.is_complete


def test_a_session_without_a_movement_has_no_results():
    scored = ScoredSession(SessionSnapshot(section_with(8)))
    assert scored.main_lists == []
    assert scored.due_count == 0


def test_queries_do_not_grow_with_results(django_assert_max_num_queries):
    section = begun(scored_section(14, "mitchell", rounds=2), 5)
    enter_by_chance(section)
    with django_assert_max_num_queries(14):
        tonight = SessionSnapshot(section)
        _ = tonight.document


def test_another_profile_scores_the_same_results_anew():
    section = scored_section(14, "mitchell", rounds=4)
    ScoringSettings.objects.create(session=section.session, profile={"method": "butler"})
    scored = ScoredSession(SessionSnapshot(section))
    assert scored.problem == ""
    assert scored.method == "butler"
    assert scored.main_lists[0].standings[0].row.percent is None
