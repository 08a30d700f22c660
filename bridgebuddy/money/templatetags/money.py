"""Template filters for amounts of money, in the reader's language."""

from __future__ import annotations

from django import template
from django.utils.translation import get_language

from bridgebuddy.money.rules.currencies import money_text, number_text

register = template.Library()


@register.filter
def money(amount: int, currency: str) -> str:
    """Template filter: an amount in cents with the currency's sign: "€5.00"."""
    return money_text(amount, currency, get_language() or "en")


@register.filter
def amount(value: int, currency: str) -> str:
    """Template filter: an amount in cents without the currency's sign: "1,241.00"."""
    return number_text(value, currency, get_language() or "en")


@register.filter
def signed_amount(value: int, currency: str) -> str:
    """Template filter: an amount in cents with plus or minus: "+0.50"."""
    return number_text(value, currency, get_language() or "en", sign=True)
