"""A player's own page, opened by its private address without an account.

The address is the only proof of ownership. It is rate-limited like codes, browsers do not store the
page, and search engines do not index it. It shows only public data and its owner's own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy.clubs.club_locale import use_club_formats, use_reader_language
from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.public_names import PublicName, use_public_names
from bridgebuddy.clubs.sign_in.limits import AttemptLimit
from bridgebuddy.events import code_limits as limits
from bridgebuddy.events.services.roster import set_public_name
from bridgebuddy.money.queries.personal_data import money_tables
from bridgebuddy.money.words import has_own_money, own_money
from bridgebuddy.publication.mails import mail_changes
from bridgebuddy.publication.mails.mail_changes import request_address_change
from bridgebuddy.publication.mails.mailing import can_mail
from bridgebuddy.publication.mails.subscribing import request_confirmation
from bridgebuddy.publication.models import PlayerPage, ResultsSubscription
from bridgebuddy.publication.own import links
from bridgebuddy.publication.own.own_page import PersonalPageContents
from bridgebuddy.publication.own.personal_data import file_response, own_tables
from bridgebuddy.registration.blocked_requests import (
    blocked_requests_of,
    report_unwanted_requests,
    unblock_requests,
)
from bridgebuddy.registration.models import BlockedRequest
from bridgebuddy.registration.own_sessions import open_sessions_of
from bridgebuddy.registration.registrations import has_open_session_condition
from bridgebuddy.registration.retention import registration_tables
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import read_number

LONGEST_CODE = 40
#: a few addresses for each page, and no mails to strangers
ASKED = AttemptLimit("e-mail addresses of a player", 5, 3600)
NOT_FOUND = 404
#: of a person's key
MOST_DIGITS = 15


def mark_private(response: HttpResponse) -> HttpResponse:
    """Mark a response as uncacheable and not to be indexed by search engines."""
    response["Cache-Control"] = "no-store, private"
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "same-origin"
    return response


def with_own_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator that finds a player's personal page (`PlayerPage`) by the secret code in the address.

    Wrong codes are counted like those of sessions.
    """

    @wraps(view)
    def guarded_page(request: HttpRequest, code: str, **rest: object) -> HttpResponse:
        """Answer a request for a personal page; show the reason if the code is wrong or the page has ended."""
        typed = limits.clean_code(code[:LONGEST_CODE])
        if limits.is_locked_out(request):
            return mark_private(limits.too_many_tries(request))
        more = {
            "may_say": has_open_session_condition("person__club"),
            "has_money": has_own_money("person"),
        }
        opened = links.find_page(typed, **more)
        if opened is None and (answer := _answer_second_tap(request, typed)):
            return mark_private(answer)
        if opened is None:
            if limits.count_wrong_code(request, typed):
                return mark_private(limits.too_many_tries(request))
            return mark_private(_void_page(request))
        club = opened.person.club
        use_club_formats(club)
        use_reader_language(request, club)
        return mark_private(view(request, opened, **rest))

    return guarded_page


def _answer_second_tap(request: HttpRequest, address: str) -> HttpResponse | None:
    """Redirect a repeated tap on "new address" to the address that the first tap has made; else return None."""
    is_renewal = request.POST.get("do") == "new"
    if is_renewal and (renewed := links.page_of_renewed_code(address, _browser_key(request))):
        return _redirect_to_new_address(renewed)
    return None


def _redirect_to_new_address(page: PlayerPage) -> HttpResponse:
    """Redirect to the new address of a personal page, or to its settings if mails are sent.

    A stranger may have renewed the address, so the owner of the mails is shown them first.
    """
    if ResultsSubscription.objects.filter(person=page.person_id).exists():
        return _redirect_to_stored_data(page)
    return redirect(links.page_address(page))


def _browser_key(request: HttpRequest) -> str:
    """Return the CSRF cookie, which identifies this browser."""
    return str(request.META.get("CSRF_COOKIE", ""))


def _forgotten_page(request: HttpRequest, page: PlayerPage) -> HttpResponse:
    """Return the page that says that the player has asked to be deleted, and when that happens."""
    context = {"club": page.person.club, "days": links.THINKING_TIME.days}
    return render(request, "players/own/forgotten.html", context | {"code": links.page_code(page)})


def _void_page(request: HttpRequest) -> HttpResponse:
    """Return the 404 page for a wrong or expired code of a player's personal page."""
    return render(request, "players/own/void.html", {"is_wrong": True}, status=NOT_FOUND)


@require_safe
def own_code(request: HttpRequest) -> HttpResponse:
    """Show the form for typing the printed code of a personal page, and redirect to that page."""
    typed = limits.clean_code(request.GET.get("code", "")[:LONGEST_CODE])
    if typed:
        return mark_private(redirect("own-page", code=typed))
    return mark_private(render(request, "players/own/void.html"))


def _view_of_page(page: PlayerPage) -> PersonalPageContents:
    """Return the contents of a player's personal page as `PersonalPageContents`."""
    return PersonalPageContents(page.person)


@require_safe
@with_own_page
def own_page(request: HttpRequest, page: PlayerPage) -> HttpResponse:
    """Show a player's personal page: next session, latest session and statistics.

    `?open=coming` shows all sessions that are open for registration, `?open=kept` the player's stored data.
    """
    opened = request.GET.get("open", "")
    kept: dict[str, Any] = _stored_data_of(page) if opened in ("kept", "forget") else {}
    dates = open_sessions_of(page.person) if page.may_say else []  # type: ignore[attr-defined]  # asked with it
    first = [date for date in dates if date == dates[0] or date.wants_answer]
    with use_public_names(page.person.club):
        return render_own_page(
            *(request, "players/own/page.html", page),
            own=_view_of_page(page),
            first=dates if opened == "coming" else first,
            dates=dates,
            has_all_dates=opened == "coming",
            money=own_money(page.person) if page.has_money else None,  # type: ignore[attr-defined]
            **kept,
        )


def render_own_page(
    request: HttpRequest, template: str, page: PlayerPage, **more: object
) -> HttpResponse:
    """Render a template of the personal pages for a player."""
    person = page.person
    context = {"person": person, "club": person.club, "code": links.page_code(page), **more}
    return render(request, template, context)


@require_http_methods(["GET", "POST"])
@with_own_page
def own_stored_data(request: HttpRequest, page: PlayerPage) -> HttpResponse:
    """Run the action of a form on a player's personal page: public name, mails, or address."""
    if request.method == "POST":
        return _run_page_action(request, page, request.POST.get("do", ""))
    return _redirect_to_stored_data(page)


def _redirect_to_stored_data(page: PlayerPage) -> HttpResponse:
    """Redirect to the part of the personal page with the stored data."""
    return redirect_with_part_open("kept", "own-page", links.page_code(page))


def _stored_data_of(page: PlayerPage) -> dict[str, Any]:
    """Return a player's stored data, and which of them can be changed on the personal page."""
    return {
        "asked": page,
        "mail": ResultsSubscription.objects.filter(person=page.person).first(),
        "can_mail": can_mail(),
        "unwanted": blocked_requests_of(page.person),
        "days": links.THINKING_TIME.days,
        "names": [(choice.value, choice.label) for choice in PublicName],
        "name_now": page.person.public_name or page.person.club.public_names,
    }


def _run_page_action(request: HttpRequest, page: PlayerPage, action: str) -> HttpResponse:
    """Run an action of a player's personal page: new address, mails, or deletion of the name."""
    person = page.person
    if action == "new":
        page = links.give_address(person, page.way, by=None, browser=_browser_key(request))
        messages.success(
            request, _("This is the new address of your page. The old address no longer works.")
        )
        if mail := ResultsSubscription.objects.filter(person=person).first():
            message = _(
                "The e-mail address for your results stays %(address)s. Not yours? Press “No mails, please” below."
            )
            messages.warning(request, message % {"address": mail.email})
        return _redirect_to_new_address(page)
    if action == "mail" and not ASKED.count(str(person.pk)):
        request_confirmation(request, person, request.POST, ask_for=request_address_change)
    elif action == "mail":
        messages.warning(request, _("Too many addresses. Try again in an hour."))
    if action == "no-mail":
        mail_changes.stop_mails(person)
        messages.success(request, _("Nothing is sent any more, and the address is forgotten."))
    if action == "keep-mail" and (
        mail := ResultsSubscription.objects.filter(person=person).first()
    ):
        mail_changes.keep_address(mail, by=None)
        messages.success(request, _("Saved."))
    if action == "reminds":
        is_on = request.POST.get("on") == "1"
        ResultsSubscription.objects.filter(person=person).update(reminds=is_on)
        messages.success(request, _("Saved."))
    if action in ("again", "tell") and (
        row := _blocked_requests_from(person, request.POST.get("asks"))
    ):
        {"again": unblock_requests, "tell": report_unwanted_requests}[action](person, row.asks)
        messages.success(request, _("Saved."))
    if action == "name" and request.POST.get("name") in PublicName.values:
        set_public_name(person, request.POST["name"])
        messages.success(request, _("Saved."))
    return _redirect_to_stored_data(page)


def _blocked_requests_from(person: Person, sender_key: str | None) -> BlockedRequest | None:
    """Return a player's blocked partner requests from the person with the sent key, or None."""
    key = read_number(sender_key, MOST_DIGITS)
    return next(
        (request for request in blocked_requests_of(person) if request.asks_id == key), None
    )


@require_http_methods(["GET", "POST"])
@with_own_page
def own_deletion_request(request: HttpRequest, page: PlayerPage) -> HttpResponse:
    """Store a player's request to delete the name, or withdraw it. The form is on the personal page."""
    if request.method == "POST" and request.POST.get("do") == "forget":
        links.ask_to_be_forgotten(page)
        return _forgotten_page(request, page)
    if request.method == "POST" and request.POST.get("do") == "keep":
        links.cancel_deletion(page, by=None)
        messages.success(request, _("Saved."))
        return _redirect_to_stored_data(page)
    return redirect_with_part_open("forget", "own-page", links.page_code(page))


@require_safe
@with_own_page
def own_file(request: HttpRequest, page: PlayerPage, kind: str) -> HttpResponse:
    """Send all data of the player of a personal page as JSON or CSV."""
    person = page.person
    with use_public_names(person.club):
        tables = (
            own_tables(_view_of_page(page)) | registration_tables(person) | money_tables(person)
        )
    return file_response("person", person.name, tables, kind)
