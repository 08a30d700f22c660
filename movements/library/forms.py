"""The form for filtering the library."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from .library import LARGEST, USUAL_LARGEST, LibraryFilter


class FilterForm(forms.Form):
    """The form with filters of the library's overview; every answer is optional."""

    pairs = forms.IntegerField(
        label=_("How many pairs have you?"), required=False, min_value=4, max_value=80
    )
    contest = forms.ChoiceField(
        label=_("Contest"),
        required=False,
        choices=[
            ("", _("all")),
            ("pairs", _("pairs")),
            ("teams", _("teams")),
            ("individual", _("individual")),
        ],
    )
    winners = forms.ChoiceField(
        label=_("Winners"),
        required=False,
        choices=[("", _("Any")), ("1", _("One")), ("2", _("Two"))],
    )
    fewest = forms.IntegerField(
        label=_("Boards, at least"), required=False, min_value=1, max_value=200
    )
    most = forms.IntegerField(
        label=_("Boards, at most"), required=False, min_value=1, max_value=200
    )
    half = forms.BooleanField(label=_("with half a table"), required=False)
    no_sharing = forms.BooleanField(label=_("nobody shares"), required=False)
    no_stands = forms.BooleanField(label=_("no boards on stands"), required=False)
    more = forms.BooleanField(label=_("up to 40 tables"), required=False)

    def read_filter(self) -> LibraryFilter:
        """Return the chosen filters; the usual ones if any answer is invalid."""
        answers = self.cleaned_data if self.is_valid() else {}
        fewest, most = answers.get("fewest") or 0, answers.get("most") or 0
        if fewest and not most:
            most = 200
        pairs = answers.get("pairs") or 0
        return LibraryFilter(
            tables=-(-pairs // 2),
            contest=answers.get("contest") or ("pairs" if pairs else ""),
            winners=int(answers.get("winners") or 0),
            half_table=answers.get("half", False) or pairs % 2 == 1,
            pairs=pairs,
            no_sharing=answers.get("no_sharing", False),
            no_stands=answers.get("no_stands", False),
            fewest_boards=fewest,
            most_boards=most,
            largest=LARGEST if answers.get("more") else USUAL_LARGEST,
        )
