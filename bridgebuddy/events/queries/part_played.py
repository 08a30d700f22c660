"""The part of a session that a late or leaving contestant plays, for scoring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from movements.engine.boards import boards_of_sets
from movements.engine.changes import Proposal
from movements.engine.model import Movement, players_of
from movements.engine.plays import plays_of

from ..models import Section

SECONDS = 60
KNOCK_OUT = "knockout"


@dataclass(frozen=True)
class JoiningContestant:
    """A late contestant's table in the current round, the boards it has time for, and those it cannot play."""

    table: int
    minutes: int  # remaining boards
    playable: tuple[int, ...]  # boards for which there is time
    not_played: tuple[int, ...]  # the others: the director decides about them


def boards_still_to_play(
    section: Section, proposal: Proposal, numbers: Mapping[str, range]
) -> JoiningContestant | None:
    """Return the boards a late contestant can play in this round; None if it starts later, or without a clock."""
    left = section.time_left
    if left is None or not proposal.newcomer or proposal.from_round != section.round:
        return None
    games = proposal.movement.in_round(section.round)
    game = next((s for s in games if proposal.newcomer in s.contestants and s.is_played), None)
    if game is None:
        return None
    boards = boards_of_sets(game.sets, numbers)
    minutes = max(0, int(left.total_seconds() // SECONDS))
    count = min(len(boards), minutes // section.session.minutes_per_board)
    return JoiningContestant(game.table, minutes, boards[:count], boards[count:])


def boards_of_contestant(
    section: Section, movement: Movement, contestant: int, rounds: Iterable[int]
) -> int:
    """Return the number of boards that a contestant plays in these rounds of a movement.

    For a team, the boards of its N-S count; its E-W play as many. A round not yet drawn counts the usual number,
    except in a knock-out, where its contestants are unknown.
    """
    usual = section.boards_per_round or 0
    return sum(
        _usual_future_boards(movement, usual)
        if round in movement.open_rounds
        else _count_boards_in_round(section, movement, contestant, round)
        for round in rounds
    )


def _usual_future_boards(movement: Movement, usual_count: int) -> int:
    """Return the boards of a round that is not drawn yet; 0 in a knockout, where the contestant may be out."""
    return 0 if movement.family == KNOCK_OUT else usual_count


def _count_boards_in_round(
    section: Section, movement: Movement, contestant: int, round: int
) -> int:
    """Return the number of boards that a contestant plays in a round."""
    plays = plays_of(movement, round, section.stored.numbers, section.boards_of_matches)
    return sum(
        contestant in players_of(play.ns)
        or (not movement.contest.has_halves and contestant in players_of(play.ew))
        for play in plays
        if play.is_played
    )
