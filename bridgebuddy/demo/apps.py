from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "bridgebuddy.demo"

    def ready(self) -> None:
        from . import season  # noqa: F401  # it registers its job
