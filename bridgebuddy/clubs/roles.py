"""A member's roles in a club. A person may have several; a membership without a role is a plain member's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """A member's role in a club. `clubs.rules` defines the permissions of each role."""

    DIRECTOR = "director", _("director")
    HELPER = "helper", _("helper")
    SCORER = "scorer", _("scorer")
    SECRETARY = "secretary", _("secretary")
    TREASURER = "treasurer", _("treasurer")
    MEMBER = "member", _("member")


class RoleHolder(models.Model):
    """Abstract model with one column for each role: a membership has roles, an invitation gives them."""

    is_director = models.BooleanField(
        _("director"), default=False, help_text=_("does everything, settings and roles too")
    )
    is_helper = models.BooleanField(
        _("helper"), default=False, help_text=_("runs sessions, with their results")
    )
    is_scorer = models.BooleanField(
        _("scorer"), default=False, help_text=_("corrects results and publishes them")
    )
    is_secretary = models.BooleanField(
        _("secretary"),
        default=False,
        help_text=_("keeps members, calendar, championships and mails to members"),
    )
    is_treasurer = models.BooleanField(
        _("treasurer"), default=False, help_text=_("keeps the money and reads the list of members")
    )

    #: the columns, in the order in which pages show them
    ROLE_FIELDS: ClassVar[dict[Role, str]] = {
        Role.DIRECTOR: "is_director",
        Role.HELPER: "is_helper",
        Role.SCORER: "is_scorer",
        Role.SECRETARY: "is_secretary",
        Role.TREASURER: "is_treasurer",
    }

    class Meta:
        abstract = True

    @property
    def roles(self) -> list[Role]:
        """Return the roles in the order of the pages; a member without any has only `MEMBER`."""
        held = [role for role, field in self.ROLE_FIELDS.items() if getattr(self, field)]
        return held or [Role.MEMBER]

    @property
    def roles_text(self) -> str:
        """Return the names of the roles in the reader's language, with commas between."""
        return join_roles(self.roles)

    def set_roles(self, roles: Iterable[Role]) -> None:
        """Set exactly these roles on the object, without saving. Unknown roles raise `ValueError`."""
        wanted = {Role(role) for role in roles}
        for role, field in self.ROLE_FIELDS.items():
            setattr(self, field, role in wanted)


@dataclass(frozen=True)
class Rights:
    """The permissions of a page's reader in its club, for showing links; views check permissions themselves."""

    direct: bool = True
    run_sessions: bool = True
    score: bool = True
    keep_members: bool = True
    read_members: bool = True
    keep_money: bool = True


def join_roles(roles: Iterable[Role]) -> str:
    """Return the names of roles in the reader's language, with commas between."""
    return ", ".join(str(Role(role).label) for role in roles)
