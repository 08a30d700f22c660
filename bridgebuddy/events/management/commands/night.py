"""Command for nightly maintenance."""

from functools import partial
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils import timezone

from bridgebuddy.clubs.upkeep import Chore, store_task_run
from bridgebuddy.operations.backups import delete_old_copies, find_damage, rewrite_database


class Command(BaseCommand):
    """Run the nightly tasks: delete old data and store a backup."""

    help = (
        "Forget what is to be forgotten, leave no shred of it in the database's file, and back up the rest: a file"
        " for each day of the week, backup-1 (Monday) to backup-7. A SQLite database is checked first: a damaged one is"
        " not rewritten and goes to backup-damaged, beside those of the days before. Whatever fails, the others are done."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments of the command."""
        parser.add_argument("folder", type=Path)

    def handle(self, *args: object, folder: Path, **options: object) -> None:
        """Check the database, delete expired data, and write a backup to the folder."""
        failed = []
        damage = self._check_database()
        if damage:
            failed.append(
                f"check: The database is damaged ({damage}). Go back to the newest backup of before: restore FILE."
            )
        day = "damaged" if damage else timezone.localdate().isoweekday()
        file = folder / f"backup-{day}"
        for name, do in (
            ("tidy", partial(call_command, "tidy", stdout=self.stdout)),
            ("rewrite", (lambda: None) if damage else rewrite_database),
            ("backup", partial(call_command, "backup", str(file), stdout=self.stdout)),
            ("old copies", partial(delete_old_copies, folder)),
        ):
            try:
                do()
            except Exception as broken:
                failed.append(f"{name}: {broken}")
        if failed:
            raise CommandError(" ".join(failed))

    def _check_database(self) -> str:
        """Check the database and store the result, for `/readyz` and for directors."""
        damage = find_damage()
        if connection.vendor == "sqlite":
            store_task_run(Chore.CHECK, damage)
            self.stdout.write(
                f"The database is damaged: {damage}" if damage else "The database is whole."
            )
        return damage
