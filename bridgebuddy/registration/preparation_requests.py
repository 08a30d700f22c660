"""Request that starts of a session are prepared, by a background job that `planning` does."""

from __future__ import annotations

from bridgebuddy.events.models import Session
from bridgebuddy.jobs.services import request_job

JOB = "prepare"


def request_preparation(session: Session) -> None:
    """Queue the job that computes starts of a session in advance, after its registrations changed."""
    for section in session.sections.values_list("pk", flat=True)[:1]:
        request_job(JOB, section)
