"""The compatibility of a database with this version of the program."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader


def missing_migrations() -> list[str]:
    """Return the migrations of this version that the database lacks."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _is_backwards in plan]


def applied_migrations() -> set[tuple[str, str]]:
    """Return the migrations of the database as pairs of app and name; none for an empty database."""
    return set(MigrationLoader(connection).applied_migrations)


def unknown_migrations() -> list[str]:
    """Return the migrations of the database that this version does not know, made by a newer one."""
    loader = MigrationLoader(connection)
    ours = {app for app, _ in loader.disk_migrations}
    replaced = {old for migration in loader.disk_migrations.values() for old in migration.replaces}
    names = loader.disk_migrations.keys() | replaced
    return sorted(
        f"{app}.{name}"
        for app, name in loader.applied_migrations
        if app in ours and (app, name) not in names
    )
