"""The migrations of earlier releases one by one, not the squashed ones that stand for them in a new database."""

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader


def single_migrations(connection=None) -> MigrationLoader:
    """Return the migrations with those that squashed ones replace; of a connection, also which it has."""
    return MigrationLoader(connection, replace_migrations=False)


def newest_single_migrations() -> dict[str, str]:
    """Return the newest migration of each app by its label, squashed ones left out."""
    loader = single_migrations()
    return dict(
        leaf for leaf in loader.graph.leaf_nodes() if not loader.disk_migrations[leaf].replaces
    )


def migrate_singly(*targets):
    """Migrate to `targets` (label, name) by single migrations and return the apps of that state."""
    executor = MigrationExecutor(connection)
    executor.loader = single_migrations(connection)
    return executor.migrate(list(targets)).apps
