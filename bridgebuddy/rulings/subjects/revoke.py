"""The subject "Revoke"."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, Subject, SuggestedRuling
from .common import (
    AFTER_CARD,
    APPEAL,
    HELPED,
    LATER_BUTTON,
    SAY_AND_PLAY,
    adjusted_for_card,
    adjusted_score_end,
)

_EQUITY = _("Give both sides the result that was likely without the revoke.")
_TAKE_BACK = GuideLine(_("“Take the card back, and play a card of the suit.”"), "62A")


def _equity_answer(name: str, law: str = "64C1") -> Answer:
    """Return the answer that the revoke cost the opponents more than the penalty tricks give back."""
    return Answer(
        _("The revoke cost more than that"),
        adjusted_score_end(name, _EQUITY, f"{law} 12C1(b)"),
        law,
    )


def _tricks_end(name: str, correction: GuideLine) -> FinalStep:
    """Return the final step in which the tricks are corrected after a revoke."""
    return FinalStep(
        name,
        _("Correct the tricks after the play"),
        (correction, GuideLine(_("Enter the result with these tricks."), "64A"), APPEAL),
        award=SuggestedRuling("result"),
        later=_equity_answer(f"{name}-more"),
        hint=LATER_BUTTON,
    )


def _no_transfer_end(name: str, laws: str, because: GuideLine, redress: str = "64C1") -> FinalStep:
    """Return the final step of a revoke without transferred tricks; `redress` is the Law of a later adjustment."""
    return FinalStep(
        name,
        _("No trick goes over"),
        (because, GuideLine(_("“Play on. The tricks stand as they were won.”"), laws)),
        later=_equity_answer(f"{name}-more", redress),
        hint=LATER_BUTTON,
    )


_ONE = GuideLine(
    _("“One trick goes to the opponents.”"), "64A2", _("After the play, and no more than one.")
)

_CORRECTED = Question(
    "correct",
    _("It is corrected now. Who revoked?"),
    (
        Answer(
            _("A defender"),
            FinalStep(
                "defender",
                SAY_AND_PLAY,
                (
                    _TAKE_BACK,
                    GuideLine(
                        _("“The first card stays face up: a major penalty card.”"), "62B1 50B"
                    ),
                    GuideLine(_("“Declarer may change a card played after it.”"), "62C1"),
                    GuideLine(
                        _("Then the other defender may change, too. That card is a penalty card."),
                        "62C2",
                    ),
                ),
                later=Answer(HELPED, adjusted_for_card("defender-helped"), "50E3"),
                hint=AFTER_CARD,
            ),
            "62B1",
        ),
        Answer(
            _("Declarer or dummy"),
            FinalStep(
                "declarer",
                SAY_AND_PLAY,
                (
                    _TAKE_BACK,
                    GuideLine(_("“It is no penalty card.”"), "62B2"),
                    GuideLine(_("“The defenders may change a card played after it.”"), "62C1"),
                    GuideLine(_("Then declarer’s side may change its next card, too."), "62C2"),
                ),
            ),
            "62B2",
        ),
    ),
)

_WON = Question(
    "won",
    _("Who won the revoke trick?"),
    (
        Answer(
            _("The revoking player"),
            Question(
                "later-own",
                _("Did the revoking side win a later trick?"),
                (
                    Answer(
                        _("Yes, one or more"),
                        _tricks_end(
                            "two",
                            GuideLine(
                                _("“Two tricks go to the opponents.”"),
                                "64A1",
                                _("The revoke trick, and one of the later tricks."),
                            ),
                        ),
                        "64A1",
                    ),
                    Answer(_("No"), _tricks_end("one-own", GuideLine(_ONE.text, "64A1")), "64A1"),
                ),
            ),
            "64A1",
        ),
        Answer(_("The revoking player’s partner"), _tricks_end("one-partner", _ONE), "64A2"),
        Answer(
            _("The opponents"),
            Question(
                "later-other",
                _("Did the revoking side win a later trick?"),
                (
                    Answer(_("Yes, one or more"), _tricks_end("one-later", _ONE), "64A2"),
                    Answer(
                        _("No"),
                        _no_transfer_end(
                            "none-won",
                            "64B1",
                            GuideLine(_("That side won no trick from the revoke on."), "64B1"),
                        ),
                        "64B1",
                    ),
                ),
            ),
            "64A2 64B1",
        ),
    ),
    GuideLine(_("A trick won in dummy was not won by declarer. Take “partner” then."), "64A1"),
)

_ESTABLISHED = Question(
    "exception",
    _("Is one of these true?"),
    (
        Answer(_("None of these"), _WON, "64A"),
        Answer(
            _("Dummy revoked, or a penalty card was not played"),
            _no_transfer_end(
                "dummy",
                "64B3",
                GuideLine(_("No trick goes over for dummy’s card or a penalty card."), "64B3"),
            ),
            "64B3",
        ),
        Answer(
            _("The same player, the same suit, a second time"),
            _no_transfer_end(
                "again",
                "64B2",
                GuideLine(_("Only the first of them moves a trick."), "64B2"),
                redress="64C2(a)",
            ),
            "64B2",
        ),
        Answer(
            _("Both sides revoked on this board, both are established"),
            _no_transfer_end(
                "both",
                "64B7",
                GuideLine(
                    _("No trick moves. Was one side harmed? Then adjust the score."), "64B7 64C2(b)"
                ),
                redress="64C2(b)",
            ),
            "64B7",
        ),
        Answer(
            _("It was trick twelve"),
            FinalStep(
                "twelve",
                SAY_AND_PLAY,
                (
                    GuideLine(
                        _("“Correct it, unless all four hands are back in the board.”"), "62D1"
                    ),
                    GuideLine(
                        _("A defender’s partner may not use the card that was shown."), "62D2 16C"
                    ),
                    GuideLine(_("No further trick goes over."), "64B6"),
                ),
                later=_equity_answer("twelve-more"),
                hint=LATER_BUTTON,
            ),
            "62D 64B6",
        ),
        Answer(
            _("First noticed after the round, or on the next board"),
            _no_transfer_end(
                "too-late",
                "64B4 64B5",
                GuideLine(
                    _(
                        "It is too late for a trick: the round is over, or the other side has called."
                    ),
                    "64B4 64B5",
                ),
            ),
            "64B4 64B5",
        ),
    ),
)

REVOKE = Subject(
    "revoke",
    _("Revoke"),
    "61–64",
    Question(
        "established",
        _("Has the revoking side played to the next trick?"),
        (
            Answer(_("No"), _CORRECTED, "62", _("It must be corrected.")),
            Answer(
                _("Yes, or it has claimed or conceded"),
                _ESTABLISHED,
                "63A",
                _("The revoke is established, the trick stands."),
            ),
        ),
        GuideLine(
            _(
                "Not following suit when able is a revoke. A card named for a trick counts as played."
            ),
            "61A 63A2",
        ),
    ),
)
