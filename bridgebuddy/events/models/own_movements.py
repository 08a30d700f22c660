"""A club's own movements."""

from __future__ import annotations

from functools import cached_property

from django.db import models
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import Club
from movements.engine.files import document
from movements.engine.model import Movement


class ClubMovement(models.Model):
    """A movement that a club has imported for its own use, checked by the laws of movements."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="own_movements")
    name = models.CharField(_("name"), max_length=80)
    document = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="one_own_movement_per_name")
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def movement(self) -> Movement:
        """Return the stored movement as the engine's `Movement`."""
        return document.read_movement(self.document).movement
