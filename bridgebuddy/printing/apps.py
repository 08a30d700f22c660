from django.apps import AppConfig


class PrintingConfig(AppConfig):
    """The app of printed sheets and cards."""

    name = "bridgebuddy.printing"
    default_auto_field = "django.db.models.BigAutoField"
