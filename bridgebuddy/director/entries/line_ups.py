"""A team's line-up: who of its players sits where, and in which rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.names import as_written
from bridgebuddy.events.access import of_one_moment, one_moment, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.names import problem_of_name
from bridgebuddy.events.services.line_up import seat_team
from bridgebuddy.http import UserRequest
from movements.words.sentences import SEATS

from ..refusals import change_refused
from .forms import PROBLEMS

CHAIRS = {
    "north": SEATS["n"],
    "south": SEATS["s"],
    "east": SEATS["e"],
    "west": SEATS["w"],
}


class LineUpForm(forms.Form):
    """Four names, and the rounds in which they sit so."""

    north = forms.CharField(label=CHAIRS["north"], max_length=80)
    south = forms.CharField(label=CHAIRS["south"], max_length=80)
    east = forms.CharField(label=CHAIRS["east"], max_length=80)
    west = forms.CharField(label=CHAIRS["west"], max_length=80)
    from_round = forms.TypedChoiceField(label=gettext_lazy("From round"), coerce=int)
    until_round = forms.TypedChoiceField(label=gettext_lazy("Until round"), coerce=int)

    def __init__(self, section: Section, entry: Entry, data: Any = None, round: int = 0) -> None:
        """Take the section, the team, what was sent, and the round that is asked about."""
        last = section.stored.rounds
        asked = round if 1 <= round <= last else min(section.round + 1, last)
        if not section.is_started:
            asked = round or 1
        first: dict[str, Any] = {"from_round": asked, "until_round": round or last}
        halves = entry.halves_in(asked)
        names = [person.name for half in halves for person in half]
        first |= dict(zip(CHAIRS, names, strict=False))
        super().__init__(data, initial=first)
        for name in ("from_round", "until_round"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [(number, str(number)) for number in range(1, last + 1)]
        for name in CHAIRS:
            self.fields[name].widget.attrs |= {"list": "squad", "autocomplete": "off"}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for name in CHAIRS:
            if name in cleaned:
                cleaned[name] = " ".join(as_written(cleaned[name]).split())
                if problem := problem_of_name(cleaned[name]):
                    self.add_error(name, PROBLEMS[problem])
        first, last = cleaned.get("from_round"), cleaned.get("until_round")
        if first and last and last < first:
            self.add_error("until_round", _("This round is before the first one."))
        return cleaned

    @property
    def names(self) -> list[str]:
        return [self.cleaned_data[name] for name in CHAIRS]


@dataclass(frozen=True)
class RoundOfTeam:
    """Who sits where in a round."""

    round: int
    ns: str
    ew: str
    rests: str  # who of the team's players is at no table
    is_over: bool


@never_cache
@require_http_methods(["GET", "POST"])
def line_up(request: UserRequest, code: str, entry: int) -> HttpResponse:
    """Show who of a team sits where in every round, and change it for some of them."""
    if request.method == "GET":
        return _page(request, code, entry)
    with one_moment(request):
        section, found = _team(request, code, entry)
        form = LineUpForm(section, found, request.POST) if found else None
        is_valid = form is not None and form.is_valid()
    if found is None or form is None:
        return redirect("entries", code=section.code)
    if not is_valid:
        return _page(request, code, entry)
    rounds = {name: form.cleaned_data[name] for name in ("from_round", "until_round")}
    try:
        seat_team(found, form.names, **rounds, by=request.user)
    except ChangeRefused as refused:
        return _page(request, code, entry, change_refused(refused))
    return redirect("line-up", code=section.code, entry=entry)


def _team(request: UserRequest, code: str, entry: int) -> tuple[Section, Entry | None]:
    """Return a team with its people; None where no teams play, or nobody has said what they play."""
    section = section_for_director(request, code)
    people = ("entry_people__person", "entry_people__plays_for")
    found = section.entries.filter(pk=entry).prefetch_related(*people).first()
    if found is None:
        raise Http404("no such team")
    is_team = section.contest.has_halves and section.movement is not None
    return section, found if is_team and found.contestant is not None else None


@of_one_moment
def _page(request: UserRequest, code: str, entry: int, problem: str = "") -> HttpResponse:
    section, found = _team(request, code, entry)
    if found is None:
        return redirect("entries", code=section.code)
    sent = request.POST if request.method == "POST" else None
    asked = request.GET.get("round", "")
    round = int(asked) if asked.isdecimal() and len(asked) < 4 else 0
    form = LineUpForm(section, found, sent, round)
    context = {
        "section": section,
        "tab": "desk" if section.is_started else "entries",
        "team": found,
        "form": form,
        "problem": problem,
        "chairs": [form[name] for name in CHAIRS],
        "rounds": (rounds := _rounds(section, found)),
        "somebody_rests": any(one.rests for one in rounds),
        "squad": _squad(found),
    }
    status = 422 if problem or form.errors else 200
    return render(request, "director/line_up.html", context, status=status)


def _squad(team: Entry) -> list[str]:
    """Everybody who plays for a team in some round, or was entered for it."""
    links = list(team.entry_people.all())
    names = [person.name for link in links for person in (link.owner, link.person)]
    return sorted(set(names))


def _rounds(section: Section, team: Entry) -> list[RoundOfTeam]:
    found = []
    for round in range(1, section.stored.rounds + 1):
        halves = [[one.name for one in half] for half in team.halves_in(round)]
        ns, ew = (" & ".join(half) for half in halves)
        rests = ", ".join(name for name in _squad(team) if name not in halves[0] + halves[1])
        found.append(RoundOfTeam(round, ns, ew, rests, round < section.round))
    return found
