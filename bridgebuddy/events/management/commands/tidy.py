"""Delete what is kept and nobody needs any more."""

from django.core.management.base import BaseCommand

from bridgebuddy.events.services.deletions import forget_what_is_over
from bridgebuddy.events.services.stored_movements import forget_unused


class Command(BaseCommand):
    help = "Forget deleted sessions and old rehearsals, and movements that no section has or could go back to."

    def handle(self, *args: object, **options: object) -> None:
        forgotten = forget_what_is_over(most=None)
        self.stdout.write(f"Stored movements deleted: {forget_unused()}")
        self.stdout.write(f"Sessions forgotten: {forgotten}")
