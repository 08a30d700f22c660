"""Reasons to refuse changes of results. Pages turn these into translated sentences."""

from __future__ import annotations

from bridgebuddy.events.errors import ChangeRefused


class ResultChanged(ChangeRefused):
    """The result has changed since the page was shown (fields: outcome)."""


class NoPlay(ChangeRefused):
    """This board is not played at this table in this round, or the round has not begun."""


class ImpossibleResult(ChangeRefused):
    """This result is impossible at a table (fields: what)."""


class OtherRuling(ChangeRefused):
    """The match's other table has a different artificial score for the board (fields: board, table)."""


class ListIsClosed(ChangeRefused):
    """The correction period of the final list is over (fields: at)."""


class NothingToUndo(ChangeRefused):
    """There is no result or penalty to remove."""


class AlreadyDealt(ChangeRefused):
    """The boards have cards already, or will be dealt here."""


class CardsAreShut(ChangeRefused):
    """The board is still to be played elsewhere, or every match shuffles its own cards."""


class WordsAreClosed(ChangeRefused):
    """The time for adding words is over, or the deals are not made here."""


class NoWord(ChangeRefused):
    """The text is not a valid word."""


class UnknownMethod(ChangeRefused):
    """The session cannot be scored by this method (fields: what)."""


class NotLevel(ChangeRefused):
    """Extra boards need a level match whose round is the last one drawn."""


class DrawChanged(ChangeRefused):
    """The draw has changed: a result was entered or corrected."""


class ImpossibleDraw(ChangeRefused):
    """The round cannot be drawn as the director wishes: no lawful movement has this draw."""


class ResultsInRound(ChangeRefused):
    """A round with results cannot be drawn again (fields: round)."""
