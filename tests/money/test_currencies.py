"""Amounts as people write and read them, and the sums of each kind of entry: without a database."""

import ast
from pathlib import Path

import pytest

from bridgebuddy.money.rules.currencies import (
    BadAmount,
    currency_of_zone,
    currency_title,
    current_currencies,
    decimal_digits,
    field_text,
    money_text,
    notes_and_coins,
    number_text,
    read_amount,
    to_decimal,
)
from bridgebuddy.money.rules.ledger import (
    Dues,
    EntryKind,
    PersonClass,
    Prices,
    balance_change,
    cash_change,
    may_pay_from,
    sum_of_dues,
    sum_of_pieces,
)

BELOW = Path(__file__).parents[2] / "bridgebuddy"
PLACES = ("money", "director/money")
KINDS = ["charge", "cash", "account", "pay-in", "transfer", "correction", "refund", "merge"]


@pytest.mark.parametrize(
    ("currency", "text", "amount"),
    [
        ("EUR", "5", 500),
        ("EUR", "5,5", 550),
        ("EUR", "5.05", 505),
        ("EUR", " 5,50 € ", 550),
        ("EUR", "EUR 5", 500),
        ("EUR", "-3.50", -350),
        ("EUR", "\u22123,50", -350),
        ("EUR", "+3", 300),
        ("EUR", "0", 0),
        ("EUR", "1 234,50", 123450),
        ("EUR", "1\u202f234,5", 123450),
        ("CHF", "1’234.50", 123450),
        ("EUR", "999999999", 99999999900),
        ("JPY", "1,200", 1200),
        ("JPY", "1.200.000", 1200000),
        ("JPY", "¥ 1200", 1200),
        ("KWD", "1.234", 1234),
        ("KWD", "1,2", 1200),
    ],
)
def test_an_amount_is_read_as_it_was_meant(currency, text, amount):
    assert read_amount(text, currency) == amount


@pytest.mark.parametrize(
    ("currency", "text"),
    [
        *(("EUR", text) for text in ("", "five", "1.234", "5.055", "5,", ",5", "1e3", "5-", "--5")),
        *(("EUR", text) for text in ("99999999999", "\u0665", "1.2.3", "1,234.50", "5 5.5.5")),
        *(("JPY", text) for text in ("1200.5", "12,00", "1,2000")),
        ("KWD", "1.2345"),
    ],
)
def test_what_may_mean_two_amounts_is_refused(currency, text):
    with pytest.raises(BadAmount):
        read_amount(text, currency)


@pytest.mark.parametrize("currency", ["EUR", "JPY", "KWD", "CHF"])
@pytest.mark.parametrize("amount", [0, 1, 9, 99, 100, 12345, 1_000_000_000])
@pytest.mark.parametrize("language", ["en", "de", "fr", "ko"])
def test_a_form_reads_back_what_it_shows(currency, amount, language):
    assert read_amount(field_text(amount, currency, language), currency) == amount
    assert to_decimal(amount, currency) * 10 ** decimal_digits(currency) == amount


@pytest.mark.parametrize(
    ("language", "shown", "number"),
    [("en", "−€1,241.05", "−1,241.05"), ("de", "−1.241,05\u00a0€", "−1.241,05")],
)
def test_amounts_are_shown_in_the_readers_language(language, shown, number):
    assert money_text(-124105, "EUR", language) == shown
    assert number_text(-124105, "EUR", language) == number
    assert number_text(-124105, "EUR", language, sign=True) == number


def test_a_plus_stands_before_gains_only():
    assert [number_text(value, "EUR", "en", sign=True) for value in (1, 0)] == ["+0.01", "0.00"]
    assert number_text(1, "EUR", "en") == "0.01"
    assert number_text(1200, "JPY", "en") == "1,200"


def test_an_unknown_language_reads_english():
    assert money_text(500, "EUR", "xx-YY") == money_text(500, "EUR", "en") == "€5.00"
    assert money_text(500, "EUR", "de-de") == money_text(500, "EUR", "de")
    assert currency_title("USD", "de") == "US-Dollar (USD)"


def test_the_country_of_a_time_zone_names_the_currency():
    zones = ("Europe/Berlin", "Asia/Tokyo", "Europe/Zurich", "UTC", "Nowhere/Else")
    assert [currency_of_zone(zone) for zone in zones] == ["EUR", "JPY", "CHF", "EUR", "EUR"]
    currencies = current_currencies()
    assert {"EUR", "JPY", "KWD"} <= set(currencies)
    assert "DEM" not in currencies
    assert list(currencies) == sorted(currencies)


def test_notes_and_coins_are_whole_numbers_of_the_smallest_unit():
    assert notes_and_coins("EUR")[0] == 20000
    assert notes_and_coins("EUR")[-1] == 10
    assert notes_and_coins("JPY")[-1] == 10
    assert notes_and_coins("XYZ") == ()
    assert sum_of_pieces([(5000, 1), (200, 3), (10, 0)]) == 5600


def test_each_kind_of_entry_adds_to_balance_and_box_what_it_should():
    changes = {kind: (balance_change(kind, 7), cash_change(kind, 7)) for kind in EntryKind}

    assert [kind.value for kind in EntryKind] == KINDS
    assert list(changes.values()) == [
        *((0, 0), (0, 7), (-7, 0), (7, 7), (7, 0), (7, 0), (7, 7), (7, 0)),
    ]


def test_each_kind_of_player_has_a_price():
    prices = Prices(500, 800, 200)

    assert [prices.price_of_class(kind) for kind in PersonClass] == [500, 800, 200, 0]


@pytest.mark.parametrize(
    ("balance", "price", "overdraft", "may"),
    [(0, 500, 500, True), (0, 500, 499, False), (500, 500, 0, True), (499, 500, 0, False)],
)
def test_an_account_pays_to_its_limit_exactly(balance, price, overdraft, may):
    assert may_pay_from(balance, price, overdraft) == may


def test_dues_add_up():
    total = sum_of_dues([Dues(500, 0, 0, 1), Dues(0, 300, 800, 2)])

    assert total == Dues(500, 300, 800, 3)
    assert total.due == 1600
    assert sum_of_dues([]) == Dues()


def test_no_amount_is_ever_a_float():
    """Amounts are whole numbers or decimals: no float, no division, no number with a point."""
    found = []
    for path in (path for place in PLACES for path in (BELOW / place).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_float = isinstance(node, ast.Constant) and isinstance(node.value, float)
            is_division = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
            is_named = isinstance(node, ast.Name) and node.id == "float"
            is_field = isinstance(node, ast.Attribute) and node.attr == "FloatField"
            if is_float or is_division or is_named or is_field:
                found.append(f"{path.relative_to(BELOW)}:{node.lineno}")

    assert found == []


@pytest.mark.parametrize(
    ("typed", "currency"),
    [("€ 12", "EUR"), ("£12", "GBP"), ("$12", "USD"), ("¥12", "JPY"), ("₩12", "KRW")],
)
def test_an_amount_may_be_typed_with_the_sign_of_its_currency(typed, currency):
    assert to_decimal(read_amount(typed, currency), currency) == 12
