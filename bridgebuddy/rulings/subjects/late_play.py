"""The subject "Board not finished"."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, Subject, SuggestedRuling
from .common import SAY_AND_PLAY, fault_question


def _postponed_end(name: str) -> FinalStep:
    """Return the final step in which the board is played later."""
    return FinalStep(
        name,
        _("Play it later"),
        (
            GuideLine(_("“You play this board later, against the same opponents.”"), "82B2"),
            GuideLine(_("“Do not look at it, and do not listen.”"), "16D 90B3"),
            GuideLine(_("Note when and where. Put the board aside."), "81C"),
        ),
        award=SuggestedRuling("not_played", why_not="later"),
    )


def _can_be_later_question(name: str) -> Question:
    """Return the question of whether the board can be played later; if not, averages follow."""
    return Question(
        name,
        _("Can the board be played later?"),
        (
            Answer(
                _("Yes, today or before the results are final"),
                _postponed_end(f"{name}-yes"),
            ),
            Answer(_("No"), fault_question(f"{name}-fault", "82B2 12C2(a)"), "12C2(a)"),
        ),
        GuideLine(_("The organiser’s rules may say when late boards are allowed."), "81B2"),
    )


LATE_PLAY = Subject(
    "unfinished",
    _("Board not finished"),
    "8, 12, 82",
    Question(
        "state",
        _("How far is the board when the round ends?"),
        (
            Answer(_("Not begun"), _can_be_later_question("not-begun"), "82B2"),
            Answer(
                _("In the auction or in the play"),
                FinalStep(
                    "begun",
                    SAY_AND_PLAY,
                    (
                        GuideLine(
                            _("“Finish this board. Your round lasts until you move.”"), "8B1"
                        ),
                        GuideLine(_("“Do not begin another board.”"), "82B2"),
                        GuideLine(
                            _("The next opponents wait, or begin with their other boards."), "81C"
                        ),
                    ),
                ),
                "8B1",
            ),
            Answer(
                _("One side came too late for it"),
                _can_be_later_question("came-late"),
                "90B1 82B2",
                _("A penalty is possible as well."),
            ),
        ),
    ),
)
