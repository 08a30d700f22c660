"""Broken laws as sentences in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from movements.engine.laws import Violation
from movements.engine.model import Movement

from .sentences import label_of

LAWS = {
    "structure": gettext_lazy("tables, rounds or boards are missing, or some are too many"),
    "field": gettext_lazy("somebody has no seat in the movement, or is not on its list"),
    "present": gettext_lazy("somebody sits at a table while they are not there"),
    "one-place": gettext_lazy("somebody sits at two tables at once"),
    "board-once": gettext_lazy("somebody plays the same boards again"),
    "meet-once": gettext_lazy("the same two meet again"),
    "copies": gettext_lazy("the same boards are wanted at too many tables"),
    "stands": gettext_lazy("boards wait somewhere and are played elsewhere"),
    "no-self": gettext_lazy("a team meets itself"),
    "full-match": gettext_lazy("two teams do not play all the boards of their match"),
    "draw": gettext_lazy("the draw leaves a team out, or lets two meet again"),
    "unequal-plays": gettext_lazy("some boards are played less often than others"),
}


def violation_sentence(movement: Movement, violation: Violation) -> str:
    """Return a sentence on a broken law of movements, with place and contestants.

    >>> from movements.engine.families.mitchells.mitchell import mitchell
    >>> violation_sentence(mitchell(5), Violation("meet-once", 3, 2, (1, 6), rounds=(1, 3)))
    'Round 3, table 2: the same two meet again (NS 1, EW 1; rounds 1, 3).'
    """
    law = str(LAWS[violation.law])
    where, facts = ", ".join(_place_texts(violation)), "; ".join(_fact_texts(movement, violation))
    if where and facts:
        return _("%(where)s: %(law)s (%(facts)s).") % {"where": where, "law": law, "facts": facts}
    if where:
        return _("%(where)s: %(law)s.") % {"where": where, "law": law}
    if facts:
        return _("In the whole movement: %(law)s (%(facts)s).") % {"law": law, "facts": facts}
    return _("In the whole movement: %(law)s.") % {"law": law}


def _place_texts(violation: Violation) -> Iterable[str]:
    """Yield the round and the table of a broken law as text."""
    if violation.round:
        yield _("Round %(round)s") % {"round": violation.round}
    if violation.table and violation.round:
        yield _("table %(table)s") % {"table": violation.table}
    elif violation.table:
        yield _("Table %(table)s") % {"table": violation.table}


def _fact_texts(movement: Movement, violation: Violation) -> Iterable[str]:
    """Yield the contestants, boards and rounds of a broken law as text."""
    if violation.contestants:
        yield ", ".join(_contestant_name(movement, number) for number in violation.contestants)
    if violation.sets:
        yield _("boards %(sets)s") % {"sets": ", ".join(violation.sets)}
    if violation.rounds:
        yield _("rounds %(rounds)s") % {"rounds": ", ".join(map(str, violation.rounds))}
    if violation.tables:
        yield _("tables %(tables)s") % {"tables": ", ".join(map(str, violation.tables))}
    if violation.missing:
        yield ngettext(
            "table %(tables)s is missing", "tables %(tables)s are missing", len(violation.missing)
        ) % {"tables": ", ".join(map(str, violation.missing))}


def _contestant_name(movement: Movement, number: int) -> str:
    """Return the label of a contestant, also of an unknown one."""
    if number in movement.contestants:
        return label_of(movement, number)
    return _("unknown %(number)s") % {"number": number}
