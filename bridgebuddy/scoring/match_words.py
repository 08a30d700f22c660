"""Sentences about matches: the winner, the margin, tie-breaks and rulings."""

from __future__ import annotations

from typing import Any

from django.utils.formats import number_format
from django.utils.translation import get_language, gettext_lazy, pgettext
from django.utils.translation import gettext as _

from .explaining import short_number
from .results.matches import TeamMatch
from .rules.rankings.masterpoints import SCALES, masterpoint_scale
from .rules.scales.victory_points import OwnScale, scales_by_name

OF_IMPS = ("team-imps", "cross-imps", "butler")
#: value of the scale choice for a table that the club has typed
OWN = "own"
#: reason that separates two equals, by the name of the tie-break
DECIDED = {
    "between": gettext_lazy("their own match"),
    "opponents": gettext_lazy("the opponents’ scores"),
    "wins": gettext_lazy("matches won"),
    "net": gettext_lazy("net result"),
    "quotient": gettext_lazy("IMP quotient"),
    "count-back": gettext_lazy("boards won"),
    "lot": gettext_lazy("lot"),
    "seed": gettext_lazy("seeding"),
    "number": gettext_lazy("team number"),
}
#: subject of a knock-out's matches other than the title
EVENTS = {"third place": gettext_lazy("third place"), "consolation": gettext_lazy("consolation")}
#: reason for which a match has no boards of its own to show
RULES = {
    "given": gettext_lazy("The director has set this result."),
    "void": gettext_lazy("Too little was played: the director has set averages."),
    "wrong-seats": gettext_lazy("The teams sat the wrong way in the whole match."),
    "missing": gettext_lazy("A team was missing."),
    "cancelled": gettext_lazy("A team has left: this match does not count."),
    "bye": gettext_lazy("Bye"),
}
RULES_OF_PAIRS = RULES | {
    "missing": gettext_lazy("A pair was missing."),
    "cancelled": gettext_lazy("A pair has left: this match does not count."),
}


def match_headline(match: TeamMatch) -> str:
    """Return a sentence that names a match's winner and margin, or says that it is not over."""
    home, away = match.home.surnames, match.away.surnames if match.away else ""
    if match.is_bye:
        return _("%(team)s has a bye") % {"team": home}
    facts = {"home": home, "away": away}
    if match.score is None:
        return _("%(home)s against %(away)s") % facts
    if match.winner is None:
        return _("%(home)s and %(away)s are level") % facts
    most, least = match.score.greater_first
    facts = {"team": match.winner.surnames, "most": match_value(most), "least": match_value(least)}
    if match.imps and not match.has_vps:
        most, least = match.adjusted_imps.greater_first
        facts |= {"most": short_number(most), "least": short_number(least)}
    if not match.section.contest.has_halves:
        return _("%(team)s win %(most)s to %(least)s") % facts
    return _("%(team)s wins %(most)s to %(least)s") % facts


def scales_of_imps() -> list[tuple[str, Any]]:
    """Return the choices for turning a match's IMPs into victory points: profile names with labels."""
    by_name = [
        (name, victory_point_scale_name(name))
        for name, scale in scales_by_name().items()
        if not scale.is_of_percentages
    ]
    return [
        ("", _("IMPs as they are")),
        *sorted(by_name, key=lambda item: item[1]),
        (OWN, _("The club’s own table")),
    ]


def victory_point_scale_name(scale: str | OwnScale) -> str:
    """Return the name of a victory point scale, in the reader's language if its file has it."""
    if isinstance(scale, OwnScale):
        return _("Victory points by the club’s own table")
    named = scales_by_name()[scale]
    return named.words.get(get_language() or "", named.name)


def masterpoint_scale_name(name: str) -> str:
    """Return the name of a masterpoint scale, in the reader's language if its file has it."""
    named = masterpoint_scale(name)
    return named.words.get(get_language() or "", named.name)


def masterpoint_choices() -> list[tuple[str, str]]:
    """Return the form choices of masterpoint scales with their conditions, "none" first."""
    return [
        ("", pgettext("masterpoints", "none")),
        *((name, _scale_choice_text(name)) for name in SCALES),
    ]


def _scale_choice_text(name: str) -> str:
    """Return the label of a masterpoint scale in the form's choices."""
    scale, words = masterpoint_scale(name), masterpoint_scale_name(name)
    if scale.boards:
        facts = {"scale": words, "boards": scale.boards}
        words = _("%(scale)s, from %(boards)s boards on") % facts
    return _("%(scale)s (not certain)") % {"scale": words} if scale.doubt else words


def match_value(value: float | None) -> str:
    """Format a match's score: as a whole number if it is one, otherwise with two decimals."""
    if value is None:
        return ""
    return short_number(value) if value == int(value) else number_format(value, 2)


def unit_of_totals(method: str, *, has_vps: bool) -> str:
    """Return the heading of the totals column for pairs and players scored by this method."""
    if has_vps:
        return _("VP")
    return _("IMPs") if method in ("cross-imps", "butler", "team-imps") else _("Total")


def totals_unit(method: str, *, has_vps: bool) -> str:
    """Return the heading of the totals column for any contest scored by this method."""
    if has_vps:
        return _("VP")
    return _("IMPs") if method in OF_IMPS else _("Points")
