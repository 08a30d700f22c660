"""Give an invented session the times at which it would have been played.

The services write the moment at which they are called. Here a session's own times take their place: when its rounds
began, when each result was entered and when the list became final.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random

from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Section, SectionMovement, Session

from ..models import Result, ScoringSettings

#: before the first round its list is made; after the last one the results are checked
BEFORE, AFTER = timedelta(minutes=25), timedelta(minutes=12)
SOON = timedelta(minutes=2)
CODE_LASTS = timedelta(hours=10)


def set_past_times(section: Section, rng: Random) -> None:
    """Give a finished invented session plausible times, as if it had been played on its own evening."""
    began = _invented_beginnings(section, section.session.planned_start, rng)
    finished = began.pop()
    final = finished + AFTER
    _set_clock(section, began, finished_at=finished, code_ends_at=finished + CODE_LASTS)
    scoring = ScoringSettings.objects.get(session=section.session_id)
    ScoringSettings.objects.filter(pk=scoring.pk).update(
        final_at=final,
        first_final_at=final,
        published_at=final,
        closes_at=scoring.closing(final),
    )
    _invent_entry_times(section, began, rng)
    _time_records(section, began, final)


def set_running_times(section: Section, *, minutes_into_round: int, rng: Random) -> None:
    """Give an invented session in play plausible times, as if the current round had begun minutes ago."""
    start = timezone.now() - timedelta(minutes=minutes_into_round)
    began = [start - (section.round - r) * section.round_length for r in range(1, section.round)]
    began.append(start)
    planned = timezone.localtime(began[0], section.club.zone)
    planned = planned.replace(minute=planned.minute - planned.minute % 5, second=0, microsecond=0)
    Session.objects.filter(pk=section.session_id).update(
        date=planned.date(), starts_at=planned.time()
    )
    _set_clock(section, began)
    _invent_entry_times(section, began, rng)
    _time_records(section, began, timezone.now())


def _invented_beginnings(section: Section, start: datetime, rng: Random) -> list[datetime]:
    """Return plausible times at which each round began and the last one ended, some of them late."""
    began = [start + timedelta(minutes=rng.randint(0, 4))]
    for _ in range(section.round):
        began.append(began[-1] + section.round_length + timedelta(minutes=rng.randint(-1, 2)))
    return began


def _set_clock(section: Section, began: list[datetime], **more: datetime) -> None:
    """Set a section's clock as if rounds had begun at these times."""
    length = section.round_length.total_seconds()
    stood = {
        str(round): [start.isoformat(), length - (after - start).total_seconds(), False]
        for round, (start, after) in enumerate(pairwise(began), start=1)
    }
    Section.objects.filter(pk=section.pk).update(
        round_started_at=began[-1],
        clock_ends_at=began[-1] + section.round_length,
        clocks_before=stood,
        **more,
    )
    versions = SectionMovement.objects.filter(section=section)
    for version in versions:
        at = began[version.in_round - 1] + AFTER if version.in_round else began[0] - BEFORE / 2
        versions.filter(pk=version.pk).update(at=at)


def _invent_entry_times(section: Section, began: list[datetime], rng: Random) -> None:
    """Set plausible times at which the results of a round's boards were entered, one after the other."""
    at_tables: dict[tuple[int, int], list[Result]] = defaultdict(list)
    results_read = (
        Result.objects.filter(play__section=section).select_related("play").order_by("play")
    )
    for result in results_read:
        at_tables[result.play.round, result.play.table].append(result)
    now = timezone.now()
    for (round, _table), results in at_tables.items():
        a_board = section.round_length / max(len(results), section.boards_per_round or 1)
        for place, result in enumerate(results, start=1):
            at = began[round - 1] + place * a_board - timedelta(seconds=rng.randint(20, 150))
            result.at = min(at, now)
    Result.objects.bulk_update(results_read, ["at"], batch_size=200)


def _time_records(section: Section, began: list[datetime], last: datetime) -> None:
    """Set plausible times of a section's audit records, in agreement with the times of the rounds."""
    records = list(
        AuditRecord.objects.filter(subject="section", subject_id=section.pk).order_by("pk")
    )
    at = began[0] - BEFORE
    for record in records:
        at = min(at + SOON, last)
        if record.action == "section.next_round":
            at = began[record.facts["round"] - 1]
        elif record.action == "section.finish":
            at = last - AFTER
        record.at = at
    AuditRecord.objects.bulk_update(records, ["at"], batch_size=200)
