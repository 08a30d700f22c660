"""Queries that find sections."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache

from django.conf import settings
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from bridgebuddy.events.models import Section, SectionMovement, Session
from bridgebuddy.operations import process_cache

from ..compiled_queries import CompiledRows

#: a section whose round began so long ago counts as over, even if it was not ended
LONGEST_ROUND = timedelta(hours=12)

#: hundreds of polls a second use it; composing it anew would cost ten times the query
UNCHANGED = (
    f"SELECT 1 FROM {Section._meta.db_table} WHERE code = %s AND shown = %s AND code_ends_at > %s"
)


#: the same with the count of results, which phones at tables ask for
COUNTED = (
    f"SELECT id, results FROM {Section._meta.db_table}"
    " WHERE code = %s AND shown = %s AND code_ends_at > %s"
)


def sections_with_session() -> QuerySet[Section]:
    """Return all sections with session, event, club and movement joined, without the movement's long JSON.

    The query includes whether the session has other sections, which `letter` needs. It leaves out deleted sessions
    and rehearsals that are over.
    """
    return all_sections().exclude(_is_deleted_or_expired(timezone.now()))


def all_sections() -> QuerySet[Section]:
    """Return sections including those of deleted sessions and old rehearsals, which `sections` leaves out."""
    return _section_query().all()


@cache
def _section_query() -> QuerySet[Section]:
    """Return the queryset of sections that all pages refine. It is built once and never executed itself."""
    others = Section.objects.filter(session=OuterRef("session")).exclude(pk=OuterRef("pk"))
    return (
        Section.objects.select_related("session__event__club", "movement")
        .annotate(has_others=Exists(others))
        .defer("movement__document")
    )


def _is_deleted_or_expired(moment: datetime) -> Q:
    """Return a database condition for sections of deleted sessions and of rehearsals that have expired by `moment`."""
    return Q(session__deleted_at__isnull=False) | Q(session__rehearsal_until__lte=moment)


#: every page uses it
BY_CODE = CompiledRows(
    lambda code, now: _section_query().filter(code=code).exclude(_is_deleted_or_expired(now)),
    *("the code", datetime(1, 2, 3, tzinfo=UTC)),
    related=("session", "session__event", "session__event__club", "movement"),
    excluded_columns=("movement__document",),
)


def first_version(section: Section) -> SectionMovement | None:
    """Return the plan with which a section began, with its movement; None without one. Makes one query."""
    return section.movements.select_related("movement").order_by("version").first()


def count_open_sections() -> int:
    """Return the number of sections that are being played in all clubs."""
    since = timezone.now() - LONGEST_ROUND
    return (
        sections_with_session()
        .filter(finished_at=None, round__gt=0, round_started_at__gt=since)
        .count()
    )


def sections_of_session(section: Section) -> list[Section]:
    """Return all sections of a section's session in the order of their letters."""
    return list(sections_with_session().filter(session=section.session_id).order_by("pk"))


def section_by_code(code: str) -> Section | None:
    """Return the section with this code, ignoring spaces and case; None if there is none."""
    code = "".join(code.split()).upper()
    rows = BY_CODE.rows(code, timezone.now()) if code.isalnum() else []
    return rows[0] if rows else None


def deleted_section(code: str) -> Section | None:
    """Return the section with this code if its session is deleted and can still be restored."""
    since = timezone.now() - Session.KEPT_FOR
    return _section_of_code(all_sections().filter(session__deleted_at__gt=since), code)


def section_of_former_code(code: str) -> Section | None:
    """Return the section that had this code before its code was renewed."""
    return (
        sections_with_session().filter(former_code=code.upper()).first() if code.isalnum() else None
    )


def _section_of_code(sections: QuerySet[Section], code: str) -> Section | None:
    """Return the section among `sections` with a typed code; None if there is none."""
    code = "".join(code.split()).upper()
    return sections.filter(code=code).first() if code.isalnum() else None


def session_version(code: str, *, results: bool = False) -> str:
    """Return the counters of visible changes of all sections of a session, sent to ask for news: "3.5.2".

    A page that shows results also polls with the counters of `results`: "3.5.2-4.4.1".
    """
    if not code.isalnum():
        return ""
    playing = Section.objects.filter(session__sections__code=code.upper()).order_by("pk")
    counted = list(playing.values_list("shown", "results"))
    versions = ".".join(str(value) for value, _ in counted)
    return f"{versions}-{'.'.join(str(count) for _, count in counted)}" if results else versions


def version_with_results(section: Section) -> str:
    """Return the change counters that a page with results sends to ask for news: "17-4", or of all sections."""
    if section.letter:
        return session_version(section.code, results=True)
    return f"{section.shown}-{section.results}"


def is_current_version(section: Section, version: str) -> bool:
    """Return whether the change counters sent by a page with results are still current."""
    return version == version_with_results(section)


def session_is_unchanged(code: str, version: str) -> bool:
    """Return whether the change counters that a phone sends are current, and its code is valid. One query."""
    if not code.isalnum():
        return False
    playing = Section.objects.filter(
        session__sections__code=code.upper(), session__sections__code_ends_at__gt=timezone.now()
    ).order_by("pk")
    return version == ".".join(map(str, playing.values_list("shown", flat=True)))


def section_is_unchanged(code: str, version: str | None) -> bool:
    """Return whether the counter of visible changes that a phone sends is current, and its code valid. One query.

    With Redis the answer is cached (`settings.POLLS_KEPT` seconds), so that all phones of a section need the query
    once.
    """
    if not version or not _is_counter_text(version):
        return False
    if not code.isalnum():  # databases cannot compare everything
        return False
    if not settings.POLLS_KEPT:
        return _is_unchanged(code, version)
    key, now = f"shown {code.upper()}", timezone.now().timestamp()
    match process_cache.load_value(key):
        # if a clock is set back, Redis keeps it longer, with a time in the future
        case [seen, at] if seen == version and 0 <= now - at < settings.POLLS_KEPT:
            return True
    if not _is_unchanged(code, version):
        return False
    process_cache.store_value(key, (version, now), seconds=settings.POLLS_KEPT)
    return True


def section_counters(code: str, token: str) -> tuple[int, int] | None:
    """Return a section's key and `results` counter if `token` is still current; None if it is not. One query."""
    if not (_is_counter_text(token) and code.isalnum()):
        return None
    with connection.cursor() as cursor:
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        cursor.execute(COUNTED, [code.upper(), int(token), now])
        row: tuple[int, int] | None = cursor.fetchone()
    return row


def _is_counter_text(text: str) -> bool:
    """Return whether a text sent by a page is a whole number in the range of a database counter."""
    return text.isascii() and text.isdigit() and len(text) <= 9


def _is_unchanged(code: str, version: str) -> bool:
    """Return whether a section's counter of visible changes is still `version`. One query."""
    with connection.cursor() as cursor:
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        cursor.execute(UNCHANGED, [code.upper(), int(version), now])
        return cursor.fetchone() is not None
