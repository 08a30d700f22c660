from django.apps import AppConfig


class DealsConfig(AppConfig):
    """The app of deals: random dealing, deal files, double-dummy solving."""

    name = "bridgebuddy.deals"
    default_auto_field = "django.db.models.BigAutoField"
