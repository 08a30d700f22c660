"""Cache of evenings made before in this process, as rows: making one takes as long as several pages.

The services make each kind of evening once. A later request for the same kind, in a club without any events,
gets the same rows under new keys and a new code. A test that has changed settings, or functions used for making an
evening, makes its own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import chain
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models
from django.utils import timezone, translation

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Club, Membership, Person, User
from bridgebuddy.events.models import (
    Entry,
    EntryPerson,
    Event,
    Play,
    Section,
    SectionMovement,
    Session,
    new_code,
)
from bridgebuddy.scoring.models import Result
from movements.models import SeatingRow, StoredMovement

Model = type[models.Model]
Columns = dict[Model, list[list[Any]]]

#: what an evening is made of, each after what it refers to
MADE_OF: tuple[Model, ...] = (
    *(StoredMovement, SeatingRow, Person, Event, Session, Section, SectionMovement),
    *(Entry, EntryPerson, Play, AuditRecord, Result),
)
WRITTEN = re.compile(r'(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) "(\w+)"')
#: what a club has in which nothing has happened
BARE: tuple[Model, ...] = (Membership,)
#: what no evening looks at
NOT_ASKED = {"id", "name"}
#: rooms above those in which evenings are made, which therefore never look into these
ABOVE = tuple(
    f"bridgebuddy.{room}"
    for room in (
        "director",
        "players",
        "printing",
        "registration",
        "planning",
        "money",
        "publication",
        "table_phones",
        "seasons",
        "scoring",
    )
)
#: nor into what searches: for another movement in an evening that runs, and for arrow-switches
ABOVE += ("bridgebuddy.events.services.play.searches", "movements.search_process")
ABOVE += ("movements.switches", "movements.engine.fairness.switching")
#: nor do those with results into these
ABOVE_RESULTS = tuple(room for room in ABOVE if room != "bridgebuddy.scoring")


@dataclass(frozen=True)
class EveningDifference:
    """Differences between two evenings of a kind: the keys by table, and the date."""

    keys: Mapping[Model, int]
    by: timedelta
    club: int
    user: int

    def key(self, model: Model, key: int | None) -> int | None:
        if key is None:
            return None
        fixed = {Club: self.club, User: self.user}
        return fixed[model] if model in fixed else key + self.keys[model]

    def time(self, at: datetime | None) -> datetime | None:
        return at and at + self.by

    def clocks(self, told: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """Return when rounds before began, each as it is written."""
        return {
            number: [(datetime.fromisoformat(at) + self.by).isoformat(), *rest]
            for number, (at, *rest) in told.items()
        }

    def seats(self, told: dict[str, Any]) -> dict[str, Any]:
        return {str(self.key(Entry, int(key))): place for key, place in told.items()}


#: of what is neither a key nor the same each time
FRESH: dict[tuple[Model, str], Callable[[EveningDifference, Any], Any]] = {
    (Section, "code"): lambda moved, code: new_code(),
    (Section, "round_started_at"): EveningDifference.time,
    (Section, "clock_ends_at"): EveningDifference.time,
    (Section, "clocks_before"): EveningDifference.clocks,
    (SectionMovement, "at"): EveningDifference.time,
    (SectionMovement, "seats"): EveningDifference.seats,
    (AuditRecord, "at"): EveningDifference.time,
    (Result, "at"): EveningDifference.time,
    (AuditRecord, "subject_id"): lambda moved, key: moved.key(Section, key),
}


@dataclass(frozen=True)
class StoredEvening:
    """An evening as it was made, at the keys it had then."""

    columns: Columns
    first: Mapping[Model, int]
    at: datetime

    def again(self, club: Club, by: User) -> Section:
        """Write it anew for a club, and return its section."""
        now = timezone.now()
        begins = _next_keys({model: len(found[0]) for model, found in self.columns.items()})
        shift = {model: begins[model] - self.first[model] for model in begins}
        moved = EveningDifference(shift, now - self.at, club.pk, by.pk)
        with connection.cursor() as cursor:
            for model, columns in self.columns.items():
                _insert(cursor, model, _moved(model, columns, moved))
        return Section.objects.get(pk=begins[Section])


class Evenings:
    """All evenings made in this process, by their arguments."""

    def __init__(self) -> None:
        self._is_changed: Callable[[tuple[str, ...]], bool] | None = None
        self._made: dict[Any, StoredEvening] = {}
        os.register_at_fork(
            after_in_child=lambda: self._made.clear()
        )  # what makes them may be another there

    @contextmanager
    def remembering(self, patches: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
        """Let a test use the stored evenings until it changes anything with these two fixtures."""
        self._is_changed = lambda above: (
            _is_patched(patches, above) or bool(settings and settings._to_restore)
        )
        yield
        self._is_changed = None

    def of(
        self,
        asked: Any,
        club: Club,
        by: User,
        make: Callable[[], Section],
        above: tuple[str, ...] = ABOVE,
    ) -> Section:
        """Return an evening as `make` makes it, which looks into nothing of the rooms above."""
        if self._is_changed is None or self._is_changed(above) or not _is_bare(club):
            return make()
        asked = (repr(asked), _how_it_is(club), translation.get_language())
        if asked in self._made:
            return self._made[asked].again(club, by)
        first = {model: _last(model) + 1 for model in MADE_OF}
        with _noting_what_is_written() as written:
            section, at = (
                make(),
                timezone.now(),
            )  # what has just been made again began before now, as this did
        if written <= {model._meta.db_table for model in MADE_OF}:
            columns = {model: _columns(model, first[model]) for model in MADE_OF}
            columns = {model: found for model, found in columns.items() if found}
            first = {model: _keys(model, found)[0] for model, found in columns.items()}
            self._made[asked] = StoredEvening(columns, first, at)
        return section


EVENINGS = Evenings()


@contextmanager
def _noting_what_is_written() -> Iterator[set[str]]:
    """Yield the tables that are written to meanwhile."""
    written: set[str] = set()

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        written.update(WRITTEN.findall(sql))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield written


def _is_patched(patches: pytest.MonkeyPatch, above: tuple[str, ...]) -> bool:
    """Return whether a patch may affect the making of an evening."""
    where = (getattr(of, "__name__", "") for of, *_ in patches._setattr)
    return bool(patches._setitem) or not all(name.startswith(above) for name in where)


@cache
def _whose() -> tuple[str, ...]:
    """Return the queries for rows of each table that belongs to a club, except for its members."""
    belongs = [
        (model, field)
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model is Club and model not in BARE
    ]
    name = connection.ops.quote_name
    return tuple(
        f"SELECT 1 WHERE EXISTS (SELECT 1 FROM {name(model._meta.db_table)} WHERE {name(field.column)} = %s)"
        for model, field in belongs
    )


def _is_bare(club: Club) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(_whose()), [club.pk] * len(_whose()))
        return cursor.fetchone() is None


def _how_it_is(club: Club) -> str:
    row = Club.objects.filter(pk=club.pk).values().get()
    return repr({name: value for name, value in row.items() if name not in NOT_ASKED})


def _last(model: Model) -> int:
    return model._base_manager.aggregate(last=models.Max("pk"))["last"] or 0


def _columns(model: Model, first: int) -> list[list[Any]]:
    """Return all that was written from a key on, by columns: as the database takes it where it stays the same."""
    fields = model._meta.concrete_fields
    found = model._base_manager.filter(pk__gte=first).order_by("pk")
    rows = found.values_list(*[field.attname for field in fields])
    return [
        list(values)
        if _is_other_each_time(model, field)
        else [field.get_db_prep_save(value, connection) for value in values]
        for field, values in zip(fields, zip(*rows, strict=True), strict=False)
    ]


def _is_other_each_time(model: Model, field: Any) -> bool:
    is_key = field.primary_key or field.related_model is not None
    return is_key or (model, field.attname) in FRESH


def _keys(model: Model, columns: list[list[Any]]) -> list[int]:
    return columns[[field.primary_key for field in model._meta.concrete_fields].index(True)]


def _next_keys(counts: Mapping[Model, int]) -> dict[Model, int]:
    """Take so many keys of each table, one after the other, and return the first of each."""
    tables = {model: model._meta.db_table for model in counts}
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, seq FROM sqlite_sequence")
            last = dict(cursor.fetchall())
            return {model: last.get(table, 0) + 1 for model, table in tables.items()}
        of = {
            model: f"pg_get_serial_sequence('\"{table}\"', 'id')" for model, table in tables.items()
        }
        cursor.execute(f"SELECT {', '.join(f'nextval({item})' for item in of.values())}")
        first = dict(zip(counts, cursor.fetchone(), strict=True))
        ends = [f"setval({of[model]}, {first[model] + counts[model] - 1})" for model in counts]
        cursor.execute(f"SELECT {', '.join(ends)}")
        return first


def _moved(
    model: Model, columns: list[list[Any]], moved: EveningDifference
) -> list[tuple[Any, ...]]:
    """Return rows with other keys, as the database takes them."""
    written = []
    for field, values in zip(model._meta.concrete_fields, columns, strict=True):
        if field.primary_key or field.related_model:
            of = field.related_model or model
            written.append([moved.key(of, value) for value in values])
        elif fresh := FRESH.get((model, field.attname)):
            new = [fresh(moved, value) for value in values]
            written.append([field.get_db_prep_save(item, connection) for item in new])
        else:
            written.append(values)
    return list(zip(*written, strict=True))


def _insert(cursor: Any, model: Model, rows: list[tuple[Any, ...]]) -> None:
    name = connection.ops.quote_name
    columns = [name(field.column) for field in model._meta.concrete_fields]
    one = f"({', '.join(['%s'] * len(columns))})"
    into = f"INSERT INTO {name(model._meta.db_table)} ({', '.join(columns)}) VALUES "
    if connection.vendor == "sqlite":
        cursor.executemany(into + one, rows)
    else:
        cursor.execute(into + ", ".join([one] * len(rows)), list(chain.from_iterable(rows)))
