"""The subject "Claim"."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, Subject, SuggestedRuling
from .common import APPEAL, SAY_AND_PLAY, STANDS

_RULE = _("Decide the tricks")
_REPEAT = GuideLine(_("To the claimer: “Repeat what you said.” Then hear the others."), "70B1 70B2")
_FACE = GuideLine(_("“All hands on the table, please.”"), "70B3")

_CONTESTED = Question(
    "trump",
    _("Is a trump out that the claimer did not mention?"),
    (
        Answer(
            _("Yes"),
            FinalStep(
                "trump-out",
                _RULE,
                (
                    _REPEAT,
                    _FACE,
                    GuideLine(
                        _("May the claimer have forgotten it? Then it wins what it could."),
                        "70C",
                        _("By any normal play, also a careless one."),
                    ),
                    APPEAL,
                ),
                award=SuggestedRuling("result"),
            ),
            "70C",
        ),
        Answer(
            _("No"),
            FinalStep(
                "contested",
                _RULE,
                (
                    _REPEAT,
                    _FACE,
                    GuideLine(
                        _("No better line than stated, if a normal line does worse."),
                        "70D1",
                        _("No finesse that was not stated: 70E1."),
                    ),
                    GuideLine(
                        _("Doubtful points go against the claimer."),
                        "70A",
                        _("A defender’s claim cannot count on the partner’s choice: 70D2."),
                    ),
                    APPEAL,
                ),
                award=SuggestedRuling("result"),
            ),
            "70",
        ),
    ),
    GuideLine(_("Normal is careless or inferior play, too, for the player’s class."), "70"),
)


def _rescored_end(name: str, because: GuideLine) -> FinalStep:
    """Return the final step in which the director scores a claim with another number of tricks."""
    return FinalStep(name, _RULE, (because, APPEAL), award=SuggestedRuling("result"))


CLAIM = Subject(
    "claim",
    _("Claim"),
    "68–71",
    Question(
        "what",
        _("What happened?"),
        (
            Answer(
                _("A claim or concession is doubted"),
                Question(
                    "play-on",
                    _("Did all four agree to play on before they called you?"),
                    (
                        Answer(
                            _("No"), _CONTESTED, "68D2(a) 70", _("The director decides the tricks.")
                        ),
                        Answer(
                            _("Yes"),
                            FinalStep(
                                "all-agree",
                                SAY_AND_PLAY,
                                (
                                    GuideLine(_("“Play on. The claim is void.”"), "68D2(b)"),
                                    GuideLine(_("“The result of this play stands.”"), "68D2(b)"),
                                    GuideLine(
                                        _("Shown cards are no penalty cards, all may use them."),
                                        "68D2(b)",
                                    ),
                                ),
                            ),
                            "68D2(b)",
                        ),
                    ),
                    GuideLine(_("Only the side that did not claim may ask for it."), "68D2(b)"),
                ),
                "68D",
            ),
            Answer(
                _("A defender concedes, the partner objects at once"),
                FinalStep(
                    "objects",
                    SAY_AND_PLAY,
                    (
                        GuideLine(_("“Nothing was conceded. Play on.”"), "68B2"),
                        GuideLine(_("“Shown cards are no penalty cards.”"), "68B2"),
                        GuideLine(_("“The partner may not use what they showed.”"), "68B2 16C"),
                    ),
                ),
                "68B2",
            ),
            Answer(
                _("Only the trick in progress was meant"),
                FinalStep(
                    "in-progress",
                    SAY_AND_PLAY,
                    (
                        GuideLine(_("“This was no claim. Play on.”"), "68"),
                        GuideLine(_("“A defender’s shown cards are no penalty cards.”"), "68"),
                        GuideLine(_("“The partner may not use what they showed.”"), "16"),
                    ),
                ),
                "68",
            ),
            Answer(
                _("A claim that was agreed is doubted later"),
                Question(
                    "later",
                    _("Which of these is true?"),
                    (
                        Answer(
                            _("A side gave away a trick that it had won"),
                            _rescored_end(
                                "won",
                                GuideLine(
                                    _("“The trick goes to the side that won it.”"), "69B1 71A"
                                ),
                            ),
                            "69B1 71A",
                        ),
                        Answer(
                            _("It agreed to a claim, and was likely to win a trick"),
                            _rescored_end(
                                "likely",
                                GuideLine(_("“The trick goes to the side that agreed.”"), "69B2"),
                            ),
                            "69B2",
                        ),
                        Answer(
                            _("It conceded a trick that no normal play loses"),
                            _rescored_end(
                                "conceded",
                                GuideLine(_("“The concession of this trick is cancelled.”"), "71B"),
                            ),
                            "71B",
                        ),
                        Answer(
                            _("None of these"),
                            FinalStep(
                                "agreed",
                                STANDS,
                                (
                                    GuideLine(_("“The claim was agreed. It stands.”"), "69A 71"),
                                    APPEAL,
                                ),
                                is_over=True,
                            ),
                            "69A",
                        ),
                    ),
                    GuideLine(_("Only as long as results can be corrected."), "69B 71 79C"),
                ),
                "69B 71",
            ),
        ),
    ),
)
