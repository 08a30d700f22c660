"""Feedback after a board: the comparison that the club allows, and never too early."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bridgebuddy.scoring.results.arriving_results import is_outcome_known
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import SheetRow, Traveller
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot

from ..models import FeedbackLevel
from ..place import TablePlace
from ..queries.at_table import ACROSS, AGREED, TableBoard
from ..services.claims import STORED


@dataclass(frozen=True)
class BoardFeedback:
    """How a table did on a board, compared with the results so far, as far as the table may see it."""

    side: str
    percent: Fraction | None
    points: Fraction | None
    is_per_cent: bool
    #: with it pages write all values with the same number of decimals
    scored: ScoredSession
    count: int
    rows: tuple[SheetRow, ...]
    play: int

    @property
    def has_figure(self) -> bool:
        """Return whether the board has a percentage or points; a board that was not played has none."""
        return (self.percent if self.is_per_cent else self.points) is not None

    @property
    def meter_value(self) -> float:
        """Return the percentage for the page's bar, from 0 to 100."""
        return float(min(max(self.percent or 0, 0), 100))


def feedback_on(place: TablePlace, board: TableBoard) -> BoardFeedback | None:
    """Return a table's feedback on a board; None if the club shows none, or others must still play it.

    Until an embargo ends, other places may still play the same cards.
    """
    if place.phones.feedback == FeedbackLevel.NOTHING or not place.phones.need_secret:
        return None
    tonight = place.tonight
    line = tonight.line_of(board.play.pk)
    if line is None or not is_board_over(tonight, line) or tonight.scoring.is_embargoed:
        return None
    scored = ScoredSession(tonight)
    mine = board.side_of(place.entry_key)
    own = scored.side(line, mine)
    traveller = Traveller(scored, line.section, line.board)
    rows = [row for row in traveller.rows if row.line.outcome and row.line.group == line.group]
    is_whole = place.phones.feedback == FeedbackLevel.TRAVELLER
    return BoardFeedback(
        mine,
        own.percent if own else None,
        own.points if own else None,
        scored.is_per_cent,
        scored,
        len(rows),
        tuple(rows) if is_whole else (),
        board.play.pk,
    )


def is_board_over(tonight: SessionSnapshot, line: PlayLine) -> bool:
    """Return whether nobody at the table of a play, or at a table sharing its board, must still play it.

    In a draw, numbers stand for other boards in each match, so there is no comparison.
    """
    section = line.section
    if section.stored.is_draw or section.contest.has_halves:
        return False
    people = {contestant.entry for contestant in (*line.ns, *line.ew)}
    for other in tonight.lines:
        is_same = other.board == line.board and (
            tonight.session.same_deals or other.section.pk == section.pk
        )
        if not is_same or other.index == line.index or other.outcome is not None:
            continue
        theirs = {contestant.entry for contestant in (*other.ns, *other.ew)}
        if people & theirs:
            return False
        is_beside = other.section.pk == section.pk and other.round == line.round
        if other.has_begun and is_beside:
            return False
    return True


def may_be_another_board(place: TablePlace, board: TableBoard) -> bool:
    """Return whether this result may belong to another board of the round that has no result yet.

    Until the number is confirmed, other tables' results stay hidden: the board may still come.
    """
    if board.play.round != place.section.round or board.is_over(place.section):
        return False
    others = [other for other in place.boards_at_table.boards if other.play.pk != board.play.pk]
    return any(not is_outcome_known(other.outcome) for other in others)


def confirming_side(place: TablePlace, board: TableBoard, came: str) -> str:
    """Return the side that has confirmed this phone's entry on another phone; empty without one."""
    other = ACROSS.get(board.side_of(place.entry_key), "")
    if came != STORED or board.state != AGREED or other not in board.held:
        return ""
    return "" if board.held[other].phone == place.phone.name else other
