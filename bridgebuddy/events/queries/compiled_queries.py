"""Queries that every phone runs after every change: compiled once, and run with other values.

Compiling one takes several times as long as running it. Without this a phone's page costs a quarter more
(decision 0021).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Generic, TypeVar

from django.db import connection, models
from django.db.models import QuerySet

Row = TypeVar("Row", bound=models.Model)

#: stand-ins for later numbers; every column of a query accepts them
STAND_INS = range(30_001, 30_101)


@dataclass(frozen=True)
class _Statement:
    """A query compiled to SQL once: its text, the parameters to fill in, and the converters of its columns."""

    sql: str
    params: Sequence[Any]
    #: for each parameter the number of its value; None for a constant
    places: Sequence[int | None]
    converters: dict[int, Any]

    def fetch_rows(self, *values: Any) -> list[tuple[Any, ...]]:
        """Run the statement with these values and return the rows as the database has them."""
        adapted = [_database_value(value) for value in values]
        params = [
            constant if place is None else adapted[place]
            for constant, place in zip(self.params, self.places, strict=True)
        ]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, params)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows

    def convert_row(self, row: tuple[Any, ...]) -> list[Any]:
        """Return a row's values converted as Django would read them."""
        values = list(row)
        for place, (converters, expression) in self.converters.items():
            for converter in converters:
                values[place] = converter(values[place], expression, connection)
        return values


def _compile_queryset(queryset: QuerySet[Any, Any], stand_ins: Sequence[Any]) -> _Statement:
    """Compile a queryset to SQL whose stand-in values become parameters; no constant in it may equal them."""
    compiler = queryset.query.get_compiler(connection=connection)
    sql, params = compiler.as_sql()
    known = [_database_value(stand_in) for stand_in in stand_ins]
    places = [known.index(param) if param in known else None for param in params]
    assert {*places} >= {*range(len(known))}, "a value is not asked"
    converters = compiler.get_converters([column[0] for column in compiler.select])
    return _Statement(sql, params, places, converters)


class CompiledQuery:
    """A query for tuples, compiled to SQL once and run with different whole numbers.

    It must not select values that the database stores differently from Python (times, JSON).
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Any]]) -> None:
        self._make = make
        self._statement = cache(self._compile)

    def rows(self, *numbers: int) -> list[tuple[Any, ...]]:
        """Run the query with these numbers and return its rows in order."""
        return self._statement(len(numbers)).fetch_rows(*numbers)

    def _compile(self, count: int) -> _Statement:
        """Compile the query to SQL with `count` parameters."""
        stand_ins = STAND_INS[:count]
        return _compile_queryset(self._make(*stand_ins), stand_ins)


class CompiledRows(Generic[Row]):
    """A query for model instances and related ones, compiled to SQL once and run with different values.

    It is compiled with `stand_ins`, one for each value. `related` names the related rows ("session__event"), each after
    those before it. Columns in `excluded_columns` are read when they are needed.
    """

    def __init__(
        self,
        make: Callable[..., QuerySet[Row]],
        *stand_ins: Any,
        related: Sequence[str] = (),
        excluded_columns: Sequence[str] = (),
    ) -> None:
        self._make, self._stand_ins = make, stand_ins
        self._related, self._without = related, excluded_columns
        self._query = cache(self._compile)

    def rows(self, *values: Any) -> list[Row]:
        """Run the query with these values and return the model instances."""
        statement, parts, annotated = self._query()
        rows = map(statement.convert_row, statement.fetch_rows(*values))
        return [self._model_row(columns, parts, annotated) for columns in rows]

    def _model_row(
        self, columns: list[Any], parts: Sequence[_Part], annotated: Sequence[str]
    ) -> Row:
        """Return a model instance with its related instances, built from the columns of a database row."""
        found: dict[str, Any] = {}
        start = 0
        for part in parts:
            values = columns[start : start + len(part.names)]
            start += len(part.names)
            if values[0] is None:  # there is none
                continue
            found[part.path] = part.model.from_db(connection.alias, part.names, values)
            if part.path:
                owner, _, name = part.path.rpartition("__")
                setattr(found[owner], name, found[part.path])
        row: Row = found[""]
        for name, value in zip(annotated, columns[start:], strict=True):
            setattr(row, name, value)
        return row

    def _compile(self) -> tuple[_Statement, list[_Part], list[str]]:
        """Return the compiled SQL, the model of each group of its columns, and the annotated columns."""
        queryset = self._make(*self._stand_ins)
        models_by_path: dict[str, Any] = {"": queryset.model}
        for path in self._related:
            owner, _, name = path.rpartition("__")
            models_by_path[path] = models_by_path[owner]._meta.get_field(name).related_model
        parts = [
            _Part(path, model, self._columns_of(path, model))
            for path, model in models_by_path.items()
        ]
        annotated = list(queryset.query.annotations)
        columns = [_column_path(part.path, name) for part in parts for name in part.names]
        return (
            _compile_queryset(queryset.values_list(*columns, *annotated), self._stand_ins),
            parts,
            annotated,
        )

    def _columns_of(self, path: str, model: type[models.Model]) -> list[str]:
        """Return the column names of a model that the query reads, the primary key first."""
        columns = [field.attname for field in model._meta.concrete_fields]
        key = str(model._meta.pk.attname)
        others = [name for name in columns if _column_path(path, name) not in self._without]
        return [key, *(name for name in others if name != key)]


@dataclass(frozen=True)
class _Part:
    """The columns of one model in a compiled query; `path` is the lookup to it from the query's own model."""

    path: str
    model: type[models.Model]
    names: list[str]


def _column_path(path: str, name: str) -> str:
    """Return the lookup of a related model's column: `path__name`."""
    return f"{path}__{name}" if path else name


def _database_value(value: Any) -> Any:
    """Return a parameter's value in the form that the database driver expects."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
