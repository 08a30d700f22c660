from django.apps import AppConfig


class MovementsConfig(AppConfig):
    """The app of movements."""

    name = "movements"
    default_auto_field = "django.db.models.BigAutoField"
