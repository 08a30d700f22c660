"""The migrations of earlier releases one by one, not the squashed ones that stand for them in a new database."""

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader


def single_migrations(connection=None) -> MigrationLoader:
    """Return the migrations with those that squashed ones replace; of a connection, also which it has."""
    return MigrationLoader(connection, replace_migrations=False)


def newest_single_migrations() -> dict[str, str]:
    """Return the newest migration of each app by its label, without squashed ones and those that follow them."""
    loader = single_migrations()
    after_squashed = {
        node
        for key, migration in loader.disk_migrations.items()
        if migration.replaces
        for node in loader.graph.backwards_plan(key)
        if node[0] == key[0]
    }
    newest = {}
    for app in {app for app, _name in loader.disk_migrations}:
        own = {key for key in loader.disk_migrations if key[0] == app} - after_squashed
        parents = {parent.key for key in own for parent in loader.graph.node_map[key].parents}
        [(_, newest[app])] = own - parents
    return newest


def migrate_singly(*targets):
    """Migrate to `targets` (label, name) by single migrations and return the apps of that state."""
    executor = MigrationExecutor(connection)
    executor.loader = single_migrations(connection)
    return executor.migrate(list(targets)).apps


def newest_migration(app: str) -> tuple[str, str]:
    """Return the newest migration of an app that can be missing; of a squashed one the last that it replaces."""
    loader = MigrationLoader(connection)
    [newest] = loader.graph.leaf_nodes(app)
    return (loader.disk_migrations[newest].replaces or [newest])[-1]
