"""Make the demo club once, and tell its director's password."""

import locale
import os
import secrets

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from bridgebuddy.clubs.models import User
from bridgebuddy.clubs.sign_in.accounts import DEMO_EMAIL
from bridgebuddy.demo.people import WORDS
from bridgebuddy.demo.season import make_demo_club
from bridgebuddy.operations.local_network import lan_address


def language_of_computer() -> str:
    """Return the demo club's language for this computer's settings: "de" or "en"."""
    names = (os.environ.get("LC_ALL"), os.environ.get("LANG"), locale.getlocale()[0])
    name = next((name for name in names if name), "")
    return "de" if name.lower().startswith(("de", "german")) else "en"


class Command(BaseCommand):
    """Create the demo club."""

    help = "Make a demo club to try, with a director whose password is printed, where nobody has an account yet."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments: the port in addresses, the language, a new password, and use of other databases."""
        parser.add_argument("--port", type=int, default=8000, help="what the addresses show")
        parser.add_argument(
            "--force",
            action="store_true",
            help="on another database than SQLite, and beside other accounts, too",
        )
        parser.add_argument(
            "--new-password", action="store_true", help="give the demo director another password"
        )

        parser.add_argument(
            "--language",
            choices=sorted(WORDS),
            help="the club's language; otherwise that of this computer if there is a club in it, or English",
        )

    def handle(
        self,
        *args: object,
        port: int,
        force: bool,
        new_password: bool,
        language: str | None,
        **options: object,
    ) -> None:
        """Make the demo club if there is no account yet, and print the addresses and its director's password."""
        if connection.vendor != "sqlite" and not force:
            raise CommandError(
                "The demo club belongs on the embedded database; --force for others."
            )
        self.stdout.write(f"\n  BridgeBuddy        http://localhost:{port}/")
        if address := lan_address():
            self.stdout.write(f"  in the same Wi-Fi  http://{address}:{port}/")
        director = User.objects.filter(email=DEMO_EMAIL).first()
        password = secrets.token_urlsafe(9)
        if director is None and (force or not User.objects.exists()):
            make_demo_club(password, language or language_of_computer())
            self._print_password(password)
        elif director and new_password:
            director.set_password(password)
            director.save(update_fields=["password"])
            self._print_password(password)
        elif director:
            self._print_password("as it was; another one: manage.py demo --new-password")
        self.stdout.write("")

    def _print_password(self, password: str) -> None:
        """Print the demo director's address and password."""
        self.stdout.write(f"  demo director      {DEMO_EMAIL}")
        self.stdout.write(f"  password           {password}")
