"""What is done every night."""

from functools import partial
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from bridgebuddy.backups import delete_old_copies, rewrite


class Command(BaseCommand):
    help = (
        "Forget what is to be forgotten, leave no shred of it in the database's file, and back up the rest: a file"
        " for each day of the week, backup-1 (Monday) to backup-7. Whatever fails, the others are done."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: object, folder: Path, **options: object) -> None:
        failed = []
        file = folder / f"backup-{timezone.localdate().isoweekday()}"
        for name, do in (
            ("tidy", partial(call_command, "tidy", stdout=self.stdout)),
            ("rewrite", rewrite),
            ("backup", partial(call_command, "backup", str(file), stdout=self.stdout)),
            ("old copies", partial(delete_old_copies, folder)),
        ):
            try:
                do()
            except Exception as broken:
                failed.append(f"{name}: {broken}")
        if failed:
            raise CommandError(" ".join(failed))
