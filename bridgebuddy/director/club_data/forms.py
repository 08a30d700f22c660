"""Settings for personal data: retention, visibility and the contact."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from bridgebuddy.clubs.forms import retention_months_field
from bridgebuddy.clubs.models import Club


class RetentionForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """The form for when names are deleted, how they are shown in public, and whom players contact."""

    class Meta:
        model = Club
        fields = ["names_kept_for", "public_names", "privacy_contact"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["names_kept_for"] = retention_months_field()
        self.fields["public_names"].required = False  # a missing field keeps its value

    def clean_public_names(self) -> str:
        """Return how names are shown in public; the present setting if nothing is chosen."""
        return str(self.cleaned_data["public_names"] or self.instance.public_names)


class FirstPublicationForm(RetentionForm):
    """The form before a club's first publication: who can read which names, and how long they are kept."""

    class Meta(RetentionForm.Meta):
        fields = ["public_names", "names_kept_for"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["public_names"].label = _("Names on public pages")
        self.fields["public_names"].help_text = ""
        self.fields["names_kept_for"].label = _("Forget absent players’ names")
