"""How much of the evening a contestant plays that comes late or leaves, for the scorers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from movements.engine.boards import boards_of
from movements.engine.changes import Proposal
from movements.engine.model import Movement

from ..models import Section

SECONDS = 60


@dataclass(frozen=True)
class Joining:
    """What a contestant finds that joins the round being played."""

    table: int
    minutes: int  # that are left
    playable: tuple[int, ...]  # the boards for which there is time
    not_played: tuple[int, ...]  # the others: not played, through nobody's fault


def joining(section: Section, proposal: Proposal, numbers: Mapping[str, range]) -> Joining | None:
    """Return what the newcomer can still play of the running round; None where it begins later."""
    left = section.time_left
    if left is None or not proposal.newcomer or proposal.from_round != section.round:
        return None
    games = proposal.movement.in_round(section.round)
    game = next((s for s in games if proposal.newcomer in s.contestants and s.is_played), None)
    if game is None:
        return None
    boards = boards_of(game.sets, numbers)
    minutes = max(0, int(left.total_seconds() // SECONDS))
    count = min(len(boards), minutes // section.session.minutes_per_board)
    return Joining(game.table, minutes, boards[:count], boards[count:])


def boards_of_contestant(
    movement: Movement, numbers: Mapping[str, range], contestant: int, rounds: Iterable[int]
) -> int:
    """Return how many boards a contestant plays in some rounds of a movement."""
    return sum(
        len(boards_of(game.sets, numbers))
        for round in rounds
        for game in movement.in_round(round)
        if game.is_played and contestant in game.contestants
    )
