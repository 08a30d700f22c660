from django.apps import AppConfig


class AuditConfig(AppConfig):
    """The app with the record of all changes by users."""

    name = "bridgebuddy.audit"
    default_auto_field = "django.db.models.BigAutoField"
