"""The contestants of phones, chosen once.

After a phone has shown a result, only the director changes its contestant.
"""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_section
from bridgebuddy.scoring.services.recording import note_results
from bridgebuddy.table_phones.models import PhoneHolder


@transaction.atomic
def store_holder(section: Section, phone: str, table: int, entry: int | None) -> bool:
    """Store which contestant a phone belongs to (None: the table); return whether it may see all entries.

    Only the first phone of an entry does. A person who photographed a card is not the first, or the
    players notice it.
    """
    section = lock_section(section)
    others = PhoneHolder.objects.filter(section=section, entry=entry, sees=True).exclude(
        phone=phone
    )
    sees = entry is not None and not others.exists()
    PhoneHolder.objects.update_or_create(
        section=section,
        phone=phone,
        defaults={"table": table, "entry_id": entry, "sees": sees, "wants": None},
    )
    return sees


@transaction.atomic
def ask_for_holder(section: Section, phone: str, table: int, entry: int) -> None:
    """Ask the director to let a phone belong to another contestant and see that contestant's results."""
    section = lock_section(section)
    if not section.entries.filter(pk=entry).exists():
        return
    PhoneHolder.objects.update_or_create(
        section=section, phone=phone, defaults={"table": table, "wants_id": entry}
    )
    note_results(section, by=None)


@transaction.atomic
def answer_holder_request(section: Section, key: int, *, accepted: bool, by: User) -> None:
    """Accept or refuse a request that a phone belong to another contestant (`key`: the `PhoneHolder` row)."""
    rows = PhoneHolder.objects.filter(
        section__session=section.session_id, pk=key, wants__isnull=False
    )
    holder = rows.select_related("section").first()
    if holder is None:
        return
    section = lock_section(holder.section)
    if accepted:
        holder.entry_id, holder.sees = holder.wants_id, True
    holder.wants = None
    holder.save()
    add_record(
        "tables.phone" if accepted else "tables.phone_not", section, by=by, table=holder.table
    )
    section.touch()
