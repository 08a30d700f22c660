"""Rulings on a whole match: a set result, wrong opponents, averages, a missing team."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot, section_for_scorer
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.scoring.checks.effects import match_effect
from bridgebuddy.scoring.models import MatchRuling
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.matches import TeamMatch
from bridgebuddy.scoring.rules.match_scoring.mismatch import Relief, points_after_mismatch
from bridgebuddy.scoring.rules.scales.victory_points import greatest_sum
from bridgebuddy.scoring.services import rulings
from bridgebuddy.scoring.snapshot.kinds import has_matches
from bridgebuddy.scoring.snapshot.lines import PlayLine

from ..context import ResultsPageData
from ..corrections.fouled import fingerprint
from ..corrections.rulings import is_confirmed
from .extra_boards import more_boards

Kind = MatchRuling.Kind
KINDS = {
    Kind.GIVEN: gettext_lazy("Set the victory points"),
    Kind.MISMATCH: gettext_lazy("They were the wrong opponents"),
    Kind.VOID: gettext_lazy("Less than half was played: averages"),
    Kind.MISSING: gettext_lazy("A team was missing"),
    Kind.SIDES: gettext_lazy("Wrong seats in the whole match, both at fault: each 40 %"),
    Kind.DIRECTOR: gettext_lazy("Wrong seats in the whole match, director’s error: each 60 %"),
}
#: a match of pairs has one table, so seats at another table cannot be wrong
KINDS_OF_PAIRS = {kind: KINDS[kind] for kind in (Kind.GIVEN, Kind.MISMATCH, Kind.VOID)}
KINDS_OF_PAIRS |= {Kind.MISSING: gettext_lazy("A pair was missing")}
RELIEFS = {
    "as-played": gettext_lazy("as played"),
    "more": gettext_lazy("more: not at fault, met stronger opponents"),
    "less": gettext_lazy("less: at fault, met weaker opponents"),
}
AWARDS = {
    "AVE+": gettext_lazy("average plus"),
    "AVE": gettext_lazy("average"),
    "AVE-": gettext_lazy("average minus"),
}


class MatchRulingForm(forms.Form):
    """The form for a ruling on a match: its kind, and each team's points or award."""

    kind = forms.ChoiceField(label=gettext_lazy("What is ruled"), choices=KINDS)
    home_points = forms.DecimalField(min_value=0, max_value=100, decimal_places=2, required=False)
    away_points = forms.DecimalField(min_value=0, max_value=100, decimal_places=2, required=False)
    home_relief = forms.ChoiceField(choices=RELIEFS, required=False)
    away_relief = forms.ChoiceField(choices=RELIEFS, required=False)
    home_award = forms.ChoiceField(choices=AWARDS, required=False, initial="AVE+")
    away_award = forms.ChoiceField(choices=AWARDS, required=False, initial="AVE-")
    missing = forms.ChoiceField(label=gettext_lazy("Who was missing"), required=False)
    reason = forms.CharField(label=gettext_lazy("Why"), max_length=200, required=False)

    def __init__(self, match: TeamMatch, data: Any = None) -> None:
        super().__init__(data)
        self.match = match
        if not match.section.contest.has_halves:
            kinds = self.fields["kind"]
            assert isinstance(kinds, forms.ChoiceField)
            kinds.choices = list(KINDS_OF_PAIRS.items())
        teams = {"home": match.home.surnames, "away": match.away.surnames if match.away else ""}
        missing = self.fields["missing"]
        assert isinstance(missing, forms.ChoiceField)
        missing.choices = list(teams.items())
        for side, name in teams.items():
            self.fields[f"{side}_points"].label = name
            self.fields[f"{side}_relief"].label = name
            self.fields[f"{side}_award"].label = name

    def clean(self) -> dict[str, Any]:
        """Refuse a ruling without the points that it needs."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("kind") == Kind.GIVEN:
            for name in ("home_points", "away_points"):
                if cleaned.get(name) is None and name not in self.errors:
                    self.add_error(name, _("How many victory points?"))
        if cleaned.get("kind") == Kind.MISMATCH and not self.has_points:
            self.add_error("kind", _("The match has no victory points yet."))
        return cleaned

    @property
    def has_points(self) -> bool:
        """Return whether the page offers to change victory points: the match is over and scored in them."""
        return self.match.is_by_itself and self.match.has_vps and self.match.is_over

    def service_arguments(self) -> dict[str, Any]:
        """Return the values as keyword arguments for the service, without the teams."""
        cleaned = self.cleaned_data
        match cleaned["kind"]:
            case Kind.GIVEN:
                return {"points": (cleaned["home_points"], cleaned["away_points"])}
            case Kind.MISMATCH:
                return {
                    "points": (self._points_after_relief("home"), self._points_after_relief("away"))
                }
            case Kind.VOID:
                return {
                    "awards": (cleaned["home_award"] or "AVE+", cleaned["away_award"] or "AVE-")
                }
        return {}

    def _points_after_relief(self, side: str) -> Decimal:
        """Return a side's victory points after the compensation that the director chose for it."""
        scale = self.match.scored.profile.vp
        assert scale is not None, "a match without a scale has no victory points"
        score = self.match.score
        assert score is not None
        actual = Fraction(str(score.home if side == "home" else score.away))
        relief: Relief = self.cleaned_data[f"{side}_relief"] or "as-played"
        points = points_after_mismatch(actual, relief, greatest_sum(scale))
        return round(Decimal(points.numerator) / points.denominator, 3)

    @property
    def unsaved_ruling(self) -> MatchRuling:
        """Return the ruling in the form as a database object that is not stored, for its preview."""
        first_entry, other = self.teams
        given = self.service_arguments()
        points, awards = given.get("points", (None, None)), given.get("awards", ("", ""))
        return MatchRuling(
            kind=self.cleaned_data["kind"],
            one_id=first_entry,
            other_id=other,
            one_points=points[0],
            other_points=points[1],
            one_award=awards[0],
            other_award=awards[1],
        )

    @property
    def shown_fingerprint(self) -> str:
        """Return the ruling as text, to see whether the same one was previewed."""
        return fingerprint(
            kind=self.cleaned_data["kind"], teams=self.teams, **self.service_arguments()
        )

    @property
    def teams(self) -> tuple[int, int]:
        """Return the entry keys of both teams; if a team did not come to the match, its key comes first."""
        assert self.match.away is not None
        both = self.match.home.entry, self.match.away.entry
        is_away = self.cleaned_data["kind"] == Kind.MISSING and (
            self.cleaned_data["missing"] == "away"
        )
        return (both[1], both[0]) if is_away else both


def match_page(
    request: UserRequest, results_context: ResultsPageData, match: TeamMatch, form: MatchRulingForm
) -> HttpResponse:
    """Render the page of a match with its rulings and the form for a new one."""
    entries = {match.home.entry, match.away.entry if match.away else 0}
    ruled = [
        ruling
        for ruling in results_context.tonight.match_rulings
        if (ruling.section_id, ruling.round) == (results_context.section.pk, match.round)
        and {ruling.one_id, ruling.other_id} == entries
    ]
    context = results_context.context("matches", match=match, form=form, ruled=ruled)
    context["may_rule"] = results_context.scored.profile.makes_vps
    if match.section.contest.has_halves:
        context["more"] = more_boards(results_context, match)
    else:
        context["rows"] = [_match_board_row(results_context, line) for line in match.lines]
    if form.is_bound and not form.errors:
        context |= {
            "effect": match_effect(match, form.unsaved_ruling),
            "shown": form.shown_fingerprint,
        }
    status = 422 if form.errors else 200
    return render(request, "director/results/match.html", context, status=status)


def _match_board_row(context: ResultsPageData, line: PlayLine) -> tuple[Any, ...]:
    """Return a board of a match between pairs: play, score, both sides and explanations."""
    ns, ew = (context.scored.side(line, side) for side in ("ns", "ew"))
    return (
        line,
        context.scored.score(line),
        ns,
        ew,
        context.explain_score(line, ns, "ns"),
        context.explain_score(line, ew, "ew"),
    )


@require_POST
def rule_on_match(
    request: UserRequest, code: str, round: int, home: str, away: str
) -> HttpResponse:
    """Preview the effect of a ruling on a match, then store it.

    If the match does not exist, redirect to all matches.
    """
    with one_snapshot(request):
        read = ResultsPageData(request, code)
        match = form = None
        if has_matches(read.section) and read.scored.has_results:
            match = TeamMatches(read.scored).find(read.section, round, home, away)
        if match is not None:
            form = MatchRulingForm(match, request.POST)
            if not form.is_valid() or not _is_confirmed_ruling(request, form):
                return match_page(request, read, match, form)
    if match is None or form is None:
        return redirect("matches", code=read.section.code)
    first, other = form.teams
    values = {"kind": form.cleaned_data["kind"], "reason": form.cleaned_data["reason"]}
    try:
        rulings.rule_match(
            read.section,
            match.round,
            first,
            other,
            **values,
            **form.service_arguments(),
            by=request.user,
        )
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect("match", read.section.code, *match.key.values())


def _is_confirmed_ruling(request: UserRequest, form: MatchRulingForm) -> bool:
    """Return whether the button was pressed for exactly the ruling that the page had previewed."""
    return is_confirmed(request, request.POST.get("shown", ""), form.shown_fingerprint)


@require_POST
def take_back(request: UserRequest, code: str, ruling: int) -> HttpResponse:
    """Take back a ruling on a match."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
    try:
        rulings.take_back_match_ruling(section, ruling, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect("matches", code=section.code)
