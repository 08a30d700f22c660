"""A team's line-up: the seats of its players by rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.models import searchable
from bridgebuddy.clubs.people.names import one_line
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused, SectionChanged
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.names import LineProblem, problem_of_name
from bridgebuddy.events.services.play import line_up as service
from bridgebuddy.events.services.play.people import line_up_document, line_up_key
from bridgebuddy.web.http import read_number
from movements.words.sentences import SEATS

from ..refusals import change_refused
from .forms import PROBLEMS, PROBLEMS_OF

CHAIRS = {
    "north": SEATS["n"],
    "south": SEATS["s"],
    "east": SEATS["e"],
    "west": SEATS["w"],
}


class LineUpForm(forms.Form):
    """The form for a team's line-up: four names, and the rounds or halves for which it holds."""

    #: the `line_up_key` of the page
    shown = forms.CharField(widget=forms.HiddenInput, required=False)
    north = forms.CharField(label=CHAIRS["north"], max_length=80)
    south = forms.CharField(label=CHAIRS["south"], max_length=80)
    east = forms.CharField(label=CHAIRS["east"], max_length=80)
    west = forms.CharField(label=CHAIRS["west"], max_length=80)
    from_round = forms.TypedChoiceField(label=gettext_lazy("From round"), coerce=int)
    until_round = forms.TypedChoiceField(label=gettext_lazy("Until round"), coerce=int)
    half = forms.TypedChoiceField(
        label=gettext_lazy("Which part of the match?"),
        coerce=int,
        choices=[
            (service.BOTH, gettext_lazy("the whole match")),
            (service.FIRST, gettext_lazy("until half-time")),
            (service.SECOND, gettext_lazy("from half-time on")),
        ],
    )

    def __init__(
        self,
        section: Section,
        entry: Entry,
        data: Any = None,
        round: int = 0,
        half: int | None = None,
    ) -> None:
        """Create the form; `round` and `half` preset the rounds.

        In the current round the second half is preset, unless another half is given.
        """
        last = section.stored.rounds
        asked = round if 1 <= round <= last else min(section.round + 1, last)
        if not section.is_started:
            asked = round or 1
        has_halves = service.has_half_time(section)
        if half is None or not has_halves:
            is_now = section.is_running and asked == section.round
            half = service.SECOND if is_now and has_halves else service.BOTH
        first: dict[str, Any] = {"from_round": asked, "until_round": round or last, "half": half}
        first["shown"] = line_up_key(entry)
        names = [person.name for line in entry.halves_in(asked, half or 1) for person in line]
        first |= dict(zip(CHAIRS, names, strict=False))
        super().__init__(data, initial=first)
        for name in ("from_round", "until_round"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [(number, str(number)) for number in range(1, last + 1)]
        for name in CHAIRS:
            self.fields[name].widget.attrs |= {"list": "squad", "autocomplete": "off"}
        if not has_halves:
            del self.fields["half"]

    def clean(self) -> dict[str, Any]:
        """Refuse unusable and repeated names, and a last round before the first."""
        cleaned: dict[str, Any] = super().clean() or {}
        seen = set()
        for name in CHAIRS:
            if name in cleaned:
                cleaned[name] = one_line(cleaned[name])
                if problem := problem_of_name(cleaned[name]):
                    self.add_error(name, PROBLEMS[problem])
                elif searchable(cleaned[name]) in seen:
                    self.add_error(name, PROBLEMS_OF[len(CHAIRS)][LineProblem.SAME_NAME])
                seen.add(searchable(cleaned.get(name, "")))
        first, last = cleaned.get("from_round"), cleaned.get("until_round")
        if first and last and last < first:
            self.add_error("until_round", _("This round is before the first one."))
        return cleaned

    @property
    def names(self) -> list[str]:
        """Return the chosen names in the order of the seats."""
        return [self.cleaned_data[name] for name in CHAIRS]

    @property
    def service_arguments(self) -> dict[str, Any]:
        """Return the form's rounds and half as keyword arguments for the function that stores a line-up."""
        values = {name: self.cleaned_data[name] for name in ("from_round", "until_round", "shown")}
        return values | {"half": self.cleaned_data.get("half", service.BOTH)}


@dataclass(frozen=True)
class RoundOfTeam:
    """The names of a team's players at each seat in a round, or in half a round, and of those who sit out."""

    round: int
    half: int
    ns: str
    ew: str
    rests: str  # the team's players who sit out
    is_over: bool


@never_cache
@require_http_methods(["GET", "POST"])
def line_up(request: UserRequest, code: str, entry: int) -> HttpResponse:
    """Show a team's players by seat in every round, and change them for some rounds."""
    if request.method == "GET":
        return _line_up_page(request, code, entry)
    with one_snapshot(request):
        section, team = _team_with_people(request, code, entry)
        form = LineUpForm(section, team, request.POST) if team else None
        is_undo = "undo" in request.POST
        is_valid = form is not None and (is_undo or form.is_valid())
        before = line_up_document(team) if team else {}
    if team is None or form is None:
        return redirect("entries", code=section.code)
    if not is_valid:
        return _line_up_page(request, code, entry)
    try:
        if is_undo:
            _undo_line_up(request, team)
        else:
            now = service.seat_team(team, form.names, **form.service_arguments, by=request.user)
            if line_up_document(now) != before:
                request.session[LAST] = [team.pk, before, line_up_key(now)]
    except SectionChanged as refused:
        messages.warning(request, change_refused(refused))
    except ChangeRefused as refused:
        return _line_up_page(request, code, entry, change_refused(refused))
    return redirect("line-up", code=section.code, entry=entry)


#: the last change of a line-up in this browser: the team, the old line-up and the key of the new
LAST = "line-up"


def _may_undo_line_up(request: UserRequest, team: Entry) -> bool:
    """Return whether a team's line-up is still the one that this browser stored last."""
    pk, _before, now = request.session.get(LAST, (0, {}, ""))
    return bool(pk == team.pk and now == line_up_key(team))


def _undo_line_up(request: UserRequest, team: Entry) -> None:
    """Restore a team's line-up from before the change that this browser stored last."""
    pk, before, now = request.session.get(LAST, (0, {}, ""))
    if pk != team.pk:
        raise SectionChanged()
    service.undo_line_up(team, before, shown_version=now, by=request.user)
    request.session.pop(LAST, None)


def _team_with_people(request: UserRequest, code: str, entry: int) -> tuple[Section, Entry | None]:
    """Return a team's entry with its people; None without teams or without a movement.

    Raises `Http404` if the entry does not exist.
    """
    section = section_for_director(request, code)
    people = ("entry_people__person", "entry_people__plays_for")
    team = section.entries.filter(pk=entry).prefetch_related(*people).first()
    if team is None:
        raise Http404("no such team")
    is_team = section.contest.has_halves and section.movement is not None
    return section, team if is_team and team.contestant is not None else None


@read_in_one_snapshot
def _line_up_page(request: UserRequest, code: str, entry: int, problem: str = "") -> HttpResponse:
    """Return the page of a team's line-ups."""
    section, team = _team_with_people(request, code, entry)
    if team is None:
        return redirect("entries", code=section.code)
    sent = request.POST if request.method == "POST" else None
    round, half = (read_number(request.GET.get(name)) for name in ("round", "half"))
    form = LineUpForm(section, team, sent, round or 0, half)
    context = {
        "section": section,
        "tab": "desk" if section.is_started else "entries",
        "team": team,
        "form": form,
        "problem": problem,
        "chairs": [form[name] for name in CHAIRS],
        "rounds": (rounds := _rounds_of_team(section, team)),
        "somebody_rests": any(round_row.rests for round_row in rounds),
        "squad": _squad_names(team),
        "may_take_back": _may_undo_line_up(request, team),
    }
    status = 422 if problem or form.errors else 200
    return render(request, "director/line_up.html", context, status=status)


def _squad_names(team: Entry) -> list[str]:
    """Return the names of all players entered for a team or playing for it in a round."""
    links = list(team.entry_people.all())
    names = [person.name for link in links for person in (link.owner, link.person)]
    return sorted(set(names))


def _rounds_of_team(section: Section, team: Entry) -> list[RoundOfTeam]:
    """Return a team's players by seat in each round and half."""
    rounds, squad = [], _squad_names(team)
    for round in range(1, section.stored.rounds + 1):
        first, then = (
            [[person.name for person in line] for line in team.halves_in(round, half)]
            for half in (1, 2)
        )
        if first == then or not service.has_half_time(section):
            halves = [(service.BOTH, first)]
        else:
            halves = [(service.FIRST, first), (service.SECOND, then)]
        for half, lines in halves:
            ns, ew = (" & ".join(line) for line in lines)
            rests = ", ".join(name for name in squad if name not in lines[0] + lines[1])
            rounds.append(RoundOfTeam(round, half, ns, ew, rests, round < section.round))
    return rounds
