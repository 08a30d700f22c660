"""Advice on tonight's movement: all movements of the catalogue for the number of pairs, ranked with reasons.

An unfulfilled wish costs much, and an inconvenience little. The cheapest movement comes first. All weights
(`costs.COSTS`) are in one place. Every reason given for or against is a fact derived from the movement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .. import catalogue
from ..boards import movement_boards
from ..drawing.draws import DRAWN_ON_RESULTS
from ..errors import MovementError
from ..families.family import Family
from ..model import Movement
from ..offers import (
    MovementOffer,
    MovementSize,
    complete_options,
    nearest_size,
    possible_sizes,
    table_counts,
)
from .costs import COSTS, PLEASANT_BOARDS, broken_wishes, habit_cost
from .facts import MovementFacts, facts_for
from .reasons import AdviceReason, reasons_of
from .wishes import Broken, Wishes, drop_wish

__all__ = [
    "WAYS",
    "Advice",
    "AdviceReason",
    "Wishes",
    "advise_movements",
    "advise_on",
    "drop_wish",
    "resized_advice",
    "wishes_to_drop",
]

SIZES_TRIED = 5
LARGE_ROOM = 12
"""Number of tables above which a set for each table makes too many boards for an evening."""
MOST_WAYS_OUT = 4

#: options of a family that are tried beside its usual form: they give it other sizes
WAYS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "two-stanza": ({"stanzas": 3},),
    "ns-rover": ({"base": "share-and-relay"},),
    "scrambled-mitchell": ({"base": "web"},),
    "two-copy-mitchell": ({"winners": "2"},),
    "two-way-rover": ({"base": "share-and-relay"},),
}


@dataclass(frozen=True)
class Advice:
    """A suggested movement with its number of rounds and boards, how well it fits the director's wishes, and why."""

    offer: MovementOffer
    facts: MovementFacts
    cost: float
    broken: Broken
    reasons: tuple[AdviceReason, ...]

    @property
    def score(self) -> int:
        """Return the fairness of the movement, 0 to 100."""
        return self.facts.score

    @cached_property
    def pros(self) -> tuple[AdviceReason, ...]:
        """Return the reasons that speak for the movement."""
        return tuple(reason for reason in self.reasons if reason.is_for)

    @cached_property
    def cons(self) -> tuple[AdviceReason, ...]:
        """Return the reasons that speak against the movement."""
        return tuple(reason for reason in self.reasons if not reason.is_for)


def advise_movements(wishes: Wishes, family_name: str = "") -> tuple[Advice, ...]:
    """Return the suggested movements for the wished number of pairs, best first, with the wishes each breaks.

    Each family appears once, with the size that suits the wishes best; its offer includes the other sizes. With
    `family_name`, just the family of this name is considered.
    """
    best: dict[str, Advice] = {}
    for advice in _all_advice(wishes, family_name):
        cheapest = best.get(advice.offer.family.name)
        if cheapest is None or advice.cost < cheapest.cost:
            best[advice.offer.family.name] = advice
    order = {family.name: index for index, family in enumerate(catalogue.FAMILIES)}
    return tuple(
        sorted(best.values(), key=lambda advice: (advice.cost, order[advice.offer.family.name]))
    )


def advise_on(family: Family, options: Mapping[str, Any], wishes: Wishes) -> Advice | None:
    """Return the advice on one family with chosen options; None if no such movement exists."""
    for tables in table_counts(wishes.pairs, family.contest):
        advised = list(_offers_in_either_line(family, tables, wishes, options))
        if advised:
            return min(advised, key=lambda advice: advice.cost)
    return None


def wishes_to_drop(
    wishes: Wishes, advised: tuple[Advice, ...]
) -> tuple[tuple[Broken, Advice], ...]:
    """Return which wishes to give up if no movement fulfils all, with the best movement for each.

    These are single wishes if one is enough, otherwise the smallest sets. If the time is too short for the boards,
    fewer boards are also proposed. Empty if the first advice breaks no wish.
    """
    if not advised or not advised[0].broken:
        return ()
    ways: dict[Broken, Advice] = {}
    if any("time" in advice.broken for advice in advised):
        shorter = _advice_within_time(wishes)
        if shorter is not None:
            ways["boards",] = shorter
    fewest = 1 if ways else min(len(advice.broken) for advice in advised)
    for advice in advised:
        if len(advice.broken) == fewest:
            ways.setdefault(advice.broken, advice)
    return tuple(ways.items())[:MOST_WAYS_OUT]


def _advice_within_time(wishes: Wishes) -> Advice | None:
    """Return the best advice with as many boards as the time allows, which fulfils all other wishes."""
    most = (wishes.minutes or 0) // wishes.minutes_per_board
    if not 0 < most < wishes.most_boards:
        return None
    for fewest in (most - 2, most * 3 // 4, 1):
        for advice in advise_movements(
            replace(wishes, fewest_boards=max(1, fewest), most_boards=most)
        ):
            if not advice.broken:
                return advice
    return None


def _all_advice(wishes: Wishes, family_name: str) -> Iterator[Advice]:
    """Yield the advice on every family in every possible size and with every option."""
    for family in catalogue.FAMILIES:
        if family.contest != wishes.contest or family.name in DRAWN_ON_RESULTS:
            continue
        if family_name and family.name != family_name:
            continue
        for options in ({}, *WAYS.get(family.name, ())):
            for tables in table_counts(wishes.pairs, family.contest):
                advised = list(_offers_in_either_line(family, tables, wishes, options))
                if advised:
                    yield from advised
                    break


def _offers_in_either_line(
    family: Family, tables: int, wishes: Wishes, options: Mapping[str, Any]
) -> Iterator[Advice]:
    """Yield a family's advice with E-W a pair short, or as wished; also with N-S short if tables would share."""
    usual = replace(wishes, missing_line=wishes.missing_line or "ew")
    advised = list(_advice_by_size(family, tables, usual, options))
    yield from advised
    if not wishes.missing_line and any(
        proposal.offer.has_half_table and proposal.facts.sharing_tables for proposal in advised
    ):
        yield from _advice_by_size(family, tables, replace(wishes, missing_line="ns"), options)


def _advice_by_size(
    family: Family, tables: int, wishes: Wishes, options: Mapping[str, Any]
) -> Iterator[Advice]:
    """Yield the advice on a family for each possible number of rounds."""
    all_options, options = options, complete_options(family, wishes.pairs, options)
    usual = family.default_rounds(tables, options)
    whole = facts_for(family, usual, wishes, options) if usual else None
    if whole and whole.movement.tables != tables and family.contest.fills_a_side:
        return
    sets = len(whole.movement.sets) if whole else None
    board_limits = (wishes.fewest_boards, wishes.most_boards)
    fitting = possible_sizes(family, tables, *board_limits, sets, options)
    nearest = nearest_size(family, tables, *board_limits, options)
    if tables > LARGE_ROOM:
        fitting = tuple(sorted(fitting, key=_large_room_sort_key))
    tried = fitting[: _variant_count_to_try(tables)] or ((nearest,) if nearest else ())
    for size in tried:
        facts = facts_for(family, size.rounds, wishes, options)
        if facts is None or (facts.movement.tables != tables and family.contest.fills_a_side):
            continue
        others = tuple(other for other in fitting if other != size)
        offer = MovementOffer(
            family,
            facts.movement,
            (size, *others),
            is_as_wanted=bool(fitting),
            options=all_options,
            missing_line=wishes.missing_line,
        )
        if _numbers_fit(facts.movement, size):
            yield _advice_on_offer(offer, facts, wishes)


def _large_room_sort_key(size: MovementSize) -> tuple[bool, int]:
    """Return the sort key of sizes in a large room: enough boards a round first, then more rounds."""
    return size.boards_per_round < PLEASANT_BOARDS[0], -size.rounds


def _variant_count_to_try(tables: int) -> int:
    """Return the number of variants of a family to try: fewer with many tables, because those take longer."""
    return SIZES_TRIED if tables <= 12 else 3 if tables <= 20 else 1


def _numbers_fit(movement: Movement, size: MovementSize) -> bool:
    """Return whether the movement's board sets can be numbered in this size."""
    try:
        if size.total:
            movement_boards(movement, total=size.total)
        else:
            movement_boards(movement, per_round=size.boards_per_round)
    except MovementError:
        return False
    return True


def resized_advice(advice: Advice, size: MovementSize, wishes: Wishes) -> Advice:
    """Return the advice on the same movement in another size, judged by the same wishes."""
    offer = advice.offer
    if size == offer.size:
        return advice
    options = complete_options(offer.family, wishes.pairs, offer.options)
    resized_wishes = replace(wishes, missing_line=offer.missing_line)
    facts = facts_for(offer.family, size.rounds, resized_wishes, options)
    if facts is None:
        return advice
    others = tuple(other for other in offer.sizes if other != size)
    return _advice_on_offer(
        replace(offer, movement=facts.movement, sizes=(size, *others)), facts, wishes
    )


def _advice_on_offer(offer: MovementOffer, facts: MovementFacts, wishes: Wishes) -> Advice:
    """Return the advice on an offered movement from its facts and the wishes."""
    broken = tuple(broken_wishes(offer, facts, wishes))
    cost = sum(COSTS[name] for name in broken) + habit_cost(offer, facts, wishes)
    return Advice(offer, facts, cost, broken, tuple(reasons_of(offer, facts, wishes)))
