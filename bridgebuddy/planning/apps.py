from django.apps import AppConfig


class PlanningConfig(AppConfig):
    """The app of charts, calendar and prepared starts."""

    name = "bridgebuddy.planning"

    def ready(self) -> None:
        from bridgebuddy.planning import prepared_starts  # noqa: F401  # registers its kinds of jobs

        from .roster_changes import connect_signals

        connect_signals()
