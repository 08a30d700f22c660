"""A database field for contests: stored by name, read as the engine's value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models.query_utils import DeferredAttribute

from .engine.contest import Contest

if TYPE_CHECKING:
    Kept = models.CharField[str, Contest]
else:
    Kept = models.CharField


class _ContestAttribute(DeferredAttribute):
    """A model attribute that converts a stored contest to the engine's `Contest`."""

    def __set__(self, instance: models.Model, value: str) -> None:
        instance.__dict__[self.field.attname] = Contest(value)


class ContestField(Kept):
    """The model field for a kind of contest."""

    descriptor_class = _ContestAttribute

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": 10, **options})

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Return the field as a plain text field for migrations."""
        name, _path, given, options = super().deconstruct()
        return name, "django.db.models.CharField", given, options
