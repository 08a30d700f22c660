"""The month of the treasurer on a page and as a file."""

from __future__ import annotations

import csv
import io
from datetime import date

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.access import club_for_treasurer
from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import read_in_one_snapshot
from bridgebuddy.money.models import MoneySettings
from bridgebuddy.money.queries.months import MoneyMonth, first_of_month
from bridgebuddy.money.rules.currencies import to_decimal
from bridgebuddy.money.rules.ledger import Dues

#: characters that begin a spreadsheet's formula
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def requested_month(request: UserRequest, club: Club) -> date:
    """Return the first day of the month in a query parameter ("2026-11"), or of the current month."""
    text = request.GET.get("month", "")
    if not text:
        return club.today.replace(day=1)
    try:
        return first_of_month(text)
    except ValueError:
        raise Http404("no such month") from None


@require_safe
@read_in_one_snapshot
def month(request: UserRequest, pk: int) -> HttpResponse:
    """Show a club's table money of a month."""
    club = club_for_treasurer(request, pk)
    settings = MoneySettings.objects.filter(club=club).first()
    if settings is None:
        return redirect("club-money", pk=club.pk)
    shown = MoneyMonth(club, settings, requested_month(request, club))
    context = {
        "club": club,
        "tab": "club",
        "settings": settings,
        "currency": settings.currency,
        "month": shown,
        "is_now": shown.next_month > club.today,
    }
    return render(request, "director/money/month.html", context)


@require_safe
@read_in_one_snapshot
def month_file(request: UserRequest, pk: int) -> HttpResponse:
    """Send a club's table money of a month as a CSV file."""
    club = club_for_treasurer(request, pk)
    settings = MoneySettings.objects.filter(club=club).first()
    if settings is None:
        return redirect("club-money", pk=club.pk)
    shown = MoneyMonth(club, settings, requested_month(request, club))
    answer = HttpResponse(month_csv(shown), content_type="text/csv; charset=utf-8")
    name = f"money-{shown.first:%Y-%m}.csv"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer


def month_csv(month: MoneyMonth) -> str:
    """Return a month's table money as CSV: a row for each session, the sum, accounts and cash.

    Columns are English and amounts have a point, so that programs can read them.
    """
    currency = month.settings.currency
    text = io.StringIO()
    writer = csv.writer(text)

    def amount_cells(dues: Dues) -> list[object]:
        """Return the cells with the people and sums of some dues."""
        sums = (dues.due, dues.cash, dues.account, dues.missing)
        return [dues.people, *(to_decimal(amount, currency) for amount in sums)]

    columns = ("day", "session", "people", "due", "cash", "account", "not yet", "difference")
    writer.writerow([*columns, "currency"])
    for row in month.rows:
        difference = "" if row.difference is None else to_decimal(row.difference, currency)
        name = f"'{row.name}" if row.name.startswith(FORMULAS) else row.name
        writer.writerow([row.day, name, *amount_cells(row.dues), difference, currency])
    total = to_decimal(month.difference, currency)
    writer.writerow(
        [f"{month.first:%Y-%m}", _("Total"), *amount_cells(month.sums), total, currency]
    )
    writer.writerow([])
    accounts, cash = month.accounts, month.cash
    for title, amount in (
        ("accounts before", accounts.start),
        ("paid in", accounts.paid_in),
        ("paid out", accounts.paid_out),
        ("sessions", accounts.sessions),
        ("refunds", accounts.refunds),
        ("corrections", accounts.corrections),
        ("accounts after", accounts.end),
        ("cash table money", cash.table_money),
        ("cash paid in", cash.paid_in),
        ("cash differences", cash.difference),
        ("cash total", cash.total),
    ):
        writer.writerow([title, to_decimal(amount, currency), currency])
    return "\ufeff" + text.getvalue()
