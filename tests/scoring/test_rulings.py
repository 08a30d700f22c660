"""Penalties, fouled boards and settled doubts: given, refused, taken back, counted and recorded."""

from decimal import Decimal

import pytest

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.errors import NotEntered
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.errors import NoPlay, NothingToUndo, UnknownMethod
from bridgebuddy.scoring.models import DismissedCheck, FouledBoard, Penalty, ScoringSettings
from bridgebuddy.scoring.services import rulings
from tests.factories import director_of
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db

TAKEN = {"unit": "top", "amount": Decimal("-0.1"), "kind": "procedural"}


@pytest.fixture
def section():
    return scored_section(8, "howell")


def counters(section):
    now = Section.objects.get(pk=section.pk)
    return now.plan, now.results


def recorded(section):
    records = AuditRecord.objects.filter(subject="section", subject_id=section.pk)
    return [
        record.action for record in records.order_by("pk") if record.action.startswith("results.")
    ]


def test_a_penalty_is_counted_and_recorded_and_no_plan_is_another(section):
    plan, results = counters(section)
    by = director_of(section.club)
    penalty = rulings.give_penalty(section, section.entries.first().pk, **TAKEN, by=by)
    assert counters(section) == (plan, results + 1)
    assert recorded(section) == ["results.penalty"]
    rulings.take_back_penalty(section, penalty.pk, by=by)
    assert counters(section) == (plan, results + 2)
    assert recorded(section) == ["results.penalty", "results.penalty_back"]
    assert Penalty.objects.get().taken_back_at is not None


def test_a_penalty_is_taken_back_once(section):
    penalty = rulings.give_penalty(section, section.entries.first().pk, **TAKEN, by=None)
    rulings.take_back_penalty(section, penalty.pk, by=None)
    before = counters(section)
    with pytest.raises(NothingToUndo):
        rulings.take_back_penalty(section, penalty.pk, by=None)
    assert counters(section) == before


def test_nobody_of_another_section_is_fined_here(section):
    other = scored_section(8, "howell")
    before = counters(section)
    with pytest.raises(NotEntered):
        rulings.give_penalty(section, other.entries.first().pk, **TAKEN, by=None)
    penalty = rulings.give_penalty(other, other.entries.first().pk, **TAKEN, by=None)
    with pytest.raises(NothingToUndo):
        rulings.take_back_penalty(section, penalty.pk, by=None)
    assert counters(section) == before


def test_a_unit_that_the_session_has_not_is_refused(section):
    before = counters(section)
    with pytest.raises(UnknownMethod):
        rulings.give_penalty(
            section, section.entries.first().pk, **(TAKEN | {"unit": "imps"}), by=None
        )
    assert counters(section) == before
    assert not Penalty.objects.exists()
    assert recorded(section) == []


def test_a_fouled_board_is_counted_recorded_and_taken_back(section):
    plan, results = counters(section)
    board = section.plays.first().board
    fouled = rulings.foul_board(section, board, from_round=2, by=None)
    rulings.unfoul_board(section, fouled.pk, by=None)
    assert counters(section) == (plan, results + 2)
    assert recorded(section) == ["results.fouled", "results.fouled_back"]
    with pytest.raises(NothingToUndo):
        rulings.unfoul_board(section, fouled.pk, by=None)


def test_a_board_nobody_plays_cannot_be_fouled_nor_one_without_a_place(section):
    before = counters(section)
    with pytest.raises(NoPlay):
        rulings.foul_board(section, 99, from_round=2, by=None)
    with pytest.raises(NoPlay):
        rulings.foul_board(section, section.plays.first().board, by=None)
    assert counters(section) == before
    assert not FouledBoard.objects.exists()


def test_a_doubt_is_settled_once_and_looked_at_again(section):
    plan, results = counters(section)
    rulings.dismiss_doubt(section, "sign-1", by=None)
    rulings.dismiss_doubt(section, "sign-1", by=None)
    assert counters(section) == (plan, results + 1)
    rulings.restore_doubt(section, "sign-1", by=None)
    rulings.restore_doubt(section, "sign-1", by=None)
    assert counters(section) == (plan, results + 2)
    assert not DismissedCheck.objects.exists()


def test_a_ruling_after_the_end_makes_the_list_a_revised_one(section):
    ScoringSettings.objects.create(
        session=section.session, final_at="2026-11-24T22:00Z", revision=1
    )
    rulings.give_penalty(section, section.entries.first().pk, **TAKEN, by=None)
    assert ScoringSettings.objects.get().revision == 2
