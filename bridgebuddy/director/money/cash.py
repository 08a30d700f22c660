"""Counting the cash of a session, and its sheet on the screen."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.money.access import may_keep_money, section_for_payments
from bridgebuddy.money.queries.cash_sheet import CashSheet
from bridgebuddy.money.queries.prices import active_settings, do_players_pay
from bridgebuddy.money.queries.sessions import SessionDues
from bridgebuddy.money.services.cash import count_cash
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import read_number

from .forms import CountForm
from .refusals import money_refused

DIGITS = 4


@require_http_methods(["GET", "POST"])
def count_cash_box(request: UserRequest, code: str) -> HttpResponse:
    """Store a count of a session's cash box. The form is on the cash sheet."""
    if request.method != "POST":
        section = section_for_payments(request, code)
        return redirect_with_part_open("count", "money-sheet", section.code)
    with one_snapshot(request):
        section = section_for_payments(request, code)
        settings = active_settings(section.club)
        if settings is None or not do_players_pay(section.session, settings):
            return _money_switched_off_page(request, section)
        form = _count_form(SessionDues(section.session, settings), request.POST)
    if form.is_valid():
        try:
            count_cash(
                section.session,
                at_start=form.cleaned_data["at_start"],
                pieces=form.pieces,
                rest=form.cleaned_data["rest"] or 0,
                reason=form.cleaned_data["reason"],
                after_version=read_number(request.POST.get("after"), DIGITS) or 0,
                by=request.user,
            )
        except ChangeRefused as refused:
            form.add_error(None, money_refused(refused, settings.currency))
        else:
            return redirect("money-sheet", code=section.code)
    with one_snapshot(request):
        return _sheet_page(request, section_for_payments(request, code), form)


@require_safe
@read_in_one_snapshot
def sheet(request: UserRequest, code: str) -> HttpResponse:
    """Show the cash sheet of a session for printing; `?open=count` opens the form for counting."""
    return _sheet_page(request, section_for_payments(request, code))


def _sheet_page(
    request: UserRequest, section: Section, refused_form: CountForm | None = None
) -> HttpResponse:
    """Render the cash sheet, with a refused form for counting."""
    settings = active_settings(section.club)
    if settings is None or not do_players_pay(section.session, settings):
        return _money_switched_off_page(request, section)
    dues = SessionDues(section.session, settings)
    context: dict[str, Any] = {"section": section, "club": section.club, "tab": "desk"}
    context |= {"sheet": CashSheet(dues), "currency": settings.currency, "dues": dues}
    if refused_form or request.GET.get("open") == "count":
        context["form"] = refused_form or _count_form(dues)
        context["expected"] = _cash_at_start(dues) + dues.cash_received
        context["after"] = dues.count.version if dues.count else 0
    status = 422 if refused_form else 200
    return render(request, "director/money/sheet.html", context, status=status)


def _count_form(dues: SessionDues, form_data: QueryDict | None = None) -> CountForm:
    """Return the form for counting the cash box."""
    return CountForm(form_data, currency=dues.settings.currency, at_start=_cash_at_start(dues))


def _cash_at_start(dues: SessionDues) -> int:
    """Return the change in the cash box before the session: by the last count, or as usual in the club."""
    return dues.count.at_start if dues.count else dues.settings.cash_float


def _money_switched_off_page(request: UserRequest, section: Section) -> HttpResponse:
    """Return the page that says that the club does not use table money."""
    context = {"section": section, "club": section.club, "tab": "desk"}
    context["keeps_money"] = may_keep_money(request, section.club)
    return render(request, "director/money/off.html", context)
