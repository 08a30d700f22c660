"""Write everything to a file."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bridgebuddy.backups import CannotBackUp, back_up


class Command(BaseCommand):
    help = "Write everything that is kept to a file; people may go on clicking meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="overwritten if it is there")

    def handle(self, *args: object, file: Path, **options: object) -> None:
        try:
            back_up(file)
        except CannotBackUp as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
