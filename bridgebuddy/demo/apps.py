from django.apps import AppConfig


class DemoConfig(AppConfig):
    """The app that makes a demo club with invented sessions."""

    name = "bridgebuddy.demo"

    def ready(self) -> None:
        """Register the background jobs of this app."""
        from . import season  # noqa: F401  # it registers its job
