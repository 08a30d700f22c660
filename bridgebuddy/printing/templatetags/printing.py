"""Template tags on the amount of paper, for other pages."""

from __future__ import annotations

from typing import Any

from django import template

from bridgebuddy.events.queries.plan.differences import (
    OutdatedSheets,
    PlanDifferences,
    outdated_since,
)
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.printing.print_times import PrintTime

from ..context import PrintJob
from ..offers import sheet_count_text, sheet_offers
from ..selection import SheetSelection

register = template.Library()


@register.simple_tag(takes_context=True)
def paper_changed_since(context: dict[str, Any], plan: SectionPlan, since: int) -> str:
    """Return how much paper the cards changed since a version take, "17 sheets"; empty for none."""
    return _sheets_text(context, plan, outdated_since(plan, since))


@register.simple_tag(takes_context=True)
def paper_to_reprint_for_second(
    context: dict[str, Any], plans: tuple[SectionPlan, SectionPlan] | None
) -> str:
    """Return how much paper must be printed again for the second of two plans, "17 sheets"; empty for none."""
    if plans is None:
        return ""
    before, after = plans
    return _sheets_text(context, after, PlanDifferences(before, after).outdated_sheets(1))


def _sheets_text(context: dict[str, Any], plan: SectionPlan, outdated: OutdatedSheets) -> str:
    """Return how much paper the outdated sheets of a plan take when printed again; empty for none."""
    if not outdated:
        return ""
    job = PrintJob(plan.on_paper, plan.section.club.paper, phone_base(context["request"]))
    offered = sheet_offers(job, SheetSelection(outdated=outdated), PrintTime.CHANGED)
    return sheet_count_text(sum(sheet.pages for sheet in offered if sheet.is_ticked))
