"""Sources of results."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class ResultSource(models.TextChoices):
    """The ways in which a result can be entered: director, phone, terminal file …."""

    DESK = "desk", _("at the desk")
    SLIP = "slip", _("from a slip")
    PHONE = "phone", _("on a phone")
    RULING = "ruling", _("a ruling")
    REPAIR = "repair", _("a repair")
    TERMINAL = "terminal", _("from the terminals")
    UNDO = "undo", _("taken back")
