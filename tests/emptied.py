"""Clean up after a test that commits: delete the rows of the tables that have any, and leave a hundred others alone.

Django empties every table and writes its own rows for each model again, which takes longer than most such tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.cache import caches
from django.core.cache.backends.db import BaseDatabaseCache
from django.db import connection, transaction
from django.test import TransactionTestCase

#: what migrating writes of every model, and no test
KEPT = {Permission._meta.db_table, ContentType._meta.db_table}


@cache
def _which_have_rows() -> str:
    tables = set(connection.introspection.django_table_names(include_views=False)) - KEPT
    tables |= {cach._table for cach in caches.all() if isinstance(cach, BaseDatabaseCache)}
    name = connection.ops.quote_name
    return " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {name(table)})" for table in sorted(tables)
    )


@contextmanager
def unchecked() -> Iterator[None]:
    """Change rows without checking references row by row."""
    if connection.vendor == "sqlite":
        connection.disable_constraint_checking()
        try:
            with transaction.atomic():
                yield
        finally:
            connection.enable_constraint_checking()
        return
    with transaction.atomic(), connection.cursor() as cursor:
        if _may_leave_checks_out():
            cursor.execute("SET LOCAL session_replication_role = replica")
        yield


@cache
def _may_leave_checks_out() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        return bool(cursor.fetchone()[0])


def empty() -> None:
    """Delete every row that was committed."""
    with connection.cursor() as cursor:
        cursor.execute(_which_have_rows())
        written = [table for (table,) in cursor.fetchall()]
        with unchecked():
            for table in written:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")


def empty_after(test: TransactionTestCase) -> None:
    """Do as Django does after a test that commits, unless a test asks for more."""
    assert test.available_apps is None
    assert not test.serialized_rollback
    empty()
