"""Bring the database to this version of the program, after a backup."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, DatabaseError

from bridgebuddy.operations.backups import CannotBackUp, back_up_before_update
from bridgebuddy.operations.database_versions import applied_migrations, missing_migrations
from bridgebuddy.operations.migration_lock import locked_migration


class Command(migrate.Command):
    """Django's command. It backs up a database that people have used before it changes that."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Add to Django's arguments where the backup before the migrations is stored, or that there is none."""
        super().add_arguments(parser)
        parser.add_argument(
            "--backup-to",
            type=Path,
            default=settings.VAR_DIR,
            metavar="FOLDER",
            help="where the backup of before is written",
        )
        parser.add_argument(
            "--without-backup",
            action="store_true",
            help="change the database although nothing leads back, or because another copy does",
        )

    def handle(
        self,
        *args: Any,
        backup_to: Path = settings.VAR_DIR,
        without_backup: bool = False,
        **options: Any,
    ) -> None:
        """Store a backup if the database is in use, and run Django's `migrate` under a lock."""
        if not _applies_all_migrations(options):
            super().handle(*args, **options)
            return
        with locked_migration():
            if not without_backup and _changes_used_database():
                self._back_up_before_update(backup_to)
            super().handle(*args, **options)

    def _back_up_before_update(self, folder: Path) -> None:
        """Store a backup in `folder` before the migrations run, and print how to restore it."""
        try:
            file = back_up_before_update(folder)
        except CannotBackUp as refused:
            raise CommandError(
                f"This version changes the database, which could not be backed up before. {refused} Nothing has"
                " changed: the version of before runs on. To do it without a backup: add --without-backup to migrate."
            ) from refused
        self.stdout.write(f"The database of before the update is in {file}. To go back, install")
        self.stdout.write(f"the version of before, and run: restore {file}")


def _applies_all_migrations(options: dict[str, Any]) -> bool:
    """Return whether `migrate` was called to apply all missing migrations to the default database.

    Databases of tests are made with `run_syncdb`.
    """
    partial = ("app_label", "plan", "check_unapplied", "run_syncdb")
    is_ours = options.get("database", DEFAULT_DB_ALIAS) == DEFAULT_DB_ALIAS
    return is_ours and not any(options.get(name) for name in partial)


def _changes_used_database() -> bool:
    """Return whether migrations are missing from a database that already holds data."""
    try:
        return bool(applied_migrations() and missing_migrations())
    except DatabaseError:  # Django says what is wrong with it
        return False
