"""Queries that every phone runs after every change: compiled once, and run with other numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from datetime import datetime
from functools import cache
from typing import Any, Generic, TypeVar

from django.db import connection, models
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row", bound=models.Model)
_Compiled = tuple[QuerySet[Row], SQLCompiler, str, Sequence[tuple[Any, int | None]], dict[int, Any]]

#: stand-ins for later numbers; every column of a query accepts them
STAND_INS = range(30_001, 30_101)


class CompiledQuery:
    """A compiled query for tuples that varies only in its whole numbers.

    Compiling it takes several times as long as running it. It must not select values that the database stores
    differently from Python (times, JSON).
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Any]]) -> None:
        self._make = make
        self._sql = cache(self._compile)

    def rows(self, *numbers: int) -> list[tuple[Any, ...]]:
        """Return the rows for these numbers, in the query's order."""
        sql, places = self._sql(len(numbers))
        with connection.cursor() as cursor:
            cursor.execute(sql, [numbers[place] for place in places])
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows

    def _compile(self, count: int) -> tuple[str, list[int]]:
        stand_ins = STAND_INS[:count]
        sql, params = self._make(*stand_ins).query.sql_with_params()
        return sql, [stand_ins.index(param) for param in params]


class PreparedRows(Generic[Row]):
    """A compiled query for rows of a model and its related rows that varies only in its values.

    It is compiled with `stand_ins`, one for each value. They must differ from each other and from all constants in
    the query.
    """

    def __init__(self, make: Callable[..., QuerySet[Row]], *stand_ins: Any) -> None:
        self._make = make
        self._stand_ins = stand_ins
        self._compiler = cache(self._compile)

    def rows(self, *values: Any) -> list[Row]:
        """Return the rows for these values."""
        queryset, compiler, sql, places, converters = self._compiler()
        adapted = [_database_value(value) for value in values]
        params = tuple(
            stand_in_value if place is None else adapted[place] for stand_in_value, place in places
        )
        fast_compiler = copy(compiler)
        fast_compiler.connection = connection
        fast_compiler.as_sql = lambda *_, **__: (sql, params)  # type: ignore[method-assign]
        fast_compiler.get_converters = lambda expressions: converters  # type: ignore[method-assign]
        rows_query = queryset.all()
        rows_query.query.get_compiler = lambda *_, **__: fast_compiler  # type: ignore[method-assign]
        return list(rows_query)

    def _compile(self) -> _Compiled[Row]:
        queryset = self._make(*self._stand_ins)
        compiler = queryset.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        stand_ins = [_database_value(stand_in) for stand_in in self._stand_ins]
        places = [
            (param, stand_ins.index(param) if param in stand_ins else None) for param in params
        ]
        assert {place for _, place in places} >= {*range(len(stand_ins))}, "a value is not asked"
        converters = compiler.get_converters([column[0] for column in compiler.select])
        return queryset, compiler, sql, places, converters


def _database_value(value: Any) -> Any:
    """Return a value in the form that the database expects."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
