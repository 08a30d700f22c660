"""Table money on paper: the cash sheet of a session, and the month of the treasurer."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.access import club_for_treasurer
from bridgebuddy.events.access import one_snapshot
from bridgebuddy.money.access import section_for_payments
from bridgebuddy.money.models import MoneySettings
from bridgebuddy.money.queries.cash_sheet import CashSheet
from bridgebuddy.money.queries.months import MoneyMonth, first_of_month
from bridgebuddy.money.queries.prices import active_settings, do_players_pay
from bridgebuddy.money.queries.sessions import SessionDues
from bridgebuddy.web.language import activate_language

from ..rendering.paper import sheets_response


@require_safe
def cash_sheet(request: HttpRequest, code: str) -> HttpResponse:
    """Return the cash sheet of a session as a PDF for the browser."""
    with one_snapshot(request):
        section = section_for_payments(request, code)
        settings = active_settings(section.club)
        if settings is None or not do_players_pay(section.session, settings):
            return redirect("money", code=section.code)
        activate_language(request, section.club.language)
        context = {
            "club": section.club,
            "section": section,
            "currency": settings.currency,
            "sheet": CashSheet(SessionDues(section.session, settings)),
        }
        html = render_to_string("printing/cash-sheet.html", context)
    name = slugify(section.session.event.name) or "session"
    file_name = f"{section.session.date:%Y-%m-%d}-{name}-cash.pdf"
    return sheets_response(file_name, html, back=reverse("money-sheet", args=[section.code]))


@require_safe
def money_month(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the table money of a month as a PDF for the browser."""
    with one_snapshot(request):
        club = club_for_treasurer(request, pk)
        settings = MoneySettings.objects.filter(club=club).first()
        if settings is None:
            return redirect("club-money", pk=club.pk)
        activate_language(request, club.language)
        try:
            first = first_of_month(request.GET.get("month", ""))
        except ValueError:
            raise Http404("no such month") from None
        month = MoneyMonth(club, settings, first)
        context = {"club": club, "currency": settings.currency, "month": month}
        html = render_to_string("printing/money-month.html", context)
    back = f"{reverse('money-month', args=[club.pk])}?month={first:%Y-%m}"
    return sheets_response(f"money-{first:%Y-%m}.pdf", html, back=back)
