"""Find tables with entries from phones that still lack results.

A phone without internet may still hold them.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, F, OuterRef, Q

from bridgebuddy.events.models import Play, Section
from bridgebuddy.scoring.models import Result
from bridgebuddy.table_phones.models import TableLastSeen


def tables_with_missing_submissions(sections: Sequence[Section]) -> list[str]:
    """Return the tables with active phones that lack results of begun boards: "A 4", or "4".

    Postponed boards and boards with a ruling do not count. Makes one query.
    """
    letters = {section.pk: section.letter for section in sections}
    came = Result.objects.filter(play=OuterRef("pk"), stands=True)
    heard = TableLastSeen.objects.filter(section=OuterRef("section"), table=OuterRef("table"))
    begun = Play.objects.filter(
        section__in=letters, round__lte=F("section__round"), taken_back_at=None
    ).exclude(Q(ns=None) | Q(ew=None))
    owed = begun.filter(~Exists(came), Exists(heard)).order_by("section", "table")
    return [
        f"{letters[section]} {table}".strip()
        for section, table in owed.values_list("section", "table").distinct()
    ]
