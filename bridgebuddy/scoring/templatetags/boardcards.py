"""The board as a picture: a black square with its number, and red rims on vulnerable sides."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from movements.words.sentences import CHAIRS

from ..models import Penalty
from ..results.scored import ScoredSession
from ..rules.points import dealer, is_vulnerable
from ..snapshot.lines import PlayLine
from ..words import penalty_text, signed_score

register = template.Library()

#: x, y, width and height of the rims, by seat
RIMS = {"N": (22, 2, 56, 16), "S": (22, 82, 56, 16), "W": (2, 22, 16, 56), "E": (82, 22, 16, 56)}


@register.simple_tag
def boardcard(board: int) -> SafeString:
    """Return the HTML drawing of a board with dealer and vulnerability, and its alternative text."""
    return _boardcard(board, get_language())


@lru_cache(1024)
def _boardcard(board: int, language: str | None) -> SafeString:
    """Return the drawing of a board in a language; cached because phones show the same few boards."""
    rims = format_html_join(
        "",
        '<rect class="rim{}" x="{}" y="{}" width="{}" height="{}" rx="4"/>',
        ((" v" if is_vulnerable(board, seat) else "", *at) for seat, at in RIMS.items()),  # type: ignore[arg-type]
    )
    return format_html(
        '<svg class="boardcard" viewBox="0 0 100 100" role="img" aria-label="{}">{}'
        '<rect class="mid" x="20" y="20" width="60" height="60" rx="6"/>'
        '<text class="no" x="50" y="63">{}</text></svg>',
        vulnerable_in_words(board),
        rims,
        board,
    )


@register.simple_tag
def paper_boardcard(board: int) -> SafeString:
    """Return the drawing of a board for print, where style sheets do not reach inside drawings."""
    rims = format_html_join(
        "",
        '<rect fill="{0}" stroke="{1}" stroke-width="2" x="{2}" y="{3}" width="{4}" height="{5}" rx="4"/>',
        (
            (*(("#a3181c", "#a3181c") if is_vulnerable(board, seat) else ("#fff", "#777")), *at)  # type: ignore[arg-type]
            for seat, at in RIMS.items()
        ),
    )
    return format_html(
        '<svg class="bc" viewBox="0 0 100 100" role="img" aria-label="{}">{}'
        '<rect fill="#000" x="20" y="20" width="60" height="60" rx="6"/>'
        '<text fill="#fff" x="50" y="62" font-size="34" font-weight="800" text-anchor="middle">{}</text></svg>',
        vulnerable_in_words(board),
        rims,
        board,
    )


@register.filter
def dealer_and_vulnerable(board: int) -> str:
    """Return the dealer and the vulnerability of a board in words."""
    return _("%(vulnerable)s, dealer %(dealer)s") % {
        "vulnerable": vulnerable_in_words(board),
        "dealer": CHAIRS[dealer(board).lower()],
    }


def vulnerable_in_words(board: int) -> str:
    """Return a board's number and its vulnerability in words."""
    ns, ew = is_vulnerable(board, "N"), is_vulnerable(board, "E")
    facts = {"board": board}
    if ns and ew:
        return _("Board %(board)s, all vulnerable") % facts
    if ns:
        return _("Board %(board)s, North-South vulnerable") % facts
    if ew:
        return _("Board %(board)s, East-West vulnerable") % facts
    return _("Board %(board)s, nobody vulnerable") % facts


@register.filter
def dealer_of(board: int) -> str:
    """Return the dealer of a board in words."""
    return str(CHAIRS[dealer(board).lower()])


@register.filter
def vulnerability(board: int) -> str:
    """Return the vulnerability of a board in words."""
    ns, ew = is_vulnerable(board, "N"), is_vulnerable(board, "E")
    if ns and ew:
        return _("all vulnerable")
    if ns:
        return _("North-South vulnerable")
    return _("East-West vulnerable") if ew else _("nobody vulnerable")


@register.filter
def points_of(line: PlayLine, scored: ScoredSession) -> str:
    """Format North-South's bridge score of a play; empty if the outcome itself shows the score."""
    score = scored.score(line)
    is_said = line.outcome is not None and "contract" not in line.outcome
    return "" if score is None or is_said else signed_score(score)


@register.filter
def penalty(penalty: Penalty) -> str:
    """Format a penalty or bonus with its unit."""
    return penalty_text(penalty.unit, penalty.amount)
