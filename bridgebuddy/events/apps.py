from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "bridgebuddy.events"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .services import display_refresh  # models can only be imported now

        display_refresh.connect_signals()
