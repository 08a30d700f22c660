"""The facts for and against a movement that are worth a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..model import Movement
from ..offers import Offer
from .costs import PLEASANT_BOARDS, not_granted, takes_late_pair
from .facts import Facts
from .wishes import Wishes


@dataclass(frozen=True, slots=True)
class Reason:
    """A fact for or against a movement: its kind, and the numbers the sentence needs."""

    kind: str
    is_for: bool
    fields: tuple[tuple[str, object], ...] = ()


def _evens_vulnerability(offer: Offer) -> bool:
    """Four boards in a row have each vulnerability once; a shorter last set has not.

    Both teams of a match hold both sides of every board.
    """
    if offer.movement.contest.has_halves:
        return True
    return offer.size.boards_per_round % 4 == 0 and not offer.size.total


def reasons_of(offer: Offer, facts: Facts, wishes: Wishes) -> Iterator[Reason]:
    """The facts worth a sentence, the strongest first, for before against."""
    size, movement = offer.size, facts.movement
    fewest, most = offer.boards_played
    if facts.score >= 90:
        yield Reason(
            "fair" if facts.word == "very even" else "even", True, (("score", facts.score),)
        )
    if facts.is_complete and not facts.longest_sit_out:
        yield Reason("all_boards", True)
    if not facts.needs_cards and facts.exceptions == 0:
        yield Reason("simple", True)
    if wishes.late_pair and takes_late_pair(facts):
        yield Reason("late_pair", True)
    if wishes.stationary and facts.stationary >= wishes.stationary:
        yield Reason("stationary", True, (("count", facts.stationary),))
    if wishes.break_after_half and facts.has_break:
        yield Reason("break", True)
    if wishes.caddies and (facts.needs_carrying or facts.stands_after):
        yield Reason("caddies", True)
    if movement.is_one_winner and wishes.winners == 1:
        yield Reason("one_winner", True)
    if wishes.imps and _evens_vulnerability(offer):
        yield Reason("vulnerability", True)
    broken = tuple(not_granted(offer, facts, wishes))
    for name in broken:
        yield Reason(f"not_{name}", False, (("boards", size.boards), ("count", facts.stationary)))
    if facts.longest_sit_out:
        yield Reason(
            "sits_out" if _somebody_always_sits_out(movement) else "sits_out_at_times",
            False,
            (("rounds", facts.longest_sit_out), ("boards", most - fewest)),
        )
    if facts.sharing_tables and "sharing" not in broken:
        yield Reason("shares", False, (("tables", facts.sharing_tables),))
    if facts.stands_after and not wishes.caddies and "stands" not in broken:
        yield Reason("stands", False, (("tables", facts.stands_after),))
    if facts.needs_carrying and not wishes.caddies:
        yield Reason("carrying", False)
    if movement.copies > 1 and "copies" not in broken:
        yield Reason("copies", False, (("count", movement.copies),))
    if facts.has_parts:
        yield Reason("parts", False)
    if facts.needs_cards:
        yield Reason("cards", False)
    elif facts.exceptions:
        yield Reason("exceptions", False, (("count", facts.exceptions),))
    if facts.score < 80:
        yield Reason(
            "uneven" if facts.word == "uneven" else "fairly_even", False, (("score", facts.score),)
        )
    if not facts.is_complete and not facts.longest_sit_out:
        yield Reason("not_all_boards", False, (("played", most), ("all", offer.boards_prepared)))
    if size.boards_per_round > PLEASANT_BOARDS[-1]:
        yield Reason("long_rounds", False, (("boards", size.boards_per_round),))
    if facts.has_unequal_plays:
        yield Reason("unequal_plays", False)
    if wishes.imps and not _evens_vulnerability(offer):
        yield Reason("no_vulnerability", False)
    if wishes.late_pair and not takes_late_pair(facts):
        yield Reason("no_late_pair", False)


def _somebody_always_sits_out(movement: Movement) -> bool:
    return all(
        len({c for s in movement.in_round(round) if s.is_played for c in s.contestants})
        < len(movement.contestants)
        for round in range(1, movement.rounds + 1)
    )
