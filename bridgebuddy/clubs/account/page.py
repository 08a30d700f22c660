"""The page of the user's own account, with the forms for password, e-mail address and deletion."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import AddEmailForm, ChangePasswordForm
from allauth.account.models import EmailAddress
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from ..forms import UserLanguageForm, UserNameForm
from ..requests import UserRequest
from ..sign_in.account_deletion import ConfirmPasswordForm, clubs_directed_alone


def account_page(request: UserRequest, **refused: Any) -> HttpResponse:
    """Render the user's account page; `refused` holds forms with errors by their names in the template."""
    user, opened = request.user, request.GET.get("open") if request.method == "GET" else None
    context: dict[str, Any] = {
        "tab": "account",
        "form": UserNameForm(instance=user),
        "has_mail": settings.HAS_MAIL,
        "language_form": UserLanguageForm(instance=user, auto_id="own_%s"),
        "delete_form": ConfirmPasswordForm(user),
        "alone": clubs_directed_alone(user),
        "memberships": user.memberships.select_related("club").order_by("club__name", "pk"),
        **refused,
    }
    if opened == "password" and user.has_usable_password():
        context["password_form"] = ChangePasswordForm(user=user)
    if settings.HAS_MAIL and (opened == "email" or "email_form" in refused):
        context.setdefault("email_form", AddEmailForm(user=user))
        context["addresses"] = EmailAddress.objects.filter(user=user).order_by("-primary", "email")
    is_refused = "delete_form" in refused or any(form.errors for form in refused.values())
    status = 422 if is_refused else 200
    return render(request, "clubs/account.html", context, status=status)
