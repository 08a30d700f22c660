"""Giving in masterpoints: what is due becomes entries of the ledger, which nobody changes."""

from __future__ import annotations

from datetime import date

from django.db import transaction

from bridgebuddy.audit.services import record
from bridgebuddy.clubs.models import Club, User

from ..models import LedgerEntry, PointsReport
from ..queries.ledger import due


@transaction.atomic
def give_in(club: Club, until: date, *, by: User) -> PointsReport | None:
    """Write down what is due until a day as given in. Pressed twice, nothing is due the second time."""
    Club.objects.select_for_update().get(pk=club.pk)
    found = due(club, until)
    if not found:
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
        for ledger_line in found
    )
    record("season.give_in", club, by=by, count=len(found))
    return report
