"""Facts about a movement for the adviser, independent of the wishes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

from .. import catalogue
from ..calls import round_end_announcement
from ..contest import Contest
from ..descriptions.shape import has_stationary_line, without_switches
from ..descriptions.wording import Announcement, announcements
from ..errors import MovementError
from ..fairness.balance import balance
from ..families.family import Family
from ..model import Movement
from ..offers import MovementOffer, MovementSize, movement_for
from ..session_breaks import parting_rounds
from .wishes import Wishes

Chosen = tuple[tuple[str, Any], ...]
"""Options with their values, in a hashable form."""


@dataclass(frozen=True, slots=True)
class MovementFacts:
    """The properties of a movement that the adviser needs, whatever the director's wishes."""

    movement: Movement
    score: int
    word: str
    is_complete: bool
    #: contestants without a sit-out meet the whole other field; with one winner, all others
    meets_all: bool
    exceptions: int  # announcements that differ from the usual one
    needs_cards: bool
    crossings: int  # contestants that leave the path of their line even after most rounds
    both_lines_move: bool
    walks_far: bool  # East-West always move further than one table
    needs_carrying: bool  # most announcements cannot describe the boards' move in a word
    has_parts: bool
    sharing_tables: tuple[int, ...]
    stands_after: tuple[int, ...]
    longest_sit_out: Fraction
    stationary: int  # contestants that never leave their table
    has_seated_line: bool
    has_unequal_plays: bool
    has_break: bool
    has_rematches: bool


def facts_for(
    family: Family, rounds: int, wishes: Wishes, options: Mapping[str, Any]
) -> MovementFacts | None:
    """Return the adviser's facts about a family's movement of this length; None if it is impossible."""
    chosen = tuple(sorted(options.items()))
    return _facts(family.name, wishes.pairs, rounds, wishes.missing_line, chosen)


@lru_cache(maxsize=4096)
def _facts(
    family: str, pairs: int, rounds: int, missing_line: str, options: Chosen
) -> MovementFacts | None:
    """Build a movement and return the adviser's facts about it; None if no such movement exists."""
    try:
        movement = movement_for(family, pairs, rounds, missing_line, dict(options))
    except MovementError:
        return None
    calls = announcements(without_switches(movement))
    of_pairs = bool(calls) and movement.contest.fills_a_side
    offer = MovementOffer(
        catalogue.find_family(family), movement, (MovementSize(movement.rounds, 2),), True
    )
    plays: dict[str, int] = dict.fromkeys(movement.sets, 0)
    for seating in movement.seatings:
        for name in seating.sets:
            plays[name] += seating.is_played
    measured = balance(movement)
    return MovementFacts(
        movement=movement,
        score=measured.score,
        word=measured.word,
        is_complete=all(
            len(movement.sets_played(c)) == len(movement.sets) for c in movement.contestants
        ),
        meets_all=_meets_all(movement),
        exceptions=_count_unusual_calls(calls) + _count_arrow_switches(movement),
        needs_cards=any(call.ew is None and call.ns is None for call in calls),
        crossings=_fewest_other_moves(calls),
        both_lines_move=of_pairs and all(call.ew and call.ns for call in calls),
        walks_far=of_pairs and all(abs(call.ew or 0) > 1 for call in calls),
        needs_carrying=_needs_carrying(movement, calls),
        has_parts=any(
            len(movement.seatings_at_table(s.round, s.table)) > 1 for s in movement.seatings
        ),
        sharing_tables=offer.sharing_tables,
        stands_after=offer.stands_after,
        longest_sit_out=movement.longest_sit_out,
        stationary=len(movement.stationary_contestants),
        has_seated_line=len(movement.stationary) >= movement.tables - 1
        or has_stationary_line(movement),
        has_unequal_plays=len(set(plays.values())) > 1,
        has_break=_has_break(movement),
        has_rematches=_has_rematches(movement),
    )


def _needs_carrying(movement: Movement, calls: Sequence[Announcement]) -> bool:
    """Return whether boards mostly move by no simple rule, so that caddies must carry them."""
    if movement.is_draw:
        return False
    lost = [call.after_round for call in calls if call.boards is None]
    if 2 * len(lost) <= len(calls):
        return False
    return any(round_end_announcement(movement, after).boards.kind != "stations" for after in lost)


def _meets_all(movement: Movement) -> bool:
    """Return whether every contestant meets all opponents, apart from sit-outs.

    Opponents are those of the other field, or of the other line.
    """
    met: dict[int, set[int]] = {number: set() for number in movement.contestants}
    for seating in movement.seatings:
        if seating.is_played:
            for number in seating.contestants:
                met[number].update(set(seating.contestants) - {number})
    most = max((len(others) for others in met.values()), default=0)
    if movement.is_one_winner:
        stays = len(movement.stationary_contestants)
        others = len(movement.contestants) - (stays if has_stationary_line(movement) else 1)
        return most >= others
    return most >= min(len(movement.members(field)) for field in movement.fields)


def _fewest_other_moves(calls: Sequence[Announcement]) -> int:
    """Return how many exceptions the announcement with the fewest exceptions has."""
    return min((len(call.others) for call in calls), default=0)


def _count_unusual_calls(calls: Sequence[Announcement]) -> int:
    """Return how many announcements differ from the usual one."""
    ways = Counter(
        (call.ew, call.ns, frozenset((step.before, step.after) for step in call.others))
        for call in calls
    )
    plain = [way for way in ways if not way[2]]
    usual = max(plain or ways, key=lambda way: ways[way], default=None)
    return len(calls) - ways[usual] if usual else 0


def _count_arrow_switches(movement: Movement) -> int:
    """Return how often boards are arrow-switched, or switched back, in a switched Mitchell."""
    if not has_stationary_line(movement):
        return 0
    stays = movement.stationary_contestants
    ways = [
        tuple(s.ew in stays for s in movement.in_round(round))
        for round in range(1, movement.rounds + 1)
    ]
    return sum(before != after for before, after in pairwise(ways))


def _has_break(movement: Movement) -> bool:
    """Return whether there is a round near the middle after which all boards are new, fit for a break."""
    middle = movement.rounds / 2
    return any(abs(after - middle) <= 1 for after in parting_rounds(movement))


def _has_rematches(movement: Movement) -> bool:
    """Return whether pairs meet opponents a second time. Players of an individual always may."""
    return movement.contest is Contest.PAIRS and any(
        item.law == "meet-once" for item in movement.exemptions
    )
