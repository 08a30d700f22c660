"""Refused changes as sentences with the way out."""

from __future__ import annotations

from datetime import date
from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events import errors
from bridgebuddy.scoring import errors as scoring
from bridgebuddy.scoring.words import outcome_text
from bridgebuddy.template_tags import long_date


def change_refused(error: errors.ChangeRefused) -> str:
    """Say why a change was not made, and in which of several sections it could not be."""
    section = error.fields.get("section")
    if section is None:
        return _refused(error)
    return _("Section %(section)s: %(problem)s") % {"section": section, "problem": _refused(error)}


def _refused(error: errors.ChangeRefused) -> str:
    match error:
        case errors.RoundMovedOn():
            return _(
                "Somebody else was faster: this is round %(round)s now. Nothing was done twice."
            ) % {"round": error.fields["actual"]}
        case errors.SomebodyWasFaster():
            return _(
                "Somebody else has changed the session meanwhile. Nothing was done; here is what is possible now."
            )
        case errors.NoSuchProposal():
            return _("This is not possible any more. Here is what is possible now.")
        case errors.StillSearching():
            return _("A search is under way already. Look again in a moment.")
        case errors.NotDrawn():
            return (
                _(
                    "Round %(round)s is not drawn yet: nobody would know where to sit. Draw it first."
                )
                % error.fields
            )
        case errors.NotSeated():
            return _("Not everybody has a seat yet. Choose the movement first.")
        case errors.NotRunning():
            return _("No round is being played.")
        case errors.CannotGoBack():
            return _("There is nothing to take back.")
        case errors.AlreadyStarted():
            return _("The session has begun; this can only be changed before the start.")
        case errors.NotEntered():
            return _("Somebody else has taken this pair off the list.")
        case errors.NoStrengths():
            return _("Nobody's strength is known yet. Enter some strengths first.")
        case errors.MovementChanged():
            return _("The movement has been changed meanwhile. Look at these, then choose.")
        case errors.PersonTwice() if "there" in error.fields:
            return _("%(name)s plays in section %(there)s already.") % error.fields
        case errors.InTheTeam():
            return (
                _("%(name)s is in this team. Its line-up says who plays when: change it there.")
                % error.fields
            )
        case errors.PlaysElsewhere():
            return _("%(name)s plays in these rounds already: %(entry)s.") % error.fields
        case errors.BothPlayed():
            return _("%(name)s and %(other)s both played on %(date)s: they are two people.") % {
                **error.fields,
                "date": long_date(cast(date, error.fields["date"])),
            }
        case errors.PersonTwice():
            return _("%(name)s is on the list already.") % error.fields
        case errors.NameAsked():
            return _("This was played. Type its name to delete it: %(name)s") % error.fields
        case errors.StillPlaying():
            return _(
                "%(name)s is in the session of %(date)s, which is not over. Wait until it is."
            ) % {
                **error.fields,
                "date": long_date(cast(date, error.fields["date"])),
            }
        case errors.EveningUnderWay():
            return _("A session of the club is being played. End it first.")
        case errors.Forgotten():
            return _("The day is over: the session cannot be brought back any more.")
        case errors.TooManyEntries():
            return _("%(most)s pairs are the most a section can have.") % error.fields
        case errors.HasASeat():
            return _("%(name)s plays in some round. Change the line-up first.") % error.fields
        case errors.NoHalfTime():
            return _("These matches have no half-time: say who sits there in the whole round.")
        case errors.NoSuchRound():
            rounds = error.fields["rounds"]
            assert isinstance(rounds, int)
            return ngettext(
                "There is only %(rounds)s round. Choose it from the list.",
                "There are %(rounds)s rounds. Choose two of them, the first one first.",
                rounds,
            ) % {"rounds": rounds}
    return _of_results(error)


def _of_results(error: errors.ChangeRefused) -> str:
    match error:
        case scoring.ResultChanged():
            was = outcome_text(cast("dict[str, object] | None", error.fields["outcome"]))
            return _("Somebody else has entered another result meanwhile: %(result)s.") % {
                "result": was or _("none")
            }
        case scoring.NoPlay():
            return _("Nobody plays this board there.")
        case scoring.Impossible():
            return _("No table can have had this result on this board.")
        case scoring.OtherRuling():
            return (
                _(
                    "Board %(board)s of this match has another artificial score at table %(table)s."
                    " One counts for both tables: give the same, or take that one away first."
                )
                % error.fields
            )
        case scoring.ListIsClosed():
            return _(
                "The list is final, and its corrections ended (Law 79C). Open it again first: Results, Ranking."
            )
        case scoring.NothingToUndo():
            return _("There is nothing left to take back.")
        case scoring.AlreadyDealt():
            return _("These boards have cards already. Take them away first.")
        case scoring.WordsAreClosed():
            return _("The deals are made: no word is added any more.")
        case scoring.NoWord():
            return _("Type a word of at most 40 letters.")
        case scoring.NotLevel():
            return _("More boards are only for a level match, before the next round is drawn.")
        case scoring.DrawChanged():
            return _(
                "A result has come in or was corrected, and the draw is another one now."
                " Nothing was published: look at it once more."
            )
        case scoring.ResultsInRound():
            return _("Round %(round)s has results already: its draw stays as it is.") % error.fields
        case scoring.UnknownMethod():
            return _("It cannot be scored so: there are penalties in another unit.")
    return _("This change is not possible now.")
