"""The subject "Call out of turn"."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, Subject
from .common import (
    AFTER_SILENCE,
    LEAD_RESTRICTION,
    SAY_AND_PLAY,
    harmed_by_silence,
    replaced_call,
)

_RIGHT = _("The opponent on the right")
_PARTNER = _("The partner")
_LEFT_FIRST = _("The opponent on the left, and it was the offender’s first call")
_LEFT = _("The opponent on the left, and the offender had called before")
_WHOSE = _("The call is cancelled. Whose turn was it?")


def _change_of_call(name: str, laws: str) -> FinalStep:
    """Return the final step for a call at the left-hand opponent's turn, treated as a change of call."""
    return FinalStep(
        name,
        SAY_AND_PLAY,
        (
            GuideLine(_("It counts as a change of the call made before."), laws),
            GuideLine(_("Not a slip? To the left: “Do you accept the second call?”"), "25B1"),
            GuideLine(_("If not: “The first call stands. The second is cancelled.”"), "25B2"),
            GuideLine(_("“Your partner may not use the cancelled call.”"), "25B3 16C2"),
            GuideLine(LEAD_RESTRICTION.text, "25B 26B", LEAD_RESTRICTION.note),
        ),
    )


_PASS = Question(
    "pass",
    _WHOSE,
    (
        Answer(
            _RIGHT,
            FinalStep(
                "pass-right",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“The opponent on the right calls.”"), "29B"),
                    GuideLine(_("“Then you must pass, once.”"), "30A"),
                ),
            ),
            "30A",
        ),
        Answer(
            _PARTNER,
            replaced_call("pass-partner", "30B1(b)(i) 23B", "30B1(b)(ii)", free="30B1(a) 16C2"),
            "30B1",
        ),
        Answer(
            _LEFT_FIRST,
            replaced_call("pass-left", "30B1(b)(i) 23B", "30B1(b)(ii)", free="30B1(a) 16C2"),
            "30B1",
        ),
        Answer(_LEFT, _change_of_call("pass-change", "30B2 25"), "30B2"),
    ),
    GuideLine(
        _("An artificial pass, or a pass of an artificial call? Go back: it was a bid."), "30C"
    ),
)

_BID = Question(
    "bid",
    _WHOSE,
    (
        Answer(
            _RIGHT,
            Question(
                "bid-right",
                _("The opponent on the right calls. What is it?"),
                (
                    Answer(
                        _("A pass"),
                        FinalStep(
                            "bid-repeated",
                            SAY_AND_PLAY,
                            (
                                GuideLine(_("“You must repeat your call.”"), "31A1"),
                                GuideLine(_("“There is no rectification.”"), "31A1"),
                            ),
                        ),
                        "31A1",
                    ),
                    Answer(
                        _("A bid, double or redouble"),
                        replaced_call("bid-over", "31A2(a) 23B", "31A2(b)"),
                        "31A2",
                    ),
                ),
            ),
            "31A",
        ),
        Answer(
            _PARTNER,
            replaced_call("bid-partner", "31B2 31A2(a)", "31B2 31A2(b)", free="31B1 16C2"),
            "31B",
        ),
        Answer(
            _LEFT_FIRST,
            replaced_call("bid-left", "31B2 31A2(a)", "31B2 31A2(b)", free="31B1 16C2"),
            "31B",
        ),
        Answer(_LEFT, _change_of_call("bid-change", "31C 25"), "31C"),
    ),
)

_DOUBLE = Question(
    "double",
    _WHOSE,
    (
        Answer(
            _RIGHT,
            Question(
                "double-right",
                _("The opponent on the right calls. What is it?"),
                (
                    Answer(
                        _("A pass"),
                        FinalStep(
                            "double-repeated",
                            SAY_AND_PLAY,
                            (
                                GuideLine(_("“You must repeat your call.”"), "32A1"),
                                GuideLine(_("“There is no rectification.”"), "32A1"),
                            ),
                        ),
                        "32A1",
                    ),
                    Answer(
                        _("A bid, double or redouble"),
                        replaced_call("double-over", "32A2(a) 23B", "32A2(b)"),
                        "32A2",
                    ),
                ),
            ),
            "32A",
        ),
        Answer(
            _PARTNER,
            replaced_call("double-partner", "32B2 32A2(a)", "32B2 32A2(b)", free="32B1 16C2"),
            "32B",
        ),
        Answer(_("The opponent on the left"), _change_of_call("double-change", "32C 25"), "32C"),
    ),
)

_NOT_ALLOWED = Question(
    "forbidden",
    _("Has the opponent on the left called since?"),
    (
        Answer(
            _("Yes"),
            FinalStep(
                "forbidden-called",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“The double and all later calls are cancelled.”"), "36A"),
                    GuideLine(_("“The auction goes back to the player whose turn it was.”"), "36A"),
                    GuideLine(_("“There is no rectification.”"), "36A"),
                ),
            ),
            "36A",
        ),
        Answer(
            _("No"),
            FinalStep(
                "forbidden-replaced",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“The double is cancelled. Choose a legal call.”"), "36B1 36B2"),
                    GuideLine(_("“Your partner must pass for the rest of the auction.”"), "36B2"),
                    LEAD_RESTRICTION,
                    GuideLine(
                        _("Out of turn as well? The player whose turn it was calls first."), "36B4"
                    ),
                ),
                later=harmed_by_silence("forbidden-harmed"),
                hint=AFTER_SILENCE,
            ),
            "36B",
        ),
    ),
    GuideLine(_("Found after the opening lead is faced? The contract counts without it."), "36C"),
)

CALL_OUT_OF_TURN = Subject(
    "call",
    _("Call out of turn"),
    "17, 28–36",
    Question(
        "accept",
        _("Ask the opponent on the left: do you accept the call?"),
        (
            Answer(
                _("Accepts, or has called over it"),
                FinalStep(
                    "accepted",
                    SAY_AND_PLAY,
                    (GuideLine(_("“The call stands. The auction goes on from there.”"), "29A"),),
                ),
                "29A",
            ),
            Answer(_("Does not accept: it was a pass"), _PASS, "29B 30"),
            Answer(_("Does not accept: it was a bid"), _BID, "29B 31"),
            Answer(_("Does not accept: it was a double or redouble"), _DOUBLE, "29B 32"),
            Answer(_("The double or redouble was not allowed"), _NOT_ALLOWED, "19 35A 36"),
            Answer(
                _("Three passes, one of them out of turn"),
                FinalStep(
                    "passed-out",
                    SAY_AND_PLAY,
                    (
                        GuideLine(_("“The player who lost a turn calls now.”"), "34 17D3"),
                        GuideLine(_("“All later passes are cancelled.”"), "17D3"),
                        GuideLine(
                            _("“The offenders may not use the cancelled passes.”"), "17D3 16C2"
                        ),
                    ),
                ),
                "34 17D3",
            ),
        ),
        GuideLine(_("The opponent on the right had to pass? Then the call was in turn."), "28A"),
    ),
)
