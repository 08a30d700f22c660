"""Delete what is kept and nobody needs any more."""

from django.core.management.base import BaseCommand

from bridgebuddy.events.services.stored_movements import forget_unused


class Command(BaseCommand):
    help = "Delete stored movements that no section has, or could go back to."

    def handle(self, *args: object, **options: object) -> None:
        self.stdout.write(f"Stored movements deleted: {forget_unused()}")
