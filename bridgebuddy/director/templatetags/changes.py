"""Template tags for the differences that a live change made."""

from __future__ import annotations

from django import template

from bridgebuddy.events.queries.plan.evening_plan import SectionPlan

from ..desk.news import TableChange, news_since

register = template.Library()


@register.simple_tag
def changes_since(plan: SectionPlan, version: int) -> list[TableChange]:
    """Template tag: the differences in coming rounds since a version of the movement, by table."""
    news = news_since(plan, version)
    return news.lines if news else []
