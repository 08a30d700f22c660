"""One moment: what a page reads is of one state of the database, whatever others commit meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from django.db import connection, transaction

#: PostgreSQL refuses what would be written; nothing but the first statement may say so
ONE_STATE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"


@contextmanager
def snapshot() -> Iterator[None]:
    """Let everything that is read within be of the moment of the first read.

    Call no service within and use no cache: who writes after reading may find that somebody else has
    written since, and fails. Within a transaction, which sees what it has written, nothing happens.
    """
    with ExitStack() as stack:
        if not connection.in_atomic_block:
            _begin(stack)
        yield


def _begin(stack: ExitStack) -> None:
    if connection.vendor == "sqlite":
        with _no_lock():
            stack.enter_context(transaction.atomic())
        return
    stack.enter_context(transaction.atomic())
    with connection.cursor() as cursor:
        cursor.execute(ONE_STATE)


@contextmanager
def _no_lock() -> Iterator[None]:
    """Let SQLite begin a transaction that keeps nobody from writing, as the settings have all others do."""
    connection.ensure_connection()  # which reads the settings
    sqlite: Any = connection  # another kind of database has no such mode
    usual = sqlite.transaction_mode
    sqlite.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = usual
