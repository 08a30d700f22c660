"""Folds of the desk: small questions and lists, in the sheet above the desk or, without a script, below it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.table_phones.queries.playing_directors import playing_director_of

from ..changes.words import change_sentence
from .log import part_played_sentence

#: the element that holds a question above the desk
SHEET = "sheet-body"


@dataclass(frozen=True)
class DeskFold:
    """An expandable part of the director's desk: its name in the address, title, template and context."""

    name: str
    title: str | Promise
    template: str
    context: dict[str, Any] = field(default_factory=dict)

    @property
    def is_refused(self) -> bool:
        """Return whether the form in the expandable part was sent with errors."""
        form = self.context.get("form")
        return isinstance(form, forms.Form) and bool(form.errors)


def is_from_desk_dialog(request: HttpRequest) -> bool:
    """Return whether the request comes from the dialog (sheet) above the desk."""
    return bool(request.htmx) and request.htmx.target == SHEET  # type: ignore[attr-defined]


def fold_response(request: HttpRequest, section: Section, fold: DeskFold) -> HttpResponse:
    """Return an expandable part of the desk alone, for the dialog above the desk."""
    context = {"section": section, "fold": fold, **fold.context}
    status = 422 if fold.is_refused else 200
    return render(request, "director/desk_fold.html", context, status=status)


def history_fold(section: Section) -> DeskFold:
    """Return the expandable part with every version of the movement: author, time and reason."""
    versions = section.movements.select_related("by").order_by("-version")
    told = [
        (
            version,
            change_sentence(version.change, version.facts, section.contest)
            if version.change
            else _("The movement was chosen."),
            part_played_sentence(version.facts),
        )
        for version in versions
    ]
    return DeskFold(
        "history", _("History of the movement"), "director/history.html", {"versions": told}
    )


class PlayingForm(forms.Form):
    """The form in which a director who also plays chooses the pair or team that they belong to."""

    entry = forms.TypedChoiceField(
        label=_lazy("You play as"), coerce=int, empty_value=None, required=False
    )

    def __init__(self, section: Section, entry: int | None, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"entry": entry or ""})
        people = SectionPlan.of(section).drawn.contestants.values() if section.movement else ()
        field = self.fields["entry"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            ("", _lazy("none: you only direct")),
            *((person.entry, f"{person.label} · {person.names}") for person in people),
        ]


def playing_fold(request: UserRequest, section: Section) -> DeskFold:
    """Return the expandable part in which a director who also plays chooses their own pair or team."""
    playing = playing_director_of(section, request.user)
    sent = request.POST if request.method == "POST" else None
    form = PlayingForm(section, playing.entry_id if playing else None, sent)
    return DeskFold("i-play", _("You play yourself"), "director/i_play.html", {"form": form})
