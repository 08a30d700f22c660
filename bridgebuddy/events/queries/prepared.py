"""Queries that every phone asks after every change: put together once, and asked with other numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import QuerySet

#: numbers that stand for those to come; every column of a query has room for them
STAND_INS = range(30_001, 30_101)


class Prepared:
    """A query for tuples that is another one only by the whole numbers in it.

    Putting it together costs several times what asking it does. What the database keeps as something else
    than Python (times, JSON) must not be asked for.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Any]]) -> None:
        self._make = make
        self._sql = cache(self._put_together)

    def rows(self, *numbers: int) -> list[tuple[Any, ...]]:
        """Return the rows for these numbers, in the order of the query's own."""
        sql, places = self._sql(len(numbers))
        with connection.cursor() as cursor:
            cursor.execute(sql, [numbers[place] for place in places])
            found: list[tuple[Any, ...]] = cursor.fetchall()
        return found

    def _put_together(self, count: int) -> tuple[str, list[int]]:
        stand_ins = STAND_INS[:count]
        sql, params = self._make(*stand_ins).query.sql_with_params()
        return sql, [stand_ins.index(one) for one in params]
