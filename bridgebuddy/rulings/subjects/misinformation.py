"""The subject "Wrong explanation"."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, Subject
from .common import APPEAL, LATER_BUTTON, SAY_AND_PLAY, STANDS, adjusted_score_end

_RIGHT_ONE = _("Give both sides the result that was likely with the correct explanation.")
_NOT_USED = GuideLine(
    _("“Partner: call and play as if you had not heard the explanation.”"), "75A 16B1(a)"
)


def _explanation_harmed_answer(name: str, laws: str = "21B3") -> Answer:
    """Return the answer that the wrong explanation harmed the opponents; the score is adjusted."""
    return Answer(
        _("The explanation did harm"), adjusted_score_end(name, _RIGHT_ONE, f"{laws} 12C1(b)"), laws
    )


_AUCTION = Question(
    "auction",
    _("Has the misled player’s partner called since?"),
    (
        Answer(
            _("No"),
            FinalStep(
                "change",
                SAY_AND_PLAY,
                (
                    GuideLine(
                        _("“You may change your last call.”"),
                        "21B1(a)",
                        _("If the explanation may well have led to it."),
                    ),
                    GuideLine(_("“The opponent on the left may then change, too.”"), "21B2"),
                    GuideLine(
                        _("“The offenders may not use what the cancelled calls showed.”"), "16C2"
                    ),
                    _NOT_USED,
                ),
                later=_explanation_harmed_answer("change-harmed"),
                hint=LATER_BUTTON,
            ),
            "21B1(a)",
        ),
        Answer(
            _("Yes"),
            FinalStep(
                "no-change",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“It is too late to change. Play on.”"), "21B1(a)"),
                    GuideLine(_("“Call me after the play if it did harm.”"), "21B3"),
                    _NOT_USED,
                ),
                later=_explanation_harmed_answer("no-change-harmed"),
                hint=LATER_BUTTON,
            ),
            "21B1(a)",
        ),
    ),
)

_AFTER = Question(
    "after",
    _("Ask for their system. Was the explanation wrong, or the call?"),
    (
        Answer(
            _("The call: their system is as explained"),
            FinalStep(
                "call-wrong",
                STANDS,
                (
                    GuideLine(_("“The explanation was right, the call was a mistake.”"), "75C"),
                    GuideLine(_("“That is allowed. The result stands.”"), "75C"),
                    APPEAL,
                ),
                is_over=True,
            ),
            "75C",
        ),
        Answer(
            _("The explanation, or nothing proves it right"),
            Question(
                "damage",
                _("Did the opponents lose by it?"),
                (
                    Answer(
                        _("Yes: with the right explanation they do better"),
                        adjusted_score_end("damaged", _RIGHT_ONE, "21B3 75D3 12C1(b)"),
                        "21B3",
                    ),
                    Answer(
                        _("No: the result would be the same"),
                        FinalStep(
                            "no-damage",
                            STANDS,
                            (
                                GuideLine(
                                    _("“The explanation was wrong, but did no harm.”"), "12B1"
                                ),
                                APPEAL,
                            ),
                            is_over=True,
                        ),
                        "12B1",
                    ),
                ),
                GuideLine(
                    _("Had the call no agreed meaning? Then that was the right answer."), "75D3"
                ),
            ),
            "75B 21B1(b)",
        ),
    ),
    GuideLine(_("Without evidence assume a wrong explanation."), "21B1(b)"),
)

MISINFORMATION = Subject(
    "explanation",
    _("Wrong explanation"),
    "20, 21, 47, 75",
    Question(
        "when",
        _("When is the mistake noticed, and by whom?"),
        (
            Answer(_("In the auction, it is corrected"), _AUCTION, "20F4(a) 21B"),
            Answer(
                _("In the auction, by the partner of the explainer"),
                FinalStep(
                    "partner",
                    _("Tell the player, away from the table"),
                    (
                        GuideLine(_("“Say and show nothing during the auction.”"), "20F5(a)"),
                        GuideLine(_("“Call and play as if you had not heard it.”"), "75A 16B1(a)"),
                        GuideLine(
                            _("“Declarer or dummy: correct it after the final pass.”"), "20F5(b)"
                        ),
                        GuideLine(_("“A defender: correct it after the play.”"), "20F5(b)"),
                    ),
                ),
                "20F5(a)",
            ),
            Answer(
                _("After the final pass, the lead not yet faced"),
                FinalStep(
                    "before-lead",
                    SAY_AND_PLAY,
                    (
                        GuideLine(
                            _("“Declarer or dummy corrects the explanation now.”"), "20F5(b)"
                        ),
                        GuideLine(
                            _("“The defender who passed last may take back that pass.”"),
                            "21B1(a)",
                            _("If the explanation may well have led to it."),
                        ),
                        GuideLine(
                            _("“A lead that is still face down may be changed.”"), "41A 47E2(a)"
                        ),
                    ),
                    later=_explanation_harmed_answer("before-lead-harmed"),
                    hint=LATER_BUTTON,
                ),
                "20F5(b) 21B1(a)",
            ),
            Answer(
                _("During the play"),
                FinalStep(
                    "play",
                    SAY_AND_PLAY,
                    (
                        GuideLine(
                            _("“Your last card may be changed if nobody has played after it.”"),
                            "47E2(a)",
                        ),
                        GuideLine(
                            _("“Not the opening lead, once dummy has shown a card.”"), "47E2(a)"
                        ),
                        GuideLine(
                            _("A defender corrects the partner’s answer only after the play."),
                            "20F5(b)",
                        ),
                    ),
                    later=_explanation_harmed_answer("play-harmed", "47E2(b)"),
                    hint=LATER_BUTTON,
                ),
                "47E2",
            ),
            Answer(_("After the play"), _AFTER, "21B3 75"),
        ),
    ),
)
