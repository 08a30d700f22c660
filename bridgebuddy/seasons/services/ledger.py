"""Reporting masterpoints: the points due become entries of the ledger, which is never changed."""

from __future__ import annotations

from datetime import date

from django.db import transaction

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Club, User

from ..models import MasterpointEntry, MasterpointReport
from ..queries.ledger import due_points


@transaction.atomic
def report_points(club: Club, until: date, *, by: User) -> MasterpointReport | None:
    """Store the masterpoints due up to a day as reported; repeating it finds nothing due."""
    Club.objects.select_for_update().get(pk=club.pk)
    due_entries = due_points(club, until)
    if not due_entries:
        return None
    report = MasterpointReport.objects.create(club=club, until=until)
    MasterpointEntry.objects.bulk_create(
        MasterpointEntry(
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
    add_record("season.give_in", club, by=by, count=len(due_entries))
    return report
