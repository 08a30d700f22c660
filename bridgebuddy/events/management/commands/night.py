"""What is done every night."""

from pathlib import Path

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from bridgebuddy.backups import delete_old_copies


class Command(BaseCommand):
    help = (
        "Forget what is to be forgotten, then back up the rest: a file for each day of the week, backup-1 (Monday)"
        " to backup-7. Whatever fails, the other is done."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: object, folder: Path, **options: object) -> None:
        failed = []
        file = folder / f"backup-{timezone.localdate().isoweekday()}"
        for command, given in (("tidy", []), ("backup", [str(file)])):
            try:
                call_command(command, *given, stdout=self.stdout)
            except Exception as broken:
                failed.append(f"{command}: {broken}")
        try:
            delete_old_copies(folder)
        except OSError as broken:
            failed.append(f"old copies: {broken}")
        if failed:
            raise CommandError(" ".join(failed))
