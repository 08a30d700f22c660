"""The club's price list, and turning table money on and off."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.access import club_for_treasurer
from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.money.models import MoneySettings
from bridgebuddy.money.queries.accounts import has_ledger_entries, open_balances
from bridgebuddy.money.queries.prices import first_sections_to_pay_today
from bridgebuddy.money.services.settings import store_settings, turn_off, turn_on_money

from .forms import MoneySettingsForm, SwitchOffForm
from .refusals import money_refused


@require_http_methods(["GET", "POST"])
def club_money(request: UserRequest, pk: int) -> HttpResponse:
    """Show and store a club's prices; turn table money on or off."""
    with one_snapshot(request):
        club = club_for_treasurer(request, pk)
        settings = MoneySettings.objects.filter(club=club).first()
    do = request.POST.get("do", "")
    if do == "on":
        turn_on_money(club, by=request.user)
        return redirect("club-money", pk=club.pk)
    if do == "off" and settings is not None:
        return _turn_off_money(request, club, settings)
    if request.method == "POST" and settings is not None:
        return _store_sent_settings(request, club, settings)
    return _settings_page(request, club, settings)


def _store_sent_settings(request: UserRequest, club: Club, settings: MoneySettings) -> HttpResponse:
    """Store the sent settings of table money and redirect; show the page again if refused."""
    form = MoneySettingsForm(
        request.POST, settings=settings, may_change=not has_ledger_entries(club)
    )
    if form.is_valid():
        try:
            store_settings(club, form.cleaned_data, by=request.user)
        except ChangeRefused as refused:
            form.add_error(None, money_refused(refused, settings.currency))
        else:
            messages.success(request, _("The prices are saved."))
            return redirect("club-money", pk=club.pk)
    return _settings_page(request, club, settings, form=form)


def _turn_off_money(request: UserRequest, club: Club, settings: MoneySettings) -> HttpResponse:
    """Turn table money off; if accounts have balances, show them first."""
    balances = open_balances(club)
    form = SwitchOffForm(request.POST if "sure" in request.POST else None)
    if not balances or form.is_valid():
        turn_off(club, by=request.user)
        messages.success(request, _("Table money is turned off. All entries are kept."))
        return redirect("club-money", pk=club.pk)
    return _settings_page(request, club, settings, balances=balances, off_form=form)


def _settings_page(
    request: UserRequest,
    club: Club,
    settings: MoneySettings | None,
    *,
    form: MoneySettingsForm | None = None,
    **more: Any,
) -> HttpResponse:
    """Render the page of a club's table money settings."""
    if settings is not None and form is None:
        form = MoneySettingsForm(settings=settings, may_change=not has_ledger_entries(club))
    context = {
        "club": club,
        "tab": "club",
        "group": "money",
        "settings": settings,
        "currency": settings.currency if settings else "",
        "form": form,
        "has_entries": settings is not None and has_ledger_entries(club),
        "today": first_sections_to_pay_today(club, settings),
        **more,
    }
    status = 422 if form is not None and form.errors else 200
    return render(request, "director/club/money.html", context, status=status)
