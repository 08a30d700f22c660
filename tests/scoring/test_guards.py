"""Services of results: each counts results and no plan, is recorded, and touches no other rows."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.scoring import services
from bridgebuddy.scoring.errors import ListIsClosed, NothingToUndo
from bridgebuddy.scoring.models import FouledBoard, Penalty
from bridgebuddy.scoring.services import (
    publishing,
    results,
    rulings,
)
from tests.events.locks import locks_line, recorded_locks
from tests.events.states import different, world
from tests.events.written import titled, unlike_the_page, written
from tests.factories import director_of
from tests.lists import difference, paths
from tests.scoring.test_tonight import scored_section

from .guarded import (
    AS_IT_IS,
    CORRECTIONS,
    FIVE,
    NAMED,
    OTHERS,
    REPEATABLE,
    TABLE,
    Row,
    a_fouled_board,
    a_penalty,
    first,
)

pytestmark = pytest.mark.django_db


@pytest.mark.guard
def test_every_service_is_in_the_table():
    found = set()
    for module in pkgutil.walk_packages(services.__path__, f"{services.__name__}."):
        loaded = importlib.import_module(module.name)
        for _, function in inspect.getmembers(loaded, inspect.isfunction):
            if function.__module__ == loaded.__name__ and hasattr(function, "__wrapped__"):
                found.add(function)
    listed = {row.service for row in TABLE} | OTHERS
    assert difference(paths(found), paths(listed), "TABLE in tests/scoring/guarded.py") == []


@pytest.fixture
def section():
    scored_section(8, "howell", rounds=1)  # of another club
    return scored_section(8, "howell", rounds=3)


@contextmanager
def undone(row: Row, faults: list[str]) -> Iterator[None]:
    """Call a service, note its faults, and restore everything for the next."""
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    except AssertionError as fault:
        faults.append(f"{row}: {fault}")


MINE = {
    "Deal",
    "DealGeneration",
    "Job",
    "Section",
    "Result",
    "Penalty",
    "FouledBoard",
    "DismissedCheck",
    "ScoringSettings",
    "AuditRecord",
    "TerminalImport",
}


def test_a_service_counts_records_and_touches_nothing_else(section):
    by, faults, wrote = director_of(section.club), [], {}
    for row in TABLE:
        with undone(row, faults):
            asked = row.asked(Section.objects.get(pk=section.pk), by)
            before = world()
            with recorded_locks() as locked:
                row.service(Section(pk=section.pk), **asked, by=by)
            after = world()
            counted_and_recorded(row, section, by, before, after)
            lines = [*locks_line(locked), *written(before, after)]
            wrote[titled(str(row), wrote)] = lines
    assert faults == []
    assert unlike_the_page("results", wrote) == []


def counted_and_recorded(row, section, by, before, after):
    was, now = before["Section"][section.pk], after["Section"][section.pk]
    assert now["results"] == was["results"] + 1
    expected = {"results", "shown"} if row.shows else {"results"}
    assert {name for name in was if was[name] != now[name]} == expected
    new = [
        after["AuditRecord"][key]
        for key in after["AuditRecord"].keys() - before["AuditRecord"].keys()
    ]
    assert [(row["action"], row["by_id"]) for row in new] == (
        [(row.action, by.pk)] if row.action else []
    )
    for model, old, changed in different(before, after):
        assert model in MINE, (model, old, changed)
        if model == "Section":
            assert changed["id"] == section.pk
        if model == "Result" and old is not None:
            assert {name for name in old if old[name] != changed[name]} <= {"stands"}


@pytest.fixture
def beside(section):
    """Return another section of the session; the session's list is final and published."""
    other = scored_section(8, "howell", rounds=1, club=section.club)
    Section.objects.filter(pk=other.pk).update(session=section.session, name="B")
    publishing.make_list_final(section, by=None)
    publishing.publish_results(section, by=None)
    return other


def test_a_final_list_is_a_revised_one_and_every_section_counts_that_is_concerned(section, beside):
    by, faults = director_of(section.club), []
    for row in TABLE:
        if row.service in AS_IT_IS:
            continue
        with undone(row, faults):
            asked = row.asked(Section.objects.get(pk=section.pk), by)
            before = world()
            row.service(Section(pk=section.pk), **asked, by=by)
            counted_and_revised(row, section, beside, before, world())
    assert faults == []


def counted_and_revised(row, section, beside, before, after):
    counted = {"results", "shown"} if row.shows else {"results"}
    moved = {
        key: {name for name, was in before["Section"][key].items() if was != now[name]}
        for key, now in after["Section"].items()
    }
    assert moved.pop(section.pk) == counted
    assert moved.pop(beside.pk) == (counted if row.everywhere else set())
    assert set().union(*moved.values()) == set()

    (was,) = (
        ScoringSetting
        for ScoringSetting in before["ScoringSettings"].values()
        if ScoringSetting["session_id"] == section.session_id
    )
    now = after["ScoringSettings"][was["id"]]
    assert now["revision"] - was["revision"] == row.revises
    assert (now["final_at"] != was["final_at"]) == row.revises
    assert now["published_at"] == was["published_at"]


def test_what_is_refused_changes_nothing(section):
    by, faults = director_of(section.club), []
    for row in TABLE:
        if row.refused is None:
            continue
        with undone(row, faults):
            asked = row.refused(section)
            before = world()
            assert refusal_of(row, section, asked, by) is row.why
            assert list(different(before, world())) == []
    assert faults == []


def refusal_of(row, section, asked, by):
    try:
        with transaction.atomic():
            row.service(Section(pk=section.pk), **asked, by=by)
    except ChangeRefused as refusal:
        return type(refusal)
    return None


def test_of_another_section_nothing_is_found(section):
    """Names of a play, a penalty or a board of one section find nothing in another."""
    by, faults = director_of(section.club), []
    other = scored_section(8, "howell", rounds=3)
    for row in TABLE:
        with undone(row, faults):
            asked = row.asked(Section.objects.get(pk=section.pk), by)
            if NAMED & asked.keys():
                before = world()
                assert refusal_of(row, other, asked, by)
                assert list(different(before, world())) == []
    assert faults == []


def test_final_again_after_a_correction_is_a_revised_list(section):
    by = director_of(section.club)
    scoring = publishing.make_list_final(section, by=by)
    assert (scoring.revision, scoring.is_final) == (1, True)
    results.enter_result(section, first(section).pk, FIVE, by=by)
    scoring.refresh_from_db()
    assert (scoring.revision, scoring.is_final) == (2, True)
    publishing.reopen_list(section, by=by)
    results.enter_result(section, first(section).pk, {"passed": True}, by=by)
    scoring.refresh_from_db()
    assert (scoring.revision, scoring.is_final) == (2, False)


def test_what_is_so_already_changes_nothing(section):
    by = director_of(section.club)
    publishing.make_list_final(section, by=by)
    publishing.publish_results(section, by=by)
    publishing.set_scoring_profile(section, {"method": "butler"}, by=by)
    rulings.dismiss_doubt(section, "x", by=by)
    before = world()
    publishing.make_list_final(section, by=by)
    publishing.publish_results(section, by=by)
    publishing.set_scoring_profile(section, {"method": "butler"}, by=by)
    rulings.dismiss_doubt(section, "x", by=by)
    rulings.restore_doubt(section, "y", by=by)
    assert list(different(before, world())) == []


def test_what_is_said_twice_is_stored_and_recorded_once(section):
    by, faults = director_of(section.club), []
    for row in TABLE:
        if row.service in REPEATABLE:
            continue
        with undone(row, faults):
            asked = row.asked(Section.objects.get(pk=section.pk), by)
            row.service(Section(pk=section.pk), **asked, by=by)
            before = world()
            refusal_of(row, section, asked, by)
            assert list(different(before, world())) == []
    assert faults == []


def test_a_list_whose_corrections_have_ended_is_changed_by_no_service(section, monkeypatch):
    by, faults = director_of(section.club), []
    end = timezone.now() + timedelta(minutes=31)
    for row in CORRECTIONS:
        with undone(row, faults), monkeypatch.context() as later:
            asked = row.asked(Section.objects.get(pk=section.pk), by)
            publishing.set_correction_period(section, 30, by=by)
            publishing.make_list_final(section, by=by)
            before = world()
            later.setattr(timezone, "now", lambda: end)
            assert refusal_of(row, section, asked, by) is ListIsClosed
            assert list(different(before, world())) == []
    assert faults == []


def test_the_first_final_list_is_remembered_when_it_is_final_again(section):
    by = director_of(section.club)
    first_list = publishing.make_list_final(section, by=by)
    publishing.reopen_list(section, by=by)
    results.enter_result(section, first(section).pk, FIVE, by=by)

    again = publishing.make_list_final(section, by=by)

    assert again.first_final_at == first_list.first_final_at
    assert again.first_figures == first_list.first_figures


def test_nothing_is_opened_again_that_is_not_final(section):
    with pytest.raises(NothingToUndo):
        publishing.reopen_list(section, by=None)
    rulings.dismiss_doubt(section, "x", by=None)
    rulings.restore_doubt(section, "x", by=None)
    publishing.unpublish_results(section, by=None)
    assert not AuditRecord.objects.filter(
        action__in=("results.open_again", "results.unpublish")
    ).exists()


def test_rulings_are_kept_when_they_are_taken_back(section):
    by = director_of(section.club)
    rulings.take_back_penalty(section, a_penalty(section, by), by=by)
    rulings.unfoul_board(section, a_fouled_board(section, by), by=by)
    assert Penalty.objects.exclude(taken_back_at=None).count() == 1
    assert FouledBoard.objects.exclude(taken_back_at=None).count() == 1
