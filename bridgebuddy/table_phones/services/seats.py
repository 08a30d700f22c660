"""Partners who sit in each other's chairs."""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock
from bridgebuddy.scoring.services.recording import note_results
from bridgebuddy.table_phones.models import Swapped


@transaction.atomic
def swap(section: Section, entry: int) -> None:
    """Exchange the chairs of a pair's players, or restore them."""
    section = lock(section)
    if not section.entries.filter(pk=entry).exists():
        return
    if not Swapped.objects.filter(entry=entry).delete()[0]:
        Swapped.objects.create(entry_id=entry)
    note_results(section, by=None)
