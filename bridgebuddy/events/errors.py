"""Reasons to refuse a change. Pages turn these into translated sentences with a way out."""

from __future__ import annotations


class ChangeRefused(Exception):
    """A change cannot be made now; carries fields, not a sentence."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields
        super().__init__(fields)


class AlreadyStarted(ChangeRefused):
    """The section has begun: this can only be changed before."""


class NotRunning(ChangeRefused):
    """No round is being played."""


class RoundMovedOn(ChangeRefused):
    """Another director has already moved the round on (fields: expected, actual)."""


class NotDrawn(ChangeRefused):
    """The round's pairings have not been drawn yet (fields: round)."""


class NotSeated(ChangeRefused):
    """The section has no movement, or a contestant has no seat."""


class NoStrengths(ChangeRefused):
    """No strengths are known, so there is nothing to balance."""


class NotEntered(ChangeRefused):
    """The pair is no longer entered."""


class MovementChanged(ChangeRefused):
    """The section's movement has changed since the page was shown."""


class PersonTwice(ChangeRefused):
    """A person is in this session already (fields: name; pair, the index of the pair in a list; there,
    the other section in which they are)."""


class PlaysElsewhere(PersonTwice):
    """A person has another seat in some of these rounds (fields: name, entry, the entry of that seat)."""


class AlreadyInTeam(PersonTwice):
    """A person already belongs to the team, whose line-up says when they play (fields: name)."""


class BothPlayed(ChangeRefused):
    """Two people played in one section at the same time, so they are different people (fields: name, other, date)."""


class TooManyEntries(ChangeRefused):
    """The section is full (fields: most)."""


class NoSuchRound(ChangeRefused):
    """The movement has no such rounds (fields: rounds)."""


class ReserveHasSeat(ChangeRefused):
    """A reserve plays in some round, and stays in the team (fields: name)."""


class NoHalfTime(ChangeRefused):
    """The section's matches have no halves, so teams cannot change seats at half-time."""


class CannotGoBack(ChangeRefused):
    """A later change depends on the change to undo."""


class SectionChanged(ChangeRefused):
    """The section has changed since the director decided."""


class NoSuchProposal(ChangeRefused):
    """The chosen proposal is not possible, or no longer."""


class NameRequired(ChangeRefused):
    """A played session can be deleted only by typing its name (fields: name)."""


class StillPlaying(ChangeRefused):
    """A person takes part in a session that is not over (fields: name, date)."""


class SessionUnderWay(ChangeRefused):
    """A session of the club is being played."""


class AlreadyPurged(ChangeRefused):
    """The deleted session has been purged."""


class StillSearching(ChangeRefused):
    """The section is being searched, or too many others are."""
