from django.apps import AppConfig


class SeasonsConfig(AppConfig):
    name = "bridgebuddy.seasons"
    default_auto_field = "django.db.models.BigAutoField"
