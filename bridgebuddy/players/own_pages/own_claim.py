"""Getting an own page from a phone after a session.

Any phone at a table can claim to be a player's, so phones are not given the page itself. They show
where the code is printed. They can have the address mailed to the e-mail address that its owner
confirmed before.
"""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.club_locale import use_reader_language
from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.sign_in.limits import AttemptLimit
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.jobs.services import request_job
from bridgebuddy.publication.mails.mailing import OWN_PAGE, can_mail
from bridgebuddy.publication.own.printed_codes import are_codes_printed
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.table_phones.phone_cookie import PhoneCookie
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.web.http import HtmxRequest
from movements.words.sentences import plain_label

from ..access import find_section
from .own import mark_private

#: mails with the address of one player's own page
SENT = AttemptLimit("own pages sent by a phone's press", 3, 3600)


@require_http_methods(["GET", "POST"])
def claim_own_page(request: HtmxRequest, code: str, label: str) -> HttpResponse:
    """Explain how a player gets a personal page; on POST mail its address to the confirmed e-mail address.

    The answer does not reveal whether such an address exists.
    """
    section = find_section(request, code)
    if isinstance(section, HttpResponse):
        return mark_private(section)
    use_reader_language(request, section.club)
    contestant = SessionSnapshot(section).find(section, plain_label(label))
    if contestant is None:
        return mark_private(redirect("lookup", code=section.code))
    people = (
        _people_of_contestant(section, contestant)
        if may_claim_own_page(request, section, contestant.entry)
        else []
    )
    context = {
        "section": section,
        "label": contestant.slug,
        "people": people,
        "can_mail": can_mail(),
        "are_printed": are_codes_printed(section),
    }
    if request.method == "POST":
        for person in people:
            if str(person.pk) == request.POST.get("person") and can_mail():
                context["is_sent"] = True
                if not SENT.count(str(person.pk)):
                    request_job(OWN_PAGE, person.pk)
    return mark_private(render(request, "players/own/claim.html", context))


def may_claim_own_page(request: HtmxRequest, section: Section, entry: int) -> bool:
    """Return whether this phone surely belongs to an entry of a finished session and may ask for its own page."""
    phone = PhoneCookie.of(request)
    is_theirs = (
        section.is_finished and phone.entry_key(section.pk) == entry and phone.sees_results(section)
    )
    return is_theirs and phone_settings_of(section).need_secret


def _people_of_contestant(section: Section, contestant: Contestant) -> list[Person]:
    """Return the people of a contestant who are not anonymous."""
    entry = section.entries.get(pk=contestant.entry)
    return [player for player in entry.players if player.anonymous_since is None]
