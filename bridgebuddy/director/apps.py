from django.apps import AppConfig


class DirectorConfig(AppConfig):
    """The app of the director's pages."""

    name = "bridgebuddy.director"
    default_auto_field = "django.db.models.BigAutoField"
