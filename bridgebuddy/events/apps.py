from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "bridgebuddy.events"
    default_auto_field = "django.db.models.BigAutoField"
