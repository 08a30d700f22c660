"""Sections in every state, and all rows of the database: for tests of the services' effects."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import replace

from django.apps import apps
from django.db import connection

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.events.services.play.changes import ArrivingEntry, change_options
from bridgebuddy.events.services.setup import entries, movement, own_movements, switches
from movements.engine import catalogue
from movements.engine.changes import PairArrives
from movements.engine.files.document import MovementDocument, movement_dict
from movements.engine.options import merge_fields
from movements.switches.choices import SwitchChoice
from tests.factories import section_with

BEFORE = ("entered", "seated", "switched")
RUNNING = ("running", "paused", "last", "changed", "waiting")
#: what a session may be changed to
HELD = {"name": "Spring Cup", "date": datetime.date(2027, 3, 1), "starts_at": datetime.time(10)}
HELD |= {"fewest_boards": 20, "most_boards": 24, "minutes_per_board": 8}

LATE = ArrivingEntry(names=("Eve Engel", "Max O’Reid"))


def changed(section, by):
    """Let a pair come late."""
    way = change_options(section, PairArrives())[0]
    return changes.take_proposal(
        section, way, PairArrives(), plan=section.plan, by=by, newcomer=LATE, reason="the train"
    )


def section_in(state, club, by):
    """Make a section of six pairs and three rounds."""
    if state == "entered":
        return section_with(6, club=club, by=by)
    round = {"seated": 0, "switched": 0, "last": 3}.get(state, 2)
    section = section_with(6, "mitchell", round=round, club=club, by=by)
    match state:
        case "switched":
            section = switches.switch_arrows(section, a_switch(section), **of(section), by=by)
        case "paused":
            section = rounds.pause_clock(section, by=by)
        case "finished":
            section = rounds.finish_session(section, round=2, by=by)
        case "changed":
            section = changed(section, by)
        case "waiting":  # the late pair, once it is taken back that it was seated
            section = changed(section, by)
            section = changes.undo_change(section, plan=section.plan, by=by)
    return Section.objects.get(pk=section.pk)


def of(section):
    """The key of the movement that a switch is chosen for."""
    plain = section.unswitched or section.movement
    return {"of": plain.pk if plain else 0}


def a_switch(section):
    """Turn round 2, in one field."""
    stored = section.unswitched or section.movement
    one_field = merge_fields(stored.movement)
    turned = tuple(s.turned() if s.round == 2 else s for s in one_field.seatings)
    switched = replace(one_field, seatings=turned)
    document = movement_dict(MovementDocument(switched))
    return SwitchChoice("rounds", (), 1, 90, "even", document, stored.boards)


def bystanders(club, by):
    """Make a section beside, of other people, another club's with people of the same names, and a movement."""
    beside = section_with(0, club=club, by=by)
    entries.add_pairs(beside, [(f"Cleo East{n}", f"Dan West{n}") for n in range(6)], by=by)
    beside = movement.choose_movement(beside, "mitchell", boards_per_round=3, by=by)
    rounds.start_next_round(beside, after=0, by=by)
    section_with(6, "mitchell", round=2)
    own_movements.store_own_movement(
        club, catalogue.build_movement("howell", 3), name="Ours", by=by
    )
    Person.objects.create(club=club, name="Zoë Neu")


World = dict[str, dict[int, dict]]


#: whose rows are looked at
LOOKED_AT = ("clubs", "audit", "events", "movements", "scoring")


def world(apps_of: Iterable[str] = LOOKED_AT) -> World:
    """Every row there is, as the database keeps it, by the name of its model and its key."""
    found: World = {}
    with connection.cursor() as cursor:
        for app in apps_of:
            for model in apps.get_app_config(app).get_models():
                key = model._meta.pk.column
                cursor.execute(f"SELECT * FROM {model._meta.db_table} ORDER BY {key}")
                names = [column[0] for column in cursor.description]
                rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
                found[model.__name__] = {row[key]: row for row in rows}
    return found


def different(before: World, after: World) -> Iterator[tuple[str, dict | None, dict | None]]:
    """Return every row that differs, with the name of its model."""
    for model, rows in before.items():
        for key in sorted(rows.keys() | after[model].keys()):
            was, now = rows.get(key), after[model].get(key)
            if was != now:
                yield model, was, now
