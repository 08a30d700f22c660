"""Who is on the way: in how many minutes, and where a late pair's names go."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.http import QueryDict

from bridgebuddy.coming.late import MINUTES, Late, minutes_until

register = template.Library()


@register.filter
def minutes_to(at: datetime) -> int:
    """Return in how many minutes it is so late; 0 when it is."""
    return minutes_until(at)


@register.simple_tag
def late_minutes() -> tuple[int, ...]:
    """Return what may be said."""
    return MINUTES


@register.filter
def names_sent(late: Late) -> str:
    """Return the names of a pair as an address fills in the fields of a late one."""
    sent = QueryDict(mutable=True)
    sent.update(dict(zip(("first", "second"), (one.name for one in late.people), strict=False)))
    return sent.urlencode()
