"""The subject "Slow play"."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, Subject
from .common import APPEAL, SAY_AND_PLAY, fault_question

_NEXT = _("They lose a board")


def _warned_end(name: str, warning: GuideLine) -> FinalStep:
    """Return the final step in which the director warns a slow table."""
    return FinalStep(
        name,
        SAY_AND_PLAY,
        (
            warning,
            GuideLine(_("“If there is no time for a board, I take it away.”"), "82B2"),
            GuideLine(_("Note round, table and time."), "81C"),
        ),
        later=Answer(_NEXT, fault_question(f"{name}-fault", "82B2 12C2(a)"), "12C2(a)"),
    )


SLOW_PLAY = Subject(
    "slow",
    _("Slow play"),
    "81, 82, 90",
    Question(
        "state",
        _("What do you see?"),
        (
            Answer(
                _("A table is behind"),
                Question(
                    "whose",
                    _("Which side takes the time?"),
                    (
                        Answer(
                            _("One side, clearly"),
                            _warned_end(
                                "one",
                                GuideLine(
                                    _("To that side: “Please play faster.”"),
                                    "81C 90B2",
                                    _("The others are not at fault."),
                                ),
                            ),
                            "90B2",
                        ),
                        Answer(
                            _("Both, or it is not clear"),
                            _warned_end(
                                "both",
                                GuideLine(_("To all four: “Please play faster.”"), "81C 90B2"),
                            ),
                            "90B2",
                        ),
                    ),
                ),
                "90B2",
            ),
            Answer(
                _("There is no time for the next board"),
                fault_question("no-time-fault", "82B2 12C2(a)"),
                "82B2",
            ),
            Answer(
                _("The same side again, after a warning"),
                FinalStep(
                    "penalty",
                    _("Give a penalty"),
                    (
                        GuideLine(
                            _("“You get a procedural penalty for slow play.”"),
                            "90A 90B2",
                            _("Your federation or club says how much."),
                        ),
                        GuideLine(_("Enter it on the score sheet of that side."), "90A"),
                        APPEAL,
                    ),
                ),
                "90A",
            ),
        ),
    ),
)
