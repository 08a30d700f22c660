from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """The app of the players' pages."""

    name = "bridgebuddy.players"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the mail jobs of this app."""
        from .mails import partner_request_mail, reminder_mail  # noqa: F401  # they know how their jobs are done
