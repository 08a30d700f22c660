"""The stored draws of a section: the draw in force, and the places that knock-out matches decide."""

from __future__ import annotations

from itertools import combinations

from bridgebuddy.events.models import Section

from ..models import Draw
from ..rules.draws.knocking_out import FINALISTS
from .kinds import KNOCKOUT

#: subjects of matches, in the order of a bracket; the title's has no name
EVENTS = ("", "third place", "consolation")


def is_knockout(section: Section) -> bool:
    """Return whether a section plays a knockout."""
    return section.movement is not None and section.movement.family == KNOCKOUT


def title_teams(section: Section) -> dict[int, tuple[int, ...]]:
    """Return the entries (by key) that play for the title in each drawn knockout round.

    The rule is `KnockOutRound.title`; the result was stored with the draw. The first round is left out, because all
    play for the title then.
    """
    return {draw.round: tuple(draw.through) for draw in draws_in_force(section).values()}


def event_places(section: Section) -> dict[tuple[int, frozenset[int]], str]:
    """Return what a knockout's matches are for (title, third place …), by round and entries.

    Matches for the title have none.
    """
    events: dict[tuple[int, frozenset[int]], str] = {}
    draws = draws_in_force(section)
    for round, draw in draws.items():
        for _table, home, away, *more in draw.matches:
            if away and len(more) > 1 and more[1] in EVENTS:
                events[round, frozenset((home, away))] = more[1]
        before = draws.get(round - 1)
        for three in draw.triangles:
            if not set(three) <= set(draw.through):
                had_not_lost = before is None or set(three) <= set(before.through)
                is_third = had_not_lost and len(draw.through) == FINALISTS
                event = "third place" if is_third else "consolation"
                for teams in (three, *combinations(three, 2)):
                    events[round, frozenset(teams)] = event
    return events


def draws_in_force(section: Section) -> dict[int, Draw]:
    """Return the valid `Draw` of each drawn round of a section."""
    still_open = section.stored.open_rounds if section.movement else ()
    draws = section.draws.order_by("pk")  # the newest is valid
    return {draw.round: draw for draw in draws if draw.round not in still_open}
