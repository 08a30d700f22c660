"""A summary of a board's results in one or two sentences: it counts contracts and judges no player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .words import contract_html, outcome_html

FEWEST, TWICE = (
    3,
    2,
)  # least number of results for a sentence, and least number of tables for the field's contract
MOST_TOLD = 4  # other results, one by one
BOOK = 6


def field_text(outcomes: Iterable[Mapping[str, Any] | None]) -> SafeString:
    """Return a summary: the most frequent contract, how often it was made, and the other results."""
    found = [
        outcome
        for outcome in outcomes
        if outcome and ("contract" in outcome or outcome.get("passed"))
    ]
    if len(found) < FEWEST:
        return mark_safe("")
    counted = Counter(_bid(row) for row in found if "contract" in row)
    bid, count = counted.most_common(1)[0] if counted else ("", 0)
    if count < TWICE:
        return mark_safe(escape(_("Every table did something else.")))
    mine = [row for row in found if "contract" in row and _bid(row) == bid]
    rest = [field for field in found if field not in mine]
    words = ngettext(
        "%(count)s table played %(contract)s: %(made)s.",
        "%(count)s tables played %(contract)s: %(made)s.",
        count,
    )
    facts = {"count": count, "contract": contract_html(bid), "made": escape(_made(mine))}
    said = escape(words) % facts
    return mark_safe(f"{said} {_rest(rest)}" if rest else said)  # all parts are escaped


def _bid(outcome: Mapping[str, Any]) -> str:
    """Return a contract without doubles: "4H"."""
    return str(outcome["contract"])[:2].upper()


def _made(outcomes: list[Mapping[str, Any]]) -> str:
    made = sum(outcome["tricks"] >= BOOK + int(outcome["contract"][0]) for outcome in outcomes)
    if made == len(outcomes):
        return _("all made it")
    if not made:
        return _("nobody made it")
    return _("%(made)s made it, %(down)s went down") % {
        "made": made,
        "down": len(outcomes) - made,
    }


def _rest(outcomes: list[Mapping[str, Any]]) -> str:
    told = format_html_join(
        ", ", "{}", ((outcome_html(outcome),) for outcome in outcomes[:MOST_TOLD])
    )
    more = len(outcomes) - MOST_TOLD
    if more > 0:
        words = ngettext(
            "Else %(results)s and %(count)s more.", "Else %(results)s and %(count)s more.", more
        )
        return escape(words) % {"results": told, "count": more}
    return escape(_("Else %(results)s.")) % {"results": told}
