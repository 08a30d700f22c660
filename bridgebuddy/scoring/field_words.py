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
    """Return a sentence on all results of a board: the most frequent contract, how often it was made, and others."""
    rows = [
        outcome
        for outcome in outcomes
        if outcome and ("contract" in outcome or outcome.get("passed"))
    ]
    if len(rows) < FEWEST:
        return mark_safe("")
    counted = Counter(_undoubled_contract(row) for row in rows if "contract" in row)
    bid, count = counted.most_common(1)[0] if counted else ("", 0)
    if count < TWICE:
        return mark_safe(escape(_("All tables played different contracts.")))
    same_bid = [row for row in rows if "contract" in row and _undoubled_contract(row) == bid]
    rest = [field for field in rows if field not in same_bid]
    words = ngettext(
        "%(count)s table played %(contract)s: %(made)s.",
        "%(count)s tables played %(contract)s: %(made)s.",
        count,
    )
    facts = {
        "count": count,
        "contract": contract_html(bid),
        "made": escape(_made_contracts_text(same_bid)),
    }
    text = escape(words) % facts
    return mark_safe(
        f"{text} {_other_results_text(rest)}" if rest else text
    )  # all parts are escaped


def _undoubled_contract(outcome: Mapping[str, Any]) -> str:
    """Return a contract without doubles: "4H"."""
    return str(outcome["contract"])[:2].upper()


def _made_contracts_text(outcomes: list[Mapping[str, Any]]) -> str:
    """Return how many declarers made their contracts, as text."""
    count = sum(outcome["tricks"] >= BOOK + int(outcome["contract"][0]) for outcome in outcomes)
    if count == len(outcomes):
        return _("all made it")
    if not count:
        return _("nobody made it")
    return _("%(made)s made it, %(down)s went down") % {
        "made": count,
        "down": len(outcomes) - count,
    }


def _other_results_text(outcomes: list[Mapping[str, Any]]) -> str:
    """Return the contracts that differ from the most frequent one, shortened to the first few."""
    text = format_html_join(
        ", ", "{}", ((outcome_html(outcome),) for outcome in outcomes[:MOST_TOLD])
    )
    more = len(outcomes) - MOST_TOLD
    if more > 0:
        words = ngettext(
            "Other results: %(results)s and %(count)s more.",
            "Other results: %(results)s and %(count)s more.",
            more,
        )
        return escape(words) % {"results": text, "count": more}
    return escape(_("Otherwise %(results)s.")) % {"results": text}
