"""Frequent parts of a desk's tiles; as templates they took half of the desk's time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from bridgebuddy.events.queries.plan.games import TableSide
from movements.templatetags.bridge import line_letters

from ..desk.page import BoardsView

register = template.Library()


@register.filter
def without_line_breaks(text: str) -> SafeString:
    """Template filter: a text without line breaks inside, such as the boards 13–16."""
    return format_html('<span class="nowrap">{}</span>', text)


@register.simple_tag
def side_of_table(side: Sequence[TableSide], line: str) -> SafeString:
    """Template tag: the contestants of a direction at a table as HTML."""
    seats = "\n".join(_seat_html(sitting, line) for sitting in side) or (
        f'<div class="seat empty"><span class="dir {line}">{escape(line_letters(line))}</span>\n'
        f'<span class="pair none">–</span>\n<span class="who">{escape(_("nobody"))}</span></div>'
    )
    return mark_safe(seats)  # every part of it is escaped


def _seat_html(side: TableSide, line: str) -> str:
    """Return a seat as HTML: direction, label and names."""
    return (
        f'<div class="seat"><span class="dir {line}">{escape(line_letters(side.chair))}</span>\n'
        f'<span class="pair {line}">{escape(side.chip)}</span>\n'
        f'<span class="who">{"".join(_names_html(side))}</span></div>'
    )


def _names_html(side: TableSide) -> Iterator[str]:
    """Yield the HTML of each name at a seat."""
    if side.contestant.halves:
        yield f'<b class="team">{escape(side.contestant.surnames)}</b>'
    for name in side.last_names:
        yield f"<span>{escape(name)}</span>"
    if then := side.pair_after_half_time:
        words = _("then %(names)s") % {"names": " & ".join(then.last_names)}
        yield f'<span class="muted small">{escape(words)}</span>'


@register.simple_tag
def boards_held(held: Sequence[BoardsView]) -> SafeString:
    """Template tag: boards as HTML, with the copy to which they belong."""
    return mark_safe("\n".join(map(_boards_html, held)))  # every part of it is escaped


def _boards_html(boards: BoardsView) -> str:
    """Return boards as HTML, with the copy to which they belong."""
    copy = boards.copy
    words = f'<span class="sr">{escape(_("Boards"))} </span>{escape(boards.boards)}'
    if copy is None:
        return f'<span class="boards">{words}</span>'
    name = escape(copy.name)
    facts = f'class="copy {escape(copy.key)}" title="{name}" aria-hidden="true"'
    mark = f"<b {facts}>{escape(copy.letter)}</b>"
    return f'<span class="boards">{words}\n<span class="sr">, {name}</span></span>{mark}'
