"""Rows that exist once for a club, a person or a session, stored by a form that may be sent twice."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Model, OneToOneField


def save_single_row(form: forms.ModelForm[Any]) -> Model:
    """Store a valid form's row. Return the row that exists then.

    The row belongs to another one by a `OneToOneField`. If two equal forms both found none, the second updates the
    row of the first instead of failing.
    """
    row: Any = form.instance
    model = type(row)
    owners = [field.name for field in model._meta.fields if isinstance(field, OneToOneField)]
    owner = {name: getattr(row, name) for name in owners}
    values = {name: getattr(row, name) for name in form.cleaned_data if name not in owner}
    stored, _is_new = model._default_manager.update_or_create(
        **owner, defaults=values, create_defaults=values | _first_values(row)
    )
    return stored  # type: ignore[no-any-return]


def _first_values(row: Model) -> dict[str, Any]:
    """Return a new row's values apart from the form: its defaults, and values set before."""
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.primary_key and not isinstance(field, OneToOneField)
    }
