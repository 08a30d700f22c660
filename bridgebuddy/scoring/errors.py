"""Why something about results is refused. Pages turn these into translated sentences."""

from __future__ import annotations

from bridgebuddy.events.errors import ChangeRefused


class ResultChanged(ChangeRefused):
    """Somebody else has written another result down than the page showed (fields: outcome)."""


class NoPlay(ChangeRefused):
    """Nobody plays this board at this table in this round, or it has not begun."""


class Impossible(ChangeRefused):
    """No table can have had this result (fields: what)."""


class OtherRuling(ChangeRefused):
    """A board of a match has another artificial score at its other table (fields: board, table)."""


class ListIsClosed(ChangeRefused):
    """The correction period of the final list is over (fields: at)."""


class NothingToUndo(ChangeRefused):
    """There is no result to take back, or no penalty."""


class AlreadyDealt(ChangeRefused):
    """The boards have cards already, or are being dealt."""


class CardsAreShut(ChangeRefused):
    """Somebody will still play the board, or every match shuffles its own."""


class WordsAreClosed(ChangeRefused):
    """No word is added to the deals any more, or they are not made here."""


class NoWord(ChangeRefused):
    """This is no word that could be added."""


class UnknownMethod(ChangeRefused):
    """The session cannot be scored so (fields: what)."""


class NotLevel(ChangeRefused):
    """More boards are for a match that is level, as long as its round is the last one drawn."""


class DrawChanged(ChangeRefused):
    """The draw is another one by now: a result has come in, or was corrected."""


class ImpossibleDraw(ChangeRefused):
    """The round cannot be drawn as the director wants it: no lawful movement has this draw."""


class ResultsInRound(ChangeRefused):
    """A round that has results cannot be drawn anew (fields: round)."""
