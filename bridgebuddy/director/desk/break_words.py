"""Sentences on what a break after a round costs."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.models import Section
from movements.engine.session_breaks import sets_on_both_sides


def boards_on_both_sides(section: Section, after_round: int) -> int:
    """Return how many boards of a section's movement are played both before and after a break."""
    stored = section.stored
    return sum(
        len(stored.numbers[name]) for name in sets_on_both_sides(stored.movement, after_round)
    )


def break_choice_label(section: Section, after_round: int) -> str:
    """Return the label of a choice of break: the round before it, and whether boards come again after it."""
    count = boards_on_both_sides(section, after_round)
    if not section.stored.movement.sets:
        return str(after_round)
    if not count:
        return _("%(round)s: new boards after the break") % {"round": after_round}
    return ngettext(
        "%(round)s: %(count)s board is played before and after it",
        "%(round)s: %(count)s boards are played before and after it",
        count,
    ) % {"round": after_round, "count": count}


def planned_break_sentence(section: Section) -> str:
    """Return the sentence that a break is planned, with a warning if boards come again after it."""
    words = {"round": section.break_after, "minutes": section.break_minutes}
    planned = (
        ngettext(
            "A break of %(minutes)s minute is planned after round %(round)s.",
            "A break of %(minutes)s minutes is planned after round %(round)s.",
            section.break_minutes,
        )
        % words
    )
    is_for_all = section.letter and section.session.common_clock
    for_all = _("It holds for all sections: they have one clock.") if is_for_all else ""
    return " ".join(filter(None, [planned, for_all, break_cost_sentence(section)]))


def break_cost_sentence(section: Section) -> str:
    """Return which boards must not be discussed in the planned break; empty if there are none."""
    count = boards_on_both_sides(section, section.break_after or 0)
    if not section.break_after or not count:
        return ""
    return ngettext(
        "%(count)s board is still to come at other tables: ask the players not to talk about it.",
        "%(count)s boards are still to come at other tables: ask the players not to talk about them.",
        count,
    ) % {"count": count}
