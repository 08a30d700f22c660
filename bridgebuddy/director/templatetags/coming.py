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
def who_sent(late: Late) -> str:
    """Return how an address says who of the late ones is to be seated: by the entry, or the names for its fields."""
    sent = QueryDict(mutable=True)
    if late.entry:
        sent["waits"] = str(late.entry)
    else:
        names = (person.name for person in late.people)
        sent.update(dict(zip(("first", "second"), names, strict=False)))
    return sent.urlencode()
