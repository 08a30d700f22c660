"""Directors who play: their own entry, and hidden results of boards they have still to play."""

from __future__ import annotations

from django import forms
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_scorer
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.table_phones.queries.playing_directors import playing_as
from bridgebuddy.table_phones.services import playing_directors


class PlayingForm(forms.Form):
    """The entry as which a director plays."""

    entry = forms.TypedChoiceField(
        label=_("You play as"), coerce=int, empty_value=None, required=False
    )

    def __init__(self, section: Section, entry: int | None, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"entry": entry or ""})
        people = SectionPlan.of(section).drawn.contestants.values() if section.movement else ()
        field = self.fields["entry"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            ("", _("none: you only direct")),
            *((person.entry, f"{person.label} · {person.names}") for person in people),
        ]


@never_cache
@require_http_methods(["GET", "POST"])
def i_play(request: UserRequest, code: str) -> HttpResponse:
    """Ask a director for their own entry, and store it."""
    if request.method == "GET":
        return _playing_page(request, code)
    with one_snapshot(request):
        section = section_for_scorer(request, code)
        form = PlayingForm(section, None, request.POST)
    if not form.is_valid():
        return _playing_page(request, code)
    playing_directors.play_as(section, form.cleaned_data["entry"], by=request.user)
    return _back_to_work(section)


def _back_to_work(section: Section) -> HttpResponse:
    """Redirect to the desk, or a scorer to the results."""
    return redirect("desk" if section.club.rights.run_sessions else "results", code=section.code)


@read_in_one_snapshot
def _playing_page(request: UserRequest, code: str) -> HttpResponse:
    """Return the page on which a director says as which entry they play."""
    section = section_for_scorer(request, code)
    if section.movement is None:
        return _back_to_work(section)
    playing = playing_as(section, request.user)
    sent = request.POST if request.method == "POST" else None
    form = PlayingForm(section, playing.entry_id if playing else None, sent)
    context = {"section": section, "tab": "desk", "form": form}
    status = 422 if form.errors else 200
    return render(request, "director/i_play.html", context, status=status)


@require_POST
def look_early(request: UserRequest, code: str, board: int) -> HttpResponse:
    """Show a board to a director although they have still to play it."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
    playing_directors.look_early(section, board, by=request.user)
    return redirect("board-results", code=section.code, board=board)
