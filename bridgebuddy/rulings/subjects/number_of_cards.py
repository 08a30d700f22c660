"""The subject "Wrong number of cards"."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, Subject, SuggestedRuling
from .common import APPEAL, LATER_BUTTON, SAY_AND_PLAY, adjusted_score_end, fault_question

_CORRECT_HANDS = GuideLine(
    _("Correct the hands, from the record or by what players remember."), "13"
)
_NORMAL = _("Give both sides the result that was likely with the correct cards.")


def _corrected_hands_end(name: str, laws: str, correction: GuideLine) -> FinalStep:
    """Return the final step in which the hands are corrected and the board is played."""
    return FinalStep(
        name,
        SAY_AND_PLAY,
        (GuideLine(_CORRECT_HANDS.text, laws), correction),
        later=Answer(
            _("It changed the result"),
            adjusted_score_end(f"{name}-changed", _NORMAL, f"{laws} 12C1(b)"),
            laws,
        ),
        hint=LATER_BUTTON,
    )


_MOVED = Question(
    "called",
    _("How far is the board?"),
    (
        Answer(
            _("No player with a wrong hand has called"),
            Question(
                "seen",
                _("Has a player seen another player’s card?"),
                (
                    Answer(
                        _("No"),
                        FinalStep(
                            "unseen",
                            SAY_AND_PLAY,
                            (
                                GuideLine(_CORRECT_HANDS.text, "13A1"),
                                GuideLine(_("“Play the board normally.”"), "13A1"),
                            ),
                        ),
                        "13A1",
                    ),
                    Answer(
                        _("Yes"),
                        _corrected_hands_end(
                            "seen-play",
                            "13A2",
                            GuideLine(
                                _("“Play normally. I look at the result afterwards.”"), "13A2"
                            ),
                        ),
                        "13A2",
                    ),
                ),
            ),
            "13A",
        ),
        Answer(
            _("Such a player has called"),
            Question(
                "playable",
                _("Can the board be played with the calls as they are?"),
                (
                    Answer(
                        _("Yes"),
                        _corrected_hands_end(
                            "playable-play",
                            "13B1",
                            GuideLine(
                                _("“All calls stand. I look at the result afterwards.”"), "13B1"
                            ),
                        ),
                        "13B1",
                    ),
                    Answer(
                        _("No, but the likely result is clear"),
                        adjusted_score_end("assigned", _NORMAL, "13B2 12C1(b)"),
                        "13B2",
                    ),
                    Answer(
                        _("No, and no result is clear"),
                        fault_question("playable-fault", "13B2 12C1(d)"),
                        "13B2 12C1(d)",
                    ),
                ),
            ),
            "13B",
        ),
        Answer(
            _("The play is over"),
            fault_question("over-fault", "13D 12C2(a)"),
            "13D",
            _("The result is cancelled."),
        ),
    ),
)

_MISSING = Question(
    "missing",
    _("The opening lead: is it faced?"),
    (
        Answer(
            _("No"),
            FinalStep(
                "missing-before",
                SAY_AND_PLAY,
                (
                    GuideLine(_("Find the card, and put it back into the hand."), "14A1"),
                    GuideLine(_("Not found? Rebuild the board with another pack."), "14A2"),
                    GuideLine(_("“Go on. All calls stand.”"), "14A3"),
                    GuideLine(_("“The partner may not use this knowledge.”"), "14C"),
                ),
            ),
            "14A",
        ),
        Answer(
            _("Yes, and the card is among the played ones"),
            FinalStep(
                "missing-played",
                SAY_AND_PLAY,
                (
                    GuideLine(
                        _("Two cards went to one trick: it is a defective trick."), "14B1 67"
                    ),
                    GuideLine(_("“Take back the card that was not faced.”"), "67B2"),
                    GuideLine(_("Not played when it had to be? That may be a revoke."), "67B2"),
                ),
            ),
            "14B1",
        ),
        Answer(
            _("Yes, and the card is elsewhere, or lost"),
            FinalStep(
                "missing-after",
                SAY_AND_PLAY,
                (
                    GuideLine(
                        _("Put it back into the hand. Lost? Take another pack."), "14B2 14B3"
                    ),
                    GuideLine(_("“It counts as in the hand from the beginning.”"), "14B4"),
                    GuideLine(
                        _("Not played when it had to be? That may be a revoke."),
                        "14B4",
                        _("A defender’s card may become a penalty card."),
                    ),
                    GuideLine(_("“The partner may not use this knowledge.”"), "14C"),
                ),
            ),
            "14B",
        ),
    ),
)

_TRICK = Question(
    "trick",
    _("Have both sides played to the next trick?"),
    (
        Answer(
            _("No"),
            FinalStep(
                "trick-now",
                SAY_AND_PLAY,
                (
                    GuideLine(_("No card played? “Play a legal card now.”"), "67A1"),
                    GuideLine(
                        _("Two cards played? A defender’s extra card becomes a penalty card."),
                        "67A2 45E",
                        _("Both at once: if one can be seen, it is played. Law 58B."),
                    ),
                ),
            ),
            "67A",
        ),
        Answer(
            _("Yes, and a hand has a card too many"),
            FinalStep(
                "trick-many",
                _("Correct the tricks after the play"),
                (
                    GuideLine(
                        _("“Show a card, and put it among your played cards.”"),
                        "67B1",
                        _("A card of the suit led, if there is one."),
                    ),
                    GuideLine(_("“The trick stays where it is.”"), "67B1"),
                    GuideLine(_("“It counts as a revoke: one trick goes over.”"), "67B1 64A2"),
                    APPEAL,
                ),
                award=SuggestedRuling("result"),
            ),
            "67B1",
        ),
        Answer(
            _("Yes, and a hand has a card too few"),
            FinalStep(
                "trick-few",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“Take back the card that was not faced.”"), "67B2"),
                    GuideLine(_("Not played when it had to be? That may be a revoke."), "67B2"),
                ),
            ),
            "67B2",
        ),
    ),
)

NUMBER_OF_CARDS = Subject(
    "count",
    _("Wrong number of cards"),
    "13, 14, 67",
    Question(
        "count",
        _("Count all hands face down, with the played cards. What do you find?"),
        (
            Answer(_("One hand too many, another too few"), _MOVED, "13"),
            Answer(_("A card is missing, no hand has too many"), _MISSING, "14"),
            Answer(
                _("A card that does not belong to this board"),
                FinalStep(
                    "surplus",
                    SAY_AND_PLAY,
                    (
                        GuideLine(_("“I take this card away. Go on.”"), "13C"),
                        GuideLine(
                            _("It was played to a finished trick? Then the score may be adjusted."),
                            "13C",
                        ),
                    ),
                    later=Answer(
                        _("It was played to a trick"),
                        adjusted_score_end("surplus-played", _NORMAL, "13C 12C1(b)"),
                        "13C",
                    ),
                ),
                "13C",
            ),
            Answer(_("13 cards each, but a trick is wrong"), _TRICK, "67"),
        ),
    ),
)
