"""Reasons to refuse changes of results. Pages turn these into translated sentences."""

from __future__ import annotations

from bridgebuddy.events.errors import ChangeRefused


class ResultChanged(ChangeRefused):
    """The result was changed after the page was loaded (fields: outcome)."""


class NoPlay(ChangeRefused):
    """The board is not played at this table in this round, or the round has not begun."""


class ImpossibleResult(ChangeRefused):
    """The laws of bridge do not allow this result (fields: what)."""


class OtherRuling(ChangeRefused):
    """The other table of the match already has a different artificial score for the board (fields: board, table)."""


class ListIsClosed(ChangeRefused):
    """The correction period of the final list has ended (fields: at)."""


class NothingToUndo(ChangeRefused):
    """The result, penalty or ruling to be removed does not exist any more."""


class AlreadyDealt(ChangeRefused):
    """Boards already have hands, from a file or the program, or are to be dealt by the program."""


class CardsAreShut(ChangeRefused):
    """The hands may not be entered yet: the board is still to be played, or each match shuffles its own."""


class WordsAreClosed(ChangeRefused):
    """Words for the random deals can no longer be added, or the program does not deal this session."""


class NoWord(ChangeRefused):
    """The typed text cannot be used as a word for the random deals."""


class UnknownMethod(ChangeRefused):
    """The session cannot be scored by the chosen method (fields: what)."""


class NotLevel(ChangeRefused):
    """Extra boards can be added only to a level match of the last drawn round."""


class DrawChanged(ChangeRefused):
    """The draw differs from the one that the page showed, because a result has changed."""


class ImpossibleDraw(ChangeRefused):
    """The round cannot be drawn with the director's exchanges, because the movement would break a law."""


class ResultsInRound(ChangeRefused):
    """A round that has results cannot be drawn again (fields: round)."""
