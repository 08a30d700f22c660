"""The subject "Insufficient bid"."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, Subject
from .common import (
    AFTER_CALL,
    AFTER_SILENCE,
    LEAD_RESTRICTION,
    SAY_AND_PLAY,
    adjusted_score_end,
    harmed_by_silence,
)

_SILENT = _("“Your partner must pass for the rest of the auction.”")
_CLOSED = GuideLine(_("“Your partner may not use the cancelled bid.”"), "16C2")


def _bid_helped_answer(name: str) -> Answer:
    """Return the answer that the insufficient bid helped its side; the score is adjusted."""
    return Answer(
        _("The first bid helped them"),
        adjusted_score_end(
            name,
            _("Give both sides the result that was likely without the first bid."),
            "27D 12C1(b)",
        ),
        "27D",
    )


_REPLACED = Question(
    "replaced",
    _("The bid is cancelled. Which call replaces it?"),
    (
        Answer(
            _("The lowest sufficient bid that shows the same denomination"),
            FinalStep(
                "same",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“The auction goes on. There is no rectification.”"), "27B1(a)"),
                    GuideLine(_("“If you defend, there are no lead restrictions.”"), "27B1(a)"),
                ),
                later=_bid_helped_answer("same-helped"),
                hint=AFTER_CALL,
            ),
            "27B1(a)",
        ),
        Answer(
            _("A comparable call"),
            FinalStep(
                "comparable",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“The auction goes on. There is no rectification.”"), "27B1(b)"),
                    GuideLine(_("“If you defend, there are no lead restrictions.”"), "26A"),
                ),
                later=_bid_helped_answer("comparable-helped"),
                hint=AFTER_CALL,
            ),
            "27B1(b) 23A",
            _("Same or similar meaning, a part of it, or the same purpose."),
        ),
        Answer(
            _("Another sufficient bid, or a pass"),
            FinalStep(
                "other",
                SAY_AND_PLAY,
                (GuideLine(_SILENT, "27B2"), _CLOSED, LEAD_RESTRICTION),
                later=harmed_by_silence("other-harmed"),
                hint=AFTER_SILENCE,
            ),
            "27B2",
        ),
        Answer(
            _("A double or redouble that is not comparable"),
            FinalStep(
                "double",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“The double is cancelled. Choose a bid or a pass.”"), "27B3"),
                    GuideLine(_SILENT, "27B3"),
                    _CLOSED,
                    LEAD_RESTRICTION,
                ),
                later=harmed_by_silence("double-harmed"),
                hint=AFTER_SILENCE,
            ),
            "27B3",
        ),
        Answer(
            _("Another insufficient bid"),
            FinalStep(
                "again",
                SAY_AND_PLAY,
                (
                    GuideLine(_("To the left: “Do you accept this bid?”"), "27B4 27A1"),
                    GuideLine(_("If not: “It is cancelled. Choose a bid or a pass.”"), "27B4 27B3"),
                    GuideLine(_SILENT, "27B4 27B3"),
                    LEAD_RESTRICTION,
                ),
                later=harmed_by_silence("again-harmed"),
                hint=AFTER_SILENCE,
            ),
            "27B4",
        ),
    ),
    GuideLine(_("A call changed before you came stands, unless the first bid is accepted."), "27C"),
)

INSUFFICIENT_BID = Subject(
    "bid",
    _("Insufficient bid"),
    "27",
    Question(
        "meant",
        _("Was the bid meant, and in turn?"),
        (
            Answer(
                _("Meant, and in turn"),
                Question(
                    "accept",
                    _("Ask the opponent on the left: do you accept the bid?"),
                    (
                        Answer(
                            _("Accepts, or has called over it"),
                            FinalStep(
                                "accepted",
                                SAY_AND_PLAY,
                                (
                                    GuideLine(
                                        _("“The bid stands. The auction goes on from there.”"),
                                        "27A1",
                                    ),
                                ),
                            ),
                            "27A1",
                        ),
                        Answer(_("Does not accept"), _REPLACED, "27B"),
                    ),
                    GuideLine(_("Explain all choices before anybody decides."), "10C1"),
                ),
                "27",
            ),
            Answer(
                _("A slip: another call was intended"),
                FinalStep(
                    "slip",
                    SAY_AND_PLAY,
                    (
                        GuideLine(_("“Make the call that you intended.”"), "25A1"),
                        GuideLine(
                            _("Only a slip of hand or tongue, and only until partner has called."),
                            "25A2 25A4",
                        ),
                        GuideLine(
                            _("“The opponent on the left may change a call over it.”"), "25A6"
                        ),
                    ),
                ),
                "25A",
            ),
            Answer(
                _("Out of turn as well"),
                FinalStep(
                    "turn",
                    SAY_AND_PLAY,
                    (
                        GuideLine(_("Rule on it as a bid out of turn."), "27A2 31"),
                        GuideLine(_("To the left: “Do you accept the bid?”"), "29A"),
                        GuideLine(
                            _("If not, it is cancelled: see “Call out of turn”, a bid."), "29B 31"
                        ),
                    ),
                ),
                "27A2",
            ),
        ),
    ),
)
