"""Evenings that are made once: a test that wants what another has made gets the same rows.

Services make an evening of sixteen pairs in a quarter of a second, its rows are put back in some milliseconds. What
is kept is the difference between the database before and after, under all that the making depends on: what is asked,
every row that is there, and what a test has patched. So services run once for every evening there is, and what they
would do wrong is in the rows of each test.

Only in a test that is rolled back, and only on SQLite, where numbers begin anew with each test: PostgreSQL makes
every evening. Nor with a mutant, which the one who made an evening may not have had.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from hashlib import sha256
from typing import Any, TypeVar

import pytest
from django.db import connection, models
from django.utils import timezone, translation

Row = tuple[Any, ...]
Rows = dict[str, dict[Any, Row]]
Model = TypeVar("Model", bound=models.Model)

#: nothing that an evening is made of, and made at random
BESIDE = ("django_", "auth_", "account_", "bridgebuddy_cache", "bridgebuddy_sheets")
AT_RANDOM = {"password"}
#: so many are kept, then the oldest goes
MOST = 400


@dataclass(frozen=True)
class Made:
    """What came of making something."""

    key: Any
    at: datetime
    #: statements with what they are given
    changes: list[tuple[str, list[Row]]]


@dataclass
class Keeper:
    """What has been made in this process, and whether the test that runs may have it."""

    made: dict[Any, Made] = field(default_factory=dict)
    request: pytest.FixtureRequest | None = None
    columns: dict[str, list[str]] = field(default_factory=dict)

    @property
    def is_on(self) -> bool:
        return (
            self.request is not None
            and connection.vendor == "sqlite"
            and connection.in_atomic_block
            and not os.environ.get("MAKE_EVENINGS")
        )

    def tables(self) -> dict[str, list[str]]:
        """The columns of each table, the primary key first."""
        if not self.columns:
            raw = connection.connection.cursor()
            names = raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            for (name,) in names:
                if not name.startswith(BESIDE):
                    found = raw.execute(f'PRAGMA table_info("{name}")').fetchall()
                    self.columns[name] = [column for _, column, *_ in found]
        return self.columns

    def rows(self) -> Rows:
        """Everything there is, by tables and keys, which stand first in each."""
        raw = connection.connection.cursor()
        return {
            name: {row[0]: row for row in raw.execute(f'SELECT * FROM "{name}"').fetchall()}
            for name in self.tables()
        }

    def patched(self) -> tuple[Any, ...]:
        """What the test has patched and set, which may be something that makes evenings."""
        found: list[Any] = []
        for name in ("monkeypatch", "settings"):
            if self.request is None or name not in self.request.fixturenames:
                continue
            fixture = self.request.getfixturevalue(name)
            for target, attribute, _ in getattr(fixture, "_setattr", ()):
                now = getattr(target, attribute, None)
                code = getattr(now, "__code__", None)
                found.append((repr(target), attribute, code or repr(now)))
            found += [repr(sorted(one.options)) for one in getattr(fixture, "_to_restore", ())]
        return tuple(found)


KEEPER = Keeper()


@contextmanager
def keeping(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a test have what has been made before."""
    KEEPER.request = request
    yield
    KEEPER.request = None


def kept(model: type[Model], asked: Any, make: Callable[[], Model]) -> Model:
    """Make something, or put back what was made when the same was asked in the same database."""
    if not KEEPER.is_on:
        return make()
    before = KEEPER.rows()
    known = (repr(asked), translation.get_language(), KEEPER.patched(), _told(before))
    if known not in KEEPER.made:
        at = timezone.now()
        found = make()
        if len(KEEPER.made) >= MOST:
            del KEEPER.made[next(iter(KEEPER.made))]
        KEEPER.made[known] = Made(found.pk, at, list(_differences(before, KEEPER.rows())))
        return found
    made = KEEPER.made[known]
    later = timezone.now() - made.at
    raw = connection.connection.cursor()
    for statement, given in made.changes:
        raw.executemany(statement, [_at(row, later) for row in given])
    return model._default_manager.get(pk=made.key)


def _told(rows: Rows) -> bytes:
    """Everything there is, but for moments and what is drawn at random."""
    told = sha256()
    for name, found in rows.items():
        told.update(name.encode())
        hidden = [n for n, column in enumerate(KEEPER.columns[name]) if column in AT_RANDOM]
        for row in found.values():
            shown = [
                None if isinstance(one, datetime) or n in hidden else one
                for n, one in enumerate(row)
            ]
            told.update(repr(shown).encode())
    return told.digest()


def _differences(before: Rows, after: Rows) -> Iterator[tuple[str, list[Row]]]:
    """Return the statements that make the one of the other."""
    for name, columns in KEEPER.columns.items():
        old, new = before[name], after[name]
        key = columns[0]
        if gone := [(one,) for one in old if one not in new]:
            yield f'DELETE FROM "{name}" WHERE "{key}" = ?', gone
        if added := [row for one, row in new.items() if one not in old]:
            places = ", ".join("?" * len(columns))
            yield f'INSERT INTO "{name}" VALUES ({places})', added
        for one in old.keys() & new.keys():
            pairs = zip(columns, old[one], new[one], strict=True)
            if changed := {column: now for column, was, now in pairs if was != now}:
                sets = ", ".join(f'"{column}" = ?' for column in changed)
                yield f'UPDATE "{name}" SET {sets} WHERE "{key}" = ?', [(*changed.values(), one)]


def _at(row: Row, later: timedelta) -> Row:
    """What was written then, as it would be written now."""
    return tuple(
        str(one + later)
        if isinstance(one, datetime)
        else str(one)
        if isinstance(one, time)
        else one
        for one in row
    )
