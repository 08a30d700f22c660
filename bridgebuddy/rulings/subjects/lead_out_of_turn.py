"""The subject "Lead out of turn"."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, Subject
from .common import LATER_BUTTON, SAY_AND_PLAY, adjusted_score_end, lead_choices, penalty_card

_OPENING = Question(
    "opening",
    _("Read the five choices to declarer. Which one?"),
    (
        Answer(
            _("Accept, dummy spreads, declarer plays second"),
            FinalStep(
                "accepted",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“The lead stands. Dummy spreads the hand.”"), "53A 54B"),
                    GuideLine(_("“The second card comes from declarer’s hand.”"), "54B1"),
                    GuideLine(_("A second card already played from dummy stays played."), "54B2"),
                ),
            ),
            "54B",
            _("Declarer’s hand plays the second card."),
        ),
        Answer(
            _("Accept, declarer spreads the hand"),
            FinalStep(
                "spread",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“The lead stands. Declarer spreads the whole hand.”"), "54A"),
                    GuideLine(_("“This hand is dummy now. The partner is declarer.”"), "54A"),
                ),
            ),
            "54A",
            _("The partner plays the board."),
        ),
        *lead_choices("opening", "54D"),
    ),
    GuideLine(
        _(
            "Declarer has shown cards of their own hand: declarer is dummy. Declarer has seen dummy’s cards: the lead is accepted."
        ),
        "54A 54C",
    ),
)

_LATER = Question(
    "later",
    _("Whose lead was it? Does declarer accept?"),
    (
        Answer(
            _("Declarer accepts, or the next hand has played"),
            FinalStep(
                "later-accepted",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“The lead stands as if it were correct.”"), "53A"),
                    GuideLine(
                        _("Was it declarer’s lead, and declarer has led? Then that lead stands."),
                        "53B",
                        _("The cards played in error go back."),
                    ),
                ),
            ),
            "53A",
        ),
        Answer(
            _("Declarer refuses, it was the partner’s lead"),
            Question(
                "refused",
                _("Read the three choices to declarer. Which one?"),
                lead_choices("refused", "56"),
            ),
            "56 50D2",
        ),
        Answer(
            _("Declarer refuses, it was declarer’s lead"),
            penalty_card(
                "own-lead",
                "56 50B",
                first_line=GuideLine(_("“Declarer leads from the correct hand.”"), "53A"),
            ),
            "56",
        ),
    ),
)

_BY_DECLARER = Question(
    "declarer",
    _("Does a defender accept the lead?"),
    (
        Answer(
            _("Yes, or the next hand has played"),
            FinalStep(
                "declarer-accepted",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“The lead stands. The next hand plays.”"), "53A 55A"),
                    GuideLine(
                        _("Has the defender before this hand played? The lead stands, too."),
                        "53C 57",
                        _("That card was played too early: Law 57."),
                    ),
                ),
            ),
            "53A 55A",
        ),
        Answer(
            _("No, it was a defender’s turn"),
            FinalStep(
                "declarer-back",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“Put the card back. There is no other rectification.”"), "55B1"),
                    GuideLine(_("“The defender whose turn it was leads.”"), "55B1"),
                ),
            ),
            "55B1",
        ),
        Answer(
            _("No, it was the turn of declarer’s other hand"),
            FinalStep(
                "declarer-other",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“Put the card back, and lead from the correct hand.”"), "55B2"),
                    GuideLine(_("“You may lead any suit.”"), "55B2"),
                ),
                later=Answer(
                    _("Declarer used what the wrong lead showed"),
                    adjusted_score_end(
                        "declarer-gained",
                        _("Give both sides the result that was likely without the wrong lead."),
                        "55C 16 12C1(b)",
                    ),
                    "55C 16",
                ),
                hint=LATER_BUTTON,
            ),
            "55B2",
        ),
    ),
    GuideLine(_("The defenders disagree? The one who plays after the wrong lead decides."), "55A"),
)

LEAD_OUT_OF_TURN = Subject(
    "lead",
    _("Lead out of turn"),
    "41, 47, 53–56",
    Question(
        "who",
        _("Who led out of turn?"),
        (
            Answer(
                _("A defender, first card, face up"),
                _OPENING,
                "54",
                _("Declarer has five choices."),
            ),
            Answer(
                _("A defender, first card, face down"),
                FinalStep(
                    "face-down",
                    SAY_AND_PLAY,
                    (
                        GuideLine(_("“Take the card back. It was not shown.”"), "41A"),
                        GuideLine(_("“The correct defender leads, face down.”"), "41A"),
                    ),
                ),
                "41A",
                _("It goes back, the correct defender leads."),
            ),
            Answer(_("A defender, later in the play"), _LATER, "53 56"),
            Answer(_("Declarer, from hand or dummy"), _BY_DECLARER, "53 55"),
            Answer(
                _("A player whom an opponent told to lead"),
                FinalStep(
                    "misled",
                    SAY_AND_PLAY,
                    (
                        GuideLine(_("“The card goes back, without rectification.”"), "47E1"),
                        GuideLine(_("“The next hand may not accept it.”"), "47E1"),
                        GuideLine(
                            _("“The side that gave the wrong answer may not use what it showed.”"),
                            "16C2",
                        ),
                    ),
                ),
                "47E1",
            ),
        ),
    ),
)
