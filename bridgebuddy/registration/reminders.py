"""The reminders on the day before a session: asking for the job, one for each session.

The mails are written in `players/mails/reminder_mail.py`.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from django.conf import settings
from django.utils import timezone

from bridgebuddy.events.models import Session
from bridgebuddy.jobs.services import request_job

from .models import Registration
from .registrations import AnswerKind

#: the job, by the key of a session; without a key it asks for all coming sessions
REMIND = "remind"
DAY, AT = timedelta(days=1), time(10)
#: a night may be missed
SOON = timedelta(days=3)


def reminder_time(session: Session) -> datetime:
    """Return when the reminder mails of a session are due: the day before, in the club's time zone."""
    zone = session.event.club.zone
    return datetime.combine(session.date - DAY, AT, tzinfo=zone)


def request_reminder_job(session: Session) -> None:
    """Queue the job that mails the reminders of a session, unless it is too late for them."""
    now, due = timezone.now(), reminder_time(session)
    if settings.HAS_MAIL and due > now:
        request_job(REMIND, session.pk, wait=due - now)


def request_reminder_of_moved_session(session: Session) -> None:
    """Queue the job that mails a session's reminders on the day before it, or at once if that day has come."""
    wait = max(timedelta(0), reminder_time(session) - timezone.now())
    if (
        settings.HAS_MAIL
        and session.date > session.event.club.today
        and _has_people_to_remind(session)
    ):
        request_job(REMIND, session.pk, wait=wait)


def _has_people_to_remind(session: Session) -> bool:
    """Return whether a session has registrations."""
    return Registration.objects.filter(session=session).exclude(says=AnswerKind.NOT).exists()


def request_all_reminder_jobs() -> None:
    """Queue the reminder jobs of all sessions of the next days again, because dates may have changed."""
    if not settings.HAS_MAIL:
        return
    today = timezone.localdate()
    coming = Registration.objects.exclude(says=AnswerKind.NOT).values("session")
    soon = Session.objects.filter(pk__in=coming, deleted_at=None, date__range=(today, today + SOON))
    for session in soon.select_related("event__club").order_by("pk"):
        request_reminder_of_moved_session(session)
