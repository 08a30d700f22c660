from django.apps import AppConfig


class RegistrationConfig(AppConfig):
    """The app of registration for sessions."""

    name = "bridgebuddy.registration"
    label = "coming"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the signals and register the jobs of this app."""
        from . import retention  # noqa: F401  # registers its kinds of jobs
        from .roster_changes import connect_signals

        connect_signals()
