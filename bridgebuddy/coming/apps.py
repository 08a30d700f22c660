from django.apps import AppConfig


class ComingConfig(AppConfig):
    name = "bridgebuddy.coming"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import keeping, prepared  # noqa: F401  # they know how their jobs are done
        from .roster import listen

        listen()
