"""The words for a doubtful result: heading, sentence and label of the repair button."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy, ngettext_lazy

from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.scoring.checks.result_check import SIDE_OF, ProposedRepair, ResultDoubt
from bridgebuddy.scoring.words import card_text, contract_text, outcome_text, signed_score
from movements.words.sentences import CHAIRS

HEADINGS = {
    "impossible": gettext_lazy("Board %(board)s, table %(table)s: impossible result"),
    "lead": gettext_lazy("Board %(board)s, table %(table)s: the lead is in another hand"),
    "twice": gettext_lazy("Board %(board)s, table %(table)s, round %(round)s: played before"),
    "taken-back": gettext_lazy(
        "Board %(board)s, table %(table)s, round %(round)s: entered for other players"
    ),
    "exchanged": gettext_lazy("Boards %(board)s and %(other)s, table %(table)s: exchanged?"),
    "other-way": gettext_lazy("Table %(table)s, round %(round)s: wrong direction?"),
    "still-turned": gettext_lazy("Table %(table)s, round %(round)s: turn the contracts too?"),
    "side-ns": gettext_lazy("Board %(board)s, table %(table)s: E-W, everywhere else N-S"),
    "side-ew": gettext_lazy("Board %(board)s, table %(table)s: N-S, everywhere else E-W"),
    "sign": gettext_lazy("Board %(board)s, table %(table)s: %(score)s for North-South"),
    "far": gettext_lazy("Board %(board)s, table %(table)s: %(score)s for North-South"),
    "passed": gettext_lazy("Board %(board)s, table %(table)s: passed out"),
    "generous": gettext_lazy(
        "Board %(board)s, table %(table)s: the two averages add up to too much"
    ),
    "contract": gettext_lazy(
        "Board %(board)s, table %(table)s: a different contract from all other tables"
    ),
    "penalty": gettext_lazy("Board %(board)s, table %(table)s: %(points)s points for undertricks"),
    "tricks": ngettext_lazy(
        "Board %(board)s, table %(table)s: only %(tricks)s trick",
        "Board %(board)s, table %(table)s: only %(tricks)s tricks",
        "tricks",
    ),
    "asked": gettext_lazy("Board %(board)s, table %(table)s: the table wants it corrected"),
    "differ": gettext_lazy("Board %(board)s, table %(table)s: two versions"),
    "one-side": gettext_lazy("Board %(board)s, table %(table)s: entered by one side only"),
    "unchecked": ngettext_lazy(
        "Round %(round)s, table %(table)s: board %(boards)s was not checked",
        "Round %(round)s, table %(table)s: boards %(boards)s were not checked",
        "count",
    ),
    "redoubled": gettext_lazy("Board %(board)s, table %(table)s: redoubled"),
    "missing": ngettext_lazy(
        "Round %(round)s, table %(table)s: board %(boards)s is missing",
        "Round %(round)s, table %(table)s: boards %(boards)s are missing",
        "count",
    ),
}
SENTENCES = {
    "impossible": gettext_lazy("This result is impossible on this board. It does not count."),
    "taken-back": gettext_lazy(
        "It was entered for players who are no longer at this table. It does not count."
    ),
    "exchanged": gettext_lazy("If exchanged, both contracts match those of other tables."),
    "other-way": gettext_lazy(
        "On all these boards, the other side played the contract at most other tables."
    ),
    "still-turned": gettext_lazy(
        "The direction was corrected, but the contracts still name the old seats."
    ),
    "side": gettext_lazy("At every other table the other side played the contract."),
    "sign": gettext_lazy("At every other table the other side had the plus score."),
    "contract": gettext_lazy("All others played one and the same contract."),
    "redoubled": gettext_lazy("That is rare. Is it right?"),
    "tricks": gettext_lazy("That is rare. Is it right?"),
    "penalty": gettext_lazy("That is rare. Is it right?"),
    "generous": gettext_lazy("Was neither side at fault? Then tick this with the averages."),
    "missing": gettext_lazy("The round is over, and there is no result."),
    "unchecked": gettext_lazy(
        "The round is over, and the other side has not confirmed it. It counts."
    ),
    "differ": gettext_lazy("North-South and East-West entered different results. Neither counts."),
    "one-side": gettext_lazy("Only one side has entered it. It does not count."),
    "far": gettext_lazy("The other tables have %(score)s."),
    "far-apart": gettext_lazy("The other tables have %(least)s to %(most)s."),
    "asked-ns": gettext_lazy("North-South entered: %(outcome)s."),
    "asked-ew": gettext_lazy("East-West entered: %(outcome)s."),
    "lead": gettext_lazy("%(card)s is %(holder)s’s card, and %(leader)s was to lead."),
    "twice": gettext_lazy(
        "%(who)s already played it in round %(round)s. By Law 15B only the earlier result counts."
    ),
    "passed": gettext_lazy("%(games)s tables bid game."),
}
#: the labels of the repair buttons
REPAIRS = {
    "exchange": gettext_lazy("Exchange %(board)s and %(other)s"),
    "declarer": gettext_lazy("Change to %(contract)s by %(seat)s"),
    "sign": gettext_lazy("Change the score to %(score)s"),
    "turn": gettext_lazy("Turn the contracts"),
    "other-way": gettext_lazy("They sat the other way"),
    "not-played": gettext_lazy("Not played"),
    "cancel": gettext_lazy("Cancel the later result"),
    "correct": gettext_lazy("Change the result to %(outcome)s"),
    "take": gettext_lazy("Accept the entered result"),
    "give": gettext_lazy("Assign it to the players now seated there"),
    "enter": gettext_lazy("Correct it"),
}


def doubt_heading(doubt: ResultDoubt) -> str:
    """Return the heading of a doubtful result."""
    facts, kind = _facts_of_doubt(doubt), doubt.kind
    if kind == "side":
        kind = f"side-{SIDE_OF[facts['declarer']]}"
    return str(HEADINGS[kind] % facts)


def doubt_sentence(doubt: ResultDoubt) -> str:
    """Return the sentence that says why a result is doubtful."""
    facts, kind = _facts_of_doubt(doubt), doubt.kind
    match kind:
        case "far":
            kind = "far" if facts["least"] == facts["most"] else "far-apart"
            least, most = signed_score(facts["least"]), signed_score(facts["most"])
            facts |= {"least": least, "most": most, "score": least}
        case "asked":
            assert doubt.repair is not None, "what is said is what the repair makes of it"
            kind, facts = f"asked-{facts['side']}", _words_of_repair(doubt.repair)
        case "lead":
            facts |= {name: CHAIRS[facts[name].lower()] for name in ("leader", "holder")}
            facts["card"] = card_text(facts["lead"])
        case "twice":
            names = ", ".join(contestant.label for contestant in facts["who"])
            facts |= {"who": names, "round": facts["first"]}
    return str(SENTENCES[kind] % facts)


def repair_text(doubt: ResultDoubt) -> str:
    """Return the label of the button that corrects a doubtful result; empty without a proposed correction."""
    if doubt.repair is None:
        return ""
    return str(
        REPAIRS[doubt.repair.name] % (_facts_of_doubt(doubt) | _words_of_repair(doubt.repair))
    )


def _facts_of_doubt(doubt: ResultDoubt) -> dict[str, Any]:
    """Return the values (board, table, score and so on) to fill into the sentence about a doubtful result."""
    values = dict(doubt.facts)
    if doubt.lines:
        line, last = doubt.lines[0], doubt.lines[-1]
        values |= {"board": line.board, "table": line.table, "round": line.round}
        values |= {"other": last.board, "count": len(doubt.lines)}
        values["boards"] = board_text(tuple(sorted(line.board for line in doubt.lines)))
    if isinstance(values.get("score"), int):
        values["score"] = signed_score(values["score"])
    return values


def _words_of_repair(repair: ProposedRepair) -> dict[str, Any]:
    """Return the values for the sentence about a proposed correction, from the first result that it changes."""
    outcome = repair.outcomes[0][1] if repair.outcomes else None
    values: dict[str, Any] = {"outcome": outcome_text(outcome)}
    match outcome:
        case {"contract": contract, "declarer": seat}:
            values |= {"contract": contract_text(contract), "seat": CHAIRS[seat.lower()]}
        case {"score": score}:
            values["score"] = signed_score(score)
    return values
