from django.apps import AppConfig


class MovementsConfig(AppConfig):
    """The app of movements: the engine, their descriptions and the library."""

    name = "movements"
    default_auto_field = "django.db.models.BigAutoField"
