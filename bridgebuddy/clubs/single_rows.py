"""Rows that exist once for a club, a person or a session, stored by a form that may be sent twice."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model, OneToOneField


class SingleRowForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """Base form for a row with a `OneToOneField` to its owner; a form sent twice updates the same row."""

    def validate_unique(self) -> None:
        """Check unique columns. A row that a form sent twice has just stored is the form's own row.

        The form was made before that row was stored, so it does not know its key. Without the key the row's values
        would count as taken, and the second press of a double click would be refused.
        """
        excluded = self._get_validation_exclusions()  # type: ignore[attr-defined]
        try:
            self.instance.validate_unique(exclude=excluded)
        except ValidationError:
            self._find_own_row()
            super().validate_unique()

    def _find_own_row(self) -> None:
        """Let the form update the owner's stored row if there is one, instead of adding a second row."""
        row = self.instance
        stored = type(row)._default_manager.filter(**_owner_fields(row)).first()
        if row.pk is None and stored is not None:
            row.pk, row._state.adding = stored.pk, False


def save_single_row(form: forms.ModelForm[Any]) -> Model:
    """Store the row of a valid `SingleRowForm`. Return the stored row.

    The row belongs to another one by a `OneToOneField`. If two equal forms both found none, the second updates the
    row of the first instead of failing.
    """
    row: Any = form.instance
    model = type(row)
    owner = _owner_fields(row)
    values = {name: getattr(row, name) for name in form.cleaned_data if name not in owner}
    stored, _is_new = model._default_manager.update_or_create(
        **owner, defaults=values, create_defaults=values | _first_values(row)
    )
    return stored  # type: ignore[no-any-return]


def _owner_fields(row: Model) -> dict[str, Any]:
    """Return the `OneToOneField`s of a row with the objects that they point to, by field name."""
    fields = [field for field in row._meta.fields if isinstance(field, OneToOneField)]
    return {field.name: getattr(row, field.name) for field in fields}


def _first_values(row: Model) -> dict[str, Any]:
    """Return the values that a new row has before the form fills it, without the key and the owner."""
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.primary_key and not isinstance(field, OneToOneField)
    }
