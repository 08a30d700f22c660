"""Tables where one phone answered for both sides."""

from __future__ import annotations

from collections import defaultdict

from django.db.models import Count, F, FilteredRelation, Q

from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.queries.plan.games import LINES


def tables_of_one_phone(section: Section, round: int) -> set[int]:
    """Return the tables whose results of a round were all entered and confirmed on the same phone.

    A result that has no claim of both sides, such as one that the director entered, leaves its table out. One query.
    """
    valid = Q(claims__number=F("standing__number")) & ~Q(claims__phone="")
    plays = (
        Play.objects.filter(section=section, round=round, taken_back_at=None)
        .exclude(Q(ns=None) | Q(ew=None))
        .annotate(standing=FilteredRelation("results", condition=Q(results__stands=True)))
        .annotate(
            sides=Count("claims__side", filter=valid, distinct=True),
            phones=Count("claims__phone", filter=valid, distinct=True),
        )
    )
    boards: defaultdict[int, list[bool]] = defaultdict(list)
    for table, sides, phones in plays.order_by().values_list("table", "sides", "phones"):
        boards[table].append(sides == len(LINES) and phones == 1)
    return {table for table, are_of_one in boards.items() if all(are_of_one)}
