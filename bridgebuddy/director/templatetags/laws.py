"""How laws are written in the guide."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.translation import ngettext

register = template.Library()


@register.filter
def laws_text(numbers: Sequence[str] | str) -> str:
    """Template filter: the numbers of Laws as text: "Law 54B", "Laws 54D, 56".

    >>> laws_text(("54D", "56"))
    'Laws 54D, 56'
    """
    text = numbers if isinstance(numbers, str) else ", ".join(numbers)
    several = 2 if "," in text or "–" in text else 1
    return ngettext("Law %(laws)s", "Laws %(laws)s", several) % {"laws": text}
