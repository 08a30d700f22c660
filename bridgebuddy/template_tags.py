"""Tags every template has: icons and board ranges."""

from functools import lru_cache

from django import template
from django.contrib.staticfiles import finders
from django.utils.safestring import SafeString, mark_safe

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
