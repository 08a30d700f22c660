"""Pictures of the boards' moves if one picture of the movement cannot show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from movements.engine.calls import round_end_announcement
from movements.engine.descriptions.shape import room_shape
from movements.engine.descriptions.wording import BoardStep, board_steps
from movements.engine.model import Movement

from .rows import LOOKS, rows_of_boards
from .strokes import Size

#: most pictures: among more, tonight's is hard to find
MOST_PICTURES = 4
Ways = frozenset[tuple[tuple[int, ...], tuple[int, ...], int, int]]


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A picture of the boards' moves after some rounds."""

    rounds: tuple[int, ...]
    svg: SafeString


def needs_picture(movement: Movement, after_round: int) -> bool:
    """Return whether boards move in several ways after a round, so that a picture helps."""
    call = round_end_announcement(movement, after_round).boards
    if call.kind in ("none", "new"):
        return False
    is_one_way = call.kind == "pieces" and len(call.pieces) == 1 and not call.others
    return not is_one_way and not (call.kind == "stay" and not call.others)


def board_pictures(movement: Movement, size: Size = "medium") -> tuple[BoardPicture, ...]:
    """Return a picture for each different way in which boards move; empty if one rule describes them."""
    rounds: dict[Ways, list[int]] = {}
    for after_round in range(1, movement.rounds):
        rounds.setdefault(_ways_of_steps(board_steps(movement, after_round)), []).append(
            after_round
        )
    after_rounds = [
        tuple(after) for ways, after in rounds.items() if ways and needs_picture(movement, after[0])
    ]
    if not after_rounds or len(rounds) > MOST_PICTURES:
        return ()
    return tuple(
        BoardPicture(after, board_ring(movement, after[0], size)) for after in after_rounds
    )


def board_ring(movement: Movement, after_round: int, size: Size = "medium") -> SafeString:
    """Return a picture of the boards' moves after a round, with tables in two rows."""
    return _draw_picture(movement, after_round, size, get_language() or "")


@lru_cache(maxsize=128)
def _draw_picture(movement: Movement, after_round: int, size: Size, language: str) -> SafeString:
    """Return the picture of the boards' moves after a round as SVG; cached by language."""
    turned = replace(
        room_shape(movement),
        ew=None,
        boards=0,
        board_steps=tuple(_moving_steps(board_steps(movement, after_round))),
        skips=(),
        rover=None,
        rover_tables={},
        followers=(),
    )
    label = _("How the boards go after round %(round)s") % {"round": after_round}
    return rows_of_boards(turned, LOOKS[size], label)


def _moving_steps(steps: tuple[BoardStep, ...]) -> Iterator[BoardStep]:
    """Yield the moves of boards that change places."""
    return (step for step in steps if step.before != step.after or step.from_stand or step.to_stand)


def _ways_of_steps(steps: tuple[BoardStep, ...]) -> Ways:
    """Return from and to which tables boards move; rounds with equal moves share one picture."""
    return frozenset(
        (step.before, step.after, step.from_stand, step.to_stand) for step in _moving_steps(steps)
    )
