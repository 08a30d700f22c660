"""Tables of which nothing was heard for a while, though a phone has entered there."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from bridgebuddy.events.models import Section

from ..models import Heard

SILENT_MINUTES = 4


def silent_tables(section: Section) -> list[int]:
    """Return the tables whose phone has been silent, while a round is played. One query."""
    if not section.is_running:
        return []
    before = timezone.now() - timedelta(minutes=SILENT_MINUTES)
    silent = Heard.objects.filter(section=section, at__lt=before)
    return list(silent.order_by("table").values_list("table", flat=True))
