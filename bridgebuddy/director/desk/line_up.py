"""A team's pairs change sides for the round in progress."""

from __future__ import annotations

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import section_for_director
from bridgebuddy.events.errors import ChangeRefused, NotEntered
from bridgebuddy.events.services.play import line_up as service

from ..refusals import change_refused
from .views import desk_response


class SideExchangeForm(forms.Form):
    """The form for a round in which a team's pairs exchange their directions."""

    round = forms.IntegerField(min_value=1, max_value=200)
    crossed = forms.TypedChoiceField(choices=[(1, 1), (0, 0)], coerce=lambda said: said == "1")


@require_POST
def exchange_sides(request: UserRequest, code: str, entry: int) -> HttpResponse:
    """Let a team's two pairs exchange their directions from a round on, or sit as usual again."""
    section = section_for_director(request, code)
    form = SideExchangeForm(request.POST)
    if not form.is_valid():
        return desk_response(
            request, code, _("The page you used was out of date. This is the current state.")
        )
    team = section.entries.filter(pk=entry).first()
    problem = ""
    try:
        if team is None:
            raise NotEntered()
        service.cross_pairs(team, **form.cleaned_data, by=request.user)
    except ChangeRefused as refused:
        problem = change_refused(refused)
    return desk_response(request, code, problem)
