"""Make the demo club, and tell its director's password."""

import secrets

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from bridgebuddy.events.demo import make_demo_club
from bridgebuddy.network import lan_address


class Command(BaseCommand):
    help = "Make a demo club to try, with a director whose new password is printed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="what the addresses show")
        parser.add_argument(
            "--force", action="store_true", help="on another database than SQLite too"
        )

    def handle(self, *args: object, port: int, force: bool, **options: object) -> None:
        if connection.vendor != "sqlite" and not force:
            raise CommandError(
                "The demo club belongs on the embedded database; --force for others."
            )
        user = make_demo_club()
        password = secrets.token_urlsafe(9)
        user.set_password(password)
        user.save(update_fields=["password"])
        self.stdout.write(f"\n  BridgeBuddy        http://localhost:{port}/")
        if address := lan_address():
            self.stdout.write(f"  in the same Wi-Fi  http://{address}:{port}/")
        self.stdout.write(f"  demo director      {user.email}")
        self.stdout.write(f"  password           {password}\n\n")
