"""Template tags of the tables' pages, and on tables for other pages."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pyphen
from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.checks.result_check import SIDE_OF
from bridgebuddy.scoring.rules.contract_notation import ENGLISH, LETTERS
from bridgebuddy.scoring.rules.points import DEALERS as SEATS
from bridgebuddy.scoring.rules.points import is_vulnerable
from bridgebuddy.scoring.words import outcome_html, rank_text, seat_letter, suit_shape
from bridgebuddy.table_phones.models import PhoneHolder
from bridgebuddy.table_phones.queries.at_table import TableBoard
from bridgebuddy.table_phones.queries.director_calls import calling_tables
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.words import ResultWords
from movements.words.sentences import CHAIRS

register = template.Library()
register.filter("card_name", rank_text)

#: letters on the keys of suits
STRAIN_KEYS = {
    "C": gettext_lazy("clubs"),
    "D": gettext_lazy("diamonds"),
    "H": gettext_lazy("hearts"),
    "S": gettext_lazy("spades"),
    "NT": gettext_lazy("no trumps"),
}

register.filter("seat", seat_letter)


@register.filter
def suit_symbol(strain: str) -> SafeString:
    """Template filter: the coloured symbol of a strain."""
    return suit_shape(strain[0])


@register.filter
def strain_name(strain: str) -> str:
    """Template filter: the name of a strain."""
    return str(STRAIN_KEYS[strain])


@register.filter
def suit_letter(strain: str) -> str:
    """Template filter: the letter of a suit in the reader's language."""
    letters = LETTERS.get((get_language() or "en")[:2], ENGLISH)
    return letters.written_strains["CDHS".index(strain)].upper()


@register.filter
def split_sides(text: str) -> list[str]:
    """Template filter: the sides in a text like "ns ew" as a list."""
    return text.split()


@register.filter
def keypad_address_to_change(board: TableBoard, part_name: str) -> str:
    """Template filter: the address of the keypad's step at which this part of the result is entered anew.

    `part_name` names the part and a side: "declarer ns".
    """
    assert board.outcome is not None, "pages ask whether there is one first"
    part, side = part_name.split()
    contract = str(board.outcome["contract"])
    plain = contract.rstrip("x")
    bid = {"level": plain[0], "strain": plain[1:], "dbl": contract[len(plain) :]}
    by = {"by": board.outcome["declarer"]}
    tapped = {"contract": {"new": 1, **by}, "declarer": bid, "tricks": {**bid, **by, "lead": "-"}}
    return f"?{urlencode({'side': side, **tapped[part]})}"


@register.filter
def result_line_text(result: ResultWords) -> SafeString:
    """Template filter: an entered result on one line, with the score of North-South."""
    return format_html("{} {}", outcome_html(result.outcome), result.points("ns"))


@register.filter
def chair(seat: str) -> str:
    """Template filter: the name of a seat: "North"."""
    return str(CHAIRS[seat.lower()])


@register.filter
def side(seat: str) -> str:
    """Template filter: the side ("ns" or "ew") of a seat."""
    return SIDE_OF[seat]


@register.filter
def present_result(board: TableBoard) -> ResultWords | None:
    """Template filter: the present result of a board as texts to display; None without a result."""
    return ResultWords(board, board.outcome) if board.outcome else None


@register.filter
def claimed_result_text(board: TableBoard, side: str) -> ResultWords | None:
    """Template filter: the result that one side has entered for a board, as texts; None without one."""
    return ResultWords(board, board.held[side].outcome) if side in board.held else None


@register.filter
def points_for(result: ResultWords, side: str) -> str:
    """Template filter: the score of a result for a side."""
    return result.points(side)


@register.filter
def people(board: TableBoard, side: str) -> str:
    """Template filter: the players of a side, with places for line breaks."""
    return with_soft_hyphens(board.people(side))


@register.filter
def people_as_alternatives(board: TableBoard, side: str) -> str:
    """Template filter: the players of a side as alternatives: "Zimmermann or Bauer"."""
    names = [with_soft_hyphens(person) for person in board.names_of_side(side)]
    if len(names) == 2:
        return _("%(one)s or %(other)s") % {"one": names[0], "other": names[1]}
    return "".join(names)


@register.filter
def name_in_seat(board: TableBoard, seat: str) -> str:
    """Template filter: the name of the player in a seat."""
    return with_soft_hyphens(board.names[seat])


#: shorter words fit on every key at any text size
LONG_WORD = 6


@register.filter
def with_soft_hyphens(words: str) -> str:
    """Template filter: a text with soft hyphens where long words may be broken."""
    return " ".join("-".join(map(_hyphenated_word, word.split("-"))) for word in words.split(" "))


def _hyphenated_word(word: str) -> str:
    """Return a long word with soft hyphens."""
    language = pyphen.language_fallback(get_language() or "") if len(word) > LONG_WORD else None
    if not language:
        return word
    return str(pyphen.Pyphen(lang=language, left=4, right=4).inserted(word, "\u00ad"))


@register.filter
def vulnerable_seats(board: int) -> str:
    """Template filter: the letters of the vulnerable seats of a board."""
    return "".join(seat for seat in SEATS if is_vulnerable(board, seat))


@register.inclusion_tag("director/calls.html", takes_context=True)
def open_calls(context: Context, section: Section, page: str) -> dict[str, Any]:
    """Template tag: the open calls for the director of all sections that play together.

    Finished sections have no calls.
    """
    together = {"section__session": section.session_id, "section__finished_at": None}
    wanting = PhoneHolder.objects.filter(**together, wants__isnull=False)
    return {
        "calls": calling_tables(section),
        "wanting": list(wanting.select_related("section", "wants")),
        "section": section,
        "page": page,
        "csrf_token": context.get("csrf_token", ""),
    }


@register.inclusion_tag("tables/link.html")
def table_link(section: Section, page: Any) -> dict[str, Any]:
    """Template tag: the link from a pair's page to the entry of its results, if phones may enter."""
    seat = page.current_planned_round.seat if section.is_running else None
    if seat is None or not phone_settings_of(section).may_enter:
        return {"address": ""}
    address = reverse("table", args=[section.code, seat.table])
    return {"address": f"{address}?who={page.entry_pk}"}
