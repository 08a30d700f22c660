"""Rules for making accounts and signing in, as far as they are ours and not allauth's.

Wrong passwords are counted by account and network, and for each network as a whole. A browser with an earlier sign-in
is recognized by a signed cookie and counted separately. So no stranger, in the same network or elsewhere, can lock a
director out of it. There is no count by account alone.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.signals import user_logged_in
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.sites.shortcuts import get_current_site
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_noop

from ..models import TRIAL, User
from .limits import AttemptLimit, address_of, count_all, network_of
from .mail import log, send_mail_or_raise
from .security import EventKind, store_event_in_users_clubs

TEN_MINUTES, AN_HOUR = 600, 3600  # seconds
PASSWORDS = AttemptLimit("wrong passwords for an account", 10, TEN_MINUTES)
PASSWORDS_OF_NETWORK = AttemptLimit("wrong passwords of a network", 100, TEN_MINUTES)
MAILS = AttemptLimit("e-mails to an address", 10, AN_HOUR)
#: limits of forms by network, by the names of their addresses
FORMS = {
    "account_signup": AttemptLimit("sign-ups", 20, TEN_MINUTES),
    "account_reset_password": AttemptLimit("forgotten passwords", 20, TEN_MINUTES),
}
#: forms with a password, of people already signed in
OWN_FORMS = {
    "account_change_password": AttemptLimit("changes of a password", 10, TEN_MINUTES),
    "account_reauthenticate": AttemptLimit("passwords asked once more", 10, TEN_MINUTES),
    "delete-account": AttemptLimit("passwords to delete an account", 10, TEN_MINUTES),
}
#: forms that change an address: unless it can be verified, they would reveal existing accounts
NEED_MAIL = {"account_email"}
TOO_MANY_TRIES = 429

#: texts of allauth, whose own German is informal: our catalogue goes before that
SAID_BY_ALLAUTH = (
    gettext_noop("You have signed out."),
    gettext_noop("You have confirmed %(email)s."),
    gettext_noop("Please type your current password."),
    gettext_noop("You must type the same password each time."),
    gettext_noop("You cannot remove your primary email address."),
    gettext_noop("Your primary email address must be verified."),
    gettext_noop("Be patient, you are sending too many requests."),
)

#: the demo club's director, excluded from real clubs
DEMO_EMAIL = "director@example.org"
BROWSER = "browser"
BROWSER_AGE = 365 * 24 * 3600  # seconds
BROWSER_PATH = "/accounts/"
MOST_KNOWN = 12  # directors that share a browser


def has_real_users() -> bool:
    """Return whether the server has accounts beside the demo club's director and people who try it out."""
    return User.objects.exclude(email=DEMO_EMAIL).exclude(email__endswith=TRIAL).exists()


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """The adapter that gives django-allauth our rules for sign-in and registration of accounts."""

    request: HttpRequest

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address of a request; a missing proxy header is no error."""
        return address_of(request)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether new accounts are allowed: if mail can verify addresses, or for the first director."""
        return settings.SIGN_UP or not has_real_users()

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Return the user with the typed address and password, within the limits of tries."""
        limits = _sign_in_limits(request, str(credentials.get("email", "")).lower())
        if count_all(limits):
            raise self.validation_error("too_many_login_attempts")
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user:
            for limit, client in limits:
                limit.uncount_attempt(client)
        elif owner := User.objects.filter(email__iexact=credentials.get("email", "")).first():
            store_event_in_users_clubs(owner, EventKind.FAILED, by=None)
        return user

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an e-mail, unless its address has had too many. Raises `MailNotSent` if the mail server fails."""
        if MAILS.count(email.lower()):
            log.warning("An e-mail was not sent: its address got too many within an hour.")
            return
        about = {"request": self.request, "email": email}
        about |= {"current_site": get_current_site(self.request), **context}
        send_mail_or_raise(self.render_mail(template_prefix, email, about))


def _sign_in_limits(request: HttpRequest, email: str) -> list[tuple[AttemptLimit, str]]:
    """Return the limits of tries for a sign-in. A browser that has signed in before has a limit of its own."""
    browser, *keys = _browser_and_known_users(request)
    account = User.objects.filter(email__iexact=email).values_list("pk", flat=True).first()
    if account and str(account) in keys:
        return [(PASSWORDS, f"{email} {browser}")]
    network = network_of(request)
    return [(PASSWORDS, f"{email} {network}"), *PASSWORDS_OF_NETWORK.limits_of_network(request)]


@receiver(user_logged_in)
def remember_signed_in_browser(
    request: HttpRequest, user: User, response: HttpResponse, **rest: Any
) -> None:
    """Set the cookie that marks this browser as one in which `user` has signed in before."""
    browser, *keys = _browser_and_known_users(request)
    keys = [str(user.pk), *(key for key in keys if key != str(user.pk))][:MOST_KNOWN]
    response.set_signed_cookie(
        BROWSER,
        "-".join([browser or secrets.token_hex(8), *keys]),
        max_age=BROWSER_AGE,
        path=BROWSER_PATH,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _browser_and_known_users(request: HttpRequest) -> list[str]:
    """Return the browser's identifier from its cookie, and the keys of the users that signed in there."""
    value: str = request.get_signed_cookie(BROWSER, "", max_age=BROWSER_AGE) or ""
    return value.split("-")


class RateLimitMiddleware:
    """Middleware that refuses forms of the account pages sent too often, before a view handles them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: object) -> HttpResponse | None:
        """Refuse a form of the account pages that is sent too often."""
        name = request.resolver_match.url_name if request.resolver_match else None
        if name in NEED_MAIL and not settings.HAS_MAIL:
            raise Http404("nobody's address can be proved here")
        if request.method != "POST" or name not in {**FORMS, **OWN_FORMS}:
            return None
        if name in FORMS:
            is_too_often = FORMS[name].count(network_of(request))
        else:
            is_too_often = OWN_FORMS[name].count(str(request.user.pk))
        if not is_too_often:
            return None
        answer = render(request, "429.html", status=TOO_MANY_TRIES)
        answer.headers["Retry-After"] = str(TEN_MINUTES)
        return answer
