"""Calls after a round: announcements that tell every person and every board the next place.

A call consists of rules for groups of tables with few exceptions, and refers to the cards if no rule applies. Rules
are tested against the seatings, so a call is never wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from ..board_copies.copies import copy_places
from ..descriptions.wording import ContestantStep, Line, SeatPlace, contestant_steps
from ..model import Movement, players_of
from .boards import WORDS_SAVED, BoardAnnouncement, board_announcement, break_announcement
from .people import WORDS_OF_CARDS, PeopleAnnouncement, count_words_for_people, people_announcement
from .pieces import TableGroup

#: longer calls are not remembered
MOST_WORDS = 40
#: shorter calls of boards are made even if the others are long
FEW_WORDS = 6


@dataclass(frozen=True, slots=True)
class MidRoundChange:
    """The moves in the middle of a round that is played in parts, and the share of the round played by then."""

    at: Fraction
    others: tuple[ContestantStep, ...]
    boards: BoardAnnouncement


@dataclass(frozen=True, slots=True)
class RoundEndAnnouncement:
    """The announcement at the end of a round, with the changes within the next one."""

    after_round: int
    people: PeopleAnnouncement
    boards: BoardAnnouncement
    breaks: tuple[MidRoundChange, ...]


@lru_cache(maxsize=512)
def round_end_announcement(movement: Movement, after_round: int) -> RoundEndAnnouncement:
    """Return the announcement after a round: the shortest one that moves all people and boards.

    Raises `LookupError` for the last round, after which no contestant moves.

    >>> from movements.engine.families.mitchells.crisscross import crisscross
    >>> call = round_end_announcement(crisscross(8), 1)
    >>> [(piece.group, piece.shift) for piece in (*call.people.pieces, *call.boards.pieces)]
    [('odd', -1), ('even', 1), ('all', 0), ('odd', 1), ('even', -1)]
    """
    if not 1 <= after_round < movement.rounds:
        raise LookupError(f"nothing follows round {after_round}")
    people = people_announcement(movement, after_round, contestant_steps(movement, after_round))
    rows = [(p.first, p.last) for p in people.pieces if p.line == "ew" and p.group == "row"]
    row = rows[0] if len(rows) == 1 and not people.by_cards else None
    people, boards = _shortened_announcement(
        movement, people, board_announcement(movement, after_round, row)
    )
    return RoundEndAnnouncement(
        after_round, people, boards, mid_round_changes(movement, after_round + 1)
    )


def _shortened_announcement(
    movement: Movement, people: PeopleAnnouncement, boards: BoardAnnouncement
) -> tuple[PeopleAnnouncement, BoardAnnouncement]:
    """Return the announcement with parts that are too long to listen to replaced by "see the cards"."""
    of_people = count_words_for_people(movement, people)
    saved = WORDS_SAVED if common_row_rules(people, boards) else 0
    if of_people + boards.words - saved <= MOST_WORDS:
        return people, boards
    by_cards = BoardAnnouncement("cards")
    if boards.words > FEW_WORDS and of_people + by_cards.words <= MOST_WORDS:
        return people, by_cards
    if WORDS_OF_CARDS + boards.words <= MOST_WORDS:
        return people.reduced_to_cards, boards
    return people.reduced_to_cards, by_cards


def common_row_rules(
    people: PeopleAnnouncement, boards: BoardAnnouncement
) -> tuple[TableGroup, TableGroup] | None:
    """Return the rules of East-West and of the boards if both move along the same row of tables; otherwise None.

    They are announced in one sentence.
    """
    moving = [piece for piece in people.pieces if piece.line == "ew"]
    if boards.kind != "pieces" or len(moving) != 1 or len(boards.pieces) != 1 or people.by_cards:
        return None
    pair = moving[0], boards.pieces[0]
    is_one = pair[0].group == pair[1].group == "row" and pair[0].shift and pair[1].shift
    rows = {(piece.first, piece.last) for piece in pair}
    return pair if is_one and len(rows) == 1 else None


@lru_cache(maxsize=512)
def mid_round_changes(movement: Movement, round: int) -> tuple[MidRoundChange, ...]:
    """Return the moves during a round; empty if all tables play it in one part."""
    if movement.is_draw or all(
        len(movement.seatings_at_table(s.round, s.table)) == 1 for s in movement.in_round(round)
    ):
        return ()
    breaks = []
    for at, carried in copy_places(movement).moves_within_round(round):
        before, after = (
            _seats_at_moment(movement, round, at, just_before=True),
            _seats_at_moment(movement, round, at),
        )
        others = tuple(
            ContestantStep(key[0], before.get(key), after.get(key))
            for key in sorted({*before, *after})
            if before.get(key) != after.get(key)
        )
        boards = break_announcement(movement, round, carried)
        if others or boards.kind != "stay" or boards.others:
            breaks.append(MidRoundChange(at, others, boards))
    return tuple(breaks)


def _seats_at_moment(
    movement: Movement, round: int, at: Fraction, *, just_before: bool = False
) -> dict[tuple[int, str], SeatPlace]:
    """Return each contestant's table and direction at a time within a round, or just before that time."""
    lines: tuple[Line, Line] = ("ns", "ew")
    seats: dict[tuple[int, str], SeatPlace] = {}
    for part in movement.parts(round):
        is_on = part.begins < at <= part.ends if just_before else part.is_on(at)
        if is_on:
            for line, side in zip(lines, (part.seating.ns, part.seating.ew), strict=True):
                for contestant in players_of(side):
                    half = line if movement.contest.has_halves else ""
                    seats[contestant, half] = SeatPlace(part.seating.table, line)
    return seats
