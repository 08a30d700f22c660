"""Whether a database is one that this version of the program knows."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader


def missing_migrations() -> list[str]:
    """Return what this version needs to have been done to the database, and has not."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _is_backwards in plan]


def unknown_migrations() -> list[str]:
    """Return what has been done to the database that this version knows nothing of: a newer one did it."""
    loader = MigrationLoader(connection)
    ours = {app for app, _ in loader.disk_migrations}
    replaced = {old for migration in loader.disk_migrations.values() for old in migration.replaces}
    known = loader.disk_migrations.keys() | replaced
    return sorted(
        f"{app}.{name}"
        for app, name in loader.applied_migrations
        if app in ours and (app, name) not in known
    )
