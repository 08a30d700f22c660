"""Names of knock-out rounds, by the number of remaining teams."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from movements.engine.drawing.knockouts import knockout_brackets, knockout_sizes

FINAL, SEMI_FINALS, QUARTER_FINALS = 3, 5, 8


def knockout_round_name(teams: int, round: int) -> str:
    """Return the name of a round of a knock-out with a given number of teams; empty beyond its last one.

    With several brackets the largest decides.
    """
    if teams < 2:
        return ""
    sizes = knockout_sizes(len(knockout_brackets(range(teams))[0]))
    if not 0 < round <= len(sizes):
        return ""
    size = sizes[round - 1]
    if size <= FINAL:
        return pgettext("round of a knock-out", "Final")
    if size <= SEMI_FINALS:
        return _("Semi-finals")
    if size <= QUARTER_FINALS:
        return _("Quarter-finals")
    return _("Last 16")
