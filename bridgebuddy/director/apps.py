from django.apps import AppConfig


class DirectorConfig(AppConfig):
    name = "bridgebuddy.director"
    default_auto_field = "django.db.models.BigAutoField"
