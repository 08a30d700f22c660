from django.apps import AppConfig


class MoneyConfig(AppConfig):
    """The app of table money."""

    name = "bridgebuddy.money"
    label = "money"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .roster_changes import connect_signals

        connect_signals()
