"""Tags every template has: icons, dates, and the languages a page is offered in."""

from datetime import date
from functools import lru_cache

from django import template
from django.contrib.staticfiles import finders
from django.template import Context
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, pgettext

from bridgebuddy.language import offered

register = template.Library()


@lru_cache
def _shapes(name: str) -> SafeString:
    path = finders.find(f"icons/{name}.svg")
    if not path:
        raise template.TemplateSyntaxError(f"there is no icon {name!r} in static/icons")
    with open(path, encoding="utf-8") as file:
        svg = file.read()
    inner = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("</svg>")]
    return mark_safe(" ".join(inner.split()))


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw a Lucide icon inline, hidden from screen readers: a word always stands beside it."""
    return mark_safe(
        f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{_shapes(name)}</svg>'
    )


@register.filter
def short_date(day: date) -> str:
    """Write a date as a list has room for: "Tue 24 Nov"."""
    # translators: a date in a list, see Django's date filter
    return date_format(day, pgettext("short date", "D j M"))


@register.simple_tag(takes_context=True)
def other_languages(context: Context) -> list[str]:
    """List the codes of the languages this page is offered in, but the one it is in."""
    return sorted(offered(context["request"]) - {get_language()})
