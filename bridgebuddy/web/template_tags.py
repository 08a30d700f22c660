"""Template tags for all templates: icons, notes, button forms, dates, and languages."""

from datetime import date
from functools import lru_cache

from django import template
from django.contrib.staticfiles import finders
from django.forms.utils import flatatt
from django.template import Context
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, pgettext

from bridgebuddy.web.language import listed_languages

register = template.Library()


@lru_cache
def _svg_shapes(name: str) -> SafeString:
    """Return the shapes inside the SVG file of the icon `name`."""
    path = finders.find(f"icons/{name}.svg")
    if not path:
        raise template.TemplateSyntaxError(f"there is no icon {name!r} in static/icons")
    with open(path, encoding="utf-8") as file:
        svg = file.read()
    inner = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("</svg>")]
    return mark_safe(" ".join(inner.split()))


@register.simple_tag
def icon(name: str) -> SafeString:
    """Template tag: a Lucide icon as inline SVG, hidden from screen readers as a word always stands next to it."""
    return mark_safe(
        f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{_svg_shapes(name)}</svg>'
    )


@register.simple_block_tag
def note(content: str, kind: str, picture: str, role: str = "") -> SafeString:
    """Template tag: a highlighted note with an icon: {% note "bad" "triangle-alert" role="alert" %}."""
    attributes = {"class": f"note {kind}".rstrip(), "role": role or False}
    return format_html(
        "<p{}>{}<span>{}</span></p>", flatatt(attributes), icon(picture), mark_safe(content.strip())
    )


@register.simple_block_tag(takes_context=True)
def button_form(
    context: Context,
    content: str,
    page: str,
    *args: object,
    css: str = "",
    swaps: str = "",
    once: bool = False,
    **hidden: object,
) -> SafeString:
    """Template tag: a form that posts the enclosed button and hidden fields to a page.

    With a script the answer replaces the element `swaps`; `once` disables the button until then.
    """
    address = reverse(page, args=args)
    attributes = {
        "class": css or False,
        "method": "post",
        "action": address,
        "hx-post": address if swaps else False,
        "hx-target": swaps or False,
        "hx-swap": "outerHTML" if swaps else False,
        "hx-disabled-elt": "find button" if once else False,
    }
    fields = {"csrfmiddlewaretoken": context["csrf_token"]} | hidden
    return format_html(
        "<form{}>{}{}</form>",
        flatatt(attributes),
        format_html_join("", '<input type="hidden" name="{}" value="{}">', fields.items()),
        mark_safe(content.strip()),
    )


@register.filter(expects_localtime=True)
def short_date(day: date) -> str:
    """Template filter: a date for lists: "Tue 24 Nov"; a time becomes a date in the club's time zone."""
    # translators: a date in a list, see Django's date filter
    return date_format(day, pgettext("short date", "D j M"))


@register.filter(expects_localtime=True)
def long_date(day: date) -> str:
    """Template filter: a date with the year: "Tue 24 Nov 2026"."""
    return f"{short_date(day)} {day.year}"


@register.filter
def without_scheme(address: str) -> str:
    """Template filter: an address without `https://`: "bridge.example/r/24/"."""
    return address.partition("://")[2] or address


@register.filter
def initials(name: object) -> str:
    """Template filter: the initials of a first and last name: "AW"."""
    words = str(name).split()
    return "".join(word[0] for word in (words[:1] + words[1:][-1:])).upper()


@register.simple_tag(takes_context=True)
def other_languages(context: Context) -> list[str]:
    """Template tag: the other languages in which this page is offered."""
    request = context["request"]
    section = context.get("section")
    return sorted(
        listed_languages(request, section.club.language if section else "") - {get_language()}
    )
