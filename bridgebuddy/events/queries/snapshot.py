"""Snapshots: all data of a page is of one state of the database, whatever others commit meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from django.db import connection, transaction

#: PostgreSQL refuses writes; it must be the first statement
ONE_STATE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Within the context, read everything as of the first read.

    Call no service and use no cache within. A write after reading fails if another connection has written meanwhile.
    Within a transaction, which must see its own writes, this has no effect.
    """
    with ExitStack() as stack:
        if not connection.in_atomic_block:
            _begin_snapshot(stack)
        yield


def _begin_snapshot(stack: ExitStack) -> None:
    """Begin a transaction that reads one state of the database."""
    if connection.vendor == "sqlite":
        with _without_write_lock():
            stack.enter_context(transaction.atomic())
        return
    stack.enter_context(transaction.atomic())
    with connection.cursor() as cursor:
        cursor.execute(ONE_STATE)


@contextmanager
def _without_write_lock() -> Iterator[None]:
    """Begin a SQLite transaction that does not block writers, unlike the default of the settings."""
    connection.ensure_connection()  # it reads the settings
    sqlite: Any = connection  # another kind of database has no such mode
    usual = sqlite.transaction_mode
    sqlite.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = usual
