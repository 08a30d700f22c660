"""Steps that several subjects share: averages by fault, adjusted scores, penalty cards, replaced calls."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..guide import Answer, FinalStep, GuideLine, Question, SuggestedRuling, Text

PLUS, EVEN, MINUS = "AVE+", "AVE", "AVE-"
SAY_AND_PLAY = _("Say this, then play on")
STANDS = _("The result stands")
APPEAL = GuideLine(_("Tell both sides, and that they may appeal."), "83 92")
#: the lines of every adjusted score, after the first
LIKELY = (
    GuideLine(
        _("Several results were likely? Weigh them."),
        "12C1(c)",
        _("For example 4♠ made 60 %, one down 40 %."),
    ),
    APPEAL,
)
HELPED = _("The card helped them")
AFTER_CARD = _(
    "After the board: would it have gone otherwise without the card? Then press the second button."
)
AFTER_CALL = _(
    "After the board: did the cancelled call help that side? Then press the second button."
)
AFTER_SILENCE = _(
    "After the board: did the forced pass do harm that could be foreseen? Then press the second button."
)
LATER_BUTTON = _("After the board: was a side harmed? Then press the second button.")


def adjusted_score_end(name: str, first_text: Text, laws: str) -> FinalStep:
    """Return the final step in which the director assigns a score; `first_text` says which result to look for."""
    return FinalStep(
        name,
        _("Adjust the score"),
        (
            GuideLine(first_text, laws),
            *LIKELY,
        ),
        award=SuggestedRuling("weighted"),
    )


def adjusted_for_card(name: str) -> FinalStep:
    """Return the final step that adjusts the score after a penalty card helped the defenders."""
    return adjusted_score_end(
        name, _("Give both sides the result that was likely without the card."), "50E3 12C1(b)"
    )


def fault_question(name: str, laws: str = "12C2(a)") -> Question:
    """Return the question of which side is at fault; the answers lead to average scores for an unplayable board."""

    def average_end(result: str, text: Text, ns: str, ew: str) -> FinalStep:
        """Return the end that gives these artificial scores."""
        better = GuideLine(_("A side with a better session keeps its own percentage."), "12C2(c)")
        worse = GuideLine(_("A side with a worse session keeps its own percentage."), "12C2(c)")
        return FinalStep(
            f"{name}-{result}",
            _("Give averages"),
            (
                GuideLine(text, laws),
                *((better,) if PLUS in (ns, ew) else ()),
                *((worse,) if MINUS in (ns, ew) else ()),
                APPEAL,
            ),
            award=SuggestedRuling("average", ns, ew),
        )

    return Question(
        name,
        _("No result is possible. Which side is at fault?"),
        (
            Answer(
                _("North-South"),
                average_end(
                    "ns",
                    _("North-South get average minus, East-West get average plus."),
                    MINUS,
                    PLUS,
                ),
            ),
            Answer(
                _("East-West"),
                average_end(
                    "ew",
                    _("North-South get average plus, East-West get average minus."),
                    PLUS,
                    MINUS,
                ),
            ),
            Answer(
                _("Both sides"),
                average_end("both", _("Both sides get average minus."), MINUS, MINUS),
            ),
            Answer(
                _("Neither side"),
                average_end("neither", _("Both sides get average plus."), PLUS, PLUS),
            ),
            Answer(
                _("Both in part, or it is not clear"),
                average_end("part", _("Both sides get average."), EVEN, EVEN),
            ),
        ),
        GuideLine(_("Minus: directly at fault. Average: partly. Plus: not at fault."), "12C2(a)"),
        is_of_fault=True,
    )


def penalty_card(name: str, laws: str = "50B", *, first_line: GuideLine | None = None) -> FinalStep:
    """Return the final step in which a defender's card becomes a major penalty card."""
    return FinalStep(
        name,
        SAY_AND_PLAY,
        (
            *((first_line,) if first_line else ()),
            GuideLine(
                _("“The card stays face up on the table.”"),
                laws,
                _("It is a major penalty card."),
            ),
            GuideLine(_("“It must be played as soon as it legally can be.”"), "50D1(a)"),
            GuideLine(
                _("“If your partner leads while it lies there, wait. Declarer chooses first.”"),
                "50D2",
                _("Ask for the suit, forbid it, or leave it free."),
            ),
        ),
        later=Answer(HELPED, adjusted_for_card(f"{name}-helped"), "50E3"),
        hint=AFTER_CARD,
    )


def lead_choices(name: str, laws: str) -> tuple[Answer, Answer, Answer]:
    """Return declarer's three choices (as answers) after a defender's lead at the partner's turn."""
    return (
        Answer(
            _("Refuse, forbid the suit"),
            FinalStep(
                f"{name}-forbid",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“Take the card back into your hand.”"), f"{laws} 50D2(a)"),
                    GuideLine(
                        _("“Your partner leads another suit, and keeps off this one.”"),
                        "50D2(a)",
                        _("As long as that defender keeps the lead."),
                    ),
                    GuideLine(
                        _("“Partner may not use what the card has shown. Declarer may.”"), "50E2"
                    ),
                ),
            ),
            "50D2(a)",
            _("The correct defender leads another."),
        ),
        Answer(
            _("Refuse, ask for the suit"),
            FinalStep(
                f"{name}-ask",
                SAY_AND_PLAY,
                (
                    GuideLine(_("“Take the card back into your hand.”"), f"{laws} 50D2(a)"),
                    GuideLine(
                        _("“Your partner leads this suit, with any card of it.”"),
                        "50D2(a)",
                    ),
                    GuideLine(_("No card of the suit? Then any card may be led."), "59"),
                    GuideLine(
                        _("“Partner may not use what the card has shown. Declarer may.”"), "50E2"
                    ),
                ),
            ),
            "50D2(a)",
            _("The correct defender leads it."),
        ),
        Answer(
            _("Refuse, leave the card on the table"),
            penalty_card(f"{name}-leave", f"{laws} 50B 50D2(b)"),
            "50D2(b)",
            _("A penalty card; any lead is free."),
        ),
    )


LEAD_RESTRICTION = GuideLine(
    _("“If you defend: at your partner’s first lead declarer may forbid one suit.”"),
    "26B",
    _("Not a suit that the offender has shown in the legal auction."),
)
SILENCED = _("Give both sides the result that was likely without the forced pass.")


def harmed_by_silence(name: str) -> Answer:
    """Return the question to ask after play: did a forced pass harm the other side (Law 72C)?"""
    return Answer(
        _("The forced pass did harm that could be foreseen"),
        adjusted_score_end(name, SILENCED, "72C 12C1(b)"),
        "72C",
    )


def replaced_call(name: str, comparable: str, other_text: str, *, free: str = "") -> Question:
    """Return the question of which call replaces a cancelled one: comparable or not.

    `comparable` and `other_text` are the laws of both answers; `free` is the law by which the partner calls first.
    """
    return Question(
        name,
        _("Which call does the offender make at the correct turn?"),
        (
            Answer(
                _("A comparable call"),
                FinalStep(
                    f"{name}-comparable",
                    SAY_AND_PLAY,
                    (
                        GuideLine(
                            _("“The auction goes on. There is no rectification.”"), comparable
                        ),
                        GuideLine(_("“If you defend, there are no lead restrictions.”"), "26A"),
                    ),
                    later=Answer(
                        _("The first call helped them"),
                        adjusted_score_end(
                            f"{name}-helped",
                            _("Give both sides the result that was likely without the first call."),
                            "23C 12C1(b)",
                        ),
                        "23C",
                    ),
                    hint=AFTER_CALL,
                ),
                "23A",
                _("Same or similar meaning, a part of it, or the same purpose."),
            ),
            Answer(
                _("Any other call"),
                FinalStep(
                    f"{name}-other",
                    SAY_AND_PLAY,
                    (
                        GuideLine(
                            _("“Your partner must pass once, at the next turn.”"), other_text
                        ),
                        GuideLine(_("“Your partner may not use the cancelled call.”"), "16C2"),
                        LEAD_RESTRICTION,
                    ),
                    later=harmed_by_silence(f"{name}-harmed"),
                    hint=AFTER_SILENCE,
                ),
                other_text,
                _("The partner must pass once."),
            ),
        ),
        GuideLine(_("The partner calls freely first, but may not use the cancelled call."), free)
        if free
        else GuideLine(_("Ask away from the table what each call would mean."), "23A"),
    )
