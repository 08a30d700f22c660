"""A contract's tricks compared with double-dummy play. It judges no player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..snapshot.cards import BoardCards
from ..words import opening_lead

SIDES = {"ns": "NS", "ew": "EW"}


@dataclass(frozen=True)
class DoubleDummyComparison:
    """One side's tricks on a board compared with double-dummy play."""

    could: int  # declarer's tricks with all cards visible
    gained: int  # this side's tricks above that; below 0: fewer
    declares: bool
    #: tricks that the lead gave to declarer; None where it is not known
    by_lead: int | None = None
    leads: bool = False  # this side led

    @property
    def lead_gave(self) -> int:
        """Return the tricks that this side's opening lead gave away, compared with double-dummy play."""
        return self.by_lead or 0 if self.leads else 0


@dataclass(frozen=True)
class TricksTotal:
    """A contestant's tricks over several boards compared with double-dummy play."""

    boards: int
    gained: int


def strain_of_contract(contract: str) -> str:
    """Return a contract's strain in the notation of double-dummy tables."""
    strain = contract[1].upper()
    return "NT" if strain == "N" else strain


def tricks_against_cards(
    cards: BoardCards | None, outcome: Mapping[str, Any] | None, direction: str
) -> DoubleDummyComparison | None:
    """Return a side's tricks on a board compared with double-dummy play; None if unknown."""
    if cards is None or cards.tricks is None:
        return None
    match outcome:
        case {"contract": str(contract), "declarer": str(declarer), "tricks": int(taken)}:
            strain = strain_of_contract(contract)
            could = cards.tricks[declarer][strain]
            declares = declarer in SIDES[direction]
            gained = taken - could if declares else could - taken
            after = cards.after_lead(strain, declarer, opening_lead(outcome))
            by_lead = None if after is None else max(0, after - could)
            return DoubleDummyComparison(could, gained, declares, by_lead, leads=not declares)
    return None


def tricks_total(
    boards: Iterable[DoubleDummyComparison | None], *, declares: bool
) -> TricksTotal | None:
    """Return the total of tricks compared with double-dummy play over these boards; None if nothing is known."""
    of_side = [board for board in boards if board and board.declares == declares]
    return TricksTotal(len(of_side), sum(line.gained for line in of_side)) if of_side else None
