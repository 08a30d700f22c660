from django.apps import AppConfig


class DealsConfig(AppConfig):
    """The app of cards: making, reading, writing, double dummy."""

    name = "bridgebuddy.deals"
    default_auto_field = "django.db.models.BigAutoField"
