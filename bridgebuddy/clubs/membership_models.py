"""Members of a club and invitations to it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .roles import RoleHolder


class Membership(RoleHolder):
    """A user's membership of a club, with the roles there."""

    club = models.ForeignKey("clubs.Club", models.CASCADE, related_name="memberships")
    user = models.ForeignKey("clubs.User", models.CASCADE, related_name="memberships")
    #: the user's person on the roster, as a director has stored it: see `account_person`
    person = models.OneToOneField(
        "clubs.Person", models.SET_NULL, null=True, blank=True, related_name="membership"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="one_membership_per_club")
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.club} · {self.roles_text}"


class Invitation(RoleHolder):
    """An invitation to a club, for the holder of a key or a code.

    A key is sent to `email`. A code is printed on paper: its invitation has no address.
    """

    club = models.ForeignKey("clubs.Club", models.CASCADE, related_name="invitations")
    email = models.EmailField(_("e-mail address"), blank=True, default="")
    key = models.CharField(max_length=64, unique=True, editable=False)  # a hash of it
    until = models.DateTimeField()
    by = models.ForeignKey("clubs.User", models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "email"],
                condition=~models.Q(email=""),
                name="one_invitation_per_address",
            )
        ]

    def __str__(self) -> str:
        return f"{self.email} · {self.club} · {self.roles_text}"
