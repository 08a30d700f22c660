from django.apps import AppConfig


class JobsConfig(AppConfig):
    """The app of background jobs."""

    name = "bridgebuddy.jobs"
    default_auto_field = "django.db.models.BigAutoField"
