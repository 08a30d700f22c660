"""How a player gets their own page, read on a phone after a session.

Any phone at a table can say whose it is. So a phone is given no page: it reads where the code is printed, and can have
the page's address sent to the e-mail address that its owner has confirmed before.
"""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.limits import Limit
from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.ways import speak_as
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.games import Contestant
from bridgebuddy.http import HtmxRequest
from bridgebuddy.jobs.services import ask
from bridgebuddy.publication.mailing import OWN_PAGE, can_mail
from bridgebuddy.publication.own.on_paper import are_printed
from bridgebuddy.scoring.queries.tonight import Tonight
from bridgebuddy.tables.phone import Phone
from bridgebuddy.tables.queries.phones import phones_of
from movements.words.sentences import plain_label

from .access import find_section
from .own import sealed

#: mails with the address of one player's own page
SENT = Limit("own pages sent by a phone's press", 3, 3600)


@require_http_methods(["GET", "POST"])
def own_claim(request: HtmxRequest, code: str, label: str) -> HttpResponse:
    """Say how to get one's own page; on POST send its address to a player's confirmed e-mail address.

    The answer is the same whether there is such an address: it says nothing about anybody.
    """
    section = find_section(request, code)
    if isinstance(section, HttpResponse):
        return sealed(section)
    speak_as(request, section.club)
    who = Tonight(section).find(section, plain_label(label))
    if who is None:
        return sealed(redirect("lookup", code=section.code))
    people = _people(section, who) if may_claim(request, section, who.entry) else []
    context = {
        "section": section,
        "label": who.slug,
        "people": people,
        "can_mail": can_mail(),
        "are_printed": are_printed(section),
    }
    if request.method == "POST":
        for person in people:
            if str(person.pk) == request.POST.get("person") and can_mail():
                context["is_sent"] = True
                if not SENT.count(str(person.pk)):
                    ask(OWN_PAGE, person.pk)
    return sealed(render(request, "players/own/claim.html", context))


def may_claim(request: HtmxRequest, section: Section, entry: int) -> bool:
    """Whether a phone is an entry's for certain, and the session is over."""
    phone = Phone.of(request)
    is_theirs = section.is_finished and phone.whose(section.pk) == entry and phone.sees(section)
    return is_theirs and phones_of(section).need_secret


def _people(section: Section, who: Contestant) -> list[Person]:
    entry = section.entries.get(pk=who.entry)
    return [player for player in entry.players if player.anonymous_since is None]
