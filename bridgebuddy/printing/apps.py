from django.apps import AppConfig


class PrintingConfig(AppConfig):
    """The app of printed sheets, cards and slips."""

    name = "bridgebuddy.printing"
    default_auto_field = "django.db.models.BigAutoField"
