"""The twelve subjects of the guide, in the order of the page."""

from __future__ import annotations

from ..guide import Subject
from .call_out_of_turn import CALL_OUT_OF_TURN
from .claims import CLAIM
from .exposed_card import EXPOSED_CARD
from .insufficient_bid import INSUFFICIENT_BID
from .late_play import LATE_PLAY
from .lead_out_of_turn import LEAD_OUT_OF_TURN
from .misinformation import MISINFORMATION
from .number_of_cards import NUMBER_OF_CARDS
from .revoke import REVOKE
from .slow_play import SLOW_PLAY
from .unauthorised_information import UNAUTHORISED_INFORMATION
from .wrong_board import WRONG_BOARD

SUBJECTS: tuple[Subject, ...] = (
    LEAD_OUT_OF_TURN,
    INSUFFICIENT_BID,
    CALL_OUT_OF_TURN,
    REVOKE,
    EXPOSED_CARD,
    MISINFORMATION,
    UNAUTHORISED_INFORMATION,
    CLAIM,
    WRONG_BOARD,
    NUMBER_OF_CARDS,
    LATE_PLAY,
    SLOW_PLAY,
)


def find_subject(name: str) -> Subject | None:
    """Return the subject of the guide with this name, or None."""
    return next((subject for subject in SUBJECTS if subject.name == name), None)
