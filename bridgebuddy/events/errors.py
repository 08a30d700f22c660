"""Why a change is refused. Pages turn these into translated sentences with the way out."""

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
    """Somebody else was faster (fields: expected, actual)."""


class NotDrawn(ChangeRefused):
    """Nobody knows yet who plays whom in the round (fields: round)."""


class NotSeated(ChangeRefused):
    """The section has no movement, or somebody has no seat."""


class NoStrengths(ChangeRefused):
    """Nobody's strength is known, so that there is nothing to balance."""


class NotEntered(ChangeRefused):
    """The pair is no longer on the list."""


class MovementChanged(ChangeRefused):
    """The section has another movement now than the page showed."""


class PersonTwice(ChangeRefused):
    """A person is in this session already (fields: name; pair, the index of the pair in a list; there,
    the other section in which they are)."""


class PlaysElsewhere(PersonTwice):
    """A person has another place in some of these rounds (fields: name, entry, of whom it is)."""


class InTheTeam(PersonTwice):
    """A person is in the team already, and its line-up says when they play (fields: name)."""


class BothPlayed(ChangeRefused):
    """Two people sat in one section at a time, so they are two (fields: name, other, date)."""


class TooManyEntries(ChangeRefused):
    """The section is full (fields: most)."""


class NoSuchRound(ChangeRefused):
    """The movement has no such rounds (fields: rounds)."""


class HasASeat(ChangeRefused):
    """A reserve plays in some round, and stays in the team (fields: name)."""


class NoHalfTime(ChangeRefused):
    """The matches of the section have no halves in which a team could sit otherwise."""


class CannotGoBack(ChangeRefused):
    """Something depends on what would be taken back."""


class SomebodyWasFaster(ChangeRefused):
    """The section is no longer as the director saw it when deciding."""


class NoSuchProposal(ChangeRefused):
    """What was chosen is not possible (any more)."""


class NameAsked(ChangeRefused):
    """What was played is deleted only by whoever types its name (fields: name)."""


class StillPlaying(ChangeRefused):
    """Somebody is in a session that is not over (fields: name, date)."""


class EveningUnderWay(ChangeRefused):
    """A session of the club is being played."""


class Forgotten(ChangeRefused):
    """What was deleted has been forgotten by now."""


class StillSearching(ChangeRefused):
    """The section, or too many others, are being searched at the moment."""
