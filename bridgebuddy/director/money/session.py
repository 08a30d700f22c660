"""The money of a session: the list of payments, and the prices."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRefresh

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.rules import KEEP_MONEY
from bridgebuddy.events.access import one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.money.access import may_keep_money, section_for_payments
from bridgebuddy.money.models import MoneySettings
from bridgebuddy.money.queries.prices import active_settings, do_players_pay
from bridgebuddy.money.queries.sessions import SessionDues, payment_list_version
from bridgebuddy.money.rules.ledger import EntryKind
from bridgebuddy.money.services.payments import record_other_payments, record_payment
from bridgebuddy.money.services.settings import set_prices
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import read_number

from .forms import PricesForm
from .refusals import money_refused

ORDERS = ("table", "name", "missing")
KEYS = {"cash": EntryKind.CASH, "account": EntryKind.ACCOUNT, "none": None}
#: digits of the longest key of a row
DIGITS = 15
UNCHANGED = 204


@require_http_methods(["GET", "POST"])
def payments(request: UserRequest, code: str) -> HttpResponse:
    """Show the payments of a session's players, and store one that is ticked."""
    if request.method == "POST":
        with one_snapshot(request):
            section = section_for_payments(request, code)
            settings = active_settings(section.club)
        if settings is not None:
            _store_tick(request, section, settings)
        if not request.htmx:
            order = request.POST.get("by", "")
            query = f"?by={order}" if order in ORDERS else ""
            address = redirect("money", code=section.code).url
            return redirect(address + query)
    with one_snapshot(request):
        section = section_for_payments(request, code)
        return _payments_page(request, section)


def _store_tick(request: UserRequest, section: Section, settings: MoneySettings) -> None:
    """Store the ticked payment of a person, or payments of all who have not paid."""
    key = request.POST.get("key", "")
    person, how, seen = (*request.POST.get("tick", "").split(":"), "", "", "")[:3]
    try:
        if "rest" in request.POST:
            keys = [read_number(text, DIGITS) for text in request.POST["rest"].split(",")]
            people = {number for number in keys if number is not None}
            record_other_payments(section.session, people, key=f"{key}-r", by=request.user)
            return
        number, before = read_number(person, DIGITS), read_number(seen, DIGITS)
        if number is not None and before is not None and how in KEYS:
            key = f"{key}-{number}-{how}" if key else ""
            record_payment(
                section.session, number, KEYS[how], seen=before, key=key, by=request.user
            )
    except ChangeRefused as refused:
        messages.warning(request, money_refused(refused, settings.currency))


def _payments_page(
    request: UserRequest, section: Section, form: PricesForm | None = None
) -> HttpResponse:
    """Render the payments of a session; a refused form of prices is shown again."""
    settings = active_settings(section.club)
    context: dict[str, Any] = {"section": section, "club": section.club, "tab": "desk"}
    if settings is None or not do_players_pay(section.session, settings):
        if request.htmx:  # another page, which does not fit into the open list
            return HttpResponseClientRefresh()
        context["keeps_money"] = may_keep_money(request, section.club)
        return render(request, "director/money/off.html", context)
    dues = SessionDues(section.session, settings)
    version = payment_list_version(dues)
    if request.htmx and request.method == "GET" and request.GET.get("v") == version:
        return HttpResponse(status=UNCHANGED)
    sent = request.POST if request.method == "POST" else request.GET
    order = sent.get("by", "") if sent.get("by", "") in ORDERS else ORDERS[0]
    tables = dues.tables(sections_of_session(section)) if order == "table" else []
    context |= {
        "settings": settings,
        "version": version,
        "currency": settings.currency,
        "dues": dues,
        "order": order,
        "tables": tables,
        "listed": dues.missing if order == "missing" else dues.people,
        "prices": dues.prices,
        "cash_count": dues.people_paid_by(EntryKind.CASH),
        "account_count": dues.people_paid_by(EntryKind.ACCOUNT),
        "is_over": section.is_finished,
        "key": secrets.token_urlsafe(9),
        "keeps_money": may_keep_money(request, section.club),
    }
    if context["keeps_money"]:
        context["form"] = form or PricesForm(currency=settings.currency, prices=dues.prices)
        context["paid"] = sum(1 for due in dues.people if due.payment)
    template = "director/money/payments.html"
    status = 422 if form is not None else 200
    fragment = f"{template}#money" if request.htmx else template
    return render(request, fragment, context, status=status)


@require_http_methods(["GET", "POST"])
def prices(request: UserRequest, code: str) -> HttpResponse:
    """Store the prices of a session or of its series. The form is on the page of payments."""
    if request.method != "POST":
        section = section_for_director(request, code, may=KEEP_MONEY)
        return redirect_with_part_open("prices", "money", section.code)
    with one_snapshot(request):
        section = section_for_director(request, code, may=KEEP_MONEY)
        settings = active_settings(section.club)
        if settings is None or not do_players_pay(section.session, settings):
            return _payments_page(request, section)
        dues = SessionDues(section.session, settings)
        form = PricesForm(request.POST, currency=settings.currency, prices=dues.prices)
        paid = sum(1 for due in dues.people if due.payment)
    if form.is_valid():
        for_series = form.cleaned_data["for_series"]
        try:
            set_prices(section.session, form.prices, for_series=for_series, by=request.user)
        except ChangeRefused as refused:
            form.add_error(None, money_refused(refused, settings.currency))
        else:
            messages.success(request, _stored_prices_message(paid))
            return redirect("money", code=section.code)
    with one_snapshot(request):
        return _payments_page(request, section, form)


def _stored_prices_message(paid_count: int) -> str:
    """Return the message that new prices are stored, and whether they change paid ones."""
    if not paid_count:
        return _("The prices are saved.")
    return ngettext(
        "The prices are saved. %(count)s person has paid already and keeps the price.",
        "The prices are saved. %(count)s people have paid already and keep their price.",
        paid_count,
    ) % {"count": paid_count}
