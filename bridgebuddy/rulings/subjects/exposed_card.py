"""The subject "Exposed card"."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, Subject
from .common import (
    AFTER_CARD,
    AFTER_SILENCE,
    HELPED,
    SAY_AND_PLAY,
    adjusted_for_card,
    harmed_by_silence,
    penalty_card,
)

_FACE_UP = GuideLine(
    _("“Leave it face up until the auction ends.”"), "24", _("Partner may not use it.")
)
_AFTER_AUCTION = GuideLine(
    _("“Declarer and dummy pick it up. A defender’s is a penalty card.”"), "24D 24E"
)


def _pass_once_end(name: str, laws: str) -> FinalStep:
    """Return the final step in which the partner of the player with the exposed card must pass once."""
    return FinalStep(
        name,
        SAY_AND_PLAY,
        (
            _FACE_UP,
            GuideLine(_("“Your partner must pass once, at the next turn.”"), laws),
            _AFTER_AUCTION,
        ),
        later=harmed_by_silence(f"{name}-harmed"),
        hint=AFTER_SILENCE,
    )


_AUCTION = Question(
    "auction",
    _("Which card could the partner see?"),
    (
        Answer(
            _("One card below the ten, not led"),
            FinalStep(
                "auction-low",
                SAY_AND_PLAY,
                (_FACE_UP, GuideLine(_("“The auction goes on.”"), "24A"), _AFTER_AUCTION),
                later=Answer(HELPED, adjusted_for_card("auction-low-helped"), "50E3"),
                hint=AFTER_CARD,
            ),
            "24A",
        ),
        Answer(
            _("An honour, or a card led too early"), _pass_once_end("auction-honour", "24B"), "24B"
        ),
        Answer(_("Two or more cards"), _pass_once_end("auction-several", "24C"), "24C"),
    ),
)

_DEFENDER = Question(
    "defender",
    _("Which card, and how?"),
    (
        Answer(
            _("One card below the ten, by accident"),
            FinalStep(
                "minor",
                SAY_AND_PLAY,
                (
                    GuideLine(
                        _("“Leave it face up on the table.”"),
                        "50B",
                        _("It is a minor penalty card."),
                    ),
                    GuideLine(
                        _("“Play it before any other low card of the suit.”"),
                        "50C",
                        _("An honour of the suit may be played instead."),
                    ),
                    GuideLine(_("“Your partner may lead any suit.”"), "50C"),
                ),
                later=Answer(HELPED, adjusted_for_card("minor-helped"), "50E3"),
                hint=AFTER_CARD,
            ),
            "50B 50C",
            _("A minor penalty card."),
        ),
        Answer(
            _("An honour, or a card played on purpose"),
            penalty_card("major"),
            "50B 50D",
            _("A major penalty card."),
        ),
        Answer(
            _("Two or more cards"),
            FinalStep(
                "several",
                SAY_AND_PLAY,
                (
                    GuideLine(
                        _("“Leave them face up on the table.”"),
                        "50B",
                        _("All of them are major penalty cards."),
                    ),
                    GuideLine(_("“Several can be played? Declarer says which.”"), "51A"),
                    GuideLine(
                        _("“If your partner leads, wait. Declarer chooses first.”"),
                        "51B",
                        _("A suit asked for or forbidden: its penalty cards go back."),
                    ),
                ),
                later=Answer(HELPED, adjusted_for_card("several-helped"), "50E3"),
                hint=AFTER_CARD,
            ),
            "50B 51",
        ),
        Answer(
            _("With words about the trick in progress"),
            FinalStep(
                "in-progress",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“Play on. These are no penalty cards.”"), "68"),
                    GuideLine(_("“Your partner may not use what they showed.”"), "16"),
                    GuideLine(
                        _("A defender who played before the partner’s turn: Law 57A."), "57A"
                    ),
                ),
            ),
            "68",
        ),
    ),
)

EXPOSED_CARD = Subject(
    "card",
    _("Exposed card"),
    "24, 48–51",
    Question(
        "when",
        _("Whose card, and when?"),
        (
            Answer(_("A player’s, during the auction"), _AUCTION, "24"),
            Answer(_("A defender’s, during the play"), _DEFENDER, "49"),
            Answer(
                _("Declarer’s or dummy’s, during the play"),
                FinalStep(
                    "declarer",
                    SAY_AND_PLAY,
                    (
                        GuideLine(_("“Pick it up. It is no penalty card.”"), "48A"),
                        GuideLine(
                            _("Held face up, touching the table or nearly? Then it is played."),
                            "45C2",
                        ),
                        GuideLine(_("All cards faced? That may be a claim."), "48B2 68"),
                    ),
                ),
                "48",
            ),
        ),
    ),
)
