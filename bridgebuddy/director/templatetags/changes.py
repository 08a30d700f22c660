"""What a live change made different, for whoever prints it."""

from __future__ import annotations

from django import template

from bridgebuddy.events.queries.plan import Plan

from ..desk.news import Line, news_since

register = template.Library()


@register.simple_tag
def changes_since(plan: Plan, version: int) -> list[Line]:
    """Return what is different in the rounds to come since a version, table by table."""
    news = news_since(plan, version)
    return news.lines if news else []
