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
    """Run the block in a transaction in which all queries see the database as at the first query.

    Call no service and use no cache within. A write after reading fails if another connection has written meanwhile.
    Within a transaction, which must see its own writes, this has no effect.
    """
    with ExitStack() as stack:
        if not connection.in_atomic_block:
            _begin_snapshot(stack)
        yield


def _begin_snapshot(stack: ExitStack) -> None:
    """Begin a read transaction that sees one state of the database, and end it with the exit stack."""
    if connection.vendor == "sqlite":
        with _without_write_lock():
            stack.enter_context(transaction.atomic())
        return
    stack.enter_context(transaction.atomic())
    with connection.cursor() as cursor:
        cursor.execute(ONE_STATE)


@contextmanager
def _without_write_lock() -> Iterator[None]:
    """Begin SQLite transactions of this block without the write lock that the settings ask for."""
    connection.ensure_connection()  # it reads the settings
    sqlite: Any = connection  # another kind of database has no such mode
    usual = sqlite.transaction_mode
    sqlite.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = usual
