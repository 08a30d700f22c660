from django.apps import AppConfig


class EventsConfig(AppConfig):
    """The app of sessions, sections, entries and the movement in play."""

    name = "bridgebuddy.events"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the signals that refresh open pages when shown data changes."""
        from .services import display_refresh  # models can only be imported now

        display_refresh.connect_signals()
