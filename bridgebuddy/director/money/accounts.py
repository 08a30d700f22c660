"""Accounts of people: the list, and one account with its changes."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy.clubs.access import club_for_treasurer
from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Session
from bridgebuddy.events.queries.sessions.club_sessions import real_sessions
from bridgebuddy.money.models import MoneySettings
from bridgebuddy.money.queries.accounts import (
    account_entries,
    account_of,
    accounts_with_balances,
    allowed_overdraft,
)
from bridgebuddy.money.services.accounts import store_correction, store_payment, store_terms
from bridgebuddy.money.words import account_entry_text
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import MOST_DIGITS_OF_A_KEY, read_number

from .forms import CorrectionForm, PayForm, TermsForm
from .refusals import money_refused

#: entries of an account on its page; older ones are one line
MOST_LINES = 60
#: sessions whose cash box can take money
NEAR = timedelta(days=1)
CASH, TRANSFER = "cash", "transfer"


@require_safe
@read_in_one_snapshot
def accounts(request: UserRequest, pk: int) -> HttpResponse:
    """Show all accounts of a club with their balances; `?open=account&person=5` opens one of them."""
    club = club_for_treasurer(request, pk)
    settings = MoneySettings.objects.filter(club=club).first()
    if settings is None:
        return redirect("club-money", pk=club.pk)
    if request.GET.get("open") != "account":
        return _accounts_page(request, club, settings)
    number = read_number(request.GET.get("person"), MOST_DIGITS_OF_A_KEY)
    owner = get_object_or_404(club.people, pk=number)
    return _accounts_page(request, club, settings, AccountFold(request, club, settings, owner))


def _accounts_page(
    request: UserRequest,
    club: Club,
    settings: MoneySettings,
    opened: AccountFold | None = None,
) -> HttpResponse:
    """Render the page of accounts; `opened` is the account shown with entries and forms."""
    listed = accounts_with_balances(club)
    known = [account.person_id or 0 for account, _balance in listed]
    context = {
        "club": club,
        "tab": "club",
        "settings": settings,
        "currency": settings.currency,
        "accounts": listed,
        "total": sum(balance for _account, balance in listed),
        "others": sorted(
            club.known_people.exclude(pk__in=known), key=lambda person: person.listed_order
        ),
    }
    if opened:
        context |= opened.context
    status = 422 if opened and opened.is_refused else 200
    return render(request, "director/money/accounts.html", context, status=status)


@require_safe
def find_account(request: UserRequest, pk: int) -> HttpResponse:
    """Redirect to the account of the person chosen in a list."""
    club = club_for_treasurer(request, pk)
    chosen = request.GET.get("person", "")
    person = (
        club.people.filter(pk=chosen).first() if chosen.isascii() and chosen.isdigit() else None
    )
    if person is None:
        return redirect("money-accounts", pk=club.pk)
    return _redirect_to_account(person)


def _redirect_to_account(person: Person) -> HttpResponse:
    """Redirect to the page of accounts with a person's account open."""
    return redirect_with_part_open("account", "money-accounts", person.club_id, person=person.pk)


@require_http_methods(["GET", "POST"])
def account(request: UserRequest, pk: int, person: int) -> HttpResponse:
    """Store a payment, a correction or other terms of a person's account."""
    with one_snapshot(request):
        club = club_for_treasurer(request, pk)
        settings = MoneySettings.objects.filter(club=club).first()
        owner = get_object_or_404(club.people, pk=person)
        if settings is None:
            return redirect("club-money", pk=club.pk)
        fold = AccountFold(request, club, settings, owner)
    if request.method != "POST" or fold.store():
        return _redirect_to_account(owner)
    with one_snapshot(request):
        return _accounts_page(request, club, settings, fold)


class AccountFold:
    """The open account on the page of accounts: its ledger entries and its forms."""

    def __init__(
        self, request: UserRequest, club: Club, settings: MoneySettings, person: Person
    ) -> None:
        self.request, self.club, self.settings, self.person = request, club, settings, person
        self.sent = request.POST.get("do", "") if request.method == "POST" else ""
        self.sessions = _sessions_of_last_two_days(club)
        currency = settings.currency
        self.pay_in, self.pay_out = (
            PayForm(
                self._sent_data(do),
                currency=currency,
                boxes=self._money_destination_choices(),
                auto_id=f"{do}-%s",
            )
            for do in ("pay-in", "pay-out")
        )
        self.correction = CorrectionForm(self._sent_data("correct"), currency=currency)
        account = account_of(person)
        initial = {
            "overdraft": account.overdraft if account else None,
            "price_class": account.price_class if account else "",
        }
        self.terms = TermsForm(self._sent_data("terms"), currency=currency, initial=initial)

    def _sent_data(self, do: str) -> Any:
        """Return the sent data if they are for the form with the name `do`, else None."""
        return self.request.POST if self.sent == do else None

    def _money_destination_choices(self) -> list[tuple[str, str]]:
        """Return the choices of where paid money goes: cash boxes of sessions, another box, the bank."""
        boxes = [
            (str(session.pk), _("Cash, %(session)s") % {"session": _session_text(session)})
            for session in self.sessions
        ]
        return [*boxes, (CASH, _("Cash, no session")), (TRANSFER, _("Bank transfer"))]

    def store(self) -> bool:
        """Store the values of the sent form. Return whether they were valid."""
        key, by = self.request.POST.get("key", ""), self.request.user
        try:
            match self.sent:
                case "pay-in" | "pay-out":
                    form = self.pay_in if self.sent == "pay-in" else self.pay_out
                    if not form.is_valid():
                        return False
                    sign = 1 if self.sent == "pay-in" else -1
                    box = form.cleaned_data["box"]
                    chosen = (session for session in self.sessions if str(session.pk) == box)
                    store_payment(
                        self.person,
                        sign * form.cleaned_data["amount"],
                        session=next(chosen, None),
                        is_transfer=box == TRANSFER,
                        key=key,
                        by=by,
                    )
                case "correct":
                    if not self.correction.is_valid():
                        return False
                    typed = self.correction.cleaned_data
                    store_correction(
                        self.person, typed["amount"], reason=typed["reason"], key=key, by=by
                    )
                case "terms":
                    if not self.terms.is_valid():
                        return False
                    store_terms(self.person, **self.terms.cleaned_data, by=by)
        except ChangeRefused as refused:
            messages.warning(self.request, money_refused(refused, self.settings.currency))
        return True

    @property
    def is_refused(self) -> bool:
        """Return whether one of the account's forms was sent with errors."""
        forms = (self.pay_in, self.pay_out, self.correction, self.terms)
        return any(form.errors for form in forms)

    @property
    def context(self) -> dict[str, Any]:
        """Return the template context of the open account."""
        account = account_of(self.person)
        lines = account_entries(account) if account else []
        shown = lines[:MOST_LINES]
        return {
            "person": self.person,
            "is_forgotten": self.person.anonymous_since is not None,
            "balance": lines[0].balance if lines else 0,
            "limit": -allowed_overdraft(account, self.settings),
            "lines": [account_entry_text(line) for line in shown],
            "carried": lines[MOST_LINES].balance if len(lines) > MOST_LINES else None,
            "pay_in": self.pay_in,
            "pay_out": self.pay_out,
            "correction": self.correction,
            "terms": self.terms,
            "open": self.sent,
            "key": secrets.token_urlsafe(9),
        }


def _sessions_of_last_two_days(club: Club) -> list[Session]:
    """Return the sessions of today and yesterday, newest first, whose cash boxes may receive money."""
    near = real_sessions(club).filter(date__gte=club.today - NEAR, date__lte=club.today)
    return list(near.select_related("event").order_by("-date", "-starts_at"))


def _session_text(session: Session) -> str:
    """Return the name and date of a session."""
    day = date_format(session.date, pgettext("short date", "D j M"))
    return f"{session.event.name}, {day}"
