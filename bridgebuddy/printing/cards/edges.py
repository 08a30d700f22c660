"""The four edges of a table card: each player's moves, turned to that player's seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from bridgebuddy.events.queries.plan.games import TableGame, TableSide
from bridgebuddy.events.queries.plan.moves import SeatAt
from movements.words.sentences import CHAIR_LETTERS, CHAIRS

from ..context import PrintJob
from ..layout import round_numbers

CHAIR_ORDER = "nesw"
#: characters that fit on an edge in large and in small type: on short and on long sides
MOST_LARGE, MOST = ({"n": 74, "s": 74, "e": 104, "w": 104}, {"n": 84, "s": 84, "e": 118, "w": 118})


@dataclass(frozen=True)
class PlayerEdge:
    """The text at one edge of a table card: the seat's player and where the player moves next."""

    chair: str  # "n", "e", "s" or "w": a class
    name: str
    text: str

    @property
    def css(self) -> str:
        """Return the edge's CSS classes, with smaller type for a long text."""
        return f"{self.chair} small" if len(self.text) > MOST_LARGE[self.chair] else self.chair


@dataclass(frozen=True)
class DepartureGame:
    """A game after which contestants move on, with the label of its round or part of a round: "5", "5a"."""

    label: str
    game: TableGame


def card_edges(job: PrintJob, games: Sequence[DepartureGame]) -> tuple[PlayerEdge, ...]:
    """Return the texts for the four edges of a table's card; `games` are its games except the last."""
    return tuple(
        PlayerEdge(chair, str(CHAIRS[chair]), _edge_text(job, games, chair))
        for chair in CHAIR_ORDER
    )


def _edge_text(job: PrintJob, games: Sequence[DepartureGame], chair: str) -> str:
    """Return the moves of the players in one seat of a table: one text if all are alike, otherwise by rounds."""
    labels_by_move: dict[str, list[str]] = {}
    for playing in games:
        sitting = _contestant_in_chair(playing.game, chair)
        if sitting is None or playing.game.round + 1 in job.evening.open_rounds:
            continue
        seat = job.plan.next_seat(sitting.contestant.number, playing.game)
        labels_by_move.setdefault(_move_text(job, playing.game, chair, seat), []).append(
            playing.label
        )
    if list(labels_by_move) == [_("stay here")] and not job.evening.open_rounds:
        return _("you keep this seat all evening")
    if len(labels_by_move) == 1 and len(*labels_by_move.values()) == len(games) > 1:
        return _("after every round %(move)s") % {"move": next(iter(labels_by_move))}
    moves = [_text_after_rounds(labels, move) for move, labels in labels_by_move.items()]
    if job.evening.open_rounds:
        moves.append(
            _("then the draw says where you sit") if moves else _("the draw says where you sit")
        )
    text = "; ".join(moves)
    if len(text) > MOST[chair]:
        return _("the list says where you go")
    return text


def _contestant_in_chair(game: TableGame, chair: str) -> TableSide | None:
    """Return the contestant in a seat of a game: a player of an individual, or the pair of that side."""
    side = game.ns if chair in "ns" else game.ew
    if len(side) == 2:
        return side["nsew".index(chair) % 2]
    return side[0] if side else None


def _move_text(job: PrintJob, game: TableGame, chair: str, seat: SeatAt | None) -> str:
    """Return the instruction to move from a seat of a game to the next seat, or to sit out."""
    if seat is None:
        return pgettext("edge of a table card", "sit out")
    line = "ns" if chair in "ns" else "ew"
    here = chair if len(seat.chair) == 1 else line
    words = {"table": seat.table, "other": CHAIR_LETTERS[seat.chair]}
    if not seat.is_played and seat.table == game.table:
        return _("stay here, sit out")
    if not seat.is_played:
        return _("to table %(table)s, sit out there") % words
    if seat.place == (game.table, here):
        return _("stay here")
    if seat.table == game.table:
        return _("stay here, sit %(other)s") % words
    if seat.chair != here:
        return _("to table %(table)s, sit %(other)s") % words
    if job.plan.people.is_skip(game, seat):
        return _("to table %(table)s (skip)") % words
    return _("to table %(table)s") % words


def _text_after_rounds(labels: list[str], move: str) -> str:
    """Return a move with the labels of the rounds after which it is made."""
    whole = [int(label) for label in labels if label.isdecimal()]
    parts = [label for label in labels if not label.isdecimal()]
    rounds = ", ".join([*([round_numbers(whole)] if whole else []), *parts])
    return ngettext(
        "after round %(rounds)s %(move)s", "after rounds %(rounds)s %(move)s", len(labels)
    ) % {
        "rounds": rounds,
        "move": move,
    }
