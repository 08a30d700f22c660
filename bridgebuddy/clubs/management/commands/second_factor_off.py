"""Command that removes a user's second factor."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bridgebuddy.clubs.models import User
from bridgebuddy.clubs.sign_in.second_factor import remove_second_factor


class Command(BaseCommand):
    """Turn off the second factor of an account."""

    help = "Let somebody sign in with the password alone, who has lost phone and sheet. Know who asks for it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the argument for the user's e-mail address."""
        parser.add_argument("email")

    def handle(self, *args: object, email: str, **options: object) -> None:
        """Remove a user's second factor, after a loss of the phone and of the recovery codes."""
        user = User.objects.filter(email__iexact=email).first()
        if user is None:
            raise CommandError(f"Nobody has an account as {email}.")
        had = remove_second_factor(user)
        self.stdout.write(
            f"{user.email} signs in with the password alone{'' if had else ', as before'}."
        )
