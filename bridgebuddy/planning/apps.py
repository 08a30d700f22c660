from django.apps import AppConfig


class PlanningConfig(AppConfig):
    name = "bridgebuddy.planning"

    def ready(self) -> None:
        from bridgebuddy.coming import prepared  # noqa: F401  # registers its kinds of jobs

        from .roster_changes import connect

        connect()
