"""The ranking page: the list, its scoring method and its state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_scorer
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.scoring.checks.result_check import doubtful_result_count
from bridgebuddy.scoring.match_words import OF_IMPS, OWN, scales_of_imps
from bridgebuddy.scoring.results.arriving_results import is_outcome_known
from bridgebuddy.scoring.results.classes import additional_rankings
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.snapshot.counted import CountedResults, RankedContestant, RankingList
from bridgebuddy.scoring.snapshot.document import profile_data
from bridgebuddy.scoring.snapshot.kinds import is_league
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.winners import leavers_sentences, winners_headline
from bridgebuddy.scoring.words import FEDERATIONS, METHODS, SESSIONS
from bridgebuddy.table_phones.queries.missing_submissions import tables_with_missing_submissions
from bridgebuddy.table_phones.queries.playing_directors import DirectorUnplayedBoards
from bridgebuddy.table_phones.queries.unclear_results import DoubtfulResults
from movements.engine.contest import Contest

from ..pages import pages_of
from ..result_checks import CheckView
from .choices import (
    AS_ABOVE,
    CORRECTIONS,
    MORE,
    OF_MATCHES,
    chosen_option,
    profile_with_choices,
    trim_threshold,
)
from .choices import OF_TEAMS as OF_TEAMS_TOO
from .own_scale import OwnScaleForm, scale_of, typed_scale
from .publish import publication_context
from .session_review import SessionReview, asks_for_open_review, prepare_review

OF_PAIRS = ("matchpoints", "cross-imps", "butler", "aggregate")
#: of teams: each method's title and its part of the profile
OF_TEAMS: dict[str, tuple[Any, dict[str, Any]]] = {
    "team-imps": (METHODS["team-imps"], {"method": "team-imps"}),
    "bam": (gettext_lazy("Board-a-match: 1, ½, 0 a board"), {"method": "bam", "bam": [1, 0.5, 0]}),
    "pab": (gettext_lazy("Point-a-board: 2, 1, 0 a board"), {"method": "bam", "bam": [2, 1, 0]}),
    "aggregate": (METHODS["aggregate"], {"method": "aggregate"}),
}
#: for a Swiss of pairs without victory points for matches
NO_SCALE = "none"
MOST_DIGITS = 4
#: the largest accepted number of results of a board
MOST_RESULTS = 99
#: fields that are no profile rules themselves, or stand elsewhere under "More"
APART = ("ends_from", "corrections")
BESIDE = ("unequal", *APART)
#: the most doubts named beside the list
MOST_LOOKS = 3
#: the least length of a single list that is split
LONG_ENOUGH = 8
UNEQUAL = {
    "neuberg": gettext_lazy("as if all had been played: Neuberg, cross-IMPs with a factor"),
    "own-tops": gettext_lazy(
        "as they are: by the board’s own top, cross-IMPs and Butler without a factor"
    ),
    "proportion": gettext_lazy("by proportion: every board weighs the same"),
    "tie-for-missing": gettext_lazy("a tie with each that is missing"),
}


class ProfileForm(OwnScaleForm):
    """The form for a session's scoring method."""

    preset = forms.ChoiceField(
        label=gettext_lazy("By the rules of"),
        choices=FEDERATIONS,
        required=False,
        help_text=gettext_lazy("Applies unless something else is chosen below."),
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
        choices=scales_of_imps,
        required=False,
        help_text=gettext_lazy("Depends on the difference in IMPs and the number of boards."),
    )
    unequal = forms.ChoiceField(
        label=gettext_lazy("Boards not played at all tables"),
        choices=UNEQUAL,
        required=False,
        help_text=gettext_lazy("EBU, WBF, ABF and ACBL play by Neuberg."),
    )
    scope = forms.ChoiceField(
        label=gettext_lazy("Compared with"),
        choices={"field": gettext_lazy("all sections"), "section": gettext_lazy("the section")},
        required=False,
        help_text=gettext_lazy("Results are only compared if the deals are the same."),
    )

    sessions = forms.ChoiceField(
        label=gettext_lazy("With the sessions before it"), choices=SESSIONS, required=False
    )
    ends_from = forms.IntegerField(
        label=gettext_lazy("Minimum number of results for leaving out extremes"),
        min_value=2,
        max_value=MOST_RESULTS,
        required=False,
        help_text=gettext_lazy("Leave empty for the smallest possible number; a seventh from 5."),
    )
    corrections = forms.ChoiceField(
        label=gettext_lazy("Correction period of a final list"),
        choices=CORRECTIONS,
        required=False,
        help_text=gettext_lazy("Law 79C: then it closes by itself, until you open it again."),
    )

    def __init__(self, scored: ScoredSession, data: QueryDict | None = None) -> None:
        own_choice = profile_data(scored.tonight)
        self.kept = dict(scored.tonight.scoring.profile)
        names = ("preset", "vp", "unequal", "scope", "sessions")
        first = {name: own_choice.get(name) or "" for name in names}
        self.of_teams = scored.tonight.contest is Contest.TEAMS
        self.is_league = all(map(is_league, scored.tonight.sections))
        method = scored.method_name
        if method == "bam" and scored.profile.bam[0] == OF_TEAMS["pab"][1]["bam"][0]:
            method = "pab"
        first |= {name: chosen_option(name, self.kept) for name in MORE}
        minutes = scored.tonight.scoring.correction_minutes
        first |= {"ends_from": trim_threshold(self.kept), "corrections": str(minutes or "")}
        if not self.of_teams:
            # else it follows from the method
            first["vp"] = NO_SCALE if self.kept.get("vp", "") is None else self.kept.get("vp", "")
        if isinstance(first["vp"], dict):
            first |= typed_scale(first["vp"]) | {"vp": OWN}
        super().__init__(data, initial={"method": method, **first})
        methods = (
            [(name, words) for name, (words, _) in OF_TEAMS.items()]
            if self.of_teams
            else [(name, METHODS[name]) for name in OF_PAIRS[:1]]
            + [("ascherman", METHODS["ascherman"])]
            + [(name, METHODS[name]) for name in OF_PAIRS[1:]]
        )
        self.fields["method"].choices = methods  # type: ignore[attr-defined]
        if not self.of_teams:
            self._offer_scales_of_pairs()
        else:  # a team's scale and points a board are chosen, not implied
            del self.fields["unequal"], self.fields["preset"]
            self.fields["method"].help_text = ""  # it explains choices that only pairs have
        if self.of_teams:
            del self.fields["ends_from"]
        if str(minutes or "") not in CORRECTIONS:
            told = ngettext("%(minutes)s minute", "%(minutes)s minutes", minutes or 0)
            self.fields["corrections"].choices = [  # type: ignore[attr-defined]
                (str(minutes), told % {"minutes": minutes}),
                *CORRECTIONS.items(),
            ]
        if not scored.tonight.has_several or self.of_teams:
            del self.fields["scope"]
        if scored.tonight.session.follows_id is None:
            del self.fields["sessions"]
        for name, (label, choices) in MORE.items():
            if self._makes_difference(name):
                self.fields[name] = forms.ChoiceField(
                    label=label,
                    required=False,
                    choices=[
                        ("", AS_ABOVE),
                        *((key, title) for key, (title, _) in choices.items()),
                    ],
                )

    def _makes_difference(self, name: str) -> bool:
        """Return whether an option can make a difference in this session."""
        if name in OF_MATCHES:
            return self.is_league
        return not self.of_teams or name in OF_TEAMS_TOO

    def _offer_scales_of_pairs(self) -> None:
        """Offer victory-point scales if the pairs play matches; else remove these fields."""
        if not self.is_league:
            for name in ("vp", *OwnScaleForm.base_fields):
                del self.fields[name]
            return
        usual = _("as is usual: by per cent (EBU), IMPs by the WBF’s scale")
        self.fields["vp"].choices = [  # type: ignore[attr-defined]
            ("", usual),
            *scales_of_imps()[1:],
            (NO_SCALE, _("no victory points: by all boards together")),
        ]

    def clean(self) -> dict[str, Any]:
        """Refuse a victory-point scale for a method that does not count IMPs."""
        cleaned = super().clean()
        has_scale = cleaned.get("vp") not in ("", None, NO_SCALE)
        if not self.of_teams and has_scale and cleaned.get("method") not in OF_IMPS:
            self.add_error(
                "vp",
                _(
                    "This scale is for IMPs only. Choose the usual scale, or "
                    "score by cross-IMPs or Butler."
                ),
            )
        return cleaned

    @property
    def main_fields(self) -> list[forms.BoundField]:
        """Return the fields that are always visible."""
        others = (*MORE, *OwnScaleForm.base_fields, *BESIDE)
        return [self[name] for name in self.fields if name not in others]

    @property
    def own_scale_fields(self) -> list[forms.BoundField]:
        """Return the form fields for a victory-point scale that the club defines itself."""
        return [self[name] for name in OwnScaleForm.base_fields if name in self.fields]

    @property
    def is_own(self) -> bool:
        """Return whether the fields of the club's own victory-point scale are open."""
        return bool(self["vp"].value() == OWN)

    @property
    def rare_fields(self) -> list[forms.BoundField]:
        """Return the rarely used fields."""
        names = [name for name in self.fields if name in MORE or name == "unequal"]
        if "ends_from" in self.fields:
            names.insert(names.index("ends") + 1, "ends_from")
        return [self[name] for name in (*names, "corrections")]

    @property
    def minutes(self) -> int | None:
        """Return how many minutes a final ranking can be corrected, or None."""
        minutes_chosen = self.cleaned_data["corrections"]
        return int(minutes_chosen) if minutes_chosen else None

    def changed_profile(self) -> dict[str, Any]:
        """Return the scoring profile with the chosen options; defaults are left out."""
        profile = dict(self.kept)
        if not self.of_teams:
            # pairs' scale follows from the method unless they choose a scale
            profile.pop("vp", None)
        for name, value in self.cleaned_data.items():
            if name not in MORE and name not in OwnScaleForm.base_fields and name not in APART:
                profile[name] = value or None
        if profile.get("vp") == OWN:
            profile["vp"] = scale_of(self.cleaned_data)
        profile.pop("ascherman", None)
        if profile["method"] == "ascherman":
            profile |= {"method": "matchpoints", "ascherman": True}
        chosen_now = {name: self.cleaned_data[name] for name in MORE if name in self.cleaned_data}
        profile = profile_with_choices(profile, chosen_now, self.cleaned_data.get("ends_from"))
        if self.of_teams:
            profile = {name: value for name, value in profile.items() if name != "bam"}
            profile |= OF_TEAMS[self.cleaned_data["method"]][1]
            if profile["method"] != "team-imps":
                profile["vp"] = None
        remaining = {name: value for name, value in profile.items() if value is not None}
        if remaining.get("vp") == NO_SCALE or (
            self.is_league and remaining["method"] == "team-imps" and "vp" not in remaining
        ):
            remaining["vp"] = None  # a league has a scale unless the club wants none
        return remaining


@never_cache
@require_safe
def ranking(request: UserRequest, code: str) -> HttpResponse:
    """Show the ranking of a session.

    `?method=butler` counts a second list by another method and stores nothing.
    """
    prepare_review(request, code)
    return _ranking_page(request, code)


def _missing_results_address(tonight: SessionSnapshot) -> str:
    """Return the address where the first missing result of a session is entered, in whichever section it is."""
    missing = (
        line for line in tonight.lines if line.has_begun and not is_outcome_known(line.outcome)
    )
    line = next(missing, None)
    if line and line.section.is_running:
        return f"{reverse('results', args=[line.section.code])}?round={line.round}"
    section = line.section if line else tonight.section
    return reverse("look-at", args=[section.code])


@read_in_one_snapshot
def _ranking_page(request: UserRequest, code: str, problem: str = "") -> HttpResponse:
    """Render the ranking; a refused form of the scoring method is shown again."""
    tonight = SessionSnapshot(section_for_scorer(request, code))
    section, scored = tonight.section, ScoredSession(tonight)
    sent = request.POST if request.method == "POST" else None
    form = ProfileForm(scored, sent)
    scoring = tonight.scoring
    unplayed = DirectorUnplayedBoards(tonight, request.user)
    doubts = DoubtfulResults(tonight, unplayed.boards).open_doubts
    look_count = doubtful_result_count(doubts)
    other = request.GET.get("method", scoring.beside)
    beside = scored.counted_by(other) if other in OF_PAIRS else None
    is_ending = section.is_finished or section.is_last_round
    context = {
        "section": section,
        "tab": "results",
        "page": "ranking",
        "pages": pages_of(section, {"look-at": look_count}),
        "look_count": look_count,
        "looks": [CheckView(doubt, section.code) for doubt in doubts[:MOST_LOOKS]],
        "is_ending": is_ending,
        "owing": tables_with_missing_submissions(tonight.sections)
        if is_ending and scored.missing_count
        else [],
        "missing_address": _missing_results_address(tonight) if scored.missing_count else "",
        "tonight": tonight,
        "scored": scored,
        "beside": beside,
        "others": [name for name in OF_PAIRS[:3] if name != scored.method]
        if not tonight.contest.has_halves
        else [],
        "headline": winners_headline(scored, with_lines=False),
        "matches": TeamMatches(scored) if tonight.contest.has_halves else None,
        "scoring": scoring,
        "form": form,
        "problem": problem,
        "left": leavers_sentences(scored),
        "uncounted": scored.contestants_with_uncounted_penalty,
        "most_places": max((len(ranking.standings) for ranking in scored.main_lists), default=0),
        "more": additional_rankings(scored),
        "parts": _list_parts(scored, beside),
        "review": SessionReview(scored, section, is_open=asks_for_open_review(request))
        if (scoring.is_final or asks_for_open_review(request)) and not unplayed.cards
        else None,
        "is_open": bool(problem or form.errors or "method" in request.GET)
        or scoring.revealed is not None,
        **publication_context(request, scored),
    }
    status = 422 if problem or form.errors else 200
    return render(request, "director/results/ranking.html", context, status=status)


def _list_parts(
    scored: ScoredSession, first_results: CountedResults | None
) -> list[tuple[RankingList, Sequence[RankedContestant]]]:
    """Return the main rankings with their rows; a long single ranking comes as two halves for two columns."""
    lists = scored.main_lists
    if len(lists) != 1 or first_results or len(lists[0].standings) < LONG_ENOUGH:
        return [(ranking, ranking.standings) for ranking in lists]
    standings = lists[0].standings
    half = -(-len(standings) // 2)
    return [(lists[0], standings[:half]), (lists[0], standings[half:])]


@require_POST
def change_scoring(request: UserRequest, code: str) -> HttpResponse:
    """Store the scoring method of a session."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
        form = ProfileForm(ScoredSession(SessionSnapshot(section)), request.POST)
        is_valid = form.is_valid()
    if not is_valid:
        return _ranking_page(request, code)
    try:
        publishing.set_scoring_profile(section, form.changed_profile(), by=request.user)
        if "corrections" in request.POST:
            publishing.set_correction_period(section, form.minutes, by=request.user)
    except ChangeRefused as refused:
        return _ranking_page(request, code, change_refused(refused))
    return redirect("ranking", code=section.code)


@require_POST
def beside(request: UserRequest, code: str) -> HttpResponse:
    """Store which scoring method a second ranking uses, shown next to the first one; empty for no second ranking."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
    method = request.POST.get("method", "")
    if method in ("", *OF_PAIRS) and not section.contest.has_halves:
        publishing.set_second_method(section, method, by=request.user)
    return redirect("ranking", code=section.code)


@require_POST
def room(request: UserRequest, code: str) -> HttpResponse:
    """Set what the room display shows of the ranking: all places after each round, or the final ones one by one."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
    do, places = request.POST.get("do", ""), request.POST.get("places", "")
    if do in ("rounds", "no-rounds"):
        publishing.show_after_rounds(section, do == "rounds", by=request.user)
    elif do == "reveal" and places.isdecimal() and len(places) <= MOST_DIGITS:
        publishing.reveal_places(section, int(places), by=request.user)
    elif do == "hide":
        publishing.reveal_places(section, None, by=request.user)
    return redirect("ranking", code=section.code)
