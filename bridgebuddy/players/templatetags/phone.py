"""Template tags of the players' pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from django import template
from django.template import Context, Node, NodeList
from django.template.base import FilterExpression, Parser, Token
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from bridgebuddy.events.queries.plan_cache import cached_for_section
from movements.templatetags.bridge import line_letters

from ..phones import offline
from ..phones.notice import PlanNotice
from ..phones.page import PlannedRound, PlayerPage, SeatedPerson, SeatShown
from ..room_display.room import RoomDisplay

register = template.Library()

#: possible seats
PLACES = ("ns", "ew", *"nesw")

register.simple_tag(offline.versioned_address, name="phone_file")


@register.simple_tag
def evening_rows(page: PlayerPage, notice: PlanNotice | None) -> SafeString:
    """Template tag: the HTML table rows of a contestant's plan on a phone, one for each round or part of it.

    All phones ask for them when a round begins. As a template they took half of the page's time.
    """
    new = notice.rounds if notice else ()
    return mark_safe("".join(_round_rows(page, new)))  # every part of it is escaped


def _round_rows(page: PlayerPage, new: Iterable[int]) -> Iterator[str]:
    """Yield the HTML table rows of the rounds on a phone."""
    letters = {place: escape(line_letters(place)) for place in PLACES}
    for stop in page.listed_rounds:
        is_new = stop.round in new
        state = f"{stop.state}{' new' if is_new else ''}"
        here = ' aria-current="step"' if stop.state == "here" else ""
        mark = f" <small>{escape(_('new'))}</small>" if is_new else ""
        for seat in stop.seats or (None,):
            cells = (
                _seat_cells(seat, letters)
                if seat
                else f'<td colspan="3">{escape(_reason_without_seat(stop, page))}</td>'
            )
            yield f'<tr class="{state}"{here}><td>{stop.round}{mark}</td>{cells}</tr>\n'


def _reason_without_seat(stop: PlannedRound, page: PlayerPage) -> str:
    """Return why a contestant has no seat in a round, as text; "–" if it has left or has not come yet."""
    if stop.is_open:
        return _("not drawn yet")
    if stop.has_left and page.has_withdrawn:
        return _("withdrawn")
    return "–" if stop.has_left or not stop.has_come else _("you sit out")


def _seat_cells(seat: SeatShown, letters: Mapping[str, str]) -> str:
    """Return the HTML table cells of a seat: table and direction, boards, and opponents."""
    if not seat.table:
        out = _("you sit out half the round")
        return f'<td colspan="3">{escape(out)}</td>'
    line = f'<span class="dir {escape(seat.line)}">{letters[seat.place]}</span>'
    met = ", ".join(map(_label_and_name, seat.opponents))
    together = [_("(with %(partner)s)") % {"partner": partner.name} for partner in seat.partners]
    partners = "".join(f' <span class="muted">{escape(note)}</span>' for note in together)
    boards: str = escape(seat.all_boards or "–")
    if seat.turned:
        turned = (
            _("turn all") if seat.are_all_turned else _("turn %(boards)s") % {"boards": seat.turned}
        )
        boards += f' <small class="muted">{escape(turned)}</small>'
    return f'<td class="n">{seat.table} {line}</td><td>{boards}</td><td>{met}{partners}</td>'


def _label_and_name(person: SeatedPerson) -> str:
    """Return a person's label and name as HTML."""
    return f"{escape(person.label)} {escape(person.team or person.name)}"


class _CachedRoomNode(Node):
    """The template node of the `cached_for_plan` tag, which caches its contents."""

    def __init__(self, inner: NodeList, room: FilterExpression) -> None:
        self.inner, self.room = inner, room

    def render(self, context: Context) -> SafeString:
        """Return the block's HTML, from the cache if nothing has changed."""
        room: RoomDisplay = self.room.resolve(context)
        return cached_for_section(
            room.section, "room", lambda: self.inner.render(context), room.share
        )


@register.tag
def cached_for_plan(parser: Parser, token: Token) -> _CachedRoomNode:
    """Template tag: cache the HTML between its tags until the plan of a room display changes."""
    _tag, room = token.split_contents()
    inner = parser.parse(("endworked_out",))
    parser.delete_first_token()
    return _CachedRoomNode(inner, parser.compile_filter(room))
