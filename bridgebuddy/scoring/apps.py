from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """The app of results and rankings."""

    name = "bridgebuddy.scoring"

    def ready(self) -> None:
        """Register the app's background jobs, and the texts in which a person's name must be replaced."""
        from bridgebuddy.events.services.names_on_record import REASONS

        from .models import FouledBoard, MatchRuling, Penalty, Result
        from .services.cards import solving  # noqa: F401  # knows how its jobs are done

        REASONS.append(lambda sections: Result.objects.filter(play__section__in=sections))
        REASONS.append(lambda sections: Penalty.objects.filter(entry__section__in=sections))
        REASONS.append(lambda sections: FouledBoard.objects.filter(section__in=sections))
        REASONS.append(lambda sections: MatchRuling.objects.filter(section__in=sections))
