"""Deleting a user's own account."""

from __future__ import annotations

from django import forms
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_http_methods

from bridgebuddy.web.folds import lead_to_fold

from .models import Club, Membership, SecurityEvent, User
from .requests import UserRequest

REFUSED = 422


class OwnPasswordForm(forms.Form):
    """The password that confirms the deletion of an account."""

    password = forms.CharField(
        label=_lazy("Your password"),
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # what a request holds
        self._user = user

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        if not self._user.check_password(password):
            raise forms.ValidationError(_("This is not your password."))
        return password


@login_required
@require_http_methods(["GET", "POST"])
def delete_account(request: UserRequest) -> HttpResponse:
    """Delete an account, unless a club would lose its only director. The account's page asks for it."""
    if request.method != "POST":
        return lead_to_fold("delete", "account")
    form = OwnPasswordForm(request.user, request.POST)
    alone = clubs_directed_alone(request.user)
    if form.is_valid() and delete(request.user):
        logout(request)
        return redirect("account_login")
    context = {"delete_form": form, "alone": alone, "tab": "club"}
    return render(request, "clubs/delete_account.html", context, status=REFUSED)


def clubs_directed_alone(user: User) -> list[Club]:
    """Return the clubs of which the user is the only director."""
    directors = Membership.objects.filter(is_director=True)
    others = directors.filter(club=OuterRef("pk")).exclude(user=user)
    own = Club.objects.filter(memberships__in=directors.filter(user=user))
    return list(own.filter(~Exists(others)).order_by("name"))


@transaction.atomic
def delete(user: User) -> bool:
    """Delete an account, unless it is a club's only director. The lock lets two deletions take turns.

    The user's actions stay on record without the name.
    """
    clubs = Club.objects.filter(memberships__user=user).order_by("pk")
    list(clubs.select_for_update(of=("self",)))
    if clubs_directed_alone(user):
        return False
    SecurityEvent.objects.filter(about=user.email).delete()
    user.delete()
    return True
