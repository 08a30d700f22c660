"""The choice of the movement prepared for a number of pairs.

The movement chosen comes first, then the chart's, then the adviser's first suggestion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from movements.engine.adviser import Advice, Wishes, advise_movements
from movements.engine.errors import MovementError

from .chart import Chart, MovementChoice, build_movement, chart_line_for, usual_line


@dataclass(frozen=True)
class StartInput:
    """The inputs for choosing a movement: wishes, chart, equipment, and the movement chosen for the present entries.

    0 tables or copies mean no limit.
    """

    wishes: Wishes
    chart: Chart = ()
    tables: int = 0
    copies: int = 0
    chosen: MovementChoice | None = None
    chosen_for: int = 0

    def for_pairs(self, pairs: int) -> StartInput:
        """Return these inputs for another number of pairs, without chart lines and choices for other numbers."""
        line, is_chosen = chart_line_for(self.chart, pairs), pairs == self.chosen_for
        return replace(
            self,
            wishes=replace(self.wishes, pairs=pairs),
            chart=(line,) if line else (),
            chosen=self.chosen if is_chosen else None,
            chosen_for=pairs if is_chosen and self.chosen else 0,
        )


def choice_for(tonight: StartInput, pairs: int) -> MovementChoice | None:
    """Return the movement for `pairs` pairs by director's choice, chart and equipment; None if none exists."""
    if tonight.chosen and pairs == tonight.chosen_for:
        try:
            build_movement(pairs, tonight.chosen)
            return tonight.chosen
        except MovementError:
            pass
    if line := chart_line_for(tonight.chart, pairs):
        fitting = [
            other
            for other in (line.choice, *line.others)
            if _has_equipment_for(tonight, pairs, other)
        ]
        return (fitting or [line.choice])[0]
    wishes = replace(tonight.wishes, pairs=pairs)
    usual = usual_line(pairs)
    if (
        usual
        and _is_as_wished(wishes, usual.choice)
        and _has_equipment_for(tonight, pairs, usual.choice)
    ):
        return usual.choice
    return _advised_choice(tonight, wishes)


def _is_as_wished(wishes: Wishes, choice: MovementChoice) -> bool:
    """Return whether a movement has a wished number of boards and sit-out side; False if pairs want to stay."""
    boards = choice.rounds * choice.boards
    return (
        wishes.fewest_boards <= boards <= wishes.most_boards
        and not wishes.stationary
        and wishes.missing_line in ("", choice.missing)
    )


def _has_equipment_for(tonight: StartInput, pairs: int, choice: MovementChoice) -> bool:
    """Return whether the club has enough tables and board sets."""
    movement = build_movement(pairs, choice)
    has_tables = not tonight.tables or movement.tables <= tonight.tables
    return has_tables and (not tonight.copies or movement.copies <= tonight.copies)


def _advised_choice(tonight: StartInput, wishes: Wishes) -> MovementChoice | None:
    """Return the best of the suggested movements that the club has enough tables for, else the best of all."""
    proposals = [proposal for proposal in advise_movements(wishes) if not proposal.offer.size.total]
    fitting = [
        proposal
        for proposal in proposals
        if not tonight.tables or proposal.offer.movement.tables <= tonight.tables
    ]
    best = next(iter(fitting or proposals), None)
    return movement_choice(best) if best else None


def movement_choice(advice: Advice) -> MovementChoice:
    """Return a suggested movement in the form in which a chart lists it."""
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
