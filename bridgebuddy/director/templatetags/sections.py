"""Template tags for the tabs of a session's sections, and the director's own entry."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from bridgebuddy.director.desk.section_tabs import SectionTab
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.table_phones.queries.playing_directors import playing_director_of

from ..desk.page import DeskPage

register = template.Library()

#: the page of the other section to which a tab leads
PAGES = {
    "entries": "entries",
    "movement": "choose-movement",
    "desk": "desk",
    "results": "results",
    "print": "print",
}


@register.inclusion_tag("director/sections/tabs.html", takes_context=True)
def section_tabs(context: Context, out_of_band: bool = False) -> dict[str, Any]:
    """Template tag: the tabs of a session's sections, each with its state."""
    section = context["section"]
    return {
        "section": section,
        "found": [SectionTab(other_section) for other_section in sections_of_session(section)],
        "page": PAGES.get(context.get("tab") or "", "entries"),
        "whole": context.get("whole", False),
        "out_of_band": out_of_band,
        "rights": context["rights"],
    }


@register.inclusion_tag("director/you_play.html", takes_context=True)
def playing_director_note(context: Context, desk: DeskPage) -> dict[str, Any]:
    """Template tag: show as which pair or team the director also plays, if they do."""
    playing = playing_director_of(desk.section, context["request"].user)
    people = desk.plan.drawn.contestants.values() if playing else ()
    return {
        "playing": playing,
        "who": next(
            (person for person in people if playing and person.entry == playing.entry_id), None
        ),
        "section": desk.section,
    }
