from django.apps import AppConfig


class ComingConfig(AppConfig):
    name = "bridgebuddy.coming"
    label = "coming"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import keeping  # noqa: F401  # registers its kinds of jobs
        from .roster import listen

        listen()
