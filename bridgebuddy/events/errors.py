"""Reasons to refuse a change. Pages turn these into translated sentences with a way out."""

from __future__ import annotations


class ChangeRefused(Exception):
    """The base class of refused changes. It carries data (`fields`); pages make a sentence of it."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields
        super().__init__(fields)


class AlreadyStarted(ChangeRefused):
    """The section has started, and this change is possible only before the start."""


class NotRunning(ChangeRefused):
    """The section has no round in play."""


class RoundMovedOn(ChangeRefused):
    """The section is no longer in the round that the page showed (fields: expected, actual)."""


class NotDrawn(ChangeRefused):
    """The round's pairings have not been drawn yet (fields: round)."""


class NotSeated(ChangeRefused):
    """The section has no movement yet, or the contestant has no seat in it."""


class NoStrengths(ChangeRefused):
    """No player's strength is known, so seats cannot be balanced by strength."""


class NotEntered(ChangeRefused):
    """The pair's or team's entry no longer exists."""


class MovementChanged(ChangeRefused):
    """The section's movement has changed since the page was shown."""


class PersonTwice(ChangeRefused):
    """A person is already in this session (fields: name; pair: its index in the list; there: the other section)."""


class PlaysElsewhere(PersonTwice):
    """A person already has another seat in some of these rounds (fields: name; entry: the entry of that seat)."""


class AlreadyInTeam(PersonTwice):
    """A person belongs to the team already; the line-up decides when they play (fields: name)."""


class BothPlayed(ChangeRefused):
    """Two people cannot be merged: both played in one section at the same time (fields: name, other, date)."""


class TooManyEntries(ChangeRefused):
    """The section already has the most entries it can have (fields: most)."""


class NoSuchRound(ChangeRefused):
    """The rounds are not rounds of the movement (fields: rounds)."""


class ReserveHasSeat(ChangeRefused):
    """A reserve cannot leave the team, because they play in some round (fields: name)."""


class NoHalfTime(ChangeRefused):
    """The section's team matches have no halves, so pairs cannot change seats at half-time."""


class CannotGoBack(ChangeRefused):
    """The change cannot be undone, because a later change depends on it."""


class SectionChanged(ChangeRefused):
    """The section was changed after the page on which the director decided was loaded."""


class NoSuchProposal(ChangeRefused):
    """The movement that the director chose is not, or no longer, among the proposals for the change."""


class NameRequired(ChangeRefused):
    """A played session is deleted only if its name is typed as a confirmation (fields: name)."""


class StillPlaying(ChangeRefused):
    """The person takes part in a session that is not over (fields: name, date)."""


class SessionUnderWay(ChangeRefused):
    """The club has a session in play, so it cannot be changed in this way now."""


class AlreadyPurged(ChangeRefused):
    """The deleted session has been purged and can no longer be restored."""


class StillSearching(ChangeRefused):
    """The search for a movement is still running for the section, or too many other searches are."""
