from django.apps import AppConfig


class SeasonsConfig(AppConfig):
    name = "bridgebuddy.seasons"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .services import ratings, roster  # models are there only now

        roster.listen()
        ratings.listen()
