"""Refused changes as sentences, with an alternative."""

from __future__ import annotations

from datetime import date
from typing import cast

from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from bridgebuddy.events import errors
from bridgebuddy.registration import errors as coming
from bridgebuddy.scoring import errors as scoring
from bridgebuddy.scoring.words import outcome_text
from bridgebuddy.web.template_tags import long_date

#: the sentence of each error, and of its subclasses without their own
SENTENCES = {
    errors.RoundMovedOn: _(
        "Another director was faster: round %(round)s has already begun. Your click changed "
        "nothing."
    ),
    errors.SectionChanged: _(
        "Another director has changed the session meanwhile. Your change was not made. These "
        "are the options now."
    ),
    errors.NoSuchProposal: _("This is no longer possible. These options remain."),
    errors.StillSearching: _("A search is under way already. Look again in a moment."),
    errors.NotDrawn: _("Round %(round)s has not been drawn yet. Draw it before you start it."),
    errors.NotSeated: _("Not everybody has a seat yet. Choose the movement first."),
    errors.NotRunning: _("No round is being played."),
    errors.CannotGoBack: _("There is nothing to undo."),
    errors.AlreadyStarted: _("The session has begun; this can only be changed before the start."),
    errors.NotEntered: _("Somebody else has taken this pair off the list."),
    errors.NoStrengths: _("Nobody's strength is known yet. Enter some strengths first."),
    errors.MovementChanged: _(
        "The movement has been changed meanwhile. Look at these, then choose."
    ),
    errors.AlreadyInTeam: _(
        "%(name)s is a member of this team. Change the team’s line-up instead."
    ),
    errors.PlaysElsewhere: _("%(name)s plays in these rounds already: %(entry)s."),
    errors.BothPlayed: _("%(name)s and %(other)s both played on %(date)s: they are two people."),
    errors.PersonTwice: _("%(name)s is on the list already."),
    errors.NameRequired: _("This was played. Type its name to delete it: %(name)s"),
    errors.StillPlaying: _(
        "%(name)s is in the session of %(date)s, which is not over. Wait until it is."
    ),
    errors.SessionUnderWay: _("A session of the club is being played. End it first."),
    errors.AlreadyPurged: _("The day is over: the session cannot be brought back any more."),
    errors.TooManyEntries: _("%(most)s pairs are the most a section can have."),
    errors.ReserveHasSeat: _("%(name)s plays in some round. Change the line-up first."),
    errors.NoHalfTime: _("These matches have no half-time. Enter a line-up for the whole round."),
    errors.NoSuchRound: ngettext_lazy(
        "There is only %(rounds)s round. Choose it from the list.",
        "There are %(rounds)s rounds. Choose two of them, the first one first.",
        "rounds",
    ),
    scoring.ResultChanged: _("Somebody else has entered another result meanwhile: %(result)s."),
    scoring.NoPlay: _("Nobody plays this board there."),
    scoring.ImpossibleResult: _("This result is impossible on this board."),
    scoring.OtherRuling: _(
        "Board %(board)s of this match has a different artificial score at table %(table)s. "
        "Both tables must have the same. Enter the same score, or remove the other one first."
    ),
    scoring.ListIsClosed: _(
        "The list is final, and its corrections ended (Law 79C). Open it again first: Results, Ranking."
    ),
    scoring.NothingToUndo: _("There is nothing left to undo."),
    scoring.AlreadyDealt: _("These boards have cards already. Take them away first."),
    scoring.WordsAreClosed: _("The boards have been dealt. No more words can be added."),
    scoring.NoWord: _("Type a word of at most 40 letters."),
    scoring.NotLevel: _(
        "Extra boards are possible only in a level match, before the next round is drawn."
    ),
    scoring.DrawChanged: _(
        "A new or corrected result has changed the draw. It was not published: check it again."
    ),
    scoring.ImpossibleDraw: _(
        "This draw is not possible and was not published. Choose who advances, exchange "
        "others, or end the session after this round (Desk, Fewer or more rounds)."
    ),
    scoring.ResultsInRound: _("Round %(round)s has results already: its draw stays as it is."),
    scoring.UnknownMethod: _("This scoring is not possible: there are penalties in another unit."),
    coming.RegistrationRefused: _("Entries are closed: the session has begun or is over."),
    coming.NotForPairs: _("Players can register in advance for sessions of pairs only."),
    coming.SelfAsPartner: _("A pair is two people; this is the same name twice."),
    coming.PartnerHasCancelled: _("%(name)s has declined."),
    coming.PartnerIsTaken: _(
        "%(name)s is registered with another partner. Remove that pair first."
    ),
    coming.PreparationOutdated: _(
        "Registrations have changed meanwhile. The session was not started. Check the options "
        "again."
    ),
    coming.TooManyNames: _("Too many names are waiting for approval."),
    errors.ChangeRefused: _("This change is not possible now."),
}


def change_refused(error: errors.ChangeRefused) -> str:
    """Return the sentence that says why a change was refused, with the section if there are several."""
    section = error.fields.get("section")
    if section is None:
        return _refusal_text(error)
    return gettext("Section %(section)s: %(problem)s") % {
        "section": section,
        "problem": _refusal_text(error),
    }


def _refusal_text(error: errors.ChangeRefused) -> str:
    """Return the sentence that explains the error by which a change was refused, without the section's name."""
    fields = {"round": error.fields.get("actual"), **error.fields}
    if "date" in fields:
        fields["date"] = long_date(cast(date, fields["date"]))
    if isinstance(error, scoring.ResultChanged):
        was = outcome_text(cast("dict[str, object] | None", fields["outcome"]))
        fields["result"] = was or gettext("none")
    if isinstance(error, errors.PersonTwice) and "there" in fields:
        return gettext("%(name)s plays in section %(there)s already.") % fields
    kind = next(kind for kind in type(error).__mro__ if kind in SENTENCES)
    return str(SENTENCES[kind] % fields)
