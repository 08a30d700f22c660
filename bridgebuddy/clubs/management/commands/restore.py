"""Command that restores a backup."""

from getpass import getpass
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from bridgebuddy.operations.backups import COPIES_KEPT, CannotBackUp, KeyStatus, restore_backup
from bridgebuddy.operations.encryption import is_sealed

#: effects on existing cards, phones and sign-ins
KEYS = {
    KeyStatus.SAME: "Printed cards, phones and sign-ins of then are valid.",
    KeyStatus.BROUGHT: "Printed cards, phones and sign-ins of then are valid again once the server is started anew: the"
    " backup's key is this machine's now.",
    KeyStatus.OTHER: "BUT cards printed then, phones and sign-ins are NOT valid here: SECRET_KEY is another one than where"
    " the backup was made. Set that one, and start the server anew.",
    KeyStatus.UNKNOWN: "The backup is of a version that kept no key. If it was made on another machine, bring over the"
    " file secret-key from its VAR_DIR, too: without it cards printed then, phones and sign-ins are not valid here.",
}


class Command(BaseCommand):
    """Replace all data by those of a backup."""

    help = (
        "Replace everything that is kept by what a backup holds, of this version or an older one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments: the backup file, and whether to ask before replacing the data."""
        parser.add_argument("file", type=Path, help="what `backup` has written")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: object, file: Path, yes: bool, **options: object) -> None:
        """Replace all data by a backup, and print where the former data was stored."""
        if not yes and input(f"Everything is replaced by {file}. Type yes: ").strip() != "yes":
            raise CommandError("Nothing has changed.")
        passphrase = ""
        try:
            if is_sealed(file) and not settings.BACKUP_PASSPHRASE and not yes:
                passphrase = getpass("The passphrase with which it was made: ")
        except OSError:
            pass  # the message below says more
        try:
            before, key = restore_backup(file, passphrase)
        except CannotBackUp as refused:
            raise CommandError(f"{refused} Nothing has changed.") from refused
        self.stdout.write(f"Restored from {file}. What was there before is in {before}.")
        if before.parent.resolve() == Path(settings.VAR_DIR).resolve():
            self.stdout.write(f"It is deleted in {COPIES_KEPT} days, by night.")
        else:
            self.stdout.write(
                f"It holds names: delete it when you do not need it, in {COPIES_KEPT} days at the latest."
            )
        self.stdout.write(KEYS[key])
