"""Template filters of the season's pages."""

from __future__ import annotations

from datetime import date

from django import template
from django.utils.formats import date_format
from django.utils.translation import pgettext

from bridgebuddy.seasons.words import masterpoints

register = template.Library()
register.filter(masterpoints)


@register.filter
def column_date(day: date) -> str:
    """Format a day for the heading of a narrow column: "8 Sep"."""
    # translators: a day at the head of a narrow column, see Django's date filter
    return date_format(day, pgettext("column date", "j M"))
