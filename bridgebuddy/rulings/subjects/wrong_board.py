"""The subject "Wrong board or seat"."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, Subject
from .common import SAY_AND_PLAY, fault_question

_TEAMS = _("This is not for teams. Teams: Law 86B.")
_NO_TIME = _("A board cannot be played")


def _cancelled_end(name: str, sentence: GuideLine) -> FinalStep:
    """Return the final step in which the wrongly played board is cancelled."""
    return FinalStep(
        name,
        SAY_AND_PLAY,
        (
            GuideLine(_("“Stop. This board is cancelled for both sides.”"), "15B1"),
            GuideLine(_("“Play your own boards, as far as there is time.”"), "82B2"),
            sentence,
        ),
        later=Answer(_NO_TIME, fault_question(f"{name}-fault", "15B3 12C2(a)"), "15B3"),
        hint=_TEAMS,
    )


def _finished_end(name: str, sentence: GuideLine) -> FinalStep:
    """Return the final step in which the wrong board is finished and its result stands."""
    return FinalStep(
        name,
        SAY_AND_PLAY,
        (
            GuideLine(_("“Finish the board. The result stands.”"), "15B2"),
            GuideLine(_("“Play the correct board later, if there is time.”"), "15B2"),
            sentence,
        ),
        later=Answer(_NO_TIME, fault_question(f"{name}-fault", "15B3 12C2(a)"), "15B3"),
        hint=_TEAMS,
    )


_AT_THE_DESK = GuideLine(_("Then the desk: “More”, “Wrong boards were played”."), "82A")
_SEATS_AT_THE_DESK = GuideLine(_("Then the desk: “More”, and who sat wrong."), "82A")

_BOARD = Question(
    "board",
    _("Has one of the four played this board before?"),
    (
        Answer(_("Yes"), _cancelled_end("board-again", _AT_THE_DESK), "15B1"),
        Answer(_("No, none of them"), _finished_end("board-new", _AT_THE_DESK), "15B2"),
    ),
    GuideLine(_("No hand has left the board? Just take the correct board."), "82A"),
)

_CARDS = Question(
    "cards",
    _("Has this player called, and the partner since?"),
    (
        Answer(
            _("This player has not called"),
            FinalStep(
                "cards-none",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“Put these cards back, and take those of the board.”"), "7B1"),
                    GuideLine(_("The other board comes later: the cards seen may matter."), "16D"),
                ),
            ),
            "7B1",
        ),
        Answer(
            _("This player has called, the partner has not since"),
            FinalStep(
                "cards-call",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“Your call and all later calls are cancelled.”"), "15A1"),
                    GuideLine(_("“Take the correct cards, and call again.”"), "15A1(b)"),
                    GuideLine(_("“Your partner may not use the cancelled call.”"), "15A1(c) 16C2"),
                    GuideLine(
                        _("On the other board: the same call again, or an adjusted score."), "15A2"
                    ),
                ),
            ),
            "15A1(b)",
        ),
        Answer(
            _("Both have called"),
            fault_question("cards-fault", "15A1(a) 12C2(a)"),
            "15A1(a)",
        ),
    ),
    GuideLine(_("A procedural penalty is possible."), "15A3 90B7"),
)

_TABLE = Question(
    "table",
    _("Has the auction begun?"),
    (
        Answer(
            _("No"),
            FinalStep(
                "table-move",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“Please go to your own table.”"), "5B"),
                    GuideLine(_("A hand was seen? Then Law 16D."), "16D"),
                ),
            ),
            "5B",
        ),
        Answer(
            _("Yes, and none of the four has played the board"),
            _finished_end("table-new", _SEATS_AT_THE_DESK),
            "15B2",
        ),
        Answer(
            _("Yes, and one of the four has played it"),
            _cancelled_end("table-again", _SEATS_AT_THE_DESK),
            "15B1",
        ),
    ),
)

WRONG_BOARD = Subject(
    "board",
    _("Wrong board or seat"),
    "5, 7, 15",
    Question(
        "what",
        _("What is wrong?"),
        (
            Answer(_("The wrong board is on the table"), _BOARD, "15B"),
            Answer(_("A player has the cards of another board"), _CARDS, "15A"),
            Answer(_("Players sit at the wrong table"), _TABLE, "5B 15B"),
            Answer(
                _("North-South and East-West are exchanged"),
                Question(
                    "direction",
                    _("Has the auction begun?"),
                    (
                        Answer(
                            _("No"),
                            FinalStep(
                                "direction-change",
                                SAY_AND_PLAY,
                                (
                                    GuideLine(_("“Please change your seats.”"), "5B"),
                                    GuideLine(_("A hand was seen? Then Law 16D."), "16D"),
                                ),
                            ),
                            "5B",
                        ),
                        Answer(
                            _("Yes"),
                            FinalStep(
                                "direction-stay",
                                SAY_AND_PLAY,
                                (
                                    GuideLine(
                                        _("“Finish the board as you sit.”"),
                                        "82A",
                                        _("The Laws do not name this case."),
                                    ),
                                    GuideLine(_("“The result counts as it was played.”"), "82A"),
                                    GuideLine(
                                        _("Then the desk: “More”, “A table sat the wrong way”."),
                                        "82A",
                                    ),
                                ),
                            ),
                            "82A",
                        ),
                    ),
                ),
                "5B",
            ),
        ),
    ),
)
