"""What is said of a result that looks wrong: a heading, a sentence, and what the button says."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from bridgebuddy.events.queries.games import board_text
from bridgebuddy.scoring.queries.doubt import SIDE_OF, Doubt
from bridgebuddy.scoring.words import card_text, contract_text, outcome_text, signed
from movements.words.sentences import CHAIRS

SENTENCES = {
    "impossible": gettext_lazy(
        "No table can have had this result on this board. It does not count."
    ),
    "taken-back": gettext_lazy(
        "It was entered for others who are not at this table any more. It does not count."
    ),
    "exchanged": gettext_lazy("Exchanged, both contracts are what other tables played."),
    "other-way": gettext_lazy(
        "All these boards were played by the other side than at most other tables."
    ),
    "still-turned": gettext_lazy(
        "The table sat the other way, and the contracts still say the seats as they were before."
    ),
    "side": gettext_lazy("At every other table the other side played the contract."),
    "sign": gettext_lazy("At every other table the other side scored."),
    "contract": gettext_lazy("All others played one and the same contract."),
    "redoubled": gettext_lazy("That is rare. Is it right?"),
    "tricks": gettext_lazy("That is rare. Is it right?"),
    "penalty": gettext_lazy("That is rare. Is it right?"),
    "generous": gettext_lazy("Was neither side at fault? Then say so with the averages."),
    "missing": gettext_lazy("The round is over, and there is no result."),
    "unchecked": gettext_lazy("The round is over, and the other side has not said yes. It counts."),
    "differ": gettext_lazy("North-South and East-West say different things. Neither counts."),
    "one-side": gettext_lazy("Only one side has entered it. It does not count."),
}


def heading(doubt: Doubt) -> str:
    """Say what it is about."""
    facts = _facts(doubt)
    match doubt.kind:
        case "impossible":
            return _("Board %(board)s, table %(table)s: it cannot have been") % facts
        case "lead":
            return _("Board %(board)s, table %(table)s: the lead is in another hand") % facts
        case "twice":
            return _("Board %(board)s, table %(table)s, round %(round)s: played before") % facts
        case "taken-back":
            return _("Board %(board)s, table %(table)s, round %(round)s: nobody’s result") % facts
        case "exchanged":
            return _("Boards %(board)s and %(other)s, table %(table)s: exchanged?") % facts
        case "other-way":
            return _("Table %(table)s, round %(round)s: the other way round?") % facts
        case "still-turned":
            return _("Table %(table)s, round %(round)s: turn the contracts too?") % facts
        case "side":
            if SIDE_OF[str(facts["declarer"])] == "ns":
                return _("Board %(board)s, table %(table)s: E-W, everywhere else N-S") % facts
            return _("Board %(board)s, table %(table)s: N-S, everywhere else E-W") % facts
        case "sign" | "far":
            return _("Board %(board)s, table %(table)s: %(score)s for North-South") % facts
        case "passed":
            return _("Board %(board)s, table %(table)s: passed out") % facts
        case "generous":
            return (
                _("Board %(board)s, table %(table)s: both together have more than there is") % facts
            )
        case "contract":
            return _("Board %(board)s, table %(table)s: another contract than everywhere") % facts
        case "penalty":
            return _("Board %(board)s, table %(table)s: a penalty of %(points)s") % facts
        case "tricks":
            return (
                ngettext(
                    "Board %(board)s, table %(table)s: only %(tricks)s trick",
                    "Board %(board)s, table %(table)s: only %(tricks)s tricks",
                    facts["tricks"],
                )
                % facts
            )
        case "asked":
            return _("Board %(board)s, table %(table)s: the table wants it corrected") % facts
        case "differ":
            return _("Board %(board)s, table %(table)s: two versions") % facts
        case "one-side":
            return _("Board %(board)s, table %(table)s: one side only") % facts
        case "unchecked":
            return (
                ngettext(
                    "Round %(round)s, table %(table)s: board %(boards)s was not checked",
                    "Round %(round)s, table %(table)s: boards %(boards)s were not checked",
                    len(doubt.lines),
                )
                % facts
            )
        case "redoubled":
            return _("Board %(board)s, table %(table)s: redoubled") % facts
    return (
        ngettext(
            "Round %(round)s, table %(table)s: board %(boards)s is missing",
            "Round %(round)s, table %(table)s: boards %(boards)s are missing",
            len(doubt.lines),
        )
        % facts
    )


def sentence(doubt: Doubt) -> str:
    """Say why it looks wrong."""
    if doubt.kind == "far":
        least, most = doubt.facts["least"], doubt.facts["most"]
        if least == most:
            return _("The other tables have %(score)s.") % {"score": signed(least)}
        facts = {"least": signed(least), "most": signed(most)}
        return _("The other tables have %(least)s to %(most)s.") % facts
    if doubt.kind == "asked":
        if doubt.facts["side"] == "ns":
            return _("North-South say: %(outcome)s.") % {"outcome": _said(doubt)}
        return _("East-West say: %(outcome)s.") % {"outcome": _said(doubt)}
    if doubt.kind == "lead":
        seats = {name: str(CHAIRS[str(doubt.facts[name]).lower()]) for name in ("leader", "holder")}
        lead = card_text(str(doubt.facts["lead"]))
        return _("%(card)s is %(holder)s’s card, and %(leader)s was to lead.") % {
            "card": lead,
            **seats,
        }
    if doubt.kind == "twice":
        facts = {"who": ", ".join(one.label for one in doubt.facts["who"])}
        facts["round"] = str(doubt.facts["first"])
        return _("%(who)s had it in round %(round)s. By Law 15B only that result counts.") % facts
    if doubt.kind == "passed":
        return _("%(games)s tables bid game.") % doubt.facts
    return str(SENTENCES[doubt.kind])


def repair_text(doubt: Doubt) -> str:
    """Say what the button does that repairs it; nothing where there is none."""
    facts = _facts(doubt)
    match doubt.repair.name if doubt.repair else "":
        case "exchange":
            return _("Exchange %(board)s and %(other)s") % facts
        case "declarer":
            assert doubt.repair is not None
            outcome = doubt.repair.outcomes[0][1] or {}
            return _("Make it %(contract)s by %(seat)s") % {
                "contract": contract_text(str(outcome["contract"])),
                "seat": str(CHAIRS[str(outcome["declarer"]).lower()]),
            }
        case "sign":
            return _("Make it %(score)s") % {"score": signed(-int(doubt.line.outcome["score"]))}  # type: ignore[index]
        case "turn":
            return _("Turn the contracts")
        case "other-way":
            return _("They sat the other way")
        case "not-played":
            return _("Not played")
        case "cancel":
            return _("The later one does not count")
        case "correct":
            return _("Make it %(outcome)s") % {"outcome": _said(doubt)}
        case "take":
            return _("Take what is entered")
        case "give":
            return _("It belongs to those who sit there now")
        case "enter":
            return _("Correct it")
    return ""


def _said(doubt: Doubt) -> str:
    """What a table says that it should be."""
    assert doubt.repair is not None, "what is said is what the repair makes of it"
    return outcome_text(doubt.repair.outcomes[0][1])


def _facts(doubt: Doubt) -> dict[str, Any]:
    found = dict(doubt.facts)
    if doubt.lines:
        line, last = doubt.lines[0], doubt.lines[-1]
        found |= {"board": line.board, "table": line.table, "round": line.round}
        found |= {"other": last.board}
        found["boards"] = board_text(tuple(sorted(one.board for one in doubt.lines)))
    if isinstance(found.get("score"), int):
        found["score"] = signed(found["score"])
    return found
