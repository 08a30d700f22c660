"""Deleting a user's own account: the password that confirms it, and the deletion."""

from __future__ import annotations

from django import forms
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from ..models import Club, Membership, SecurityEvent, User


class ConfirmPasswordForm(forms.Form):
    """The form for the password that confirms the deletion of one's account."""

    password = forms.CharField(
        label=_lazy("Your password"),
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # what a request holds
        self._user = user

    def clean_password(self) -> str:
        """Return the typed password if it is the user's own; refuse any other."""
        password = str(self.cleaned_data["password"])
        if not self._user.check_password(password):
            raise forms.ValidationError(_("This is not your password."))
        return password


def clubs_directed_alone(user: User) -> list[Club]:
    """Return the clubs of which `user` is the only director."""
    directors = Membership.objects.filter(is_director=True)
    others = directors.filter(club=OuterRef("pk")).exclude(user=user)
    own = Club.objects.filter(memberships__in=directors.filter(user=user))
    return list(own.filter(~Exists(others)).order_by("name"))


@transaction.atomic
def delete(user: User) -> bool:
    """Delete the account of `user`, unless a club would lose its only director. Return whether it was deleted.

    The user's actions stay on record without the name.
    """
    clubs = Club.objects.filter(memberships__user=user).order_by("pk")
    list(clubs.select_for_update(of=("self",)))
    if clubs_directed_alone(user):
        return False
    SecurityEvent.objects.filter(about=user.email).delete()
    user.delete()
    return True
