"""Template tags for late pairs: the minutes until arrival, and the address that seats them."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.http import QueryDict

from bridgebuddy.registration.late_arrivals import MINUTES, LateArrival, minutes_until

register = template.Library()


@register.filter
def minutes_until_time(at: datetime) -> int:
    """Template filter: the minutes until a time; 0 if it is past."""
    return minutes_until(at)


@register.simple_tag
def late_minutes() -> tuple[int, ...]:
    """Template tag: the delays of a late pair that can be chosen, in minutes."""
    return MINUTES


@register.filter
def late_pair_query(late: LateArrival) -> str:
    """Template filter: the query string that names a late pair: the key of its entry, or its players' names."""
    sent = QueryDict(mutable=True)
    if late.entry:
        sent["waits"] = str(late.entry)
    else:
        names = (person.name for person in late.people)
        sent.update(dict(zip(("first", "second"), names, strict=False)))
    return sent.urlencode()
