"""Boards for which the two sides of a table entered different results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from django.db.models import FilteredRelation, Q

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import LINES
from bridgebuddy.scoring.results.arriving_results import FIRST_COUNT, is_outcome_known
from bridgebuddy.table_phones.models import ResultClaim


def conflicting_boards(section: Section) -> Mapping[int, list[int]]:
    """Return the boards of the current round for which both sides entered different results, by table.

    Makes at most one query.
    """
    boards_by_table: defaultdict[int, list[int]] = defaultdict(list)
    if not section.is_running or section.results <= FIRST_COUNT:
        return boards_by_table
    claims = ResultClaim.objects.filter(
        play__section=section, play__round=section.round, play__taken_back_at=None
    )
    stands = FilteredRelation("play__results", condition=Q(play__results__stands=True))
    held: defaultdict[tuple[int, int], int] = defaultdict(int)
    rows = claims.annotate(standing=stands).order_by("play__table", "play__board")
    for table, board, number, stands, outcome in rows.values_list(
        "play__table", "play__board", "number", "standing__number", "standing__outcome"
    ):
        held[table, board] += number == (stands or 0) and not is_outcome_known(outcome)
    for (table, board), count in held.items():
        if count == len(LINES):
            boards_by_table[table].append(board)
    return boards_by_table
