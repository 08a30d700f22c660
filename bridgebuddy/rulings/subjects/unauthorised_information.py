"""The subject "Hesitation, remark": unauthorised information."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, Subject
from .common import APPEAL, LATER_BUTTON, SAY_AND_PLAY, STANDS, adjusted_score_end, fault_question

_WITHOUT = _("Give both sides the result that was likely without that action.")


def _result_stands_end(name: str, because: GuideLine) -> FinalStep:
    """Return the final step in which the result stands."""
    return FinalStep(name, STANDS, (because, APPEAL), is_over=True)


_ALTERNATIVE = Question(
    "alternative",
    _("Was there another sensible action?"),
    (
        Answer(
            _("Yes, and it would have been better for the opponents"),
            adjusted_score_end("used", _WITHOUT, "16B3 12C1(b)"),
            "16B1 16B3",
        ),
        Answer(
            _("Yes, but the opponents lost nothing"),
            _result_stands_end(
                "no-damage",
                GuideLine(_("“The action was not allowed, but did no harm.”"), "16B3 12B1"),
            ),
            "16B3",
        ),
        Answer(
            _("No, everybody would act like this"),
            _result_stands_end(
                "only-action", GuideLine(_("“There was no other sensible action.”"), "16B1(a)")
            ),
            "16B1(b)",
        ),
    ),
    GuideLine(
        _("Ask players of that class: would they consider it, and would some choose it?"), "16B1(b)"
    ),
)

_AFTER = Question(
    "clear",
    _("Was there a clear hesitation, remark or gesture?"),
    (
        Answer(
            _("Yes, both sides agree, or I am sure"),
            Question(
                "suggested",
                _("Did it clearly suggest what the partner then did?"),
                (
                    Answer(_("Yes"), _ALTERNATIVE, "16B1(a)"),
                    Answer(
                        _("No"),
                        _result_stands_end(
                            "not-suggested",
                            GuideLine(_("“It did not point to this action.”"), "16B1(a)"),
                        ),
                        "16B1(a)",
                    ),
                ),
            ),
            "16B1(a) 85A",
        ),
        Answer(
            _("No"),
            _result_stands_end(
                "nothing",
                GuideLine(_("“Partner has told nothing beyond calls and cards.”"), "16B1(a) 85A"),
            ),
            "85A",
        ),
    ),
)

UNAUTHORISED_INFORMATION = Subject(
    "hesitation",
    _("Hesitation, remark"),
    "16, 73",
    Question(
        "when",
        _("What are you called for?"),
        (
            Answer(
                _("A hesitation or remark, just now"),
                FinalStep(
                    "now",
                    SAY_AND_PLAY,
                    (
                        GuideLine(
                            _("Ask both sides what happened, and note it."),
                            "16B2 85A",
                            _("Thinking is allowed. Only using it is not."),
                        ),
                        GuideLine(_("“Partner may not make use of it.”"), "73C1 16B1(a)"),
                        GuideLine(_("“Play on. Call me after the play if it did harm.”"), "16B3"),
                    ),
                    hint=_("Some federations want the director at once, others only afterwards."),
                ),
                "16B2",
            ),
            Answer(_("Afterwards: the partner made use of it"), _AFTER, "16B3"),
            Answer(
                _("An opponent was deceived by it"),
                Question(
                    "deceived",
                    _("Was there a bridge reason for the hesitation or remark?"),
                    (
                        Answer(
                            _("None, and the player could know that it may help"),
                            adjusted_score_end(
                                "deceit",
                                _("Give both sides the result that was likely without it."),
                                "73E2 12C1(b)",
                            ),
                            "73E2",
                        ),
                        Answer(
                            _("There was one, or it could not be known"),
                            _result_stands_end(
                                "own-risk",
                                GuideLine(_("“Opponents read it at their own risk.”"), "73D1"),
                            ),
                            "73D1",
                        ),
                    ),
                ),
                "73D 73E",
            ),
            Answer(
                _("A card or result of this board was seen or heard"),
                Question(
                    "elsewhere",
                    _("Can the board still be played normally?"),
                    (
                        Answer(
                            _("Probably yes"),
                            FinalStep(
                                "elsewhere-play",
                                SAY_AND_PLAY,
                                (
                                    GuideLine(
                                        _("“Play the board. Do not talk about it.”"), "16D2(c)"
                                    ),
                                    GuideLine(_("“I look at the result afterwards.”"), "16D2(c)"),
                                    GuideLine(
                                        _("No call yet? The players may change seats instead."),
                                        "16D2(a)",
                                        _("The player who saw a hand then holds it."),
                                    ),
                                ),
                                later=Answer(
                                    _("It changed the result"),
                                    adjusted_score_end(
                                        "elsewhere-changed",
                                        _("Give both sides the result that was likely without it."),
                                        "16D2(c) 12C1(b)",
                                    ),
                                    "16D2(c)",
                                ),
                                hint=LATER_BUTTON,
                            ),
                            "16D2(c)",
                        ),
                        Answer(
                            _("No"), fault_question("elsewhere-fault", "16D2(d) 12C2(a)"), "16D2(d)"
                        ),
                    ),
                    GuideLine(_("After the first call: play, or an adjusted score."), "16D3"),
                ),
                "16D",
            ),
        ),
    ),
)
