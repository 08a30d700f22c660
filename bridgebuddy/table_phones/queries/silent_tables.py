"""Find tables that have sent no results although other tables have."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sessions.sections import version_with_results
from bridgebuddy.scoring.results.arriving_results import FIRST_COUNT, ArrivingResults, slow_tables
from bridgebuddy.table_phones.models import TableLastSeen

SILENT_MINUTES = 4


def silent_tables(section: Section, arrivals: ArrivingResults) -> dict[int, datetime]:
    """Return the tables that are behind and whose phones were not active recently, with their last activity.

    Inactivity alone means nothing, because phones sleep during play. Makes one query, and reads the
    results if necessary.
    """
    if not section.is_running or section.results <= FIRST_COUNT:
        return {}
    before = timezone.now() - timedelta(minutes=SILENT_MINUTES)
    silent = TableLastSeen.objects.filter(section=section, at__lt=before).order_by("table")
    heard = dict(silent.values_list("table", "at"))
    if not heard:
        return {}
    late = slow_tables(
        {table: boards.missing_count for table, boards in arrivals.arrivals_in(section).items()}
    )
    return {table: at for table, at in heard.items() if table in late}


def shows_silence(section: Section, version: str) -> bool:
    """Return whether an open page already shows the tables that are silent now, judged by its version."""
    if version.partition("~")[0] != version_with_results(section):
        return False
    return (
        version_with_silence(section, silent_tables(section, ArrivingResults([section]))) == version
    )


def version_with_silence(section: Section, silent: Mapping[int, datetime]) -> str:
    """Return the version of a page that lists silent tables; it changes with the results and with the list."""
    told = version_with_results(section)
    return f"{told}~{'.'.join(map(str, silent))}" if silent else told
