from django.apps import AppConfig


class PublicationConfig(AppConfig):
    name = "bridgebuddy.publication"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import mailing  # knows how its jobs are done

        mailing.listen()
