"""A contestant's plan as the lines of a card."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from bridgebuddy.events.queries.plan.games import Contestant, RoundTurn, TableGame
from movements.engine.contest import Contest

from ..context import PrintJob
from ..layout import part_label


@dataclass(frozen=True)
class CardRow:
    """A row of a guide or rover card: a game, or a round (or a part of it) without a game."""

    turn: RoundTurn
    game: TableGame | None
    part: int = 0  # 0: the whole round
    is_other_half: bool = False  # of a team, below the line of its first half

    @property
    def label(self) -> str:
        """Return the label of the row's round, or of its part: "5", "5a"."""
        return "" if self.is_other_half else part_label(self.turn.round, self.part)

    @property
    def is_sit_out(self) -> bool:
        """Return whether the contestant is present in this round but sits out."""
        turn = self.turn
        is_away = turn.has_left or not turn.has_come
        return self.game is None and not (turn.is_open or is_away)


def card_rows(job: PrintJob, contestant: Contestant) -> list[CardRow]:
    """Return the rows of a contestant's card, from its first round on."""
    turns = job.evening.schedule(contestant.number)[contestant.first_round - 1 :]
    rows_of = _both_halves if job.contest.has_halves else _turn_rows
    return [row for turn in turns for row in rows_of(turn)]


def _both_halves(turn: RoundTurn) -> list[CardRow]:
    """Return the two rows of a team's round: its N-S pair's game, and below it its E-W pair's."""
    games = games_in_order(turn)
    before = [None, *games]
    return [
        CardRow(
            turn,
            game,
            game.part if game.parts > 1 else 0,
            is_other_half=previous is not None and previous.part == game.part,
        )
        for previous, game in zip(before, games, strict=False)
    ] or [CardRow(turn, None)]


def _turn_rows(turn: RoundTurn) -> list[CardRow]:
    """Return the rows for a contestant's round: one, or one for each part, including parts that it sits out."""
    if turn.game is None or turn.game.parts == 1:
        return [CardRow(turn, turn.game)]
    games = {game.part: game for game in turn.games}
    return [CardRow(turn, games.get(part), part) for part in range(1, turn.game.parts + 1)]


def games_in_order(turn: RoundTurn) -> list[TableGame]:
    """Return a contestant's games of a round by parts; a team's N-S games come first."""
    return sorted(turn.games, key=lambda game: (game.part, game.side_of(turn.number) == "ew"))


def contestant_word(job: PrintJob) -> str:
    """Return the translated word for a contestant of the section: pair, team or player."""
    kinds = {Contest.PAIRS: _("Pair"), Contest.TEAMS: _("Team"), Contest.INDIVIDUAL: _("Player")}
    return kinds[job.contest]


def text_without_game(turn: RoundTurn) -> str:
    """Return the text for a round in which the contestant has no game: sit-out, absent or not yet drawn."""
    if turn.is_open:
        return _("drawn later")
    if turn.has_left:
        return _("has left")
    return _("you sit out")
