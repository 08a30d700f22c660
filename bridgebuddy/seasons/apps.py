from django.apps import AppConfig


class SeasonsConfig(AppConfig):
    """The app of championships, ratings and masterpoints."""

    name = "bridgebuddy.seasons"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the signals for changes of the roster and of final rankings."""
        from .services import ratings, roster_changes  # models can only be imported now

        roster_changes.connect_signals()
        ratings.connect_signals()
