"""A sentence about the end of corrections to a final list: Law 79C."""

from __future__ import annotations

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from bridgebuddy.web.template_tags import short_date

from .models import ScoringSettings


def closing_sentence(scoring: ScoringSettings) -> str:
    """Return a sentence that says until when a final ranking may be corrected; empty without such a limit."""
    if not scoring.is_final or scoring.closes_at is None:
        return ""
    at = timezone.localtime(scoring.closes_at)
    fields = {"time": time_format(at, "H:i"), "day": short_date(at.date())}
    if scoring.is_closed:
        return _("Corrections ended at %(time)s, %(day)s.") % fields
    return _("Corrections until %(time)s, %(day)s.") % fields
