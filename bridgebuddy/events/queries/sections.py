"""Finding sections."""

from __future__ import annotations

from django.db import connection
from django.db.models import Count, Exists, OuterRef, QuerySet

from bridgebuddy.clubs.models import Club

from ..models import Section

#: hundreds of polls a second ask this; putting it together anew would cost ten times the answer
UNCHANGED = f"SELECT 1 FROM {Section._meta.db_table} WHERE code = %s AND shown = %s"


def sections() -> QuerySet[Section]:
    """Sections with their session, event, club and movement in one query, the long JSON left out.

    With it whether their session has others, so that they need not ask for their `letter`.
    """
    others = Section.objects.filter(session=OuterRef("session")).exclude(pk=OuterRef("pk"))
    return (
        Section.objects.select_related("session__event__club", "movement")
        .annotate(has_others=Exists(others))
        .defer("movement__document")
    )


def sections_of_session(section: Section) -> list[Section]:
    """Return all sections that play with one, itself among them, in the order of their letters."""
    return list(sections().filter(session=section.session_id).order_by("pk"))


def section_by_code(code: str) -> Section | None:
    """Return the section of a code, however it is spaced or cased."""
    code = "".join(code.split()).upper()
    return sections().filter(code=code).first() if code.isalnum() else None


def sections_of(club: Club) -> QuerySet[Section]:
    """Return a club's sections, newest session first."""
    return (
        sections()
        .filter(session__event__club=club)
        .order_by("-session__date", "-session__starts_at", "-pk")
    )


def with_pairs_of(club: Club) -> QuerySet[Section]:
    """Return a club's sections as `sections_of` does, each with `pair_count`."""
    return sections_of(club).annotate(pair_count=Count("entries"))


def session_version(code: str) -> str:
    """Return the counts of all sections that play with the one of this code: "3.5.2"."""
    if not code.isalnum():
        return ""
    playing = Section.objects.filter(session__sections__code=code.upper()).order_by("pk")
    return ".".join(map(str, playing.values_list("shown", flat=True)))


def is_unchanged(code: str, version: str | None) -> bool:
    """Whether a page with this count of `shown` still shows the truth. One indexed query."""
    if not version or not version.isascii() or not version.isdigit() or len(version) > 9:
        return False
    if not code.isalnum():  # an address may hold anything, even what a database cannot compare
        return False
    with connection.cursor() as cursor:
        cursor.execute(UNCHANGED, [code.upper(), int(version)])
        return cursor.fetchone() is not None
