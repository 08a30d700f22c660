"""Facts for and against a movement that deserve a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..model import Movement
from ..offers import MovementOffer
from .costs import (
    MATCH_BOARDS,
    PLEASANT_BOARDS,
    boards_lacking_in_match,
    broken_wishes,
    takes_late_pair,
)
from .facts import MovementFacts
from .wishes import Wishes

Fields = tuple[tuple[str, object], ...]
"""The numbers in a sentence, by name."""


@dataclass(frozen=True, slots=True)
class AdviceReason:
    """A fact for or against a suggested movement: its kind, and the numbers for its sentence."""

    kind: str
    is_for: bool
    fields: Fields = ()


def _evens_vulnerability(offer: MovementOffer) -> bool:
    """Return whether every round of four boards has each vulnerability once.

    Both teams of a match hold both sides of every board.
    """
    if offer.movement.contest.has_halves:
        return True
    return offer.size.boards_per_round % 4 == 0 and not offer.size.total


def _somebody_always_sits_out(movement: Movement) -> bool:
    """Return whether a contestant sits out in every round."""
    return all(
        len({c for s in movement.in_round(round) if s.is_played for c in s.contestants})
        < len(movement.contestants)
        for round in range(1, movement.rounds + 1)
    )


def _half_table_is_uneven(facts: MovementFacts) -> bool:
    """Return whether the sit-outs of a half table leave boards with different tops (not recommended by the QBA).

    It is so in a movement that is curtailed, and in a Skip Mitchell.
    """
    return facts.has_unequal_plays and facts.longest_sit_out > 0


def _lines_are_never_mixed(movement: Movement) -> bool:
    """Return whether pairs ranked together never change direction, as in an unswitched one-winner Mitchell."""
    if not movement.is_one_winner or not movement.contest.fills_a_side:
        return False
    played = [seating for seating in movement.seatings if seating.is_played]
    return {s.ns for s in played}.isdisjoint(s.ew for s in played)


@dataclass(frozen=True, slots=True)
class _ReasonInput:
    """The offer, facts and wishes from which the reasons for a suggestion follow."""

    offer: MovementOffer
    facts: MovementFacts
    wishes: Wishes
    broken: tuple[str, ...]

    @property
    def score(self) -> Fields:
        """Return the fairness score as a named number, to be filled into a reason's sentence."""
        return (("score", self.facts.score),)

    @property
    def unplayed(self) -> int:
        """Return the difference between the most and fewest boards of a contestant, for a reason's sentence."""
        fewest, most = self.offer.boards_played
        return most - fewest

    @property
    def usual_boards(self) -> range:
        """Return the usual numbers of boards in a round or team match, for a reason's sentence."""
        return MATCH_BOARDS if self.facts.movement.contest.has_halves else PLEASANT_BOARDS

    @property
    def players_carry_boards(self) -> bool:
        """Return whether players must carry boards, because there are no caddies."""
        return not self.wishes.caddies


Case = tuple[str, Callable[[_ReasonInput], bool], Callable[[_ReasonInput], Fields]]


def _without_fields(reason_input: _ReasonInput) -> Fields:
    """Return an empty tuple, for kinds of reasons whose sentence contains no numbers."""
    return ()


#: the arguments for a movement, the strongest first: kind, condition, and the numbers in its sentence
FOR: Sequence[Case] = (
    ("fair", lambda s: s.facts.score >= 90 and s.facts.word == "very even", lambda s: s.score),
    ("even", lambda s: s.facts.score >= 90 and s.facts.word != "very even", lambda s: s.score),
    ("all_boards", lambda s: s.facts.is_complete and not s.facts.longest_sit_out, _without_fields),
    ("simple", lambda s: not s.facts.needs_cards and s.facts.exceptions == 0, _without_fields),
    ("late_pair", lambda s: s.wishes.late_pair and takes_late_pair(s.facts), _without_fields),
    (
        "stationary",
        lambda s: 0 < s.wishes.stationary <= s.facts.stationary,
        lambda s: (("count", s.facts.stationary),),
    ),
    ("break", lambda s: s.wishes.break_after_half and s.facts.has_break, _without_fields),
    (
        "caddies",
        lambda s: s.wishes.caddies and bool(s.facts.needs_carrying or s.facts.stands_after),
        _without_fields,
    ),
    (
        "one_winner",
        lambda s: s.facts.movement.is_one_winner and s.wishes.winners == 1,
        _without_fields,
    ),
    ("vulnerability", lambda s: s.wishes.imps and _evens_vulnerability(s.offer), _without_fields),
)
#: arguments against it, after the wishes that it does not grant
AGAINST: Sequence[Case] = (
    (
        "sits_out",
        lambda s: bool(s.facts.longest_sit_out) and _somebody_always_sits_out(s.facts.movement),
        lambda s: (("rounds", s.facts.longest_sit_out), ("boards", s.unplayed)),
    ),
    (
        "sits_out_at_times",
        lambda s: bool(s.facts.longest_sit_out) and not _somebody_always_sits_out(s.facts.movement),
        lambda s: (("rounds", s.facts.longest_sit_out), ("boards", s.unplayed)),
    ),
    (
        "shares",
        lambda s: bool(s.facts.sharing_tables) and "sharing" not in s.broken,
        lambda s: (("tables", s.facts.sharing_tables),),
    ),
    (
        "stands",
        lambda s: (
            bool(s.facts.stands_after) and s.players_carry_boards and "stands" not in s.broken
        ),
        lambda s: (("tables", s.facts.stands_after),),
    ),
    ("carrying", lambda s: s.facts.needs_carrying and s.players_carry_boards, _without_fields),
    (
        "copies",
        lambda s: s.facts.movement.copies > 1 and "copies" not in s.broken,
        lambda s: (("count", s.facts.movement.copies),),
    ),
    ("half_table_curtailed", lambda s: _half_table_is_uneven(s.facts), _without_fields),
    ("unswitched", lambda s: _lines_are_never_mixed(s.facts.movement), _without_fields),
    ("rematches", lambda s: s.facts.has_rematches, _without_fields),
    ("parts", lambda s: s.facts.has_parts, _without_fields),
    ("cards", lambda s: s.facts.needs_cards, _without_fields),
    (
        "exceptions",
        lambda s: not s.facts.needs_cards and s.facts.exceptions > 0,
        lambda s: (("count", s.facts.exceptions),),
    ),
    ("uneven", lambda s: s.facts.score < 80 and s.facts.word == "uneven", lambda s: s.score),
    ("fairly_even", lambda s: s.facts.score < 80 and s.facts.word != "uneven", lambda s: s.score),
    (
        "not_all_boards",
        lambda s: not s.facts.is_complete and not s.facts.longest_sit_out,
        lambda s: (("played", s.offer.boards_played[1]), ("all", s.offer.boards_prepared)),
    ),
    (
        "long_rounds",
        lambda s: s.offer.size.boards_per_round > s.usual_boards[-1],
        lambda s: (("boards", s.offer.size.boards_per_round),),
    ),
    (
        "short_matches",
        lambda s: boards_lacking_in_match(s.offer.size, s.facts.movement.contest) > 0,
        lambda s: (("boards", s.offer.size.boards_per_round),),
    ),
    (
        "unequal_plays",
        lambda s: s.facts.has_unequal_plays and not _half_table_is_uneven(s.facts),
        _without_fields,
    ),
    (
        "no_vulnerability",
        lambda s: s.wishes.imps and not _evens_vulnerability(s.offer),
        _without_fields,
    ),
    (
        "no_late_pair",
        lambda s: s.wishes.late_pair and not takes_late_pair(s.facts),
        _without_fields,
    ),
)


def reasons_of(
    offer: MovementOffer, facts: MovementFacts, wishes: Wishes
) -> Iterator[AdviceReason]:
    """Yield the facts worth a sentence for and against a suggested movement, the strongest first."""
    reason_input = _ReasonInput(offer, facts, wishes, tuple(broken_wishes(offer, facts, wishes)))
    for kind, holds, fields in FOR:
        if holds(reason_input):
            yield AdviceReason(kind, True, fields(reason_input))
    for name in reason_input.broken:
        numbers = (("boards", offer.size.boards), ("count", facts.stationary))
        yield AdviceReason(f"not_{name}", False, numbers)
    for kind, holds, fields in AGAINST:
        if holds(reason_input):
            yield AdviceReason(kind, False, fields(reason_input))
