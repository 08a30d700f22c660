"""The adviser's reasons as sentences, in the reader's language."""

from __future__ import annotations

from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from movements.engine.adviser import Advice, AdviceReason
from movements.engine.descriptions.shape import has_stationary_line, needs_guide_cards, room_shape

from ..switches.choices import number_list

WORDS = {
    "very even": gettext_lazy("very even"),
    "even": gettext_lazy("even"),
    "fair": gettext_lazy("fair"),
    "uneven": gettext_lazy("uneven"),
}
WISHES = {
    "boards": gettext_lazy("the number of boards"),
    "time": gettext_lazy("the time"),
    "winners": gettext_lazy("the number of winners"),
    "sit_out": gettext_lazy("the longest sit-out"),
    "stationary": gettext_lazy("the pairs who must stay seated"),
    "copies": gettext_lazy("the copies of the boards"),
    "sharing": gettext_lazy("no sharing"),
    "stands": gettext_lazy("no boards waiting on stands"),
    "masterpoints": gettext_lazy("the masterpoint rules"),
    "break": gettext_lazy("the break"),
}
#: words for a wish that is not granted: two or three
BROKEN = {
    "boards": ngettext_lazy("%(count)s board", "%(count)s boards", "count"),
    "time": gettext_lazy("ends %(time)s"),
    "sit_out": gettext_lazy("sits out too long"),
    "stationary": gettext_lazy("only %(count)s can stay"),
    "copies": gettext_lazy("%(count)s copies"),
    "sharing": gettext_lazy("tables share"),
    "stands": gettext_lazy("boards wait"),
    "masterpoints": gettext_lazy("no masterpoints"),
    "break": gettext_lazy("no break"),
}
REASONS = {
    "fair": gettext_lazy("Very even comparisons: %(score)s of 100."),
    "even": gettext_lazy("Even comparisons: %(score)s of 100."),
    "all_boards": gettext_lazy("Everybody plays every board."),
    "simple": gettext_lazy("After every round the pairs move the same way."),
    "late_pair": gettext_lazy("A late pair fits in easily."),
    "stationary": ngettext_lazy(
        "%(count)s pair stays seated all evening.",
        "%(count)s pairs stay seated all evening.",
        "count",
    ),
    "break": gettext_lazy("Some boards before the break, all others after it."),
    "caddies": gettext_lazy("Your caddies carry the boards; players need not move them."),
    "carrying": gettext_lazy("The boards do not move in a simple way. A caddy has to carry them."),
    "vulnerability": gettext_lazy("Against everybody each vulnerability comes equally often."),
    "no_vulnerability": gettext_lazy(
        "Vulnerability is not even against each opponent: that takes 4 boards a round."
    ),
    "one_winner": gettext_lazy("One ranking for everybody."),
    "not_boards": gettext_lazy("%(boards)s boards: not the number you asked for."),
    "not_time": gettext_lazy("It takes longer than the time available."),
    "not_winners": gettext_lazy("Not the number of winners you asked for."),
    "not_sit_out": gettext_lazy("A sit-out is longer than you allow."),
    "not_stationary": ngettext_lazy(
        "Only %(count)s pair can stay seated.", "Only %(count)s pairs can stay seated.", "count"
    ),
    "none_stationary": gettext_lazy("No pair can stay seated."),
    "not_copies": gettext_lazy("It needs more copies of the boards than you have."),
    "not_sharing": gettext_lazy("Tables have to share boards."),
    "not_stands": gettext_lazy("Boards have to wait on a stand."),
    "not_masterpoints": gettext_lazy("It does not fulfil the rules for masterpoints."),
    "not_break": gettext_lazy("No break with new boards at half time."),
    "sits_out": gettext_lazy("There is a sit-out in every round."),
    "sits_out_at_times": gettext_lazy("There is a sit-out in some rounds."),
    "shares": gettext_lazy("Tables %(tables)s share boards and play more slowly."),
    "stands": ngettext_lazy(
        "Boards wait on a stand after table %(tables)s.",
        "Boards wait on stands after tables %(tables)s.",
        "count",
    ),
    "copies": gettext_lazy("Needs %(count)s copies of the boards."),
    "half_table_curtailed": gettext_lazy(
        "With the half table, boards have different tops and pairs play different numbers of boards."
    ),
    "unswitched": gettext_lazy(
        "Without turned boards one ranking hardly compares the two lines. Turn boards, or have two winners."
    ),
    "rematches": gettext_lazy("Some opponents meet twice."),
    "parts": gettext_lazy("Some rounds are played in two parts."),
    "cards": gettext_lazy("Everybody needs a guide card or the phone to know where to go."),
    "exceptions": ngettext_lazy(
        "One announcement to remember that is not like the others.",
        "%(count)s announcements to remember that are not like the others.",
        "count",
    ),
    "fairly_even": gettext_lazy("Comparisons are only fairly even: %(score)s of 100."),
    "uneven": gettext_lazy("Uneven comparisons: %(score)s of 100."),
    "not_all_boards": gettext_lazy("Everybody plays %(played)s of the %(all)s boards."),
    "short_matches": ngettext_lazy(
        "Matches of %(boards)s board. Six and more are usual.",
        "Matches of %(boards)s boards. Six and more are usual.",
        "boards",
    ),
    "long_rounds": gettext_lazy("Long rounds of %(boards)s boards."),
    "unequal_plays": gettext_lazy("Some boards are played more often than others."),
    "no_late_pair": gettext_lazy("A late pair does not fit in easily."),
}


def reason_sentence(reason: AdviceReason) -> str:
    """Return the sentence for a reason that speaks for or against a suggested movement."""
    fields = dict(reason.fields)
    kind = reason.kind
    if "tables" in fields:
        tables = cast("tuple[int, ...]", fields["tables"])
        fields |= {"tables": number_list(tables), "count": len(tables)}
    elif kind == "not_stationary" and not fields["count"]:
        kind = "none_stationary"
    return str(REASONS[kind] % fields)


def drawback_sentence(advice: Advice, other: Advice) -> str:
    """Return the strongest argument against a suggested movement that does not apply to the other one too."""
    shared = {reason.kind for reason in other.cons}
    against = (reason for reason in advice.cons if reason.kind not in shared)
    reason = next(against, None)
    return reason_sentence(reason) if reason else _("It asks more of the players.")


def worst_property_text(advice: Advice) -> str:
    """Return a suggested movement's worst property in two or three words; empty if there is none.

    A movement that breaks wishes has `broken_wish_mark` for that.
    """
    facts = advice.facts
    turned = room_shape(facts.movement).turned_rounds
    if not facts.meets_all and not facts.movement.is_one_winner:
        return _("not all opponents")
    if any(reason.kind == "carrying" for reason in advice.cons):
        return _("boards are carried by hand")
    if facts.needs_cards or needs_guide_cards(facts.movement):
        return _("needs guide cards")
    if facts.has_parts:
        return _("half rounds")
    if facts.sharing_tables:
        if len(facts.sharing_tables) > 4:
            return _("many tables share")
        return _("tables %(tables)s share") % {"tables": ", ".join(map(str, facts.sharing_tables))}
    if turned:
        return ngettext(
            "%(count)s arrow-switched round", "%(count)s arrow-switched rounds", len(turned)
        ) % {"count": len(turned)}
    return ""


def broken_wish_mark(advice: Advice, ends_at: str) -> str:
    """Return the wish that a suggested movement breaks, in two or three words; empty if there is none."""
    count = len(advice.broken)
    if count > 1:
        return ngettext("breaks %(count)s wish", "breaks %(count)s wishes", count) % {
            "count": count
        }
    for name in advice.broken:
        return _broken_wish_text(name, advice, ends_at)
    return ""


def _broken_wish_text(name: str, advice: Advice, ends_at: str) -> str:
    """Return in two or three words what a suggested movement offers in place of the wish that it breaks."""
    movement, size = advice.offer.movement, advice.offer.size
    if name == "winners":
        return winner_count(movement.winners)
    counts = {
        "boards": size.boards,
        "stationary": advice.facts.stationary,
        "copies": movement.copies,
    }
    return str(BROKEN[name] % {"count": counts.get(name, 0), "time": ends_at})


def winner_count(count: int) -> str:
    """Return the number of winners as text: "one winner", "two winners"."""
    if count == 1:
        return _("one winner")
    if count == 2:
        return _("two winners")
    return _("%(count)s winners") % {"count": count}


def main_reason(advice: Advice) -> str:
    """Return a sentence on why a suggested movement is the best, with its main disadvantage."""
    facts, movement = advice.facts, advice.facts.movement
    boards = {"boards": advice.offer.boards_prepared}
    has_one_line = movement.is_one_winner and not has_stationary_line(movement)
    if movement.is_draw and facts.meets_all:
        sentence = _("everybody meets everybody.")
    elif not movement.contest.fills_a_side:
        sentence = _("everybody plays the same %(boards)s boards.") if facts.is_complete else ""
    elif facts.meets_all and facts.is_complete and not facts.longest_sit_out:
        sentence = (
            _("everybody meets everybody, all on the same %(boards)s boards.")
            if has_one_line
            else _("everybody meets everybody of the other line on the same %(boards)s boards.")
        )
    elif facts.meets_all and has_one_line:
        sentence = _("everybody meets everybody.")
    elif facts.meets_all:
        sentence = _("everybody meets the whole other line but for the round they sit out.")
    elif facts.is_complete and not facts.longest_sit_out:
        sentence = _("everybody plays the same %(boards)s boards.")
    else:
        sentence = ""
    if not sentence:
        fewest, most = advice.offer.boards_played
        boards |= {"fewest": fewest, "most": most}
        sentence = (
            _("everybody plays %(most)s of the %(boards)s boards.")
            if fewest == most
            else _("everybody plays %(fewest)s to %(most)s boards.")
        )
    sentences = [sentence % boards]
    if advice.score >= EVEN and not facts.has_unequal_plays:
        sentences.append(_("No movement compares the pairs more fairly."))
    reasons = [reason for reason in advice.cons if reason.kind not in LEFT_OUT]
    sentences += [reason_sentence(reason) for reason in reasons[:1]]
    return " ".join(sentences)


#: score above which no improvement is needed
EVEN = 95
#: arguments that the first sentence omits, and only its facts mention
LEFT_OUT = frozenset({"sits_out", "sits_out_at_times", "not_all_boards"})
