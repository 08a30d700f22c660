"""Password, e-mail address and signing out: folds of the account's page instead of allauth's own pages."""

from __future__ import annotations

from typing import Any

from allauth.account.views import EmailView, LogoutView, PasswordChangeView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy.web.folds import lead_to_fold

from .page import account_page


class OwnPassword(PasswordChangeView):  # type: ignore[misc]  # allauth has no types
    """Stores a new password. A fold of the account's page asks for it."""

    success_url = reverse_lazy("account")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Send a user without a password to the mail that lets one choose it."""
        user = request.user
        if user.is_authenticated and not user.has_usable_password():
            return redirect("account_reset_password")
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        return answer

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Lead to the fold."""
        return lead_to_fold("password", "account")

    def get_default_success_url(self) -> str:
        """Return the account's page."""
        return str(self.success_url)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the account's page with the refused form."""
        return account_page(self.request, password_form=form)


class OwnEmail(EmailView):  # type: ignore[misc]  # allauth has no types
    """Adds, confirms, chooses and removes e-mail addresses. A fold of the account's page asks for them."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Lead to the fold."""
        return lead_to_fold("email", "account")

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the account's page with the refused form."""
        return account_page(self.request, email_form=form)


class SignOut(LogoutView):  # type: ignore[misc]  # allauth has no types
    """Signs out. The button is on the account's page."""

    def get(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Lead to the account's page, which asks others to sign in."""
        return redirect("account")


@login_required
@require_http_methods(["GET", "POST"])
def set_password(request: HttpRequest) -> HttpResponse:
    """Lead to the fold. A password is changed at one address only, where guesses are limited."""
    return lead_to_fold("password", "account")


@require_safe
def closed_account(request: HttpRequest) -> HttpResponse:
    """Say at the sign-in that an account is closed."""
    messages.warning(request, _("This account is closed. Ask a director of your club."))
    return redirect("account_login")
