from django.apps import AppConfig


class PrintingConfig(AppConfig):
    name = "bridgebuddy.printing"
    default_auto_field = "django.db.models.BigAutoField"
