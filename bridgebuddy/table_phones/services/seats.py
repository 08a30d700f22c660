"""Partners who sit in each other's chairs."""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_section
from bridgebuddy.scoring.services.recording import note_results
from bridgebuddy.table_phones.models import SwappedSeats


@transaction.atomic
def swap_chairs(section: Section, entry: int) -> None:
    """Exchange the chairs of a pair's two players, or restore them."""
    section = lock_section(section)
    if not section.entries.filter(pk=entry).exists():
        return
    if not SwappedSeats.objects.filter(entry=entry).delete()[0]:
        SwappedSeats.objects.create(entry_id=entry)
    note_results(section, by=None)
