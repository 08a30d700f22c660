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
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import of_one_moment, one_moment, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.match_words import SCALES
from bridgebuddy.scoring.queries.classes import more_lists
from bridgebuddy.scoring.queries.counted import Standing
from bridgebuddy.scoring.queries.matches import TeamMatches
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.scoring.queries.tonight import Tonight
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.words import METHODS
from bridgebuddy.tables.queries.doubts import AllDoubts
from movements.engine.contest import Contest

from ..refusals import change_refused
from .pages import pages_of

OF_PAIRS = ("matchpoints", "cross-imps", "butler", "aggregate")
#: of teams: how each is called, and what of the profile it stands for
OF_TEAMS: dict[str, tuple[Any, dict[str, Any]]] = {
    "team-imps": (METHODS["team-imps"], {"method": "team-imps"}),
    "bam": (gettext_lazy("Board-a-match: 1, ½, 0 a board"), {"method": "bam", "bam": [1, 0.5, 0]}),
    "pab": (gettext_lazy("Point-a-board: 2, 1, 0 a board"), {"method": "bam", "bam": [2, 1, 0]}),
    "aggregate": (METHODS["aggregate"], {"method": "aggregate"}),
}
MOST_DIGITS = 4
#: how many that lead are named in the headline, not only numbered
MOST_NAMED = 2
UNEQUAL = {
    "neuberg": gettext_lazy("Neuberg: as if all had been played"),
    "own-tops": gettext_lazy("each board by its own top"),
    "tie-for-missing": gettext_lazy("a tie with each that is missing"),
}

SESSIONS = {
    "": gettext_lazy("this session alone"),
    "weighted": gettext_lazy("the mean, by boards"),
    "plain": gettext_lazy("the mean, all sessions alike"),
    "sum": gettext_lazy("the sum"),
    "carry-forward": gettext_lazy("half of what came before is carried forward"),
}


FEDERATIONS = {
    "": gettext_lazy("the club"),
    "EBU": "EBU",
    "WBF": "WBF",
    "ABF": "ABF",
    "ACBL": "ACBL",
}


class ProfileForm(forms.Form):
    """How the session is scored."""

    preset = forms.ChoiceField(
        label=gettext_lazy("By the rules of"),
        choices=FEDERATIONS,
        required=False,
        help_text=gettext_lazy("What holds wherever nothing else is chosen below."),
    )
    method = forms.ChoiceField(
        label=gettext_lazy("Scoring"),
        help_text=gettext_lazy(
            "Matchpoints: a share of every board. Cross-IMPs: against each other result."
            " Butler: against the mean of all."
        ),
    )
    vp = forms.ChoiceField(
        label=gettext_lazy("Matches"),
        choices=SCALES,
        required=False,
        help_text=gettext_lazy("Looked up by the difference in IMPs and the number of boards."),
    )
    unequal = forms.ChoiceField(
        label=gettext_lazy("Boards that some did not play"),
        choices=UNEQUAL,
        required=False,
        help_text=gettext_lazy("EBU, WBF, ABF and ACBL play by Neuberg."),
    )
    scope = forms.ChoiceField(
        label=gettext_lazy("Compared with"),
        choices={"field": gettext_lazy("all sections"), "section": gettext_lazy("the section")},
        required=False,
        help_text=gettext_lazy("Only the same deals are ever compared."),
    )

    sessions = forms.ChoiceField(
        label=gettext_lazy("With the sessions before it"), choices=SESSIONS, required=False
    )

    def __init__(self, scored: Scored, data: QueryDict | None = None) -> None:
        self.profile = dict(scored.document["profile"])
        self.kept = dict(scored.tonight.scoring.profile)
        names = ("preset", "vp", "unequal", "scope", "sessions")
        first = {name: self.profile.get(name) or "" for name in names}
        self.of_teams = scored.tonight.contest is Contest.TEAMS
        method = scored.method
        if (
            method == "bam"
            and self.profile.get("bam", [2, 1, 0])[0] == OF_TEAMS["pab"][1]["bam"][0]
        ):
            method = "pab"
        super().__init__(data, initial={"method": method, **first})
        methods = (
            [(name, words) for name, (words, _) in OF_TEAMS.items()]
            if self.of_teams
            else [(name, METHODS[name]) for name in OF_PAIRS]
        )
        self.fields["method"].choices = methods  # type: ignore[attr-defined]
        if not self.of_teams:
            del self.fields["vp"]
        else:  # a team's scale and points a board are chosen, not implied
            del self.fields["unequal"], self.fields["preset"]
        if not scored.tonight.has_several or self.of_teams:
            del self.fields["scope"]
        if scored.tonight.session.follows_id is None:
            del self.fields["sessions"]
        self.is_swiss = all(one.stored.family == "swiss" for one in scored.tonight.sections)

    def changed(self) -> dict[str, Any]:
        """The profile with what was chosen; what is the usual is left out."""
        profile = dict(self.kept)
        if not self.of_teams:
            profile.pop("vp", None)  # pairs' scale follows from the method
        for name, value in self.cleaned_data.items():
            profile[name] = value or None
        if self.of_teams:
            profile = {name: value for name, value in profile.items() if name != "bam"}
            profile |= OF_TEAMS[self.cleaned_data["method"]][1]
            if profile["method"] != "team-imps":
                profile["vp"] = None
        kept = {name: value for name, value in profile.items() if value is not None}
        if self.is_swiss and self.of_teams and "vp" not in kept:
            kept["vp"] = None  # a Swiss has a scale unless none is wanted
        return kept


@never_cache
@require_safe
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
    other = request.GET.get("method", tonight.scoring.beside)
    beside = scored.counted_by(other) if other in OF_PAIRS else None
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
        "matches": TeamMatches(scored) if tonight.contest.has_halves else None,
        "scoring": tonight.scoring,
        "form": form,
        "problem": problem,
        "left": left_early(scored),
        "most_places": max((len(one.standings) for one in scored.main_lists), default=0),
        "more": more_lists(scored),
    }
    status = 422 if problem or form.errors else 200
    return render(request, "director/results/ranking.html", context, status=status)


def headline(scored: Scored) -> str:
    """Say who leads, or has won."""
    firsts = [
        standing
        for one in scored.main_lists
        for standing in one.standings
        if standing.row["place"] in ("1", "1=")
    ]
    if not scored.entered or not firsts:
        return str(_("No results yet"))
    said = [_said(scored, one, with_names=len(firsts) <= MOST_NAMED) for one in firsts]
    listed = said[0] if len(said) == 1 else _listed(said)
    if scored.is_provisional:
        return _("In front: %(contestants)s") % {"contestants": listed}
    return _("Winners: %(contestants)s") % {"contestants": listed}


def _said(scored: Scored, one: Standing, *, with_names: bool) -> str:
    """Say who somebody is: a team by its name, others by number, and by name where there is room."""
    if scored.tonight.contest.has_halves:
        return one.contestant.surnames
    called = _called(scored, one.section, one.label)
    return f"{called} {one.contestant.surnames}" if with_names else called


def _called(scored: Scored, section: str, label: str) -> str:
    """What somebody is called, with the letter of the section where there are several: B3, A NS 3."""
    if not scored.tonight.has_several:
        return label
    return f"{section}{'' if label.isdigit() else ' '}{label}"


def _listed(labels: list[str]) -> str:
    *most, last = labels
    return _("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last}


def left_early(scored: Scored) -> list[str]:
    """Say what becomes of the boards of those who have left (White Book 2.4)."""
    words = {
        True: _(
            "%(contestant)s left before half of their boards: what they played counts for nobody."
        ),
        False: _(
            "%(contestant)s left after round %(round)s: whoever was still to meet them has average plus."
        ),
    }
    return [
        words[is_cancelled]
        % {"contestant": _called(scored, section, one.label), "round": one.left_after}
        for section, one, is_cancelled in scored.leavers
    ]


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


@require_POST
def beside(request: UserRequest, code: str) -> HttpResponse:
    """Keep a second list beside the first one, or keep none."""
    with one_moment(request):
        section = section_for_director(request, code)
    method = request.POST.get("method", "")
    if method in ("", *OF_PAIRS) and not section.contest.has_halves:
        publishing.count_beside(section, method, by=request.user)
    return redirect("ranking", code=section.code)


@require_POST
def room(request: UserRequest, code: str) -> HttpResponse:
    """Show the ranking in the room after each round, or the final list so many places up; or neither."""
    with one_moment(request):
        section = section_for_director(request, code)
    do, places = request.POST.get("do", ""), request.POST.get("places", "")
    if do in ("rounds", "no-rounds"):
        publishing.show_after_rounds(section, do == "rounds", by=request.user)
    elif do == "reveal" and places.isdecimal() and len(places) <= MOST_DIGITS:
        publishing.reveal(section, int(places), by=request.user)
    elif do == "hide":
        publishing.reveal(section, None, by=request.user)
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
    page = "publish" if request.POST.get("at") == "publish" else "ranking"
    return redirect(page, code=section.code)
