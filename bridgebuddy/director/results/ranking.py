"""Who has won: the list, how it is counted, and how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from bridgebuddy.events.access import of_one_moment, one_moment, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.http import UserRequest
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.scoring.queries.tonight import Tonight
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.words import METHODS
from bridgebuddy.tables.queries.doubts import AllDoubts
from movements.engine.contest import Contest

from ..refusals import change_refused
from .pages import pages_of

OF_PAIRS = ("matchpoints", "cross-imps", "butler", "aggregate")
OF_TEAMS = ("team-imps", "bam", "aggregate")
SCALES = {
    "": gettext_lazy("IMPs as they are"),
    "wbf-continuous": gettext_lazy("Victory points, WBF, with decimals"),
    "wbf-discrete": gettext_lazy("Victory points, WBF, whole"),
    "acbl-20": gettext_lazy("Victory points, ACBL, of 20"),
    "acbl-30": gettext_lazy("Victory points, ACBL, of 30"),
    "win-draw-loss": gettext_lazy("Win 1, draw ½, loss 0"),
}
UNEQUAL = {
    "neuberg": gettext_lazy("Neuberg: as if all had been played"),
    "own-tops": gettext_lazy("each board by its own top"),
    "tie-for-missing": gettext_lazy("a tie with each that is missing"),
}


class ProfileForm(forms.Form):
    """How the session is scored."""

    method = forms.ChoiceField(label=gettext_lazy("Scoring"))
    vp = forms.ChoiceField(label=gettext_lazy("Matches"), choices=SCALES, required=False)
    unequal = forms.ChoiceField(
        label=gettext_lazy("Boards that some did not play"), choices=UNEQUAL, required=False
    )
    scope = forms.ChoiceField(
        label=gettext_lazy("Compared with"),
        choices={"field": gettext_lazy("all sections"), "section": gettext_lazy("the section")},
        required=False,
    )

    def __init__(self, scored: Scored, data: QueryDict | None = None) -> None:
        self.profile = dict(scored.document["profile"])
        first = {name: self.profile.get(name) or "" for name in ("vp", "unequal", "scope")}
        super().__init__(data, initial={"method": scored.method, **first})
        of_teams = scored.tonight.contest is Contest.TEAMS
        methods = OF_TEAMS if of_teams else OF_PAIRS
        self.fields["method"].choices = [(name, METHODS[name]) for name in methods]  # type: ignore[attr-defined]
        if not of_teams:
            del self.fields["vp"]
        else:
            del self.fields["unequal"]
        if not scored.tonight.has_several or of_teams:
            del self.fields["scope"]

    def changed(self) -> dict[str, Any]:
        """The profile with what was chosen; what is the usual is left out."""
        profile = dict(self.profile)
        for name, value in self.cleaned_data.items():
            profile[name] = value or None
        return {name: value for name, value in profile.items() if value is not None}


@never_cache
@require_GET
def ranking(request: UserRequest, code: str) -> HttpResponse:
    """Show who leads, or has won; `?method=butler` counts it another way beside, and keeps nothing."""
    return _page(request, code)


@of_one_moment
def _page(request: UserRequest, code: str, problem: str = "") -> HttpResponse:
    """Show the ranking; a profile that was refused is asked for anew."""
    tonight = Tonight(section_for_director(request, code))
    section, scored = tonight.section, Scored(tonight)
    sent = request.POST if request.method == "POST" else None
    form = ProfileForm(scored, sent)
    beside = None
    other = request.GET.get("method", "")
    if other in OF_PAIRS and other != scored.method and not tonight.contest.has_halves:
        profile = {**tonight.document["profile"], "method": other}
        beside = Scored(tonight, {**tonight.document, "profile": profile, "penalties": []})
    context = {
        "section": section,
        "tab": "results",
        "page": "ranking",
        "pages": pages_of(section, {"look-at": len(AllDoubts(tonight).open)}),
        "tonight": tonight,
        "scored": scored,
        "beside": beside,
        "others": [name for name in OF_PAIRS[:3] if name != scored.method]
        if not tonight.contest.has_halves
        else [],
        "headline": headline(scored),
        "scoring": tonight.scoring,
        "form": form,
        "problem": problem,
    }
    status = 422 if problem or form.errors else 200
    return render(request, "director/results/ranking.html", context, status=status)


def headline(scored: Scored) -> str:
    """Say who leads, or has won."""
    firsts = [
        standing.contestant
        for one in scored.main_lists
        for standing in one.standings
        if standing.row["place"] in ("1", "1=")
    ]
    if not scored.entered or not firsts:
        return str(_("No results yet"))
    labels = [one.label for one in firsts]
    listed = labels[0] if len(labels) == 1 else _listed(labels)
    if scored.is_provisional:
        return _("In front: %(contestants)s") % {"contestants": listed}
    return _("Winners: %(contestants)s") % {"contestants": listed}


def _listed(labels: list[str]) -> str:
    *most, last = labels
    return _("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last}


@require_POST
def profile(request: UserRequest, code: str) -> HttpResponse:
    """Score the session another way."""
    with one_moment(request):
        section = section_for_director(request, code)
        form = ProfileForm(Scored(Tonight(section)), request.POST)
        is_valid = form.is_valid()
    if not is_valid:
        return _page(request, code)
    try:
        publishing.score_by(section, form.changed(), by=request.user)
    except ChangeRefused as refused:
        return _page(request, code, change_refused(refused))
    return redirect("ranking", code=section.code)


DOING: dict[str, Callable[..., object]] = {
    "final": publishing.make_final,
    "open": publishing.open_again,
    "publish": publishing.publish,
    "unpublish": publishing.unpublish,
}


@require_POST
def state(request: UserRequest, code: str) -> HttpResponse:
    """Make the list final, open it again, publish it or take it back."""
    with one_moment(request):
        section: Section = section_for_director(request, code)
    do = request.POST.get("do", "")
    steps = ["final", "publish"] if do == "final-publish" else [do]
    for step in steps:
        if step in DOING:
            try:
                DOING[step](section, by=request.user)
            except ChangeRefused as refused:
                messages.warning(request, change_refused(refused))
    return redirect("ranking", code=section.code)
