"""Currencies: how many digits stand after the decimal sign, and amounts as text.

The digits and the way to write an amount come from the Unicode data of Babel.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from babel.core import Locale, UnknownLocaleError, get_global
from babel.numbers import (
    format_currency,
    format_decimal,
    get_currency_name,
    get_currency_precision,
    get_decimal_symbol,
    get_territory_currencies,
)

#: the currency of clubs whose country is unknown
USUAL = "EUR"
#: the character that stands before negative amounts
MINUS = "\u2212"
#: notes and coins worth counting one by one, in the currency's main unit, as texts
PIECES = {
    "EUR": "200 100 50 20 10 5 2 1 0.50 0.20 0.10",
    "GBP": "50 20 10 5 2 1 0.50 0.20 0.10",
    "CHF": "200 100 50 20 10 5 2 1 0.50 0.20",
    "USD": "100 50 20 10 5 1 0.25 0.10 0.05",
    "CAD": "100 50 20 10 5 2 1 0.25 0.10",
    "AUD": "100 50 20 10 5 2 1 0.50 0.20",
    "NZD": "100 50 20 10 5 2 1 0.50 0.20",
    "DKK": "500 200 100 50 20 10 5 2 1",
    "NOK": "500 200 100 50 20 10 5 1",
    "SEK": "500 200 100 50 20 10 5 2 1",
    "PLN": "200 100 50 20 10 5 2 1 0.50",
    "CZK": "1000 500 200 100 50 20 10 5 2 1",
    "JPY": "10000 5000 1000 500 100 50 10",
    "KRW": "50000 10000 5000 1000 500 100",
}


class BadAmount(ValueError):
    """Error: the text is not an amount of money in this currency."""


def decimal_digits(currency: str) -> int:
    """Return how many digits a currency has after the decimal point.

    >>> decimal_digits("EUR"), decimal_digits("JPY"), decimal_digits("KWD")
    (2, 0, 3)
    """
    return int(get_currency_precision(currency))


@lru_cache(maxsize=1)
def current_currencies() -> tuple[str, ...]:
    """Return the ISO codes of all currencies that are legal tender somewhere today."""
    codes = {
        code
        for territory in get_global("territory_currencies")
        for code in get_territory_currencies(territory)
    }
    return tuple(sorted(codes))


def currency_of_zone(time_zone: str) -> str:
    """Return the currency of the country of a time zone.

    >>> currency_of_zone("Asia/Tokyo"), currency_of_zone("Europe/Zurich"), currency_of_zone("UTC")
    ('JPY', 'CHF', 'EUR')
    """
    territory = get_global("zone_territories").get(time_zone)
    codes = get_territory_currencies(territory) if territory and territory != "001" else []
    return codes[0] if codes else USUAL


def currency_title(currency: str, language: str) -> str:
    """Return the name of a currency with its code: "Euro (EUR)"."""
    return f"{get_currency_name(currency, locale=_locale(language))} ({currency})"


def to_decimal(amount: int, currency: str) -> Decimal:
    """Return an amount in the currency's smallest unit (cents) as a decimal in its main unit (euros).

    >>> to_decimal(1250, "EUR"), to_decimal(1250, "JPY")
    (Decimal('12.50'), Decimal('1250'))
    """
    return Decimal(amount).scaleb(-decimal_digits(currency))


def money_text(amount: int, currency: str, language: str) -> str:
    """Return an amount in cents as text with the currency's sign: "€5.00".

    >>> money_text(-500, "EUR", "en"), money_text(1200, "JPY", "en")
    ('−€5.00', '¥1,200')
    """
    decimal = to_decimal(amount, currency)
    text = str(format_currency(decimal, currency, locale=_locale(language)))
    return text.replace("-", MINUS)


def number_text(amount: int, currency: str, language: str, *, sign: bool = False) -> str:
    """Return an amount in cents as text without the currency's sign, for tables.

    With `sign`, positive amounts have a plus.

    >>> number_text(124100, "EUR", "en"), number_text(50, "EUR", "de", sign=True)
    ('1,241.00', '+0,50')
    """
    digits = decimal_digits(currency)
    pattern = "#,##0" + ("." + "0" * digits if digits else "")
    decimal = to_decimal(amount, currency)
    text = str(format_decimal(decimal, format=pattern, locale=_locale(language)))
    return f"+{text}" if sign and amount > 0 else text.replace("-", MINUS)


def field_text(amount: int, currency: str, language: str) -> str:
    """Return an amount in cents as a form field shows it: "12.50", with the decimal sign of the language.

    >>> field_text(125000, "EUR", "en"), field_text(125000, "EUR", "de"), field_text(1250, "JPY", "de")
    ('1250.00', '1250,00', '1250')
    """
    sign = get_decimal_symbol(_locale(language))
    return f"{to_decimal(amount, currency):f}".replace(".", sign if sign in ",." else ".")


def read_amount(text: str, currency: str) -> int:
    """Return a typed amount in cents; comma and point are both decimal signs. Raises `BadAmount`.

    Raises `BadAmount` for anything else, and for a comma or point before three digits, which may
    mean thousands, unless the currency has none or three digits.

    >>> read_amount("5", "EUR"), read_amount(" 5,5 €", "EUR"), read_amount("1,200", "JPY")
    (500, 550, 1200)
    """
    digits = decimal_digits(currency)
    bare = re.sub(r"[\s\u00a0\u202f'’]|\b[A-Z]{3}\b|[€£$¥₩]", "", text.strip())
    if digits == 0:
        bare = re.sub(r"[.,](?=\d{3}(?!\d))", "", bare)
    found = re.fullmatch(r"([-+\u2212]?)([0-9]{1,10})(?:[.,]([0-9]{1,4}))?", bare, re.ASCII)
    if found is None:
        raise BadAmount(text)
    sign, whole, part = found[1], found[2], found[3] or ""
    if len(part) > digits:
        raise BadAmount(text)
    amount: int = int(whole + part.ljust(digits, "0"))
    return -amount if sign in ("-", MINUS) else amount


def notes_and_coins(currency: str) -> tuple[int, ...]:
    """Return the values of a currency's notes and coins in cents, largest first; empty if unknown.

    >>> notes_and_coins("EUR")[:3], notes_and_coins("XYZ")
    ((20000, 10000, 5000), ())
    """
    scale = 10 ** decimal_digits(currency)
    return tuple(int(Decimal(text) * scale) for text in PIECES.get(currency, "").split())


def _locale(language: str) -> Locale:
    """Return Babel's locale of a language; English if it is unknown."""
    try:
        return Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return Locale("en")
