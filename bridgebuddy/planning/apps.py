from django.apps import AppConfig


class PlanningConfig(AppConfig):
    """The app of movement charts, the calendar of sessions, and starts computed in advance."""

    name = "bridgebuddy.planning"

    def ready(self) -> None:
        """Connect the signals and register the jobs of this app."""
        from bridgebuddy.planning import prepared_starts  # noqa: F401  # registers its kinds of jobs

        from .roster_changes import connect_signals

        connect_signals()
