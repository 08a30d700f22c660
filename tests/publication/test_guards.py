"""Services above results: the counters that each moves, by section, and no revised list.

Phones of tables, registrations, seasons, public pages, table money: one table names them all. Each is asked twice,
before the list of the evening is final and when it is final and published, beside another section of its session, an
evening of before, one that is to come, and another club's.
"""

from __future__ import annotations

import datetime
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from django.db import transaction
from django.db.transaction import Atomic

from bridgebuddy import (
    deals,
    jobs,
    money,
    planning,
    publication,
    registration,
    seasons,
    table_phones,
)
from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.registration import registering
from bridgebuddy.scoring.services import publishing
from bridgebuddy.seasons.models import Championship
from bridgebuddy.table_phones.services import claims
from bridgebuddy.table_phones.services.claims import NewClaim
from tests.events.locks import locks_line, recorded_locks
from tests.events.states import LOOKED_AT, World, different, world
from tests.events.written import titled, unlike_the_page, written
from tests.factories import PersonFactory, section_with
from tests.lists import difference, paths
from tests.seasons.evenings import evening
from tests.table_phones.tapping import with_phones

from .guarded import TABLE as OF_ROOMS
from .guarded_money import MONEY
from .scene import FOUR, Row, Scene

pytestmark = pytest.mark.django_db

TABLE = [*OF_ROOMS, *MONEY]
ROOMS = (table_phones, deals, jobs, seasons, registration, planning, publication, money)
APPS = (*LOOKED_AT, "tables", "deals", "jobs", "seasons", "coming", "publication", "money")


def changes_of(room) -> Iterator[Callable]:
    """Every function of a room that is a transaction of its own."""
    for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        if {"migrations", "management"} & set(found.name.split(".")):
            continue
        module = importlib.import_module(found.name)
        for _, function in inspect.getmembers(module, inspect.isfunction):
            inside = (cell.cell_contents for cell in function.__closure__ or ())
            if function.__module__ == module.__name__ and any(
                isinstance(i, Atomic) for i in inside
            ):
                yield function


@pytest.mark.guard
def test_every_service_is_in_the_table():
    found = paths(change for room in ROOMS for change in changes_of(room))
    listed = paths(row.service for row in TABLE)
    assert difference(found, listed, "TABLE in tests/publication/guarded.py") == []


# ── what is looked at ──


def with_people(section: Section, name: str, by: User) -> Section:
    """Let six pairs with unique names play a round."""
    pairs = [(f"{name} North{n}", f"{name} South{n}") for n in range(6)]
    entries.add_pairs(section, pairs, by=by)
    section = movement.choose_movement(section, "howell", boards_per_round=3, by=by)
    return rounds.start_next_round(section, after=0, by=by)


@pytest.fixture
def scene(club, alice):
    last_month = club.today.replace(day=1) - datetime.timedelta(days=15)
    eights = {"boards_per_round": 8, "masterpoints": "abf-session"}
    before = evening(club, alice, str(last_month), **eights)
    section = with_phones(with_people(section_with(0, club=club, by=alice), "Uta", alice))
    beside = Section.objects.create(session=section.session, name="B")
    beside = with_people(beside, "Eva", alice)
    ahead = section_with(0, club=club, by=alice)
    ahead.session.date = club.today
    ahead.session.save()
    registering.switch_registration(ahead, is_on=True, maximum=None, by=alice)
    said, unsaid = section.plays.filter(round=1, table=1).order_by("board")[:2]
    claims.submit_claim(section, NewClaim(said.pk, "ns", FOUR, 0))
    return Scene(
        club=club,
        by=alice,
        section=section,
        beside=beside,
        before=before,
        ahead=ahead,
        elsewhere=section_with(6, "howell", round=1),
        league=Championship.objects.create(club=club, name="League", is_in_room=True),
        said=said,
        unsaid=unsaid,
        ann=PersonFactory(club=club, name="Ann Ash"),
        ben=PersonFactory(club=club, name="Ben Birch"),
    )


def as_stored(scene: Scene) -> Scene:
    """Return the object as a page would have just read it."""
    kept = {name: Section.objects.get(pk=key) for key, name in scene.sections.items()}
    league = Championship.objects.get(pk=scene.league.pk)
    return replace(scene, league=league, **kept)


#: what a season has worked out of final lists, and keeps
WORKED_OUT = {"FinalList"}


def faults(
    row: Row, scene: Scene, asked: dict, counts: dict, before: World, after: World
) -> Iterator[str]:
    """Return a service's extra changes and missing changes."""
    if before == after:
        yield "does nothing"
    for key, name in scene.sections.items():
        was, now = before["Section"][key], after["Section"][key]
        moved = {column for column in was if was[column] != now[column]}
        if moved != counts.get(name, set()):
            yield f"moves {sorted(moved)} of {name}"
    new = [
        after["AuditRecord"][key]
        for key in sorted(after["AuditRecord"].keys() - before["AuditRecord"].keys())
    ]
    by = asked["by"].pk if asked.get("by") else None
    if [(row["action"], row["by_id"]) for row in new] != [(name, by) for name in row.records]:
        yield f"records {[(row['action'], row['by_id']) for row in new]}"
    for model, was, _now in different(before, after):
        if (
            model == "ScoringSettings"
            and was is not None
            and was["session_id"] == scene.section.session_id
        ):
            yield "touches what is published of the evening"
        if model not in row.touches | {"Section", "AuditRecord"} | WORKED_OUT:
            yield f"touches {model}"


@pytest.mark.parametrize("is_final", [False, True], ids=["open", "final and published"])
def test_what_a_service_counts_records_and_touches(scene, is_final):
    if is_final:
        publishing.make_list_final(scene.section, by=None)
        publishing.publish_results(scene.section, by=None)
    found, refused, wrote = [], [], {}

    for row in TABLE:
        with transaction.atomic():
            asked = row.asked(as_stored(scene))
            before = world(APPS)
            try:
                with transaction.atomic(), recorded_locks() as locked:
                    row.service(**asked)
            except ChangeRefused as refusal:
                refused.append((str(row), type(refusal)))
                found += [
                    f"{row} is refused and changes {item}"
                    for item in different(before, world(APPS))
                ]
            else:
                counts = row.counts | (row.when_final if is_final else {})
                after = world(APPS)
                told = faults(row, scene, asked, counts, before, after)
                lines = [*locks_line(locked), *written(before, after)]
                wrote[titled(str(row), wrote)] = lines
                found += [f"{row} {fault}" for fault in told]
            transaction.set_rollback(True)

    assert found == [], found
    assert is_final or unlike_the_page("rooms", wrote) == []
    assert refused == [
        (str(row), row.refused_when_final) for row in TABLE if is_final and row.refused_when_final
    ]
