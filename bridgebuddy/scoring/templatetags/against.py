"""Double-dummy results in templates: par, and the actual tricks compared with it."""

from __future__ import annotations

from itertools import groupby

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..results.against_cards import DoubleDummyComparison, TricksTotal
from ..snapshot.cards import BoardCards
from ..words import contract_html, seat_letter, signed_score

register = template.Library()


@register.simple_tag
def par_text(cards: BoardCards, *, filled: bool = False) -> SafeString:
    """Format the par of a board."""
    par_of_board = cards.par
    if par_of_board is None:
        return SafeString("")
    if not par_of_board.contracts:
        return format_html("{} <b>0</b>", _("Best for both: passed out"))
    by_contract = groupby(
        (contract.split("-") for contract in par_of_board.contracts), key=lambda item: item[0]
    )
    contracts = format_html_join(
        " · ",
        "{} {}",
        (
            (
                contract_html(contract, filled=filled),
                "/".join(seat_letter(seat) for _, seat in seats),
            )
            for contract, seats in by_contract
        ),
    )
    return format_html(
        "{} {}, <b>{}</b>", _("Best for both:"), contracts, signed_score(par_of_board.score)
    )


@register.filter
def double_dummy_text(comparison: DoubleDummyComparison) -> str:
    """Template filter: declarer's double-dummy tricks, and the difference that the play and the lead made."""
    parts = [_("could make %(tricks)s") % {"tricks": comparison.could}]
    if comparison.gained:
        parts.append(_tricks_text(comparison.gained))
    if comparison.lead_gave:
        parts.append(
            ngettext(
                "the lead gave %(tricks)s trick",
                "the lead gave %(tricks)s tricks",
                comparison.lead_gave,
            )
            % {"tricks": comparison.lead_gave}
        )
    return ", ".join(parts)


@register.filter
def gained_tricks(total: TricksTotal) -> str:
    """Template filter: the tricks that a contestant won or lost against double-dummy play over several boards."""
    boards = ngettext("%(boards)s board", "%(boards)s boards", total.boards) % {
        "boards": total.boards
    }
    return f"{_tricks_text(total.gained)} ({boards})"


def _tricks_text(number: int) -> str:
    """Return a number of tricks with its sign."""
    return ngettext("%(number)s trick", "%(number)s tricks", abs(number)) % {
        "number": signed_score(number)
    }
