"""Which movement is prepared for so many pairs: tonight's own, the chart's, or what the adviser puts first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from movements.engine.adviser import Advice, Wishes, advise
from movements.engine.errors import MovementError

from .chart import Chart, MovementChoice, line_for, movement_of, usual_line


@dataclass(frozen=True)
class StartInput:
    """What decides: the wishes, the club's own chart, what it owns, and what was chosen for whom is on the list.

    Of tables and sets of boards 0 says that nothing bounds them.
    """

    wishes: Wishes
    chart: Chart = ()
    tables: int = 0
    copies: int = 0
    chosen: MovementChoice | None = None
    chosen_for: int = 0

    def of(self, pairs: int) -> StartInput:
        """What of it decides for so many pairs."""
        line, is_chosen = line_for(self.chart, pairs), pairs == self.chosen_for
        return replace(
            self,
            wishes=replace(self.wishes, pairs=pairs),
            chart=(line,) if line else (),
            chosen=self.chosen if is_chosen else None,
            chosen_for=pairs if is_chosen and self.chosen else 0,
        )


def choice_for(tonight: StartInput, pairs: int) -> MovementChoice | None:
    """Return what so many pairs play; nothing where nothing is known for them."""
    if tonight.chosen and pairs == tonight.chosen_for:
        try:
            movement_of(pairs, tonight.chosen)
            return tonight.chosen
        except MovementError:
            pass
    if line := line_for(tonight.chart, pairs):
        fitting = [
            other for other in (line.choice, *line.others) if _is_owned(tonight, pairs, other)
        ]
        return (fitting or [line.choice])[0]
    wishes = replace(tonight.wishes, pairs=pairs)
    usual = usual_line(pairs)
    if usual and _is_as_wished(wishes, usual.choice) and _is_owned(tonight, pairs, usual.choice):
        return usual.choice
    return _advised(tonight, wishes)


def _is_as_wished(wishes: Wishes, choice: MovementChoice) -> bool:
    """Whether the chart that clubs start with answers these wishes: it was made for a usual evening."""
    boards = choice.rounds * choice.boards
    return (
        wishes.fewest_boards <= boards <= wishes.most_boards
        and not wishes.stationary
        and wishes.missing_line in ("", choice.missing)
    )


def _is_owned(tonight: StartInput, pairs: int, choice: MovementChoice) -> bool:
    """Whether a club has tables and sets of boards enough."""
    movement = movement_of(pairs, choice)
    has_tables = not tonight.tables or movement.tables <= tonight.tables
    return has_tables and (not tonight.copies or movement.copies <= tonight.copies)


def _advised(tonight: StartInput, wishes: Wishes) -> MovementChoice | None:
    found = [proposal for proposal in advise(wishes) if not proposal.offer.size.total]
    fitting = [
        proposal
        for proposal in found
        if not tonight.tables or proposal.offer.movement.tables <= tonight.tables
    ]
    best = next(iter(fitting or found), None)
    return chosen_of(best) if best else None


def chosen_of(advice: Advice) -> MovementChoice:
    """Return what is advised as a chart has it."""
    offer = advice.offer
    missing = offer.missing_line if offer.has_half_table else ""
    return MovementChoice(
        offer.family.name,
        offer.movement.tables,
        offer.size.rounds,
        offer.size.boards_per_round,
        missing or "",
        dict(offer.options),
    )
