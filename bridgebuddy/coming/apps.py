from django.apps import AppConfig


class ComingConfig(AppConfig):
    name = "bridgebuddy.coming"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import keeping  # noqa: F401  # it knows how its job is done
        from .roster import listen

        listen()
