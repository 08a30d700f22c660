"""Choosing a contest with drawn rounds: a Swiss or a knock-out."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.director.wording import contestant_words
from bridgebuddy.events.access import one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.setup.movement import choose_movement
from bridgebuddy.scoring.snapshot.kinds import KNOCKOUT, SWISS
from movements.engine import catalogue
from movements.engine.boards import MatchBoards
from movements.engine.drawing.draws import SwissAdvice, swiss_advice
from movements.engine.errors import MovementError
from movements.engine.offers import movement_for
from movements.services import BrokenMovement
from movements.words.refusals import movement_refused
from movements.words.sentences import contestant_count_text

from ..match_boards import MatchBoardsForm, chosen_match_boards, form_values, preparation_notes

KINDS = {
    SWISS: _lazy("Swiss: everybody plays to the end against neighbours in the ranking"),
    KNOCKOUT: _lazy("Knock-out: the loser of a match is out"),
}
FIRST = {
    "slide": _lazy("by seeds: upper half against lower half"),
    "fold": _lazy("by seeds: first against last"),
    "random": _lazy("by lot"),
}
BEHIND = {
    "": _lazy("from the results of all rounds before: everybody waits for the last table"),
    "1": _lazy("one round behind: round 3 is drawn from round 1, without waiting"),
}
ODD = {
    "triangle": _lazy("three play a triangle of short matches in one round"),
    "long-triangle": _lazy("three play a triangle over two rounds"),
    "bye": _lazy("one sits out and gets points for the round"),
}
LOSERS = {
    "": _lazy("goes home"),
    "1": _lazy("plays on: for the third place, or in a consolation"),
}
MOST_BOARDS = 40
#: for a match of teams, and for a round of pairs (Wikipedia: 6 to 8)
MATCH_BOARDS, ROUND_BOARDS = 8, range(6, 9)
FEWEST = 4
#: fields that have no effect in the other kind of contest
SWISS_ALONE = frozenset(("rounds", "first", "behind", "danish", "odd"))
KNOCKOUT_ALONE = frozenset(("losers",))


class DrawnForm(MatchBoardsForm):
    """The form for a contest with drawn rounds (Swiss or knock-out); for teams also their boards."""

    kind = forms.ChoiceField(label=_lazy("Contest"), choices=KINDS, widget=forms.HiddenInput)
    rounds = forms.IntegerField(label=_lazy("Rounds"), min_value=2, max_value=60, required=False)
    boards = forms.IntegerField(label=_lazy("Boards a round"), min_value=1, max_value=MOST_BOARDS)
    first = forms.ChoiceField(label=_lazy("First round"), choices=FIRST, required=False)
    behind = forms.ChoiceField(label=_lazy("Other rounds"), choices=BEHIND, required=False)
    danish = forms.BooleanField(
        label=_lazy("Danish last round: 1 meets 2, 3 meets 4, whoever has met before"),
        required=False,
    )
    losers = forms.ChoiceField(label=_lazy("The loser of a match"), choices=LOSERS, required=False)
    odd = forms.ChoiceField(label=_lazy("An odd number"), choices=ODD, required=False)

    def __init__(self, section: Section, entries: int, data: Any = None, kind: str = "") -> None:
        """Create the form; without data it shows the `kind` of contest, with only its fields."""
        self.section, self.entries = section, entries
        self.is_teams = section.contest.has_halves
        options = section.movement_options if _is_drawn(section) else {}
        stored = section.movement if _is_drawn(section) else None
        usual = {
            "kind": kind if kind in KINDS else stored.family if stored else SWISS,
            "rounds": stored.rounds if stored and stored.family == SWISS else self.usual_rounds,
            "boards": section.boards_per_round if stored else self.usual_boards,
            "first": options.get("first", "slide"),
            "behind": "1" if options.get("behind") else "",
            "danish": bool(options.get("danish")),
            "losers": "1" if options.get("compact") else "",
            "odd": options.get("odd", "triangle"),
            **form_values(chosen_match_boards(section)),
        }
        super().__init__(usual if data is None else data)
        if not self.is_teams:
            for name in ("kind", "losers", "cards", "from_board", "numbers", "segments"):
                del self.fields[name]
        unused = SWISS_ALONE if self.is_knockout else KNOCKOUT_ALONE & self.fields.keys()
        if not self.is_knockout and (not self.is_teams or entries % 2 == 0):
            unused |= {"odd"}
        for name in unused:
            del self.fields[name]

    @property
    def is_knockout(self) -> bool:
        """Return whether the chosen contest is a knock-out."""
        return self.is_teams and self["kind"].value() == KNOCKOUT

    @property
    def kinds(self) -> list[tuple[str, Any, bool]]:
        """Return the kinds of team contest as tuples of value, label, and whether that kind is selected."""
        return [
            (kind, words, self.is_knockout == (kind == KNOCKOUT)) for kind, words in KINDS.items()
        ]

    @property
    def advice(self) -> SwissAdvice:
        """Return advice on the number of rounds of a Swiss."""
        return swiss_advice(self.entries)

    @property
    def usual_rounds(self) -> int:
        """Return the default number of rounds of a Swiss: enough that the best entries meet, within the limits."""
        return max(2, min(self.advice.fewest, self.advice.most))

    @property
    def usual_boards(self) -> int:
        """Return the usual boards a round: eight for teams, six to eight for pairs."""
        if self.is_teams:
            return MATCH_BOARDS
        fitting = self.section.session.most_boards // self.usual_rounds
        return min(ROUND_BOARDS[-1], max(ROUND_BOARDS[0], fitting))

    @property
    def family(self) -> str:
        """Return the name of the chosen movement family: Swiss if nothing is chosen."""
        return self.cleaned_data.get("kind") or SWISS

    def clean(self) -> dict[str, Any]:
        """Set the default number of rounds of a Swiss if none is typed; check it for three-team matches."""
        cleaned = super().clean() or {}
        if not self.errors and self.family == SWISS and not cleaned.get("rounds"):
            cleaned["rounds"] = self.usual_rounds
        if not self.errors and self.family == SWISS:
            self._check_triangles(cleaned["rounds"], cleaned.get("odd"))
        return cleaned

    def _check_triangles(self, rounds: int, odd: str | None) -> None:
        """Refuse an odd number of rounds if three-team matches (triangles) last two rounds."""
        if odd == "long-triangle" and rounds % 2:
            words = {"fewer": rounds - 1, "more": rounds + 1}
            self.add_error(
                "rounds",
                _("A triangle lasts two rounds here, so play %(fewer)s or %(more)s.") % words,
            )

    @property
    def asked_round_count(self) -> int | None:
        """Return the typed number of rounds; None for a knock-out."""
        return self.cleaned_data["rounds"] if self.family == SWISS else None

    @property
    def options(self) -> dict[str, Any]:
        """Return the options for the engine; a random draw gets a seed so that it can be repeated."""
        if self.family == KNOCKOUT:
            return {"seeded": True} | ({"compact": True} if self.cleaned_data["losers"] else {})
        chosen = self.cleaned_data
        options: dict[str, Any] = {"first": chosen["first"] or "slide"}
        if options["first"] == "random":
            options["seed"] = random.SystemRandom().randrange(1, 10_000)
        for name in ("behind", "danish"):
            if chosen[name]:
                options[name] = True
        if "odd" in self.fields:
            options["odd"] = chosen["odd"] or "triangle"
        return options | ({} if self.is_teams else {"contest": "pairs"})


def _is_drawn(section: Section) -> bool:
    """Return whether the section's rounds are drawn during play."""
    return section.movement is not None and section.movement.is_drawn_as_played


@dataclass(frozen=True)
class ContestPreview:
    """The number of rounds and the end of the chosen contest, or the reason why it is impossible."""

    rounds: int = 0
    boards: int = 0
    ends_at: datetime | None = None
    problem: str = ""
    prepared: tuple[str, ...] = ()


def _contest_preview(form: DrawnForm) -> ContestPreview:
    """Return the preview of the contest that a form describes."""
    if not form.is_valid():
        return ContestPreview()
    try:
        movement = movement_for(
            form.family, form.entries, form.asked_round_count, options=form.options
        )
    except MovementError as error:
        return ContestPreview(problem=movement_refused(error))
    session, boards = form.section.session, form.cleaned_data["boards"]
    start = datetime.combine(session.date, session.starts_at)
    minutes = movement.rounds * boards * session.minutes_per_board
    end = start + timedelta(minutes=minutes)
    told: list[str] = []
    if form.is_teams:
        wished = form.wished
        numbered = MatchBoards.from_choice(
            boards,
            movement.rounds,
            first_board=wished.first,
            goes_on=wished.goes_on,
            duplicated=wished.is_duplicated,
            segments=wished.segments,
        )
        told = preparation_notes(numbered, movement)
    return ContestPreview(movement.rounds, movement.rounds * boards, end, prepared=tuple(told))


def round_advice(form: DrawnForm) -> list[str]:
    """Return a sentence of advice on the number of rounds of a Swiss."""
    counted_entries = contestant_count_text(form.section.contest, form.entries)
    if form.is_knockout:
        return []
    fewest, most = form.advice.fewest, form.advice.most
    asked = str(form["rounds"].value())
    if asked.isdecimal() and int(asked[:9]) > most:  # Python converts no number of 5,000 digits
        return [
            _(
                "Up to %(most)s rounds everybody gets new opponents. Later the draw may repeat "
                "a meeting. It tells you, and you decide."
            )
            % {"most": most}
        ]
    if fewest > most:
        return [
            _(
                "A Swiss needs more than %(who)s: after %(most)s rounds the best have all met. If "
                "there is time, play a round robin."
            )
            % {"who": counted_entries, "most": most}
        ]
    return [
        _("With %(who)s, play at least %(fewest)s rounds: then only one can win every match.")
        % {"who": counted_entries, "fewest": fewest},
        _(
            "Up to %(most)s rounds everybody gets new opponents; after that, as long as a draw "
            "is possible."
        )
        % {"most": most},
    ]


@require_http_methods(["GET", "POST"])
def choose_drawn(request: UserRequest, code: str) -> HttpResponse:
    """Show the options of a Swiss or knock-out, and choose it for the section."""
    problem = ""
    if request.method == "POST":
        problem = _choose_contest(request, code)
        if not problem:
            return redirect("entries", code=code)
    with one_snapshot(request):
        section = section_for_director(request, code)
        entries = section.entries.count()
        sent = request.GET if "boards" in request.GET else None
        if request.method == "POST":
            sent = request.POST
        form = DrawnForm(section, entries, sent, request.GET.get("kind", ""))
        preview = _contest_preview(form)
        is_possible = section.contest.people > 1 and not section.is_started
        context = {
            "section": section,
            "tab": "movement",
            "counted": contestant_count_text(section.contest, entries),
            "form": form,
            "preview": preview,
            "advice": round_advice(form),
            "is_possible": is_possible,
            "is_enough": entries >= fewest_entries(section),
            "words": contestant_words(section),
            "problem": problem or (preview.problem if sent else ""),
            "is_chosen": _is_drawn(section),
        }
        template = "director/drawn.html" + ("#preview" if request.htmx else "")
        return render(request, template, context, status=422 if problem or form.errors else 200)


def fewest_entries(section: Section) -> int:
    """Return the smallest number of entries for a contest with drawn rounds."""
    least = catalogue.find_family(SWISS).smallest
    return least if section.contest.has_halves else 2 * least - 1


def _choose_contest(request: UserRequest, code: str) -> str:
    """Store the chosen contest; return the reason of a refusal, else an empty string."""
    with one_snapshot(request):
        section = section_for_director(request, code)
        form = DrawnForm(section, section.entries.count(), request.POST)
        is_valid = form.is_valid()
    if section.is_started:
        return _("The session has begun; its movement cannot be chosen again.")
    if not is_valid:
        return _("Correct the marked fields.")
    if section.contest.plays_alone:
        return _("Single players are not drawn from their results.")
    try:
        choose_movement(
            section,
            form.family,
            rounds=form.asked_round_count,
            boards_per_round=form.cleaned_data["boards"],
            options=form.options,
            matches=form.wished if form.is_teams else None,
            by=request.user,
        )
    except MovementError as error:
        return movement_refused(error)
    except BrokenMovement:
        return _("This movement is not possible with so many. Choose another one.")
    except ChangeRefused as error:
        return change_refused(error)
    messages.success(request, _("It is chosen, and round 1 is drawn."))
    return ""
