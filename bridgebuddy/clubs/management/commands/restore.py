"""Go back to a backup."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bridgebuddy.backups import CannotBackUp, restore


class Command(BaseCommand):
    help = (
        "Replace everything that is kept by what a backup holds, of this version or an older one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="what `backup` has written")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: object, file: Path, yes: bool, **options: object) -> None:
        if not yes and input(f"Everything is replaced by {file}. Type yes: ").strip() != "yes":
            raise CommandError("Nothing has changed.")
        try:
            before = restore(file)
        except CannotBackUp as refused:
            raise CommandError(f"{refused} Nothing has changed.") from refused
        self.stdout.write(f"Restored from {file}. What was there before is in {before}.")
