"""A player's own page from their phone, after a session.

A session's code says nothing of who has it. So an address is given only to a phone that has learned a table's secret
and has said first whose it is, and only for somebody who never had one: whoever has lost theirs asks the director.
"""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.ways import speak_as
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.games import Contestant
from bridgebuddy.http import HtmxRequest
from bridgebuddy.publication.models import OwnPage
from bridgebuddy.publication.own.links import address_of, given_once
from bridgebuddy.scoring.queries.tonight import Tonight
from bridgebuddy.tables.phone import Phone
from bridgebuddy.tables.queries.phones import phones_of
from movements.words.sentences import plain_label

from .access import find_section
from .own import sealed

TAKEN = 409


@require_http_methods(["GET", "POST"])
def own_claim(request: HtmxRequest, code: str, label: str) -> HttpResponse:
    """Ask who of a pair somebody is, and lead them to their own page."""
    section = find_section(request, code)
    if isinstance(section, HttpResponse):
        return sealed(section)
    speak_as(request, section.club)
    who = Tonight(section).find(section, plain_label(label))
    if who is None:
        return sealed(redirect("lookup", code=section.code))
    people = _people(section, who) if may_claim(request, section, who.entry) else []
    context = {"section": section, "label": who.slug, "people": people}
    if request.method == "POST":
        chosen = next((one for one in people if str(one.pk) == request.POST.get("person")), None)
        page = given_once(chosen, OwnPage.Way.PHONE) if chosen else None
        if page is not None:
            return sealed(redirect(address_of(page)))
        context["is_taken"] = chosen is not None
    status = TAKEN if context.get("is_taken") else 200
    return sealed(render(request, "players/own/claim.html", context, status=status))


def may_claim(request: HtmxRequest, section: Section, entry: int) -> bool:
    """Whether a phone is an entry's for certain, and the session is over."""
    phone = Phone.of(request)
    is_theirs = section.is_finished and phone.whose(section.pk) == entry and phone.sees(section)
    return is_theirs and phones_of(section).need_secret


def _people(section: Section, who: Contestant) -> list[Person]:
    entry = section.entries.get(pk=who.entry)
    return [one for one in entry.players if one.anonymous_since is None]
