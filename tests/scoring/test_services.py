"""Effects of services of results beyond the table of all of them (test_guards.py)."""

import datetime
from decimal import Decimal

import pytest
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.errors import NoPlay, UnknownMethod
from bridgebuddy.scoring.models import Deal, ScoringSettings
from bridgebuddy.scoring.services import (
    classes,
    handing_in,
    publishing,
    reminders,
    rulings,
    terminals,
)
from bridgebuddy.scoring.services.cards import dealing, deals
from tests.factories import section_with

from .guarded import PBN, a_line, a_penalty
from .test_tonight import scored_section

pytestmark = pytest.mark.django_db


@pytest.fixture
def section():
    return scored_section(8, "howell", rounds=2)


@pytest.fixture
def beside(section):
    """Another section of the session."""
    other = section_with(4, "howell", round=1, club=section.club)
    Section.objects.filter(pk=other.pk).update(session=section.session, name="B")
    return other


def recorded():
    return list(AuditRecord.objects.order_by("pk").values_list("action", "subject_id"))


def counters():
    return list(Section.objects.order_by("pk").values_list("plan", "shown", "results"))


def test_what_a_federation_asks_is_noted_once_with_the_section_it_was_said_in(section, beside):
    hour = timezone.now() + datetime.timedelta(hours=2)
    before = recorded()

    scoring = handing_in.store_federation_data(
        section, charge_code="10", embargo_until=hour, by=None
    )

    kept = (scoring.charge_code, scoring.point_scale, scoring.points_awarded, scoring.embargo_until)
    assert kept == ("10", "", False, hour)
    assert recorded() == [*before, ("results.hand_in", section.pk)]
    counted = counters()
    handing_in.store_federation_data(section, charge_code="10", embargo_until=hour, by=None)
    assert counters() == counted


def test_who_need_not_have_played_a_share_any_more_is_asked_for_none(section):
    classes.store_classes(section, strata=["A", "B"], classes={}, min_played="75", by=None)

    scoring = classes.store_classes(section, strata=[], classes={}, by=None)

    assert scoring.profile == {}


def test_strata_that_cannot_be_are_refused_and_nothing_is_kept(section):
    with pytest.raises(UnknownMethod):
        classes.store_classes(section, strata=["A", ""], classes={}, by=None)


def test_dealt_boards_are_all_that_has_cards(section):
    dealing.begin_dealing(section, range(1, 4), by=None)
    deals.store_deals(section, {2: PBN, 30: PBN}, by=None)

    dealing.deal_boards(section, by=None)

    assert list(Deal.objects.order_by("board").values_list("board", flat=True)) == [1, 2, 3]
    assert not Deal.objects.filter(pbn=PBN).exists()


def test_a_section_with_cards_of_its_own_is_dealt_for_alone(section, beside):
    section.session.same_deals = False
    section.session.save()

    dealing.begin_dealing(section, range(1, 4), by=None)
    other = dealing.begin_dealing(beside, range(1, 4), by=None)

    assert other.section == beside


def test_how_long_a_final_list_is_corrected_counts_from_when_it_became_so(section):
    final = publishing.make_list_final(section, by=None)

    scoring = publishing.set_correction_period(section, 60, by=None)

    assert scoring.closes_at == final.final_at + datetime.timedelta(minutes=60)


def test_final_after_it_was_opened_again_is_another_list(section):
    publishing.make_list_final(section, by=None)
    publishing.reopen_list(section, by=None)

    assert publishing.make_list_final(section, by=None).revision == 2


def test_nobody_is_reminded_of_what_they_do_not_play(section):
    there = section.plays.filter(round=2, table=1).values_list("board", flat=True)

    with pytest.raises(NoPlay):
        reminders.store_reminder(section, 2, 1, board=max(there) + 1, by=None)
    assert reminders.store_reminder(section, 2, 1, board=there[0], by=None).board == there[0]

    section.plays.filter(round=2, table=1).update(taken_back_at=timezone.now())
    with pytest.raises(NoPlay):
        reminders.store_reminder(section, 2, 1, by=None)


def test_a_penalty_taken_back_is_recorded_as_it_was_given(section):
    key = a_penalty(section, None)

    rulings.take_back_penalty(section, key, by=None)

    back, given = AuditRecord.objects.order_by("-pk")[:2]
    assert (given.action, back.action) == ("results.penalty", "results.penalty_back")
    assert Decimal(back.facts.pop("amount")) == Decimal(given.facts.pop("amount"))
    assert back.facts == given.facts


def test_a_file_is_recorded_where_it_brought_something(section, beside):
    before = recorded()

    readout = terminals.import_terminal_results(section, a_line(section), file="a.bws", by=None)

    assert recorded() == [*before, ("results.terminals", section.pk)]
    assert terminals.undo_terminal_import(section, readout.pk, by=None) == 1
    assert recorded()[len(before) + 1 :] == [("results.terminals_back", section.pk)]
    readout.refresh_from_db()
    assert readout.taken_back_at is not None
    assert ScoringSettings.objects.filter(session=section.session_id).count() <= 1
