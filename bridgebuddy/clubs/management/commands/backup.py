"""Command that writes a backup to a file."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from bridgebuddy.clubs.upkeep import Chore, store_task_run
from bridgebuddy.operations.backups import CannotBackUp, backs_up_secret_key, write_backup


class Command(BaseCommand):
    """Write a backup of the database and the files to a file."""

    help = "Write everything that is kept to a file; people may go on clicking meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the argument: the file to write."""
        parser.add_argument("file", type=Path, help="overwritten if it is there")

    def handle(self, *args: object, file: Path, **options: object) -> None:
        """Write a backup of all data to a file, and print its size and whether it is encrypted."""
        try:
            write_backup(file)
        except CannotBackUp as refused:
            raise CommandError(str(refused)) from refused
        store_task_run(Chore.BACKUP)
        self.stdout.write(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
        if settings.BACKUP_PASSPHRASE:
            self.stdout.write(
                "It is encrypted. Write the passphrase down elsewhere: nobody opens it without."
            )
        if backs_up_secret_key():
            self.stdout.write(
                "It holds the key of cards, phones and sign-ins, too: whoever can read it has everything."
            )
        else:
            self.stdout.write(
                "SECRET_KEY is not in it: keep that, too. Cards, phones and sign-ins depend on it."
            )
