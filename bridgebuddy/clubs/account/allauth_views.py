"""Password, e-mail address and signing out: forms on the account page instead of allauth's own pages."""

from __future__ import annotations

from typing import Any

from allauth.account.views import (
    EmailView,
    LoginView,
    LogoutView,
    PasswordChangeView,
    PasswordResetView,
    SignupView,
)
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy.web.folds import redirect_with_part_open

from ..requests import hide_trial_account
from .page import account_page


class ChangePasswordView(PasswordChangeView):  # type: ignore[misc]  # allauth has no types
    """View that stores the new password of a signed-in user. The form is on the account page."""

    success_url = reverse_lazy("account")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Redirect a user without a password to the page that mails a link for choosing one."""
        user = request.user
        if user.is_authenticated and not user.has_usable_password():
            return redirect("account_reset_password")
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        return answer

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Redirect to the account page with the password form open."""
        return redirect_with_part_open("password", "account")

    def get_default_success_url(self) -> str:
        """Return the address of the account page, which is shown after the change."""
        return str(self.success_url)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the account page with the refused password form and its errors."""
        return account_page(self.request, password_form=form)


class OpenToTrials:
    """Mixin for pages that a visitor may use during a trial: it treats the trial's account as not signed in.

    Signing in with another account ends the trial. Until then it goes on.
    """

    has_trial = False

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer a request of a trial's account as one of a visitor."""
        self.has_trial = hide_trial_account(request)
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        return answer


class SignInView(OpenToTrials, LoginView):  # type: ignore[misc]  # allauth has no types
    """View that signs a user in."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign the user in, or ask for the second factor. A trial ends first.

        The page for the second factor is closed to signed-in users. The session stores that the password was typed,
        and a change of accounts would delete this.
        """
        if self.has_trial:
            logout(self.request)
        answer: HttpResponse = super().form_valid(form)
        return answer


class SignUpView(OpenToTrials, SignupView):  # type: ignore[misc]  # allauth has no types
    """View that makes an account."""


class ForgottenPasswordView(OpenToTrials, PasswordResetView):  # type: ignore[misc]  # allauth has no types
    """View that mails a link for a new password; without a mail server it says that none can be sent."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the page without its form if the server sends no e-mails."""
        if not settings.HAS_MAIL:
            return render(request, "account/password_reset.html", {"has_mail": False})
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the template context."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"has_mail": True}


class EmailAddressesView(EmailView):  # type: ignore[misc]  # allauth has no types
    """View that adds, confirms, chooses and removes a user's e-mail addresses. The form is on the account page."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Redirect to the account page with the form for e-mail addresses open."""
        return redirect_with_part_open("email", "account")

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the account page with the refused e-mail form and its errors."""
        return account_page(self.request, email_form=form)


class SignOutView(LogoutView):  # type: ignore[misc]  # allauth has no types
    """View that signs the user out. The button is on the account page."""

    def get(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Redirect to the account page, which asks anonymous users to sign in."""
        return redirect("account")


@login_required
@require_http_methods(["GET", "POST"])
def open_password_form(request: HttpRequest) -> HttpResponse:
    """Redirect to the account page with the password form open.

    Passwords are changed at one address only, because guesses are limited there.
    """
    return redirect_with_part_open("password", "account")


@require_safe
def closed_account(request: HttpRequest) -> HttpResponse:
    """Redirect users whose account is deactivated to the sign-in page, with a message that says so."""
    messages.warning(request, _("This account is closed. Ask a director of your club."))
    return redirect("account_login")
