from django.apps import AppConfig


class DemoConfig(AppConfig):
    """The app of the demo club."""

    name = "bridgebuddy.demo"

    def ready(self) -> None:
        from . import season  # noqa: F401  # it registers its job
