"""Reasons to refuse a change. Pages turn these into translated sentences with a way out."""

from __future__ import annotations


class ChangeRefused(Exception):
    """The base class of errors of refused changes, with data (`fields`) from which pages make a sentence."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields
        super().__init__(fields)


class AlreadyStarted(ChangeRefused):
    """Raised if the section has started and the change is possible only before the start."""


class NotRunning(ChangeRefused):
    """Raised if no round of the section is in play."""


class RoundMovedOn(ChangeRefused):
    """Raised if the section is no longer in the round that the page showed (data: expected, actual)."""


class NotDrawn(ChangeRefused):
    """Raised if the pairings of a round have not been drawn yet (data: round)."""


class NotSeated(ChangeRefused):
    """Raised if the section has no movement yet, or the contestant has no seat in it."""


class NoStrengths(ChangeRefused):
    """Raised if no player's strength is known, so that seats cannot be balanced by strength."""


class NotEntered(ChangeRefused):
    """Raised if the pair's or team's entry no longer exists."""


class MovementChanged(ChangeRefused):
    """Raised if the section's movement has changed since the page was shown."""


class PersonTwice(ChangeRefused):
    """Raised if a person already plays in this session (data: name; pair: index in the list; there: section)."""


class PlaysElsewhere(PersonTwice):
    """Raised if a person has another seat in some of these rounds (data: name; entry: the entry of that seat)."""


class AlreadyInTeam(PersonTwice):
    """Raised if a person is in the team already; the line-up decides when they play (data: name)."""


class BothPlayed(ChangeRefused):
    """Raised if two people cannot be merged, as both played in a section at once (data: name, other, date)."""


class TooManyEntries(ChangeRefused):
    """Raised if the section already has the largest possible number of entries (data: most)."""


class NoSuchRound(ChangeRefused):
    """Raised if the movement does not have these rounds (data: rounds)."""


class ReserveHasSeat(ChangeRefused):
    """Raised if a reserve cannot leave the team, because they play in some round (data: name)."""


class NoHalfTime(ChangeRefused):
    """Raised if the team matches have no halves, so that pairs cannot change seats at half-time."""


class CannotGoBack(ChangeRefused):
    """Raised if a change cannot be undone, because a later change depends on it."""


class SectionChanged(ChangeRefused):
    """Raised if the section was changed after the page on which the director decided was loaded."""


class NoSuchProposal(ChangeRefused):
    """Raised if the movement that the director chose is not, or no longer, among the proposals."""


class NameRequired(ChangeRefused):
    """Raised if a played session is to be deleted and its name was not typed as confirmation (data: name)."""


class StillPlaying(ChangeRefused):
    """Raised if the person takes part in a session that is not over (data: name, date)."""


class SessionUnderWay(ChangeRefused):
    """Raised if the club cannot be changed in this way while one of its sessions is in play."""


class AlreadyPurged(ChangeRefused):
    """Raised if a deleted session has been purged and can no longer be restored."""


class StillSearching(ChangeRefused):
    """Raised while the search for a movement runs for the section, or too many other searches run."""
