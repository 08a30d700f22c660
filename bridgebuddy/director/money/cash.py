"""Counting the cash of a session, and its sheet on the screen."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import of_one_moment, one_moment
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.money.access import may_keep_money, section_for_payments
from bridgebuddy.money.queries.cash_sheet import CashSheet
from bridgebuddy.money.queries.prices import money_of, takes_money
from bridgebuddy.money.queries.sessions import SessionDues
from bridgebuddy.money.services.cash import count_cash
from bridgebuddy.web.http import read_number

from .forms import CountForm
from .refusals import money_refused

DIGITS = 4


@require_http_methods(["GET", "POST"])
def count(request: UserRequest, code: str) -> HttpResponse:
    """Show what should be in the cash box, and store what is in it."""
    with one_moment(request):
        section = section_for_payments(request, code)
        settings = money_of(section.club)
        context: dict[str, Any] = {"section": section, "club": section.club, "tab": "desk"}
        if settings is None or not takes_money(section.session, settings):
            context["keeps_money"] = may_keep_money(request, section.club)
            return render(request, "director/money/off.html", context)
        dues = SessionDues(section.session, settings)
        last = dues.count
        at_start = last.at_start if last else settings.cash_float
        posted = request.POST if request.method == "POST" else None
        form = CountForm(posted, currency=settings.currency, at_start=at_start)
        context |= {
            "form": form,
            "dues": dues,
            "currency": settings.currency,
            "expected": at_start + dues.in_box,
            "after": last.version if last else 0,
        }
    if request.method == "POST" and form.is_valid():
        try:
            count_cash(
                section.session,
                at_start=form.cleaned_data["at_start"],
                pieces=form.pieces,
                rest=form.cleaned_data["rest"] or 0,
                reason=form.cleaned_data["reason"],
                after=read_number(request.POST.get("after"), DIGITS) or 0,
                by=request.user,
            )
        except ChangeRefused as refused:
            form.add_error(None, money_refused(refused, settings.currency))
        else:
            return redirect("money-sheet", code=section.code)
    status = 422 if form.errors else 200
    return render(request, "director/money/count.html", context, status=status)


@require_safe
@of_one_moment
def sheet(request: UserRequest, code: str) -> HttpResponse:
    """Show the cash sheet of a session as it will be printed."""
    section = section_for_payments(request, code)
    settings = money_of(section.club)
    context: dict[str, Any] = {"section": section, "club": section.club, "tab": "desk"}
    if settings is None or not takes_money(section.session, settings):
        context["keeps_money"] = may_keep_money(request, section.club)
        return render(request, "director/money/off.html", context)
    context["sheet"] = CashSheet(SessionDues(section.session, settings))
    context["currency"] = settings.currency
    return render(request, "director/money/sheet.html", context)
