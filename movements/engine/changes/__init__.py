"""Live changes: the director's options for a session in play.

History is never changed. Every proposal is a complete new movement, checked by the laws. Its rounds that are over, or
being played, equal those of the old one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..model import Movement
from .arrivals.arrival import arrival_proposals
from .change import (
    ArrowsTurn,
    BoardSpan,
    Change,
    FewerBoards,
    LengthChanges,
    LineSatElsewhere,
    Mistake,
    PairArrives,
    PairLeaves,
    PairReturns,
    PairStays,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    Rebuild,
    SatInEachOthersPlace,
    SkipIsMoved,
    TookOtherBoards,
)
from .comeback import return_proposals
from .departure import departure_proposals
from .length import fewer_boards, length_proposals
from .lines import moved_skips, moves_as_one
from .proposal import ChangeConsequences, Proposal, TableDifference, consequences
from .repairs.mistakes import continuations_after_mistake, turned_arrows
from .repairs.rebuild import rebuilt_sessions
from .seats import stay_proposals

__all__ = [
    "ArrowsTurn",
    "BoardSpan",
    "Change",
    "ChangeConsequences",
    "FewerBoards",
    "LengthChanges",
    "LineSatElsewhere",
    "PairArrives",
    "PairLeaves",
    "PairReturns",
    "PairStays",
    "PlayedOtherBoards",
    "PlayedTheOtherWay",
    "Proposal",
    "Rebuild",
    "SatInEachOthersPlace",
    "SkipIsMoved",
    "TableDifference",
    "TookOtherBoards",
    "consequences",
    "moves_as_one",
    "proposals",
]


def proposals(
    movement: Movement, fixed_rounds: int, change: Change, sizes: Mapping[str, int] | None = None
) -> list[Proposal]:
    """Return the ways to deal with a change once round `fixed_rounds` is played or begun, as movements, best first.

    Each is lawful; an empty list means there is none. `sizes` are the boards of every set (for the fairness; equal by
    default). Proposals without any effect are left out, except for a contestant that leaves after everything is
    played. Deterministic.

    >>> from ..families.mitchells.mitchell import mitchell
    >>> [proposal.kind for proposal in proposals(mitchell(7), 1, PairLeaves(3))]
    ['half-table']
    """
    sizes = sizes or {}
    candidates = (
        replace(candidate, sizes=sizes)
        for candidate in _proposals_for_change(movement, fixed_rounds, change, sizes)
    )
    if not isinstance(change, PairLeaves):
        candidates = (
            candidate for candidate in candidates if candidate.movement != candidate.before
        )
    if isinstance(change, Mistake | Rebuild):
        return _without_duplicates(sorted(candidates, key=_harm_rank))
    return sorted(candidates, key=lambda proposal: proposal.cost)


def _without_duplicates(proposals: list[Proposal]) -> list[Proposal]:
    """Return the proposals without those of the search that equal a proposal made by rules."""
    by_rules = {proposal.movement for proposal in proposals if proposal.kind != "rebuilt"}
    return [
        proposal
        for proposal in proposals
        if proposal.kind != "rebuilt" or proposal.movement not in by_rules
    ]


def _harm_rank(proposal: Proposal) -> tuple[float, ...]:
    """Return the sort key of repairs and searches: the fewest unplayed tables first."""
    again, trouble = proposal.cost
    return again, float(sum(share for _, _, share in proposal.consequences.sit_outs)), trouble


def _proposals_for_change(
    movement: Movement, fixed_rounds: int, change: Change, sizes: Mapping[str, int]
) -> Iterator[Proposal]:
    """Yield the proposals for a change, not sorted yet."""
    match change:
        case PairArrives():
            yield from arrival_proposals(movement, fixed_rounds, change)
        case PairLeaves():
            yield from departure_proposals(movement, fixed_rounds, change)
        case PairReturns():
            yield from return_proposals(movement, fixed_rounds, change)
        case PairStays():
            yield from stay_proposals(movement, fixed_rounds, change)
        case SkipIsMoved():
            yield from moved_skips(movement, fixed_rounds, change)
        case LengthChanges():
            yield from length_proposals(movement, fixed_rounds, change)
        case FewerBoards():
            yield from fewer_boards(movement, fixed_rounds, change, sizes)
        case ArrowsTurn():
            yield from turned_arrows(movement, fixed_rounds, change)
        case Rebuild():
            yield from rebuilt_sessions(movement, fixed_rounds, change)
        case _:
            yield from continuations_after_mistake(movement, fixed_rounds, change)
