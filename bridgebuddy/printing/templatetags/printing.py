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
def changed_sheets(context: dict[str, Any], plan: SectionPlan, since: int) -> str:
    """Return the amount of paper of the cards changed since a version: "17 sheets"; "" for none."""
    return _sheets_text(context, plan, outdated_since(plan, since))


@register.simple_tag(takes_context=True)
def other_sheets(context: dict[str, Any], plans: tuple[SectionPlan, SectionPlan] | None) -> str:
    """Return the amount of paper that differs in the second of two plans: "17 sheets"; "" for none."""
    if plans is None:
        return ""
    before, after = plans
    return _sheets_text(context, after, PlanDifferences(before, after).outdated_sheets(1))


def _sheets_text(context: dict[str, Any], plan: SectionPlan, outdated: OutdatedSheets) -> str:
    """Return how many sheets a change makes necessary; empty for none."""
    if not outdated:
        return ""
    job = PrintJob(plan.on_paper, plan.section.club.paper, phone_base(context["request"]))
    offered = sheet_offers(job, SheetSelection(outdated=outdated), PrintTime.CHANGED)
    return sheet_count_text(sum(sheet.pages for sheet in offered if sheet.is_ticked))
