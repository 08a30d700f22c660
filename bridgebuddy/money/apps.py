from django.apps import AppConfig


class MoneyConfig(AppConfig):
    """The app of table money: prices, payments and accounts of players."""

    name = "bridgebuddy.money"
    label = "money"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the signals of this app."""
        from .roster_changes import connect_signals

        connect_signals()
