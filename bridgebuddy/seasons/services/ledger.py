"""Reporting masterpoints: the points due become entries of the ledger, which is never changed."""

from __future__ import annotations

from datetime import date

from django.db import transaction

from bridgebuddy.audit.services import record
from bridgebuddy.clubs.models import Club, User

from ..models import LedgerEntry, PointsReport
from ..queries.ledger import due


@transaction.atomic
def give_in(club: Club, until: date, *, by: User) -> PointsReport | None:
    """Store the masterpoints due up to a day as reported. A repeated call finds nothing due."""
    Club.objects.select_for_update().get(pk=club.pk)
    due_entries = due(club, until)
    if not due_entries:
        return None
    report = PointsReport.objects.create(club=club, until=until)
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            report=report,
            person_id=ledger_line.person,
            session_id=ledger_line.session,
            day=ledger_line.day,
            name=ledger_line.name,
            place=ledger_line.place,
            scale=ledger_line.scale,
            points=ledger_line.points,
            is_correction=ledger_line.is_correction,
        )
        for ledger_line in due_entries
    )
    record("season.give_in", club, by=by, count=len(due_entries))
    return report
