from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """The app of users, clubs, people and rights."""

    name = "bridgebuddy.clubs"
    default_auto_field = "django.db.models.BigAutoField"
