"""Formats of results: contracts, tricks, scores and shares; suits as our own shapes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.formats import get_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

MINUS = "−"
BOOK = 6

#: fonts draw hearts as pictures, and small black suits blurred
SHAPES = {
    "S": "M12 1.8C9.2 6.6 2.8 9.8 2.8 14.8a4.6 4.6 0 0 0 8 3c-.2 2-1 3.2-2.6 4.4h7.6c-1.6-1.2-2.4-2.4-2.6-4.4"
    "a4.6 4.6 0 0 0 8-3c0-5-6.4-8.2-9.2-13z",
    "H": "M12 21.6C4.8 15.8 2 12.2 2 8.2A5.2 5.2 0 0 1 12 6a5.2 5.2 0 0 1 10 2.2c0 4-2.8 7.6-10 13.4z",
    "D": "M12 1.5 20 12l-8 10.5L4 12z",
    "C": "M12 1.8a4.5 4.5 0 0 1 4 6.6 4.5 4.5 0 1 1-3 8.1c.2 2.6 1 4.2 2.7 5.7H8.3c1.7-1.5 2.5-3.1 2.7-5.7"
    "a4.5 4.5 0 1 1-3-8.1 4.5 4.5 0 0 1 4-6.6z",
}
STRAINS = {
    "C": gettext_lazy("clubs"),
    "D": gettext_lazy("diamonds"),
    "H": gettext_lazy("hearts"),
    "S": gettext_lazy("spades"),
    "N": gettext_lazy("no trumps"),
}
COLOURS = {"S": "#1a2b5f", "H": "#b5121b", "D": "#b45309", "C": "#166534"}
REASONS = {
    "time": gettext_lazy("not played: no time left"),
    "skipped": gettext_lazy("not played"),
    "sit-out": gettext_lazy("sat out"),
    "missing": gettext_lazy("somebody was missing"),
    "cancelled": gettext_lazy("cancelled"),
}
#: ways of combining the sessions of an event
SESSIONS = {
    "": gettext_lazy("this session alone"),
    "weighted": gettext_lazy("the mean, by boards"),
    "plain": gettext_lazy("the mean, all sessions alike"),
    "sum": gettext_lazy("the sum"),
    "carry-forward": gettext_lazy("half of what came before is carried forward"),
}
METHODS = {
    "matchpoints": gettext_lazy("Matchpoints"),
    "ascherman": "Ascherman",
    "cross-imps": gettext_lazy("Cross-IMPs"),
    "butler": gettext_lazy("Butler"),
    "team-imps": gettext_lazy("IMPs"),
    "bam": gettext_lazy("Board-a-match"),
    "aggregate": gettext_lazy("Total points"),
}
#: presets on the club's pages: the federations whose rules it may use
FEDERATIONS = {
    "": gettext_lazy("the club"),
    "EBU": gettext_lazy("England (EBU)"),
    "DBV": gettext_lazy("Germany (DBV)"),
    "USA": gettext_lazy("USA (clubs of the ACBL)"),
    "AUS": gettext_lazy("Australia (clubs of the ABF)"),
    "WBF": gettext_lazy("the world (WBF)"),
    "JFR": gettext_lazy("the program JFR (Poland)"),
    "Magic": gettext_lazy("the program Magic Contest"),
    "BBO": "Bridge Base Online",
}
#: presets of documents that pages do not offer: pages have USA and AUS instead, which have more rules
ONLY_IN_DOCUMENTS = ("ACBL", "ABF")


def seat_letter(seat: str) -> str:
    """Return a seat's letter in the reader's language."""
    return {
        "N": pgettext("seat", "N"),
        "E": pgettext("seat", "E"),
        "S": pgettext("seat", "S"),
        "W": pgettext("seat", "W"),
    }[seat]


def signed_score(number: int) -> str:
    """Return a score with its sign, and a real minus.

    >>> signed_score(-50), signed_score(420), signed_score(0)
    ('−50', '+420', '0')
    """
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number else "0"


def number_text(number: Fraction, places: int) -> str:
    """Return a number with a given number of decimals in the reader's format, with a real minus."""
    above, below = number.as_integer_ratio()
    whole, rest = divmod(10**places * abs(above) // below, 10**places)
    text = f"{whole}{get_format('DECIMAL_SEPARATOR')}{rest:0{places}}" if places else f"{whole}"
    return f"{MINUS}{text}" if number < 0 else text


def tricks_text(contract: str, tricks: int) -> str:
    """Return declarer's tricks relative to the contract: "=", "+1", "−2"."""
    over = tricks - BOOK - int(contract[0])
    return "=" if over == 0 else signed_score(over)


def suit_shape(strain: str, *, filled: bool = False) -> SafeString:
    """Return the HTML drawing of a suit, `filled` for print; for notrump letters."""
    if strain == "N":
        return format_html('<span class="nt">{}</span>', pgettext("no trumps", "NT"))
    colour = format_html(' fill="{}"', COLOURS[strain]) if filled else ""
    return format_html(
        '<svg class="su {}" viewBox="0 0 24 24" role="img" aria-label="{}"{}><path d="{}"/></svg>',
        strain.lower(),
        STRAINS[strain],
        colour,
        SHAPES[strain],
    )


def contract_html(contract: str, *, filled: bool = False) -> SafeString:
    """Format a stored contract ("4Sx") as HTML with its suit drawn."""
    strain, doubled = contract[1].upper(), contract.lower().count("x")
    cross = format_html('<span class="x">{}</span>', "X" * doubled) if doubled else ""
    return format_html(
        '<span class="con">{}{}{}</span>', contract[0], suit_shape(strain, filled=filled), cross
    )


def rank_text(letter: str) -> str:
    """Format a card's rank ("T") in the reader's language; the ten is a number."""
    letters = {
        "T": "10",
        "A": pgettext("card", "A"),
        "K": pgettext("card", "K"),
        "Q": pgettext("card", "Q"),
        "J": pgettext("card", "J"),
    }
    return letters.get(letter, letter)


def card_html(card: str, *, filled: bool = False) -> SafeString:
    """Format a stored card ("ST") as HTML with its suit drawn."""
    return format_html("{}{}", suit_shape(card[0], filled=filled), rank_text(card[1:]))


def card_text(card: str) -> str:
    """Format a card in plain text: "10 of spades"."""
    return _("%(rank)s of %(suit)s") % {
        "rank": rank_text(card[1:]),
        "suit": STRAINS[card[0]],
    }


def opening_lead(outcome: Mapping[str, Any] | None) -> str:
    """Return the opening lead of an outcome as stored ("ST"); None if unknown."""
    fields = outcome or {}
    return fields.get("lead") or (fields.get("beside") or {}).get("lead") or ""


def outcome_html(
    outcome: Mapping[str, Any] | None, *, filled: bool = False, in_imps: bool = False
) -> SafeString:
    """Format the outcome of a play as HTML: "4♠ S =", "passed", "60 % | 40 %", "3 IMPs | −3 IMPs"."""
    match outcome:
        case None:
            return mark_safe("")
        case {"contract": contract, "declarer": declarer, "tricks": tricks}:
            over = tricks_text(contract, tricks)
            drawn = contract_html(contract, filled=filled)
            return format_html("{} {} {}", drawn, seat_letter(declarer), over)
    return format_html("{}", outcome_text(outcome, in_imps=in_imps))


def contract_text(contract: str) -> str:
    """Format a contract in plain text: "4 spades X"."""
    doubled = {0: "", 1: " X", 2: " XX"}[contract.lower().count("x")]
    return f"{contract[0]} {STRAINS[contract[1].upper()]}{doubled}"


#: suits as characters, for mails and other plain text
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def contract_in_signs(contract: str) -> str:
    """Format a contract in plain text with the sign of its suit: "4♠X", "3NT"."""
    strain, doubled = contract[1].upper(), "X" * contract.lower().count("x")
    return f"{contract[0]}{SIGNS.get(strain) or pgettext('no trumps', 'NT')}{doubled}"


def outcome_text(outcome: Mapping[str, Any] | None, *, in_imps: bool = False) -> str:
    """Format the outcome of a play in plain text."""
    match outcome:
        case {"contract": contract, "declarer": declarer, "tricks": tricks}:
            over = tricks_text(contract, tricks)
            return f"{contract_text(contract)} {seat_letter(declarer)} {over}"
        case {"passed": True}:
            return _("passed")
        case {"pending": True}:
            return _("will be played later")
        case {"hidden": True}:
            return _("in, hidden")
        case {"score": score}:
            return signed_score(score)
        case {"assigned": {"ns": ns, **rest}}:
            text = _weighted_scores_text(ns)
            other = rest.get("ew")
            return f"{text} | {_weighted_scores_text(other)}" if other and other != ns else text
        case {"artificial": {"ns": ns, "ew": ew}}:
            return _awards_text(award_text(ns, in_imps=in_imps), award_text(ew, in_imps=in_imps))
        case {"not_played": reason}:
            return str(REASONS[reason])
    return ""


def _awards_text(ns: str, ew: str) -> str:
    """Return both sides' artificial awards in words: "N/S average plus, E/W average minus", "both sides average"."""
    if ns == ew:
        return _("both sides %(award)s") % {"award": ns}
    return _("N/S %(ns)s, E/W %(ew)s") % {"ns": ns, "ew": ew}


def _weighted_scores_text(parts: Any) -> str:
    """Return the weights and scores of an assigned score as text."""
    if len(parts) == 1:
        return signed_score(parts[0][1])
    return " · ".join(f"{_share_text(weight)} {signed_score(score)}" for weight, score in parts)


def _share_text(weight: Any) -> str:
    """Return the weight of a part of an assigned score as text."""
    return str(weight) if isinstance(weight, str) else f"{number_format(weight)} %"


def award_text(award: Any, *, in_imps: bool = False) -> str:
    """Format an artificial award: "average plus", "55 %", "−3 IMPs", "–"."""
    named = {"AVE+": _("average plus"), "AVE": _("average"), "AVE-": _("average minus")}
    if award is None:
        return "–"
    if award in named:
        return named[award]
    if in_imps:
        return _("%(number)s IMPs") % {"number": signed_score(award)}
    return f"{number_format(award)} %"


def penalty_text(unit: str, amount: Any) -> str:
    """Format a penalty or bonus: "−10 % of a top", "−1 IMP"."""
    number = Decimal(amount) * (100 if unit == "top" else 1)
    whole = Decimal(int(number)) if number == int(number) else number.normalize()
    written = f"{MINUS if number < 0 else '+'}{number_format(abs(whole))}"
    units = {
        "top": _("%(number)s %% of a top"),
        "percent": _("%(number)s percentage points"),
        "matchpoints": _("%(number)s matchpoints"),
        "imps": _("%(number)s IMPs"),
        "vps": _("%(number)s victory points"),
    }
    return units[unit] % {"number": written}
