"""Retention of registrations: they are deleted a week after the session.

Names of guests, and contacts of players who looked for a partner, are deleted the day after.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.jobs.kinds import job_kind

from .blocked_requests import exported_blocks
from .models import Registration, UnconfirmedName

KEPT_FOR = timedelta(days=7)


def registration_tables(person: Person) -> dict[str, list[dict[str, Any]]]:
    """Return a person's registrations by database table, for the export of personal data."""
    return {"said_beforehand": exported_registrations(person), "not_asked": exported_blocks(person)}


def exported_registrations(person: Person) -> list[dict[str, Any]]:
    """Return the answers of a person, and those that name the person as partner, for the export."""
    mine = Registration.objects.filter(person=person)
    naming = Registration.objects.filter(
        partner=person, says=Registration.AnswerKind.COMES
    ).exclude(session__in=mine.values("session"))
    whole = (mine | naming).select_related("session__event", "person", "partner")
    typed = UnconfirmedName.objects.filter(by=person).select_related("session__event")
    waiting = [
        {
            "date": request.session.date,
            "event": request.session.event.name,
            "says": "waits for the director",
            "with": request.partner,
            "since": request.since,
            "here_at": None,
            "late_at": None,
            "contact": "",
        }
        for request in typed.order_by("session__date", "pk")
    ]
    return waiting + [
        {
            "date": answer.session.date,
            "event": answer.session.event.name,
            "says": answer.says if answer.person_id == person.pk else "is asked",
            "with": str((answer.partner if answer.person_id == person.pk else answer.person) or ""),
            "since": answer.since,
            "here_at": answer.here_at if answer.person_id == person.pk else None,
            "late_at": answer.late_at if answer.person_id == person.pk else None,
            "contact": answer.contact if answer.person_id == person.pk else "",
        }
        for answer in whole.order_by("session__date", "pk")
    ]


@job_kind("forget-who-came", nightly=True)
def delete_old_registrations(_key: str = "") -> None:
    """Delete registrations a week after their session, and visitors' names and contacts a day after.

    The days are those of each club: in the server's night, a club far to the west has its session still to come.
    """
    for time_zone in Club.objects.order_by().values_list("time_zone", flat=True).distinct():
        _delete_old_of_zone(time_zone, Club(time_zone=time_zone).today)


def _delete_old_of_zone(time_zone: str, today: date) -> None:
    """Delete outdated registrations of the clubs of a time zone; `today` is the date there."""
    of_zone = {"session__event__club__time_zone": time_zone}
    names = UnconfirmedName._base_manager.filter(**of_zone)
    answers = Registration._base_manager.filter(**of_zone)
    names.filter(by=None, session__date__lt=today).delete()
    answers.exclude(contact="").filter(session__date__lt=today).update(contact="")
    for rows in (names, answers):
        rows.filter(session__date__lt=today - KEPT_FOR).delete()
